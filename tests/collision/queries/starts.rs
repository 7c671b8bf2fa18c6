//! Casts that start at a surface, or inside.

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};

use super::methods::{balls, to_the_right};
use crate::common::*;

/// Whatever else is hit meanwhile.
#[test]
fn a_ray_that_starts_at_a_surface_hits_it_if_it_enters() {
    let mut app = test_app();
    let capsule = CapsuleCollider::between(Vec2::Y, Vec2::NEG_Y, 1.0);
    let touched = spawn(&mut app, (capsule, at(1.0, 0.0)));
    let around = spawn(&mut app, (CircleCollider::new(5.0), at(0.0, 0.0)));
    app.update();
    for (length, expected) in [(50.0, vec![touched, around]), (1e-9, vec![around])] {
        let (first, hits) = run_system(&mut app, move |query: SpatialQuery| {
            let all = SpatialQueryFilter::default();
            let (first, _) = query.cast_ray(to_the_right(), length, &all).unwrap();
            (first, query.ray_hits(to_the_right(), length, &all))
        });
        let mut expected = expected;
        expected.sort();
        assert_eq!(first, expected[0]);
        assert_eq!(hits.map(|(entity, _)| entity).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_cast_says_whether_it_starts_inside() {
    let (mut app, _) = balls(&[(0.0, 0.0)]);
    let ball = |x: f32| Shape::circle(Vec2::new(x, 0.0), 1.0);
    // The ball has a radius of 1.
    for (distance, is_inside) in [(0.5, true), (1.0, false), (3.0, false)] {
        let found = run_system(&mut app, move |query: SpatialQuery| {
            let filter = SpatialQueryFilter::default();
            let ray = query.cast_ray(Ray2d::new(Vec2::X * -distance, Dir2::X), 10.0, &filter);
            let shape = query.cast_shape(&ball(-2.0 * distance), Vec2::X * 10.0, &filter);
            [ray, shape].map(|hit| hit.unwrap().1.starts_inside)
        });
        assert_eq!(found, [is_inside; 2], "{distance}");
    }
}
