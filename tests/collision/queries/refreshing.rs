//! When results of `SpatialQuery` are up to date, and `refresh_colliders`.

use bevy::{
    prelude::*,
    time::TimeUpdateStrategy,
    transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms},
};
use bevy_thud::{geometry::Shape, prelude::*};

use super::brute_force::check_queries;
use crate::common::{scene::Scene, *};

/// The collider at a position.
fn at_point(app: &mut App, point: Vec2) -> Option<Entity> {
    let found = run_system(app, move |query: SpatialQuery| {
        query.point_intersections(point, &SpatialQueryFilter::default())
    });
    found.first().copied()
}

#[test]
fn results_are_those_of_the_last_update_until_a_refresh() {
    let mut app = test_app();
    let [moved, gone, disabled, parent] =
        [0.0, 10.0, 20.0, 30.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    app.update();
    set_position(&mut app, moved, Vec2::Y * 50.0);
    app.world_mut().despawn(gone);
    app.world_mut()
        .entity_mut(disabled)
        .insert(ColliderDisabled);
    let newcomer = spawn(&mut app, (RectCollider::new(2.0, 2.0), at(40.0, 0.0)));
    let child = spawn(&mut app, (ball(0.0, 20.0), ChildOf(parent)));
    let seen = |app: &mut App| {
        let points = [
            (0.0, 0.0),
            (0.0, 50.0),
            (10.0, 0.0),
            (20.0, 0.0),
            (40.0, 0.0),
            (30.0, 20.0),
        ];
        points.map(|(x, y)| at_point(app, Vec2::new(x, y)))
    };
    assert_eq!(
        seen(&mut app),
        [Some(moved), None, Some(gone), Some(disabled), None, None]
    );
    refresh_colliders(app.world_mut());
    let now = [None, Some(moved), None, None, Some(newcomer), Some(child)];
    assert_eq!(seen(&mut app), now);
    app.update();
    assert_eq!(seen(&mut app), now);
}

#[test]
fn a_refresh_is_a_function_a_system_and_a_command() {
    let mut app = test_app();
    app.add_systems(PreUpdate, refresh_colliders);
    app.add_systems(Update, |mut commands: Commands| {
        commands.spawn(ball(7.0, 0.0));
        commands.queue(refresh_colliders);
    });
    app.add_systems(First, |mut commands: Commands| {
        commands.spawn(ball(3.0, 0.0));
    });
    #[derive(Resource)]
    struct Seen([usize; 2]);
    app.insert_resource(Seen([0; 2]));
    let look = |query: SpatialQuery, mut seen: ResMut<Seen>| {
        seen.0 = [3.0, 7.0].map(|x| query.point_intersections(Vec2::X * x, &default()).len());
    };
    app.add_systems(PostUpdate, look.before(CollisionSystems::Sync));
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [1, 1]);
}

#[test]
fn the_first_frame_sees_what_was_spawned_in_startup() {
    #[derive(Resource, Default)]
    struct Found(Vec<usize>);

    for plugin in [
        CollisionPlugin::default(),
        CollisionPlugin::in_fixed_schedule(),
    ] {
        let mut app = unstarted_app(plugin);
        app.init_resource::<Found>()
            .add_systems(Startup, |mut commands: Commands| {
                commands.spawn((ball(0.0, 0.0), Solid));
            })
            .add_systems(Update, |query: SpatialQuery, mut found: ResMut<Found>| {
                let here = query.point_intersections(Vec2::ZERO, &SpatialQueryFilter::default());
                found.0.push(here.len());
            });
        start(&mut app);
        assert_eq!(app.world().resource::<Found>().0, [1]);
    }
}

#[test]
fn without_the_plugin_a_refresh_does_nothing() {
    refresh_colliders(&mut World::new());
}

#[test]
fn colliders_of_ones_own_kind_are_refreshed_too() {
    #[derive(Component)]
    struct Hull(f32);
    impl Collider for Hull {
        fn shape(&self) -> Shape {
            Shape::circle(Vec2::ZERO, self.0)
        }
    }
    let mut app = test_app();
    app.add_collider::<Hull>();
    let ship = spawn(&mut app, Hull(1.0));
    refresh_colliders(app.world_mut());
    assert_eq!(at_point(&mut app, Vec2::X * 0.5), Some(ship));
    app.world_mut().get_mut::<Hull>(ship).unwrap().0 = 5.0;
    refresh_colliders(app.world_mut());
    assert_eq!(at_point(&mut app, Vec2::X * 4.5), Some(ship));
}

#[test]
fn queries_return_results_while_time_is_paused() {
    let mut app = test_app();
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let ball = spawn(&mut app, ball(3.0, 0.0));
    app.update();
    assert_eq!(at_point(&mut app, Vec2::X * 3.0), Some(ball));
    set_position(&mut app, ball, Vec2::Y * 3.0);
    app.update();
    assert_eq!(at_point(&mut app, Vec2::Y * 3.0), Some(ball));
}

#[test]
fn with_fixed_steps_a_paused_game_needs_a_refresh() {
    let mut app = unstarted_app(CollisionPlugin::in_fixed_schedule());
    app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP * 2));
    start(&mut app);
    let [known, late] = [3.0, 6.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    app.world_mut().entity_mut(late).insert(ColliderDisabled);
    app.update();
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    app.world_mut()
        .entity_mut(late)
        .remove::<ColliderDisabled>();
    for _ in 0..3 {
        app.update();
        assert_eq!(at_point(&mut app, Vec2::X * 3.0), Some(known));
        assert_eq!(at_point(&mut app, Vec2::X * 6.0), None);
    }
    refresh_colliders(app.world_mut());
    assert_eq!(at_point(&mut app, Vec2::X * 6.0), Some(late));
    // The pairs are reported by the next update.
    set_position(&mut app, late, Vec2::X * 3.5);
    for _ in 0..3 {
        refresh_colliders(app.world_mut());
        assert_eq!(step(&mut app), []);
    }
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.update();
    assert_eq!(brief_step(&mut app), [started(known, late)]);
}

/// A scene whose colliders are also swept and one-way at times.
struct Stage {
    scene: Scene,
    is_refreshed: bool,
}

impl Stage {
    fn change_something(&mut self) {
        let scene = &mut self.scene;
        scene.change_something();
        let entity = scene.entities[scene.rng.usize(0..scene.entities.len())];
        match scene.rng.u8(0..6) {
            0 => scene.toggle::<Swept>(entity),
            1 => scene.toggle::<OneWay>(entity),
            2 => {
                let mut transform = scene.app.world_mut().get_mut::<Transform>(entity);
                transform.as_mut().unwrap().translation.x += 9.0;
            }
            _ => {}
        }
        if self.is_refreshed && self.scene.rng.clone().bool() {
            refresh_colliders(self.scene.app.world_mut());
        }
    }
}

#[test]
fn a_refresh_changes_nothing_that_is_reported() {
    let simulate = |seed: u64, is_refreshed: bool| {
        let scene = Scene::new(seed, 80);
        let mut stage = Stage {
            scene,
            is_refreshed,
        };
        let frames = (0..40).map(|_| {
            (0..3).for_each(|_| stage.change_something());
            stage.scene.frame(30)
        });
        let events = frames.collect::<Vec<_>>();
        let entities = stage.scene.entities.iter();
        let transforms =
            entities.map(|&entity| stage.scene.app.world().get::<Transform>(entity).copied());
        (events, transforms.collect::<Vec<_>>())
    };
    let mut count = 0;
    for seed in 50..70 {
        let (plain, refreshed) = (simulate(seed, false), simulate(seed, true));
        count += plain.0.concat().len();
        // As text, because a NaN would not equal itself.
        assert_eq!(
            format!("{:?}", plain.1),
            format!("{:?}", refreshed.1),
            "{seed}"
        );
        for (frame, (plain, refreshed)) in plain.0.iter().zip(&refreshed.0).enumerate() {
            assert_eq!(
                format!("{plain:#?}"),
                format!("{refreshed:#?}"),
                "{seed}, frame {frame}"
            );
        }
    }
    assert!(count > 500, "the scenes are too quiet: {count}");
}

#[test]
fn a_swept_collider_keeps_its_path_through_a_refresh() {
    let mut app = test_app();
    let blade = spawn(&mut app, (ball(0.0, 0.0), Swept));
    let board = spawn(&mut app, (RectCollider::new(0.1, 20.0), at(10.0, 0.0)));
    assert_eq!(step(&mut app), []);
    for x in [8.0, 14.0, 20.0] {
        set_position(&mut app, blade, Vec2::X * x);
        refresh_colliders(app.world_mut());
    }
    let crossed = [
        started(blade, board),
        ended(blade, board, CollisionEndReason::Separated),
    ];
    assert_eq!(brief_step(&mut app), crossed);
    // A collider that is new since the last update has no path.
    let other = spawn(&mut app, (ball(0.0, 5.0), Swept));
    refresh_colliders(app.world_mut());
    set_position(&mut app, other, Vec2::new(20.0, 5.0));
    assert_eq!(step(&mut app), []);
}

/// What may come between two updates, and has to change nothing.
type Between = fn(&mut App);

const BETWEEN: [Between; 3] = [
    |_| {},
    |app| refresh_colliders(app.world_mut()),
    |app| {
        let state = app.world().resource::<CollisionState>().clone();
        app.insert_resource(state);
        refresh_colliders(app.world_mut());
    },
];

/// A swept child of a level at the origin is detached, and jumps one update later, across a board
/// or with a door into a hero. Returns the events of the jump, and where the hero is.
fn jump_after_detaching(between: Between) -> (Vec<Brief>, Vec2) {
    let mut app = test_app();
    let level = spawn(&mut app, Transform::IDENTITY);
    let blade = (ball(0.0, 0.0), Swept, ChildOf(level));
    let blade = spawn(&mut app, blade);
    spawn(&mut app, (RectCollider::new(0.1, 20.0), at(50.0, 0.0)));
    let door = (RectCollider::new(2.0, 9.0), Solid, Swept, at(0.0, 50.0));
    let door = spawn(&mut app, (door, ChildOf(level)));
    let hero = spawn(&mut app, (ball(5.0, 50.0), Mover::default()));
    app.update();
    for child in [blade, door] {
        app.world_mut().entity_mut(child).remove::<ChildOf>();
    }
    between(&mut app);
    app.update();
    set_position(&mut app, blade, Vec2::X * 100.0);
    set_position(&mut app, door, Vec2::new(20.0, 50.0));
    (brief_step(&mut app), global_position(&app, hero))
}

#[test]
fn a_detached_swept_collider_keeps_its_sweep_through_a_refresh() {
    let (expected, hero) = jump_after_detaching(BETWEEN[0]);
    // The blade crosses the board, the door pushes the hero.
    assert_eq!(expected.len(), 3, "{expected:?}");
    assert!(hero.x > 22.0, "{hero}");
    for between in BETWEEN {
        assert_eq!(jump_after_detaching(between), (expected.clone(), hero));
    }
}

#[test]
fn the_hash_of_a_state_follows_keys_through_a_refresh() {
    let hashes = |between: Between, key: Option<u64>| {
        let mut app = test_app();
        let blades = [0.0, 1.5].map(|x| spawn(&mut app, (ball(x, 0.0), Swept, StableKey(7))));
        app.update();
        let mut entity = app.world_mut().entity_mut(blades[0]);
        match key {
            Some(key) => entity.insert(StableKey(key)),
            None => entity.remove::<StableKey>(),
        };
        between(&mut app);
        let hash = |app: &mut App| {
            app.update();
            app.world().resource::<CollisionState>().hash()
        };
        [hash(&mut app), hash(&mut app)]
    };
    for key in [None, Some(3), Some(9)] {
        let expected = hashes(BETWEEN[0], key);
        for between in BETWEEN {
            assert_eq!(hashes(between, key), expected, "{key:?}");
        }
    }
    assert_ne!(hashes(BETWEEN[0], None), hashes(BETWEEN[0], Some(3)));
}

/// An app in which a refresh comes between `Sync` and `Move`.
fn app_with_refreshes() -> App {
    let mut app = test_app();
    let refresh = refresh_colliders.after(CollisionSystems::Sync);
    app.add_systems(PostUpdate, refresh.before(CollisionSystems::Move));
    app
}

#[test]
fn a_refresh_within_an_update_repeats_no_sweep() {
    let mut app = app_with_refreshes();
    let mover = Mover::with_velocity(Vec2::X * 3200.0);
    let knight = spawn(&mut app, (CircleCollider::new(0.1), mover, at(-25.0, 0.0)));
    let sword = (CircleCollider::new(0.5), Swept, at(0.0, 5.0));
    let sword = spawn(&mut app, (sword, ChildOf(knight)));
    let target = spawn(&mut app, ball(0.0, 5.0));
    let crossed = [
        started(sword, target),
        ended(sword, target, CollisionEndReason::Separated),
    ];
    assert_eq!(brief_step(&mut app), crossed);
    set_velocity(&mut app, knight, Vec2::ZERO);
    assert_eq!(brief_step(&mut app), []);
}

#[test]
fn a_teleport_after_a_refresh_is_no_motion() {
    let mut app = app_with_refreshes();
    let blade = spawn(&mut app, (ball(0.0, 0.0), Swept));
    spawn(&mut app, (RectCollider::new(0.1, 20.0), at(10.0, 0.0)));
    assert_eq!(step(&mut app), []);
    let advance = move |mut transforms: Query<&mut Transform>| {
        transforms.get_mut(blade).unwrap().translation.x += 2.0;
    };
    let jump = move |mut transforms: Query<&mut Transform>, mut state: ResMut<CollisionState>| {
        transforms.get_mut(blade).unwrap().translation.x = 20.0;
        state.teleport(blade);
    };
    let advance = advance.after(CollisionSystems::Sync).run_if(run_once);
    let jump = jump.before(CollisionSystems::Move).run_if(run_once);
    app.add_systems(PostUpdate, advance.before(refresh_colliders));
    app.add_systems(PostUpdate, jump.after(refresh_colliders));
    assert_eq!(steps(&mut app, 3), []);
}

#[test]
fn after_a_refresh_every_result_is_that_of_testing_every_collider() {
    for seed in 60..64 {
        let mut scene = Scene::new(seed, 80);
        // The reference uses `GlobalTransform`s.
        let mut propagation = Schedule::default();
        propagation.add_systems(
            (
                mark_dirty_trees,
                propagate_parent_transforms,
                sync_simple_transforms,
            )
                .chain(),
        );
        for _ in 0..8 {
            (0..6).for_each(|_| scene.change_something());
            refresh_colliders(scene.app.world_mut());
            propagation.run(scene.app.world_mut());
            check_queries(&mut scene, 10);
        }
    }
}
