//! What is left of a motion when walls have pushed the mover.

use bevy::math::Vec2;

use super::super::body::Motion;
use crate::{components::Mover, geometry::Shape};

#[test]
fn a_push_of_any_numbers_panics_nowhere() {
    let numbers = [0.0, 1.0, -1.0, f32::MAX, f32::INFINITY, f32::NAN];
    let shape = Shape::circle(Vec2::ZERO, 1.0);
    for x in numbers {
        for y in numbers {
            for displacement in [Vec2::ZERO, Vec2::new(3.0, 4.0), Vec2::splat(f32::MAX)] {
                let mover = Mover::with_velocity(displacement);
                let motion = Motion::of(&mover, &shape, 1.0);
                let left = motion.after_push(Vec2::new(x, y)).desired;
                if (x, y) == (0.0, 0.0) {
                    assert_eq!(left.per_update, displacement);
                }
                if (x, y) == (1.0, 0.0) && displacement.x == 3.0 {
                    assert_eq!(left.per_update, Vec2::new(2.0, 4.0));
                }
            }
        }
    }
}
