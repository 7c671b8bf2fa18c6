//! Memory: how much the plugin uses, and that it allocates nothing while colliders only move.
//!
//! A binary of its own, because it counts the allocations of a whole thread. There is no pool of
//! threads in it, so the plugin does all of its work on that thread, as it does without the feature
//! `parallel`.

use std::sync::Arc;

use bevy::{
    ecs::{message::Messages, schedule::SingleThreadedExecutor, system::SystemState},
    prelude::*,
};
use bevy_thud::{
    geometry::{Placement, Shape, Tiles, contact},
    prelude::*,
};

/// The number of colliders of a crowd that is large enough for all that may allocate.
const CROWD: f32 = 1000.0;

/// World units per update.
#[derive(Component)]
struct Velocity(Vec2);

/// An app that runs on this thread alone.
fn app() -> App {
    let mut app = App::empty();
    app.add_schedule(Schedule::new(PostUpdate))
        .edit_schedule(PostUpdate, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
        .init_resource::<AppTypeRegistry>()
        .init_resource::<Time>()
        .add_plugins(CollisionPlugin::default());
    app
}

/// Colliders on a square with this mean distance between neighbors, nine in ten of which move.
fn spawn_crowd(app: &mut App, count: usize, spacing: f32) {
    let mut dice = fastrand::Rng::with_seed(1);
    let side = spacing * (count as f32).sqrt();
    for number in 0..count {
        let position = Vec2::new(dice.f32(), dice.f32()) * side;
        let mut entity = app
            .world_mut()
            .spawn(Transform::from_translation(position.extend(0.0)));
        if number % 10 == 0 {
            entity.insert((RectCollider::new(10.0, 6.0), Solid));
        } else {
            let heading = Vec2::from_angle(dice.f32() * std::f32::consts::TAU);
            entity.insert((
                CircleCollider::new(4.0),
                Velocity(heading * (0.5 + dice.f32())),
            ));
        }
    }
}

/// Moves the moving colliders, reverses them at the walls of the square, and updates the app.
fn step(app: &mut App, bodies: &mut QueryState<(&mut Transform, &mut Velocity)>, side: f32) {
    let world = app.world_mut();
    for (mut transform, mut velocity) in bodies.iter_mut(world) {
        let position = transform.translation.truncate();
        for axis in 0..2 {
            if position[axis] < 0.0 {
                velocity.0[axis] = velocity.0[axis].abs();
            } else if position[axis] > side {
                velocity.0[axis] = -velocity.0[axis].abs();
            }
        }
        transform.translation += velocity.0.extend(0.0);
    }
    world.resource_mut::<Messages<CollisionEvent>>().update();
    world.resource_mut::<Messages<MoverHit>>().update();
    world.run_schedule(PostUpdate);
    world.clear_trackers();
}

/// Asserts that nothing is allocated after some updates, even though collisions start and end.
fn assert_steady(mut app: App, side: f32, at_least: usize) {
    let mut bodies = app.world_mut().query();
    for _ in 0..3000 {
        step(&mut app, &mut bodies, side);
    }
    let mut changes = 0;
    let info = allocation_counter::measure(|| {
        for _ in 0..50 {
            step(&mut app, &mut bodies, side);
            changes += app.world().resource::<Messages<CollisionEvent>>().len();
        }
    });
    assert!(changes > at_least, "the scene is too quiet: {changes}");
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn an_update_allocates_nothing_in_a_steady_state() {
    let mut app = app();
    spawn_crowd(&mut app, CROWD as usize, 14.0);
    assert_steady(app, 14.0 * CROWD.sqrt(), 150);
}

#[test]
fn lookups_of_pairs_allocate_nothing_in_a_steady_state() {
    let mut app = app();
    let side = 14.0 * CROWD.sqrt();
    spawn_crowd(&mut app, CROWD as usize, 14.0);
    let mut bodies = app.world_mut().query();
    let mut entities = app.world_mut().query_filtered::<Entity, With<Velocity>>();
    let entities: Vec<Entity> = entities.iter(app.world()).collect();
    let mut lookups = SystemState::<Collisions>::new(app.world_mut());
    let mut found = 0;
    let mut update_and_look_up = |app: &mut App| {
        step(app, &mut bodies, side);
        let collisions = lookups.get(app.world()).unwrap();
        for two in entities.windows(2) {
            found += usize::from(collisions.contains(two[0], two[1]));
            found += collisions.of(two[0]).count();
        }
    };
    (0..3000).for_each(|_| update_and_look_up(&mut app));
    let info = allocation_counter::measure(|| (0..50).for_each(|_| update_and_look_up(&mut app)));
    assert!(found > 10_000, "the scene is too empty: {found}");
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn updates_after_a_restore_allocate_nothing_in_a_steady_state() {
    let mut app = app();
    let side = 14.0 * CROWD.sqrt();
    spawn_crowd(&mut app, CROWD as usize, 14.0);
    let mut bodies = app.world_mut().query();
    for _ in 0..3000 {
        step(&mut app, &mut bodies, side);
    }
    let mut all = app.world_mut().query::<(Entity, &Transform)>();
    let copied = all.iter(app.world()).map(|(entity, at)| (entity, *at));
    let transforms: Vec<_> = copied.collect();
    let state = app.world().resource::<CollisionState>().clone();
    let mut eight_updates = || {
        for (entity, transform) in &transforms {
            let mut current = app.world_mut().get_mut::<Transform>(*entity).unwrap();
            current.set_if_neq(*transform);
        }
        (app.world_mut().resource_mut::<CollisionState>()).clone_from(&state);
        for _ in 0..8 {
            step(&mut app, &mut bodies, side);
        }
    };
    (0..50).for_each(|_| eight_updates());
    let info = allocation_counter::measure(|| (0..10).for_each(|_| eight_updates()));
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn shapes_that_are_not_convex_allocate_nothing_in_a_steady_state() {
    let mut app = app();
    let side = 200.0;
    let mut dice = fastrand::Rng::with_seed(2);
    let star = (0..10u8).map(|i| {
        let angle = f32::from(i) * std::f32::consts::TAU / 10.0;
        Vec2::from_angle(angle) * if i % 2 == 0 { 12.0 } else { 5.0 }
    });
    let star = PolygonCollider::new(star.collect::<Vec<_>>()).unwrap();
    let solid: Vec<bool> = (0..20 * 20).map(|_| dice.u8(0..10) == 0).collect();
    let map = TileCollider::from_cells(20, solid, Vec2::splat(10.0));
    let center = Transform::from_xyz(side / 2.0, side / 2.0, 0.0);
    app.world_mut().spawn((map, Solid, center));
    for number in 0..48 {
        let position = Vec2::new(dice.f32(), dice.f32()) * side;
        let transform = Transform::from_translation(position.extend(0.0));
        let velocity = Velocity(Vec2::from_angle(dice.f32() * std::f32::consts::TAU));
        if number % 2 == 0 {
            app.world_mut().spawn((star.clone(), transform, velocity));
        } else {
            app.world_mut()
                .spawn((CircleCollider::new(4.0), transform, velocity));
        }
    }
    assert_steady(app, side, 30);
}

/// The bytes that are allocated after `updates` updates, beyond those before the first.
fn bytes_after_updates(app: &mut App, updates: usize) -> i64 {
    let mut bodies = app.world_mut().query();
    let info = allocation_counter::measure(|| {
        for _ in 0..updates {
            step(app, &mut bodies, f32::INFINITY);
        }
        // Messages are stored by Bevy.
        app.insert_resource(Messages::<CollisionEvent>::default());
    });
    info.bytes_current
}

#[test]
fn colliders_and_pairs_take_no_more_memory_than_is_known() {
    let count = 30_000;
    let mut lonely = app();
    spawn_crowd(&mut lonely, count, 400.0);
    let per_collider = bytes_after_updates(&mut lonely, 40) as f64 / count as f64;
    let mut crowd = app();
    spawn_crowd(&mut crowd, count, 8.0);
    let all = bytes_after_updates(&mut crowd, 40) as f64;
    let pairs = count_pairs(&mut crowd) as f64;
    let per_pair = (all - per_collider * count as f64) / pairs;
    println!("{per_collider:.0} bytes per collider, {per_pair:.0} per pair, {pairs} pairs");
    assert!(pairs > 1.5 * count as f64);
    assert!(per_collider < 208.0, "{per_collider}");
    assert!(per_pair < 212.0, "{per_pair}");
}

#[test]
fn spawning_and_despawning_leaks_no_memory() {
    let mut app = app();
    let held_after = |app: &mut App, rounds: usize| {
        let info = allocation_counter::measure(|| {
            for _ in 0..rounds {
                let bullets: Vec<Entity> = (0..50)
                    .map(|number| {
                        let transform = Transform::from_xyz(number as f32, 0.0, 0.0);
                        app.world_mut()
                            .spawn((CircleCollider::new(1.0), transform))
                            .id()
                    })
                    .collect();
                bytes_after_updates(app, 1);
                for bullet in bullets {
                    app.world_mut().despawn(bullet);
                }
            }
        });
        info.bytes_current
    };
    held_after(&mut app, 200);
    let more = held_after(&mut app, 1000);
    assert!(more < 4096, "{more} bytes more");
}

#[test]
fn spawning_and_despawning_between_two_updates_leaks_no_memory() {
    let mut app = app();
    spawn_crowd(&mut app, 100, 14.0);
    bytes_after_updates(&mut app, 1);
    let held_after = |app: &mut App, rounds: usize| {
        let info = allocation_counter::measure(|| {
            for round in 0..rounds {
                let collider = (CircleCollider::new(1.0), Swept, OneWay::default());
                let guest = app.world_mut().spawn(collider).id();
                refresh_colliders(app.world_mut());
                if round % 2 == 0 {
                    app.world_mut()
                        .entity_mut(guest)
                        .remove::<(Swept, OneWay)>();
                    refresh_colliders(app.world_mut());
                }
                app.world_mut().despawn(guest);
                refresh_colliders(app.world_mut());
                app.world_mut().clear_trackers();
            }
        });
        info.bytes_current
    };
    held_after(&mut app, 200);
    let more = held_after(&mut app, 2000);
    assert!(more < 1024, "{more} bytes more");
}

fn count_pairs(app: &mut App) -> usize {
    let mut collisions = SystemState::<Collisions>::new(app.world_mut());
    collisions
        .get(app.world())
        .map_or(0, |collisions| collisions.len())
}

#[test]
fn a_crowd_of_solid_movers_allocates_nothing_in_a_steady_state() {
    let mut app = app();
    let ticking = std::time::Duration::from_millis(16);
    for number in 0..300 {
        let transform =
            Transform::from_xyz((number % 20) as f32 * 9.0, (number / 20) as f32 * 9.0, 0.0);
        app.world_mut()
            .spawn((CircleCollider::new(4.0), Solid, Mover::default(), transform));
    }
    let mut movers = app.world_mut().query::<(&mut Mover, &Transform)>();
    let mut none = app.world_mut().query();
    let mut run = |app: &mut App| {
        app.world_mut().resource_mut::<Time>().advance_by(ticking);
        for (mut mover, transform) in movers.iter_mut(app.world_mut()) {
            mover.velocity = -transform.translation.truncate();
        }
        step(app, &mut none, f32::INFINITY);
    };
    (0..500).for_each(|_| run(&mut app));
    let info = allocation_counter::measure(|| run(&mut app));
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn crates_rigid_children_and_turns_allocate_nothing_in_a_steady_state() {
    let mut app = app();
    let ticking = std::time::Duration::from_millis(16);
    for number in 0..40 {
        let y = number as f32 * 40.0;
        let at = |x: f32| Transform::from_xyz(x, y, 0.0);
        let world = app.world_mut();
        for x in [20.0, 40.0, 60.0] {
            world.spawn((RectCollider::new(12.0, 12.0), Pushable, at(x)));
        }
        let tank = (CircleCollider::new(6.0), Mover::default(), Turning(3.0));
        let gun = (
            CapsuleCollider::new(2.0, 4.0),
            MoverPart,
            Transform::from_xyz(1.0, 0.0, 0.0),
        );
        world.spawn((tank, at(0.0))).with_child(gun);
    }
    let mut tanks = app
        .world_mut()
        .query_filtered::<&mut Mover, With<Turning>>();
    let mut none = app.world_mut().query();
    let mut run = |app: &mut App| {
        app.world_mut().resource_mut::<Time>().advance_by(ticking);
        for mut tank in tanks.iter_mut(app.world_mut()) {
            tank.velocity = Vec2::X * 60.0;
        }
        step(app, &mut none, f32::INFINITY);
    };
    (0..256).for_each(|_| run(&mut app));
    let info = allocation_counter::measure(|| (0..128).for_each(|_| run(&mut app)));
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn movers_that_stay_crushed_allocate_nothing_in_a_steady_state() {
    let mut app = app();
    let ticking = std::time::Duration::from_millis(16);
    for number in 0..20 {
        let at = |x: f32| Transform::from_xyz(x, number as f32 * 100.0, 0.0);
        for x in [-30.75, 30.75] {
            let wall = (RectCollider::new(60.0, 60.0), Solid, at(x));
            app.world_mut().spawn(wall);
        }
        let mover = (CircleCollider::new(1.0), Mover::default(), at(0.0));
        app.world_mut().spawn(mover);
    }
    let mut none = app.world_mut().query();
    let mut run = |app: &mut App| {
        app.world_mut().resource_mut::<Time>().advance_by(ticking);
        step(app, &mut none, f32::INFINITY);
    };
    (0..128).for_each(|_| run(&mut app));
    // More than twice as many: what grows in each update allocates.
    let info = allocation_counter::measure(|| (0..256).for_each(|_| run(&mut app)));
    assert_eq!(info.count_total, 0, "{info:?}");
    let mut hits = app.world_mut().query::<&MoverHits>();
    assert!(hits.iter(app.world()).all(MoverHits::is_crushed));
}

#[test]
fn queries_allocate_nothing_for_up_to_16_results() {
    let mut app = app();
    spawn_crowd(&mut app, CROWD as usize, 14.0);
    app.world_mut().run_schedule(PostUpdate);
    let me = app.world_mut().spawn_empty().id();
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let query = state.get(app.world()).unwrap();
    let query_all = || {
        let filter = SpatialQueryFilter::default()
            .exclude(me)
            .with_predicate(|entity| entity != me);
        let ray = Ray2d::new(Vec2::ZERO, Dir2::NORTH_EAST);
        let shape = Shape::rect(Vec2::splat(300.0), Vec2::splat(40.0), Rot2::IDENTITY);
        let hits = query.ray_hits(ray, 300.0, &filter);
        let shape_hits = query.shape_hits(&shape, Vec2::X * 20.0, &filter);
        let overlapping = query.shape_intersections(&shape, &filter);
        let contacts = query.shape_contacts(&shape, &filter);
        let inside = query.point_intersections(contacts[0].1.point, &filter);
        let first = query.cast_ray(ray, 300.0, &filter);
        let cast = query.cast_shape(&shape, Vec2::X * 20.0, &filter);
        let nearest = query.project_point(Vec2::ZERO, f32::INFINITY, &filter);
        let [rays, casts] = [hits, shape_hits].map(|hits| hits.len());
        let lengths = [rays, casts, overlapping.len(), contacts.len()];
        assert!(
            lengths.iter().all(|length| (4..=16).contains(length)),
            "{lengths:?}"
        );
        assert!(!inside.is_empty() && first.is_some() && cast.is_some() && nearest.is_some());
    };
    query_all();
    let info = allocation_counter::measure(query_all);
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn many_rays_in_each_update_allocate_nothing_in_a_steady_state() {
    let mut app = app();
    // More rays than half of the colliders, nine in ten of which move.
    let (count, spacing) = (600, 30.0);
    let side = spacing * (count as f32).sqrt();
    spawn_crowd(&mut app, count, spacing);
    let mut bodies = app.world_mut().query();
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let mut run = |app: &mut App| {
        step(app, &mut bodies, side);
        let query = state.get(app.world()).unwrap();
        let cast = |number: u16| {
            let direction = Rot2::degrees(f32::from(number)) * Dir2::X;
            let ray = Ray2d::new(Vec2::splat(side / 2.0), direction);
            query.cast_ray(ray, 100.0, &SpatialQueryFilter::default())
        };
        (0..360).filter_map(cast).count()
    };
    (0..1000).for_each(|_| _ = run(&mut app));
    let info = allocation_counter::measure(|| (0..50).for_each(|_| assert!(run(&mut app) > 100)));
    assert_eq!(info.count_total, 0, "{info:?}");
}

/// The ground of a map and a layer of decoration over it.
#[test]
fn layers_of_a_map_that_overlap_take_no_memory_for_their_pairs() {
    let layer = |by: u32| {
        let is_solid = |i: u32| ((i % 300) * (i / 300) + i / 7 * by).is_multiple_of(3);
        let tiles = Tiles::from_cells(300, (0..90_000).map(is_solid), Vec2::ONE);
        Shape::Tiles {
            tiles: Arc::new(tiles),
            placement: Placement::at(Vec2::ZERO),
        }
    };
    let (ground, decoration) = (layer(1), layer(2));
    let info = allocation_counter::measure(|| {
        assert!(contact(&ground, &decoration).is_some());
    });
    assert!(info.bytes_max < 1 << 20, "{info:?}");
    assert!(info.bytes_current < 1 << 18, "{info:?}");
}
