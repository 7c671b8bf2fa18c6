//! Walkers on lines of many points, and in rooms within polygons with holes.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::{geometry::Polygon, prelude::*};

use crate::course::{Course, each_body_and_rate};

/// The height of a surface of hills, none steeper than 40 degrees.
fn height(x: f32) -> f32 {
    8.0 * (x / 17.0).sin() + 1.5 * (x / 5.0).cos() - 1.5
}

/// The points of the surface from x = -60 to 1000, this far apart along x.
fn surface(step: f32) -> Vec<Vec2> {
    let count = (1060.0 / step) as u16;
    let x = (0..=count).map(|i| -60.0 + f32::from(i) * step);
    x.map(|x| Vec2::new(x, height(x))).collect()
}

#[test]
fn a_walker_neither_snags_on_a_line_nor_loses_it() {
    for (number, step) in [0.7, 1.5, 4.0, 9.0].into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, name| {
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 9.0), Walker::default());
            let line = Polygon::line(surface(step), 0.0, 2.0).unwrap();
            course.wall(Shape::from(line));
            course.settle();
            course.steps(hertz as usize);
            course.left.clear();
            for speed in [100.0, -100.0] {
                course.speed = speed;
                for _ in 0..5 * hertz as usize {
                    let before = course.position();
                    course.step();
                    let (at, moved) = (course.position(), course.position() - before);
                    let fraction = moved.length() / (speed.abs() * course.seconds);
                    assert!(course.ground().is_on_floor(), "{name}, {step}: {at}");
                    assert!(
                        moved.x * speed > 0.0 && (0.9..1.1).contains(&fraction),
                        "{name}, {step}: {fraction} at {at}"
                    );
                }
            }
            assert_eq!(course.left, [], "{name}, {step}");
        });
    }
}

#[test]
fn a_walker_walks_on_a_line_as_on_a_polygon_with_its_surface() {
    each_body_and_rate(1, |body, hertz, name| {
        let line = Polygon::line(surface(3.0), 0.0, 2.0).unwrap();
        let below = [Vec2::new(1000.0, -99.0), Vec2::new(-60.0, -99.0)];
        let solid = Polygon::new(surface(3.0).into_iter().chain(below)).unwrap();
        let paths = [line, solid].map(|ground| {
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 9.0), Walker::default());
            course.wall(Shape::from(ground));
            course.settle();
            course.speed = 150.0;
            let mut path = Vec::new();
            for step in 0..4 * hertz as usize {
                if step % 50 == 49 {
                    course.jump(200.0);
                }
                course.step();
                path.push(course.position());
            }
            path
        });
        for (p, q) in paths[0].iter().zip(&paths[1]) {
            assert!(p.distance(*q) < 0.01, "{name}: {p} and {q}");
        }
    });
}

/// A cave with an uneven wall, and a rock in it.
fn cave() -> Shape {
    let around = |radius: f32, bumps: f32| {
        (0..60u8).map(move |i| {
            let angle = f32::from(i) / 60.0 * TAU;
            Vec2::from_angle(angle) * (radius + bumps * (5.0 * angle).sin())
        })
    };
    let outlines = [around(140.0, 0.0), around(120.0, 9.0), around(15.0, 2.0)];
    Shape::from(Polygon::from_outlines(outlines).unwrap())
}

#[test]
fn a_walker_does_not_leave_a_hole_at_any_speed() {
    for (number, speed) in [90.0, 700.0, 6_000.0, 90_000.0].into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, name| {
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, -60.0), Walker::default());
            course.wall(cave());
            course.settle();
            for step in 0..6 * hertz as usize {
                course.speed = if step % 90 < 45 { speed } else { -speed };
                if step % 31 == 0 {
                    course.jump(speed);
                }
                course.step();
                let from_center = course.position().length();
                assert!(
                    (15.0..126.0).contains(&from_center),
                    "{name}, {speed}: {} in step {step}",
                    course.position()
                );
            }
        });
    }
}
