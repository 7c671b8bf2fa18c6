//! Walkers whose hulls have chamfers, on smooth ground.

use bevy::{
    math::{Affine2, ops},
    prelude::*,
};
use bevy_thud::prelude::*;

use crate::{
    course::{Course, bodies, regular},
    long::cases,
};

/// A box of 20 by 40, less the lower corners: 5 wide and 10 high.
fn chamfered_box() -> Shape {
    let right = [[5.0, -20.0], [10.0, -10.0], [10.0, 20.0]].map(Vec2::from);
    let left = right.map(|point| Vec2::new(-point.x, point.y));
    Shape::polygon(right.into_iter().chain(left.into_iter().rev())).unwrap()
}

#[test]
fn a_chamfer_does_not_stop_at_a_concave_vertex_that_it_cannot_reach() {
    let start = Vec2::new(375.98157, 201.4595);
    let mut course = Course::new(&chamfered_box(), start, Walker::default());
    course.outline([
        [318.0, 128.6],
        [378.0, 178.605],
        [381.0, 181.45125],
        [384.0, 184.32],
        [444.0, 242.32],
        [444.0, 0.0],
        [318.0, 0.0],
    ]);
    course.mover().velocity = Vec2::new(0.0, -15.0);
    course.app.update();
    for _ in 0..30 {
        course.mover().velocity = Vec2::X * 120.0;
        course.app.update();
    }
    let advanced = course.position().x - start.x;
    assert!(advanced > 40.0, "{advanced}");
}

/// A box of 20 by 40, less lower corners of 50 degrees.
fn steep_box() -> Shape {
    let rise = 5.0 * ops::tan(50.0f32.to_radians());
    let right = [[5.0, -20.0], [10.0, rise - 20.0], [10.0, 20.0]].map(Vec2::from);
    let left = right.map(|point| Vec2::new(-point.x, point.y));
    Shape::polygon(right.into_iter().chain(left.into_iter().rev())).unwrap()
}

/// How smooth ground is made.
#[derive(Clone, Copy, Debug)]
enum Ground {
    Outline,
    Line,
    Polygons,
}

/// A valley of y = x² / 2000 in steps of 4, up to 45 degrees.
fn valley(course: &mut Course, ground: Ground, scale: f32) {
    let points = (-250..=250).map(|number| {
        let x = 4.0 * number as f32;
        Vec2::new(x, x * x / 2000.0) * scale
    });
    let points: Vec<Vec2> = points.collect();
    let deep = |x: f32| Vec2::new(x, -50.0 * scale);
    match ground {
        Ground::Outline => {
            let ends = [1000.0, -1000.0].map(|x| deep(x * scale));
            course.wall(Shape::polygon(points.iter().copied().chain(ends)).unwrap());
        }
        Ground::Line => {
            let line = PolygonCollider::line(points.iter().copied(), 0.0, 4.0 * scale);
            course.app.world_mut().spawn((line.unwrap(), Solid));
        }
        Ground::Polygons => {
            for pair in points.windows(2) {
                let [p, q] = [pair[0], pair[1]];
                course.wall(Shape::polygon([p, deep(p.x), deep(q.x), q]).unwrap());
            }
        }
    }
}

#[test]
fn hulls_with_chamfers_walk_through_a_smooth_valley() {
    let hulls = [
        chamfered_box(),
        steep_box(),
        regular(12, 15.0),
        regular(20, 15.0),
    ];
    let scales = cases(
        &[0.02, 1.0, 10.0][..],
        &[0.02, 0.1, 0.5, 1.0, 3.0, 10.0][..],
    );
    for (number, hull) in hulls.iter().enumerate() {
        for ground in [Ground::Outline, Ground::Line, Ground::Polygons] {
            for &scale in scales {
                for toward in [-1.0, 1.0] {
                    let hull = hull.transformed(&Affine2::from_scale(Vec2::splat(scale)));
                    let start = Vec2::new(-toward * 100.0, 40.0) * scale;
                    let mut course = Course::new(&hull, start, Walker::default());
                    course.mover().skin_width *= scale.min(1.0);
                    course.gravity *= scale;
                    valley(&mut course, ground, scale);
                    course.settle();
                    course.speed = toward * 120.0 * scale;
                    let from = course.position().x;
                    course.steps(560);
                    let advanced = toward * (course.position().x - from) / scale;
                    let case = format!("hull {number} on {ground:?} at {scale}, {toward}");
                    assert!(advanced > 1000.0, "{case}: {advanced}");
                    assert!(course.ground().is_on_floor(), "{case}");
                }
            }
        }
    }
}

#[test]
fn very_fine_ground_slows_no_walker() {
    for (name, body) in bodies() {
        let start = Vec2::new(-30.0, 12.0);
        let mut course = Course::at_rate(30.0, &body, start, Walker::default());
        let points = (-3000..=3000).map(|number| {
            let x = 0.02 * number as f32;
            Vec2::new(x, 3.0 * ops::sin(x / 8.0))
        });
        let ground = PolygonCollider::line(points, 0.0, 4.0).unwrap();
        course.app.world_mut().spawn((ground, Solid));
        course.settle();
        course.speed = 60.0;
        for step in 0..30 {
            let before = course.position();
            course.step();
            let moved = course.position().distance(before);
            assert!(moved > 1.95, "{name}, step {step}: {moved}");
        }
    }
}
