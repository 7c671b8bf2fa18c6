//! Games that despawn everything, observers included: the plugin continues.

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};
use bevy_thud::{geometry::Shape, prelude::*};

use crate::common::*;

/// Despawns all observers.
fn reset(app: &mut App) {
    let mut observers = app.world_mut().query_filtered::<Entity, With<Observer>>();
    let observers: Vec<Entity> = observers.iter(app.world()).collect();
    for observer in observers {
        app.world_mut().despawn(observer);
    }
}

#[derive(Resource, Default)]
struct Hooked(Vec<&'static str>);

fn note_removal(mut world: DeferredWorld, _: HookContext) {
    world.resource_mut::<Hooked>().0.push("removed");
}

fn note_discard(mut world: DeferredWorld, _: HookContext) {
    world.resource_mut::<Hooked>().0.push("discarded");
}

fn shape() -> Shape {
    Shape::circle(Vec2::ZERO, 1.0)
}

#[derive(Component, Default)]
struct Plain;

#[derive(Component, Default)]
#[component(on_remove = note_removal)]
struct WithRemove;

#[derive(Component, Default)]
#[component(
    on_remove = note_removal,
    on_discard = note_discard
)]
struct WithBoth;

impl Collider for Plain {
    fn shape(&self) -> Shape {
        shape()
    }
}

impl Collider for WithRemove {
    fn shape(&self) -> Shape {
        shape()
    }
}

impl Collider for WithBoth {
    fn shape(&self) -> Shape {
        shape()
    }
}

/// Asserts that a type of collider can be added, replaced and removed, before and after a reset.
fn assert_comes_and_goes<C: Collider + Default>(app: &mut App, name: &str) {
    for round in ["before", "after"] {
        let context = format!("{name}, {round}");
        let [a, b] = [0.0, 1.5].map(|x| spawn(app, (C::default(), at(x, 0.0))));
        let bare = app.world_mut().spawn(C::default()).id();
        app.world_mut().entity_mut(bare).insert(at(-1.5, 0.0));
        let mut expected = [started(a, b), started(a, bare)];
        expected.sort_by_key(|event| format!("{event:?}"));
        let mut events = brief_step(app);
        events.sort_by_key(|event| format!("{event:?}"));
        assert_eq!(events, expected, "{context}");
        app.world_mut().entity_mut(a).insert(C::default());
        assert_eq!(steps(app, 2), [], "{context}: replaced");
        app.world_mut().entity_mut(b).remove::<C>();
        let end = ended(a, b, CollisionEndReason::ColliderRemoved);
        assert_eq!(brief_step(app), [end], "{context}");
        assert_eq!(steps(app, 2), [], "{context}");
        app.world_mut()
            .entity_mut(b)
            .insert(CircleCollider::new(1.0));
        assert_eq!(
            brief_step(app),
            [started(a, b)],
            "{context}: of another kind"
        );
        for entity in [a, b, bare] {
            app.world_mut().despawn(entity);
        }
        assert_eq!(step(app).len(), 2, "{context}");
        reset(app);
    }
}

#[test]
fn after_a_reset_removed_colliders_go() {
    let mut app = test_app();
    app.add_collider::<Plain>();
    assert_comes_and_goes::<Plain>(&mut app, "plain");
}

#[test]
fn components_with_hooks_of_their_own_are_colliders_that_go_and_keep_their_hooks() {
    let mut app = test_app();
    app.init_resource::<Hooked>()
        .add_collider::<WithRemove>()
        .add_collider::<WithBoth>();
    assert_comes_and_goes::<WithRemove>(&mut app, "remove");
    let hooked = std::mem::take(&mut app.world_mut().resource_mut::<Hooked>().0);
    assert_eq!(
        hooked, ["removed"; 6],
        "one removed and two despawned, twice"
    );
    assert_comes_and_goes::<WithBoth>(&mut app, "both");
    let hooked = &app.world().resource::<Hooked>().0;
    let count = |name| hooked.iter().filter(|hook| **hook == name).count();
    assert_eq!([count("removed"), count("discarded")], [6, 8]);
}

#[test]
fn components_that_entities_had_before_are_colliders_that_go() {
    let mut app = test_app();
    app.world_mut().spawn((Plain, at(500.0, 0.0)));
    app.add_collider::<Plain>();
    assert_comes_and_goes::<Plain>(&mut app, "late");
}

/// Bevy knows the components of a bundle from when it was first mentioned, be it to remove it.
#[test]
fn components_of_bundles_that_were_mentioned_before_are_colliders_that_go() {
    #[derive(Component, Default)]
    #[require(Plain)]
    struct WithPlain;
    let mention: [fn(&mut World); 3] = [
        |world| {
            world.spawn_empty().remove::<Plain>();
        },
        |world| {
            world.register_bundle::<(Plain, Transform)>();
        },
        |world| {
            world.register_bundle::<WithPlain>();
        },
    ];
    for mention in mention {
        let mut app = test_app();
        mention(app.world_mut());
        app.add_collider::<Plain>();
        assert_comes_and_goes::<Plain>(&mut app, "mentioned");
        let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, (WithPlain, at(x, 0.0))));
        assert_eq!(brief_step(&mut app), [started(a, b)]);
    }
    // Before the plugin as well.
    let mut app = App::new();
    app.world_mut().spawn_empty().remove::<CircleCollider>();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
    record_events(&mut app);
    start(&mut app);
    let [a, b] = [0.0, 1.5].map(|x| {
        let mut entity = app.world_mut().spawn_empty();
        entity
            .insert(CircleCollider::new(1.0))
            .insert(at(x, 0.0))
            .id()
    });
    assert_eq!(brief_step(&mut app), [started(a, b)]);
}

#[test]
fn a_kind_that_came_late_makes_room_for_one_that_was_there_before() {
    let mut app = test_app();
    app.world_mut().spawn((Plain, at(500.0, 0.0)));
    app.add_collider::<Plain>().add_collider::<WithRemove>();
    app.init_resource::<Hooked>();
    for (first, second) in [(true, false), (false, true)] {
        let both = (Plain, WithRemove, at(0.0, 0.0));
        let [a, b] = [spawn(&mut app, both), spawn(&mut app, ball(1.5, 0.0))];
        assert_eq!(brief_step(&mut app), [started(a, b)]);
        for is_plain in [first, second] {
            let mut entity = app.world_mut().entity_mut(a);
            if is_plain {
                entity.remove::<Plain>();
            } else {
                entity.remove::<WithRemove>();
            }
            let expected: &[Brief] = if is_plain == first {
                &[]
            } else {
                &[ended(a, b, CollisionEndReason::ColliderRemoved)]
            };
            assert_eq!(brief_step(&mut app), expected);
        }
        app.world_mut().despawn(a);
        app.world_mut().despawn(b);
        app.update();
    }
}

#[test]
fn what_is_no_mover_any_more_is_blocked_by_nothing() {
    for is_reset in [false, true] {
        let mut app = test_app();
        if is_reset {
            reset(&mut app);
        }
        let wall = (RectCollider::new(2.0, 40.0), Solid, at(3.0, 0.0));
        spawn(&mut app, wall);
        let mover = Mover::with_velocity(Vec2::X * 500.0);
        let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
        app.update();
        assert_eq!(app.world().get::<MoverHits>(mover).unwrap().len(), 1);
        app.world_mut().entity_mut(mover).remove::<Mover>();
        assert_eq!(app.world().get::<MoverHits>(mover).unwrap().len(), 0);
    }
}

#[test]
fn the_plugin_adds_no_observers() {
    let count = |app: &mut App| {
        let mut observers = app.world_mut().query_filtered::<Entity, With<Observer>>();
        observers.iter(app.world()).count()
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    let without = count(&mut app);
    app.add_plugins(CollisionPlugin::default())
        .add_collider::<Plain>();
    assert_eq!(count(&mut app), without);
}

#[test]
fn after_a_reset_the_plugins_own_colliders_go() {
    let mut app = test_app();
    let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    reset(&mut app);
    app.world_mut().entity_mut(b).remove::<CircleCollider>();
    let end = ended(a, b, CollisionEndReason::ColliderRemoved);
    assert_eq!(brief_step(&mut app), [end]);
    let found = run_system(&mut app, |query: SpatialQuery| {
        query.point_intersections(Vec2::X * 2.0, &SpatialQueryFilter::default())
    });
    assert_eq!(*found, []);
}
