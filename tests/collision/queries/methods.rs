//! `SpatialQuery`: what rays, shapes and points hit.

use bevy::prelude::*;
use bevy_thud::{geometry::CastHit, prelude::*};

use crate::common::*;

/// Balls of radius 1 at these positions, after an update.
pub fn balls(positions: &[(f32, f32)]) -> (App, Vec<Entity>) {
    let mut app = test_app();
    let balls = positions
        .iter()
        .map(|&(x, y)| spawn(&mut app, ball(x, y)))
        .collect();
    app.update();
    (app, balls)
}

pub fn to_the_right() -> Ray2d {
    Ray2d::new(Vec2::ZERO, Dir2::X)
}

#[test]
fn the_filter_decides_what_a_query_considers() {
    let (mut app, balls) = balls(&[(5.0, 0.0), (10.0, 0.0), (15.0, 0.0), (20.0, 0.0)]);
    let [one, two, three] = [1, 2, 3].map(LayerMask::layer);
    for (number, &ball) in balls.iter().enumerate() {
        let layers = match number {
            2 => CollisionLayers::new(one, two),
            _ => CollisionLayers::new(three, three),
        };
        app.world_mut().entity_mut(ball).insert(layers);
    }
    app.update();
    let first = |app: &mut App, filter: SpatialQueryFilter<fn(Entity) -> bool>| {
        run_system(app, move |query: SpatialQuery| {
            query.cast_ray(to_the_right(), 100.0, &filter)
        })
        .map(|(entity, _)| entity)
    };
    assert_eq!(
        first(&mut app, SpatialQueryFilter::default()),
        Some(balls[0])
    );
    assert_eq!(
        first(&mut app, SpatialQueryFilter::default().exclude(balls[0])),
        Some(balls[1])
    );
    let without_three = SpatialQueryFilter::default()
        .exclude(balls[1])
        .exclude_all([balls[0], balls[2]]);
    assert_eq!(first(&mut app, without_three), Some(balls[3]));
    let their_layers = CollisionLayers::new(two, one);
    let theirs = SpatialQueryFilter::default().with_layers(their_layers);
    assert_eq!(first(&mut app, theirs.clone()), Some(balls[2]));
    assert_eq!(first(&mut app, theirs.exclude_all([balls[2]])), None);
    // The filters match in one direction only.
    let one_sided = CollisionLayers::new(three, one);
    assert_eq!(
        first(
            &mut app,
            SpatialQueryFilter::default().with_layers(one_sided)
        ),
        None
    );
    let wanted = balls.clone();
    let found = run_system(&mut app, move |query: SpatialQuery| {
        let filter = SpatialQueryFilter::default()
            .exclude(wanted[0])
            .with_predicate(|entity| entity == wanted[3]);
        let all = Shape::circle(Vec2::ZERO, 100.0);
        let point = Shape::circle(Vec2::ZERO, 1.0);
        let hits = [
            query.cast_ray(to_the_right(), 100.0, &filter),
            query.ray_hits(to_the_right(), 100.0, &filter).next(),
            query.cast_shape(&point, Vec2::X * 90.0, &filter),
            query.shape_hits(&point, Vec2::X * 90.0, &filter).next(),
        ];
        let [a, b, c, d] = hits.map(|hit| hit.map(|(entity, _)| entity));
        let nearest = query.project_point(Vec2::ZERO, 100.0, &filter);
        let all = query.shape_intersections(&all, &filter).next();
        let at_point = query.point_intersections(Vec2::X * 20.0, &filter).next();
        [a, b, c, d, all, at_point, nearest.map(|(entity, _)| entity)]
    });
    assert_eq!(found, [Some(balls[3]); 7]);
}

/// The entities that a ray to the right hits.
fn entities_to_the_right(app: &mut App, filter: SpatialQueryFilter) -> Vec<Entity> {
    let hits = run_system(app, move |query: SpatialQuery| {
        query.ray_hits(to_the_right(), 100.0, &filter)
    });
    hits.map(|(entity, _)| entity).collect()
}

#[test]
fn a_body_is_a_mover_with_what_it_carries() {
    let mut app = test_app();
    // Each is a child of the one before.
    let ship = spawn(&mut app, ball(5.0, 0.0));
    let knight = spawn(&mut app, (ball(5.0, 0.0), Mover::default(), ChildOf(ship)));
    let arm = spawn(&mut app, (at(2.0, 0.0), ChildOf(knight)));
    let sword = spawn(&mut app, (ball(3.0, 0.0), ChildOf(arm)));
    let rider = spawn(&mut app, (ball(5.0, 0.0), Mover::default(), ChildOf(sword)));
    let shield = spawn(&mut app, (ball(5.0, 0.0), ChildOf(rider)));
    let other = spawn(&mut app, ball(30.0, 0.0));
    app.update();
    let cases = [
        (knight, vec![ship, rider, shield, other]),
        (rider, vec![ship, knight, sword, other]),
        // They are not movers.
        (ship, vec![knight, sword, rider, shield, other]),
        (sword, vec![ship, knight, rider, shield, other]),
        (arm, vec![ship, knight, sword, rider, shield, other]),
    ];
    for (mover, expected) in cases {
        let filter = SpatialQueryFilter::default().exclude_body(mover);
        assert_eq!(entities_to_the_right(&mut app, filter), expected);
    }
    let more = SpatialQueryFilter::default()
        .exclude_body(knight)
        .exclude_all([ship, rider]);
    assert_eq!(entities_to_the_right(&mut app, more), [shield, other]);
}

#[test]
fn queries_can_be_limited_to_solid_colliders() {
    let (mut app, balls) = balls(&[(5.0, 0.0), (10.0, 0.0), (15.0, 0.0), (20.0, 0.0)]);
    app.world_mut().entity_mut(balls[1]).insert(Solid);
    let one_way = (Solid, OneWay::default());
    app.world_mut().entity_mut(balls[2]).insert(one_way);
    let without_its_wall = OneWay::default();
    app.world_mut()
        .entity_mut(balls[3])
        .insert(without_its_wall);
    app.update();
    let solid = || SpatialQueryFilter::default().only_solid();
    assert_eq!(
        entities_to_the_right(&mut app, solid()),
        [balls[1], balls[2]]
    );
    let others = SpatialQueryFilter::default().exclude(balls[1]).only_solid();
    assert_eq!(entities_to_the_right(&mut app, others), [balls[2]]);
    let wanted = balls.clone();
    let found = run_system(&mut app, move |query: SpatialQuery| {
        let filter = solid().with_predicate(|entity| entity != wanted[1]);
        query.cast_ray(to_the_right(), 100.0, &filter)
    });
    assert_eq!(found.map(|(entity, _)| entity), Some(balls[2]));
}

#[test]
fn of_equals_the_least_entity_comes_first() {
    let positions = [(0.0, 10.0), (10.0, 0.0), (0.0, -10.0), (-10.0, 0.0)];
    for turn in 0..4 {
        let mut positions = positions;
        positions.rotate_left(turn);
        let (mut app, mut balls) = balls(&positions);
        // Two more at the same position.
        balls.extend([(); 2].map(|()| spawn(&mut app, ball(10.0, 0.0))));
        app.update();
        let found = run_system(&mut app, |query: SpatialQuery| {
            let all = SpatialQueryFilter::default();
            let point = Shape::circle(Vec2::ZERO, 0.0);
            let hits = query.ray_hits(to_the_right(), 50.0, &all);
            let cast = query.cast_shape(&point, Vec2::X * 50.0, &all);
            let shape_hits = query.shape_hits(&point, Vec2::X * 50.0, &all);
            let nearest = query.project_point(Vec2::ZERO, 50.0, &all);
            (
                hits,
                query.cast_ray(to_the_right(), 50.0, &all),
                cast,
                shape_hits,
                nearest,
            )
        });
        let is_right = |ball: &Entity| global_position(&app, *ball).x == 10.0;
        let mut right: Vec<Entity> = balls.iter().copied().filter(is_right).collect();
        right.sort();
        let (hits, ray, cast, shape_hits, nearest) = found;
        for list in [hits, shape_hits] {
            let entities = list.map(|(entity, _)| entity);
            assert!(entities.eq(right.iter().copied()));
        }
        assert_eq!(ray.unwrap().0, right[0]);
        assert_eq!(cast.unwrap().0, right[0]);
        assert_eq!(nearest.unwrap().0, *balls.iter().min().unwrap());
    }
}

#[test]
fn ray_hits_have_distance_point_and_normal() {
    let (mut app, balls) = balls(&[(5.0, 0.0), (0.0, 0.5), (9.0, 1.0)]);
    let hits = run_system(&mut app, |query: SpatialQuery| {
        query.ray_hits(to_the_right(), f32::INFINITY, &default())
    });
    // The third one is only touched.
    assert_eq!(hits.len(), 2, "{hits:?}");
    let [(first, inside), (second, outside)] = [hits[0], hits[1]];
    assert_eq!((first, second), (balls[1], balls[0]));
    assert_eq!((inside.distance, outside.distance), (0.0, 4.0));
    assert_eq!((inside.fraction, outside.fraction), (0.0, 0.0));
    assert_eq!((inside.point, inside.normal), (Vec2::ZERO, Vec2::NEG_Y));
    assert_eq!(
        (outside.point, outside.normal),
        (Vec2::X * 4.0, Vec2::NEG_X)
    );
    for (length, count) in [(3.9, 1), (4.0, 2), (0.0, 1)] {
        let hits = run_system(&mut app, move |query: SpatialQuery| {
            query.ray_hits(to_the_right(), length, &default())
        });
        assert_eq!(hits.len(), count, "{length}");
    }
}

#[test]
fn shape_hits_continues_through_all_colliders() {
    let (mut app, balls) = balls(&[(15.0, 2.5), (0.0, 0.5), (8.0, 0.0), (9.0, 3.0), (8.0, -0.5)]);
    let hits = run_system(&mut app, |query: SpatialQuery| {
        let block = Shape::rect(Vec2::ZERO, Vec2::splat(4.0), Rot2::IDENTITY);
        query.shape_hits(&block, Vec2::X * 20.0, &default())
    });
    // The fourth one is only touched.
    let (entities, hits): (Vec<Entity>, Vec<CastHit>) = hits.unzip();
    let mut side_by_side = [balls[2], balls[4]];
    side_by_side.sort();
    let [second, third] = side_by_side;
    assert_eq!(entities, [balls[1], second, third, balls[0]]);
    assert_eq!((hits[0].fraction, hits[0].distance), (0.0, 0.0));
    for hit in &hits[1..3] {
        assert_eq!((hit.fraction, hit.distance), (0.25, 5.0));
        assert_eq!((hit.point.x, hit.normal), (7.0, Vec2::NEG_X));
    }
    // Its upper right corner hits an edge of the first one.
    let corner = Vec2::new(2.0 + hits[3].distance, 2.0);
    assert!(hits[3].point.distance(corner) < 1e-4, "{:?}", hits[3]);
    assert!((corner.distance(Vec2::new(15.0, 2.5)) - 1.0).abs() < 1e-4);
}

#[test]
fn shape_hits_and_projections_have_point_and_normal() {
    let (mut app, balls) = balls(&[(5.0, 0.0), (-5.0, 0.0)]);
    let ((cast_at, cast), overlapping, [near, inside]) =
        run_system(&mut app, |query: SpatialQuery| {
            let all = SpatialQueryFilter::default();
            let block = Shape::rect(Vec2::ZERO, Vec2::splat(2.0), Rot2::IDENTITY);
            let wide = Shape::rect(Vec2::ZERO, Vec2::new(8.0, 2.0), Rot2::IDENTITY);
            (
                query.cast_shape(&block, Vec2::X * 6.0, &all).unwrap(),
                [block, wide].map(|shape| query.shape_intersections(&shape, &all).len()),
                [2.0, 4.5].map(|x| query.project_point(Vec2::X * x, 2.0, &all).unwrap()),
            )
        });
    assert_eq!(
        (cast_at, cast.fraction, cast.distance),
        (balls[0], 0.5, 3.0)
    );
    assert_eq!((cast.point, cast.normal), (Vec2::X * 4.0, Vec2::NEG_X));
    // The wide one ends where the balls begin.
    assert_eq!(overlapping, [0, 0]);
    for ((entity, nearest), distance) in [(near, 2.0), (inside, -0.5)] {
        assert_eq!((entity, nearest.distance), (balls[0], distance));
        assert_eq!((nearest.point_b, nearest.normal), (Vec2::X * 4.0, Vec2::X));
    }
    let too_far = run_system(&mut app, |query: SpatialQuery| {
        query.project_point(Vec2::X * 2.0, 1.9, &default())
    });
    assert_eq!(too_far, None);
}

#[test]
fn bad_numbers_find_nothing() {
    let (mut app, _) = balls(&[(0.0, 0.0), (5.0, 0.0)]);
    run_system(&mut app, |query: SpatialQuery| {
        let all = SpatialQueryFilter::default();
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for point in [Vec2::new(bad, 0.0), Vec2::new(0.0, bad), Vec2::splat(bad)] {
                let ray = Ray2d::new(point, Dir2::X);
                assert_eq!(query.cast_ray(ray, 50.0, &all), None);
                assert!(query.ray_hits(ray, 50.0, &all).is_empty());
                assert_eq!(
                    query.cast_shape(&Shape::circle(point, 1.0), Vec2::X, &all),
                    None
                );
                assert_eq!(
                    query.cast_shape(&Shape::circle(Vec2::ZERO, 1.0), point, &all),
                    None
                );
                assert!(
                    query
                        .shape_hits(&Shape::circle(point, 1.0), Vec2::X, &all)
                        .is_empty()
                );
                assert!(
                    query
                        .shape_hits(&Shape::circle(Vec2::ZERO, 1.0), point, &all)
                        .is_empty()
                );
                assert!(
                    query
                        .shape_intersections(&Shape::circle(point, 1.0), &all)
                        .is_empty()
                );
                assert!(query.point_intersections(point, &all).is_empty());
                assert_eq!(query.project_point(point, 50.0, &all), None);
            }
            let round = Shape::circle(Vec2::ZERO, bad);
            let flat = Shape::rect(Vec2::ZERO, Vec2::ONE, Rot2 { sin: bad, cos: 1.0 });
            for shape in [round, flat].iter().filter(|shape| !shape.is_finite()) {
                assert_eq!(query.cast_shape(shape, Vec2::X, &all), None);
                assert!(query.shape_hits(shape, Vec2::X, &all).is_empty());
                assert!(query.shape_intersections(shape, &all).is_empty());
            }
        }
        for length in [f32::NAN, -1.0, f32::NEG_INFINITY] {
            assert_eq!(query.cast_ray(to_the_right(), length, &all), None);
            assert!(query.ray_hits(to_the_right(), length, &all).is_empty());
            assert_eq!(query.project_point(Vec2::ZERO, length, &all), None);
        }
    });
}

#[test]
fn huge_and_tiny_numbers_do_no_harm() {
    let (mut app, balls) = balls(&[(0.0, 0.0), (5.0, 0.0)]);
    let sizes = [1e-40, 1e-30, 1e-3, 1e6, 1e15, 1e30, f32::MAX];
    let first = balls[0];
    run_system(&mut app, move |query: SpatialQuery| {
        let all = SpatialQueryFilter::default();
        for size in sizes {
            let far = Ray2d::new(Vec2::X * -size, Dir2::X);
            let _ = query.cast_ray(far, f32::MAX, &all);
            let _ = query.cast_shape(
                &Shape::circle(Vec2::Y * size, size),
                Vec2::NEG_Y * size,
                &all,
            );
            let _ = query.project_point(Vec2::splat(size), f32::INFINITY, &all);
            let _ = query.point_intersections(Vec2::splat(size), &all);
            let around = query.shape_intersections(&Shape::circle(Vec2::ZERO, size), &all);
            assert!(around.contains(&first) || size > 1e37, "{size}");
            let still = query.cast_shape(&Shape::circle(Vec2::ZERO, 1.0), Vec2::X * size, &all);
            assert_eq!(
                still.map(|(entity, hit)| (entity, hit.fraction)),
                Some((first, 0.0))
            );
            let _ = query.shape_hits(&Shape::circle(Vec2::Y, 1.0), Vec2::X * size, &all);
        }
    });
}

#[test]
fn the_distance_of_a_long_cast_is_finite() {
    let (mut app, _) = balls(&[(10.0, 0.0)]);
    run_system(&mut app, |query: SpatialQuery| {
        let distance = |from: f32, by: Vec2| {
            let shape = Shape::circle(Vec2::X * from, 1.0);
            let hit = query.cast_shape(&shape, by, &SpatialQueryFilter::default());
            hit.expect("a ball is there").1.distance
        };
        for length in [1e5, 1e20, f32::MAX] {
            let to_ball = distance(0.0, Vec2::X * length);
            assert!((to_ball - 8.0).abs() < 1e-5, "{length}: {to_ball}");
            assert_eq!(distance(9.5, Vec2::splat(length)), 0.0);
        }
    });
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let mut app = test_app();
    run_system(&mut app, |query: SpatialQuery| {
        let all = SpatialQueryFilter::default();
        let shape = Shape::circle(Vec2::ZERO, 1e6);
        assert_eq!(query.cast_ray(to_the_right(), f32::INFINITY, &all), None);
        assert_eq!(query.cast_shape(&shape, Vec2::X, &all), None);
        assert!(query.shape_hits(&shape, Vec2::X, &all).is_empty());
        assert!(query.shape_intersections(&shape, &all).is_empty());
        assert_eq!(query.project_point(Vec2::ZERO, f32::INFINITY, &all), None);
    });
}
