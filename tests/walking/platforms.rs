//! Floors that move.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, bodies};

/// How a platform moves: where it is at a time in seconds, and its rotation.
type Path = fn(f32) -> (Vec2, f32);

const PATHS: [(&str, Path); 5] = [
    ("sideways", |t| (Vec2::new(40.0 * t.sin(), 0.0), 0.0)),
    ("up and down", |t| (Vec2::new(0.0, 40.0 * t.sin()), 0.0)),
    ("in circles", |t| (Vec2::from_angle(t) * 40.0, 0.0)),
    ("tilting", |t| (Vec2::ZERO, 0.3 * (t * 2.0).sin())),
    ("tilting in circles", |t| {
        (Vec2::from_angle(t) * 40.0, 0.3 * (t * 2.0).sin())
    }),
];

#[test]
fn a_walker_rides_on_a_platform_without_drift() {
    for (name, body) in bodies() {
        for (path_name, path) in PATHS {
            for swept in [false, true] {
                let what = format!("{name} {path_name}, swept: {swept}");
                let (start, angle) = path(0.0);
                let mut course =
                    Course::new(&body, start + Vec2::new(3.0, 14.5), Walker::default());
                let platform = course.block([start.x, start.y], [60.0, 16.0]);
                if swept {
                    course.app.world_mut().entity_mut(platform).insert(Swept);
                }
                course.transform(platform).rotation = Quat::from_rotation_z(angle);
                course.settle();
                course.steps(3);
                let is_round = name == "circle" || name == "capsule";
                let local = |course: &Course| {
                    let transform: &Transform = course.app.world().get(platform).unwrap();
                    let pose = transform.compute_affine().inverse();
                    let position = course.position();
                    let anchor = if is_round {
                        position
                    } else {
                        course.ground().floor().unwrap().point
                    };
                    pose.transform_point3(anchor.extend(0.0)).truncate()
                };
                let begin = local(&course);
                let mut drift = 0.0f32;
                for step in 1..10_000 {
                    let (position, angle) = path(step as f32 / 60.0);
                    let mut transform = course.transform(platform);
                    transform.translation = position.extend(0.0);
                    transform.rotation = Quat::from_rotation_z(angle);
                    course.step();
                    assert!(course.ground().is_on_floor(), "{what}, step {step}");
                    drift = drift.max((local(&course).x - begin.x).abs());
                }
                assert_eq!(course.left, [], "{what}");
                assert!(
                    drift < 0.01 || !is_round && path_name.contains("tilting"),
                    "{what}: {drift}"
                );
            }
        }
    }
}
