//! Warnings about setups without effect, each once; none about setups that may be intended.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::explain::explain;
use crate::common::*;

/// Asserts that one warning names this entity, with these words, and that later updates add none.
pub fn assert_warned(app: &mut App, name: &str, words: &str) {
    steps(app, 3);
    let warnings = warnings_about(name);
    assert_eq!(warnings.len(), 1, "{name}: {warnings:?}");
    assert!(warnings[0].contains(words), "{warnings:?}");
}

pub fn assert_silent(app: &mut App, name: &str) {
    steps(app, 4);
    assert_eq!(warnings_about(name), Vec::<String>::new(), "{name}");
}

const MOVE_COLLIDER: &str = "nothing blocks a mover without a collider of its own; the colliders \
    of its children only report overlaps. Put the collider on the entity of the `Mover`";
const MAKE_SIBLINGS: &str = "an entity does not collide with its descendants. Make them siblings";
const ADD_SOLID: &str = "`OneWay` has no effect without `Solid`. Add `Solid`";
const MOVE_SOLID: &str =
    "`Solid` only affects the collider of its own entity. Put both on one entity";

/// A floor below y = 0, and a mover that falls toward it.
fn falling(mover: Mover) -> (App, Entity, Entity) {
    collect_warnings();
    let mut app = test_app();
    let floor = (RectCollider::new(100.0, 10.0), Solid, at(0.0, -5.0));
    let floor = spawn(&mut app, floor);
    let hero = spawn(&mut app, (mover, at(0.0, 2.5)));
    (app, hero, floor)
}

fn fall() -> Mover {
    Mover::with_velocity(Vec2::NEG_Y * 64.0)
}

#[test]
fn a_mover_of_which_only_a_child_has_a_collider_is_named_when_a_wall_lets_it_through() {
    let (mut app, hero, floor) = falling(fall());
    let name = "a hero whose body is a child;";
    let body = spawn(
        &mut app,
        (ball(0.0, 0.0), ChildOf(hero), Name::new("a body;")),
    );
    app.world_mut().entity_mut(hero).insert(Name::new(name));
    app.update();
    assert_eq!(
        warnings_about(name),
        Vec::<String>::new(),
        "it is in the air"
    );
    assert_warned(&mut app, name, MOVE_COLLIDER);
    let warning = &warnings_about(name)[0];
    assert!(
        warning.contains("a body;") && warning.contains("`MoverResponse::Pass`"),
        "{warning}"
    );
    for (a, b) in [(hero, floor), (floor, hero), (body, floor), (floor, body)] {
        let sentence = explain(&mut app, a, b).to_string();
        assert!(sentence.contains(MOVE_COLLIDER), "{sentence}");
    }
}

#[test]
fn a_mover_that_may_be_meant_to_have_no_collider_is_not_named() {
    let child = |app: &mut App, hero, x| spawn(app, (ball(x, 0.0), ChildOf(hero)));
    let free = [
        (
            "a mover that passes everything;",
            Mover {
                response: MoverResponse::Pass,
                ..fall()
            },
        ),
        (
            "a mover that is blocked by nothing;",
            Mover {
                blocked_by: LayerMask::NONE,
                ..fall()
            },
        ),
    ];
    for (name, mover) in free {
        let (mut app, hero, _) = falling(mover);
        app.world_mut().entity_mut(hero).insert(Name::new(name));
        child(&mut app, hero, 0.0);
        assert_silent(&mut app, name);
    }

    let name = "a mover with a sword;";
    let (mut app, hero, _) = falling(fall());
    let body = (CircleCollider::new(1.0), Name::new(name));
    app.world_mut().entity_mut(hero).insert(body);
    let sword = (RectCollider::new(1.0, 6.0), Swept, ChildOf(hero));
    spawn(&mut app, sword);
    assert_silent(&mut app, name);

    let name = "a formation;";
    let (mut app, hero, _) = falling(fall());
    app.world_mut().entity_mut(hero).insert(Name::new(name));
    for x in [0.0, 4.0, 8.0] {
        child(&mut app, hero, x);
    }
    assert_silent(&mut app, name);

    let name = "a ship with a sailor who is blocked;";
    let (mut app, hero, _) = falling(fall());
    app.world_mut().entity_mut(hero).insert(Name::new(name));
    let sailor = child(&mut app, hero, 0.0);
    app.world_mut()
        .entity_mut(sailor)
        .insert((Mover::default(), Name::new(name)));
    assert_silent(&mut app, name);

    let name = "a mover whose child meets no wall;";
    let (mut app, hero, floor) = falling(fall());
    app.world_mut().entity_mut(floor).remove::<Solid>();
    app.world_mut().entity_mut(hero).insert(Name::new(name));
    child(&mut app, hero, 0.0);
    assert_silent(&mut app, name);
}

#[test]
fn a_mover_that_gets_its_collider_one_update_later_is_not_named() {
    let name = "a mover that is put together bit by bit;";
    let (mut app, hero, _) = falling(Mover::default());
    app.world_mut()
        .entity_mut(hero)
        .insert((Name::new(name), at(0.0, 0.5)));
    spawn(&mut app, (ball(0.0, 0.0), ChildOf(hero)));
    assert_eq!(step(&mut app).len(), 1, "its child is in the floor");
    app.world_mut()
        .entity_mut(hero)
        .insert(CircleCollider::new(0.4));
    assert_silent(&mut app, name);
}

/// A wall that is the parent of something.
fn wall(app: &mut App) -> Entity {
    collect_warnings();
    spawn(app, (RectCollider::new(100.0, 10.0), Solid, at(0.0, -5.0)))
}

/// A mover at a position in the local space of its parent.
fn walker(name: &str, x: f32, y: f32) -> impl Bundle {
    (ball(x, y), Mover::default(), Name::new(name.to_string()))
}

#[test]
fn a_mover_below_a_wall_is_named_together_with_the_wall_however_far_away() {
    for (name, y) in [("a near child;", 7.0), ("a far child;", 5000.0)] {
        let mut app = test_app();
        let wall = wall(&mut app);
        app.world_mut()
            .entity_mut(wall)
            .insert(Name::new("a wall of children;"));
        let layer = spawn(&mut app, (Transform::IDENTITY, ChildOf(wall)));
        let walker = spawn(&mut app, (walker(name, 0.0, y), ChildOf(layer)));
        assert_warned(&mut app, name, MAKE_SIBLINGS);
        let warning = &warnings_about(name)[0];
        assert!(
            warning.contains("a wall of children;") && warning.contains("`Mover::blocked_by`"),
            "{warning}"
        );
        for (a, b) in [(wall, walker), (walker, wall)] {
            let sentence = explain(&mut app, a, b).to_string();
            assert!(sentence.contains(MAKE_SIBLINGS), "{sentence}");
        }
    }
}

#[test]
fn a_mover_is_named_when_it_comes_below_a_wall_or_what_is_above_it_becomes_one() {
    let name = "a hero who lands on a lift;";
    let mut app = test_app();
    let lift = wall(&mut app);
    app.world_mut().entity_mut(lift).insert(Swept);
    let hero = spawn(&mut app, walker(name, 0.0, 6.0));
    assert_silent(&mut app, name);
    app.world_mut().entity_mut(hero).insert(ChildOf(lift));
    assert_warned(&mut app, name, MAKE_SIBLINGS);

    let name = "a hero in a level whose map comes later;";
    let mut app = test_app();
    let level = spawn(&mut app, Transform::IDENTITY);
    let layer = spawn(&mut app, (Transform::IDENTITY, ChildOf(level)));
    spawn(&mut app, (walker(name, 20.0, 0.0), ChildOf(layer)));
    assert_silent(&mut app, name);
    let rows = ["#.#", "#.#", "###"];
    let map = TileCollider::from_rows(rows, Vec2::splat(8.0));
    app.world_mut().entity_mut(level).insert(map);
    assert_silent(&mut app, name);
    app.world_mut().entity_mut(level).insert(Solid);
    assert_warned(&mut app, name, MAKE_SIBLINGS);
}

#[test]
fn a_mover_below_a_wall_is_named_in_fixed_schedules_after_a_reset_and_after_a_refresh() {
    let name = "a child of a wall in a fixed schedule;";
    let mut app = unstarted_app(CollisionPlugin::in_fixed_schedule());
    start(&mut app);
    let parent = wall(&mut app);
    spawn(&mut app, (walker(name, 0.0, 20.0), ChildOf(parent)));
    assert_warned(&mut app, name, MAKE_SIBLINGS);

    let name = "a child of a wall after a reset;";
    let mut app = test_app();
    let observers = run_system(&mut app, |all: Query<Entity, With<Observer>>| {
        all.iter().collect::<Vec<_>>()
    });
    for observer in observers {
        app.world_mut().despawn(observer);
    }
    let parent = wall(&mut app);
    spawn(&mut app, (walker(name, 0.0, 20.0), ChildOf(parent)));
    assert_warned(&mut app, name, MAKE_SIBLINGS);

    let name = "a child of a wall that a refresh sees first;";
    let mut app = test_app();
    let parent = wall(&mut app);
    spawn(&mut app, (walker(name, 0.0, 20.0), ChildOf(parent)));
    refresh_colliders(app.world_mut());
    assert_warned(&mut app, name, MAKE_SIBLINGS);
}

#[test]
fn a_mover_that_may_be_meant_to_be_below_a_wall_is_not_named() {
    let name = "a bullet that starts in its turret;";
    let mut app = test_app();
    let turret = wall(&mut app);
    spawn(&mut app, (walker(name, 0.0, 4.0), ChildOf(turret)));
    assert_silent(&mut app, name);

    let name = "a child of a solid mover;";
    let mut app = test_app();
    let ship = wall(&mut app);
    app.world_mut().entity_mut(ship).insert(Mover::default());
    spawn(&mut app, (walker(name, 0.0, 20.0), ChildOf(ship)));
    assert_silent(&mut app, name);

    let name = "a child that the layer of the wall does not block;";
    let mut app = test_app();
    let parent = wall(&mut app);
    let layers = CollisionLayers::new(LayerMask::layer(3), LayerMask::ALL);
    app.world_mut().entity_mut(parent).insert(layers);
    let mover = Mover {
        blocked_by: !LayerMask::layer(3),
        ..default()
    };
    let child = spawn(&mut app, (walker(name, 0.0, 20.0), ChildOf(parent)));
    app.world_mut().entity_mut(child).insert(mover);
    assert_silent(&mut app, name);

    for (name, other) in [
        ("a mover below a sensor;", 0),
        ("a mover below a disabled wall;", 1),
        ("a mover below what has no collider;", 2),
        ("a mover that shares no layer with the wall above;", 3),
    ] {
        let mut app = test_app();
        let parent = wall(&mut app);
        let mut entity = app.world_mut().entity_mut(parent);
        match other {
            0 => entity.remove::<Solid>(),
            1 => entity.insert(ColliderDisabled),
            2 => entity.remove::<RectCollider>(),
            _ => entity.insert(CollisionLayers::new(LayerMask::ALL, LayerMask::NONE)),
        };
        spawn(&mut app, (walker(name, 0.0, 20.0), ChildOf(parent)));
        assert_silent(&mut app, name);
    }
}

#[test]
fn a_one_way_wall_that_is_not_solid_is_named() {
    let name = "a platform that is not solid;";
    let (mut app, hero, _) = falling(fall());
    app.world_mut()
        .entity_mut(hero)
        .insert(CircleCollider::new(1.0));
    let platform = (
        RectCollider::new(9.0, 1.0),
        OneWay(Dir2::Y),
        Name::new(name),
    );
    let platform = spawn(&mut app, platform);
    assert_warned(&mut app, name, ADD_SOLID);
    set_position(&mut app, hero, Vec2::ZERO);
    app.update();
    let sentence = explain(&mut app, hero, platform).to_string();
    assert!(sentence.contains(ADD_SOLID), "{sentence}");
}

#[test]
fn a_one_way_wall_that_is_or_was_solid_is_not_named() {
    let platform = |app: &mut App, name: &str| {
        collect_warnings();
        let name = Name::new(name.to_string());
        spawn(app, (RectCollider::new(9.0, 1.0), OneWay(Dir2::Y), name))
    };
    let name = "a platform that becomes solid before the update;";
    let mut app = test_app();
    let late = platform(&mut app, name);
    app.world_mut().entity_mut(late).insert(Solid);
    assert_silent(&mut app, name);
    let name = "a platform to drop through for a while;";
    let mut app = test_app();
    let trapdoor = platform(&mut app, name);
    app.world_mut().entity_mut(trapdoor).insert(Solid);
    app.update();
    app.world_mut().entity_mut(trapdoor).remove::<Solid>();
    assert_silent(&mut app, name);
}

#[test]
fn a_solid_entity_of_which_only_a_child_has_a_collider_is_named_when_a_mover_goes_through_it() {
    let name = "a wall whose collider is a child;";
    let (mut app, hero, floor) = falling(fall());
    app.world_mut()
        .entity_mut(hero)
        .insert(CircleCollider::new(1.0));
    app.world_mut().despawn(floor);
    let floor = spawn(&mut app, (Solid, at(0.0, -5.0), Name::new(name)));
    let shape = (RectCollider::new(100.0, 10.0), ChildOf(floor));
    let shape = spawn(&mut app, shape);
    assert_warned(&mut app, name, MOVE_SOLID);
    let sentence = explain(&mut app, hero, shape).to_string();
    assert!(sentence.contains(MOVE_SOLID), "{sentence}");
}

#[test]
fn a_mistake_that_many_entities_share_is_logged_once() {
    let mut app = test_app();
    let parent = wall(&mut app);
    for number in 0..50u8 {
        let name = format!("one of fifty below a wall, {number};");
        spawn(&mut app, (walker(&name, 0.0, 20.0), ChildOf(parent)));
    }
    assert_warned(&mut app, "one of fifty below a wall", MAKE_SIBLINGS);
    let late = (
        walker("one of fifty below a wall, late;", 0.0, 20.0),
        ChildOf(parent),
    );
    spawn(&mut app, late);
    assert_warned(&mut app, "one of fifty below a wall", MAKE_SIBLINGS);
}

#[test]
fn a_mover_in_an_app_without_time_is_named() {
    collect_warnings();
    let name = "a mover without time;";
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), CollisionPlugin::default()));
    app.update();
    spawn(&mut app, (Mover::default(), Name::new(name)));
    for _ in 0..3 {
        app.update();
    }
    let warnings = warnings_about(name);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("`TimePlugin`"), "{warnings:?}");
}
