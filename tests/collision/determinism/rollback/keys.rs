//! Entities with keys come in the order of their keys.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::spawn_balls;
use crate::common::*;

/// Entities that were spawned in another order than that of their keys, by key.
fn spawn_keyed<B: Bundle>(app: &mut App, bundle: impl Fn() -> B) -> [Entity; 5] {
    let mut keyed = [30, 10, 50, 20, 40].map(|key| (key, spawn(app, (bundle(), StableKey(key)))));
    keyed.sort();
    keyed.map(|(_, entity)| entity)
}

#[test]
fn keys_take_the_place_of_ids_in_events_lists_and_queries() {
    let mut app = test_app();
    let keyed = |app: &mut App, key| spawn(app, (ball(0.0, 0.0), StableKey(key)));
    let [last, first, middle] = [30, 10, 20].map(|key| keyed(&mut app, key));
    let unkeyed = spawn(&mut app, (ball(0.0, 0.0), CollidingEntities::default()));
    let starts: Vec<_> = step(&mut app)
        .iter()
        .map(CollisionEvent::entities)
        .collect();
    let in_order = [
        [first, middle],
        [first, last],
        [first, unkeyed],
        [middle, last],
        [middle, unkeyed],
        [last, unkeyed],
    ];
    assert_eq!(starts, in_order);
    let list = app.world().get::<CollidingEntities>(unkeyed).unwrap();
    assert_eq!(list[..], [first, middle, last]);
    run_system(
        &mut app,
        move |query: SpatialQuery, collisions: Collisions| {
            let filter = SpatialQueryFilter::default();
            let inside = query.point_intersections(Vec2::ZERO, &filter);
            assert_eq!(*inside, [first, middle, last, unkeyed]);
            let ray = Ray2d::new(Vec2::X * -9.0, Dir2::X);
            let hits = query.ray_hits(ray, 20.0, &filter);
            assert!(hits.map(|(entity, _)| entity).eq(inside));
            assert_eq!(query.cast_ray(ray, 20.0, &filter).unwrap().0, first);
            assert!(collisions.iter().map(|pair| [pair.a, pair.b]).eq(in_order));
            let contact = collisions.get(last, first).unwrap();
            assert_eq!(contact, collisions.get(first, last).unwrap().flipped());
        },
    );
}

#[test]
fn a_new_key_neither_ends_nor_starts_anything() {
    let mut app = test_app();
    let [a, b, _] = spawn_balls(&mut app);
    steps(&mut app, 2);
    app.world_mut().entity_mut(a).insert(StableKey(100));
    assert_eq!(step(&mut app), []);
    assert_eq!(pairs(&mut app), [(b, a)]);
    app.world_mut().entity_mut(a).remove::<StableKey>();
    assert_eq!(step(&mut app), []);
}

#[test]
fn a_new_key_changes_the_order_of_lists() {
    let mut app = test_app();
    let a = spawn(&mut app, (ball(0.0, 0.0), CollidingEntities::default()));
    let [b, c] = [1, 2].map(|key| spawn(&mut app, (ball(0.0, 0.0), StableKey(key))));
    let list = |app: &App| app.world().get::<CollidingEntities>(a).unwrap().to_vec();
    step(&mut app);
    assert_eq!(list(&app), [b, c]);
    app.world_mut().entity_mut(c).insert(StableKey(0));
    assert_eq!(step(&mut app), []);
    assert_eq!(list(&app), [c, b]);
    app.world_mut().entity_mut(c).remove::<StableKey>();
    assert_eq!(step(&mut app), []);
    assert_eq!(list(&app), [b, c]);
}

/// So far from the origin, a slow mover responds to what it touches.
#[test]
fn a_slow_mover_names_walls_at_one_place_in_the_order_of_keys() {
    let mut app = test_app();
    let wall = || (RectCollider::new(10.0, 10.0), Solid, at(10_006.0, 10_000.0));
    let walls = spawn_keyed(&mut app, wall);
    let mover = Mover::with_velocity(Vec2::X * 0.2);
    let mover = spawn(&mut app, (ball(9_999.98, 10_000.0), mover));
    step(&mut app);
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    assert!(hits.iter().map(|hit| hit.blocker).eq(walls), "{hits:?}");
}

#[test]
fn a_mover_and_a_walker_name_the_least_key_at_one_place() {
    let mut app = test_app();
    let floor = || (RectCollider::new(40.0, 10.0), Solid, at(0.0, -5.0));
    let floors = spawn_keyed(&mut app, floor);
    let mover = Mover::with_velocity(Vec2::Y * -100.0);
    let mover = spawn(&mut app, (ball(-10.0, 1.5), mover));
    let gravity = Mover::with_velocity(Vec2::Y * -100.0);
    let walker = spawn(&mut app, (ball(10.0, 1.5), gravity, Walker::default()));
    step(&mut app);
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    assert_eq!(hits[0].blocker, floors[0]);
    let ground = app.world().get::<Ground>(walker).unwrap();
    assert_eq!(ground.floor().unwrap().entity, floors[0]);
}

#[test]
fn lists_follow_keys_that_change_while_a_collider_is_away() {
    let mut app = test_app();
    let listed = spawn(&mut app, (ball(0.0, 0.0), CollidingEntities::default()));
    let [p, q] = [1, 2].map(|key| spawn(&mut app, (ball(0.0, 1.5), StableKey(key))));
    step(&mut app);
    let list = |app: &App| {
        let list = app.world().get::<CollidingEntities>(listed);
        list.unwrap().to_vec()
    };
    assert_eq!(list(&app), [p, q]);
    app.world_mut().entity_mut(p).insert(ColliderDisabled);
    refresh_colliders(app.world_mut());
    (app.world_mut().entity_mut(p))
        .insert(StableKey(3))
        .remove::<ColliderDisabled>();
    assert_eq!(step(&mut app), []);
    assert_eq!(list(&app), [q, p]);
}
