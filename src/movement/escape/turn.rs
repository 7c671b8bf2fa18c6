//! Turning a mover as far as the walls around it let it.

use bevy::math::Vec2;

use crate::{
    aabb::max_distance_from,
    geometry::{Shape, rotation_about},
    movement::{
        body::{Motion, size_of},
        obstacles::{Blockers, Obstacles},
        tolerances::{MAX_TURN_STEPS, TURN_BISECTIONS, TURN_STEP_SIZES},
    },
};

use super::depenetrate::{Depenetration, depenetrate};

/// A turn around a point.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub pivot: Vec2,
    /// Counter-clockwise, in radians.
    pub angle: f32,
}

impl Turn {
    fn of(self, shape: &Shape) -> Shape {
        shape.transformed(&rotation_about(self.pivot, self.angle))
    }
}

/// Turns a mover, and returns its shape and the angle in radians. Turns in steps that are too small
/// to get past a wall, as long as depenetration moves the mover by no more than it turned.
/// `intervals` is a buffer.
pub(crate) fn turn(
    blockers: &Blockers,
    motion: &Motion,
    turn: Turn,
    obstacles: &mut Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> (Shape, f32) {
    let radius = max_distance_from(turn.pivot, &motion.shape.aabb());
    let mut has_room = |angle: f32| {
        let shape = Turn { angle, ..turn }.of(motion.shape);
        let motion = Motion {
            shape: &shape,
            ..*motion
        };
        let longest = radius * angle.abs() + 2.0 * motion.skin;
        let free = match depenetrate(blockers, &motion, obstacles, intervals) {
            Depenetration::Free(offset) => offset.length() <= longest,
            Depenetration::Crushed(_) => false,
        };
        free.then_some((shape, angle))
    };
    let arc = radius * turn.angle.abs();
    let steps = arc / (TURN_STEP_SIZES * size_of(motion.shape)).max(f32::MIN_POSITIVE);
    let steps = steps.ceil().clamp(1.0, MAX_TURN_STEPS);
    let mut last = (motion.shape.clone(), 0.0);
    for step in 1..=steps as u16 {
        let next = turn.angle * f32::from(step) / steps;
        if let Some(turned) = has_room(next) {
            last = turned;
            continue;
        }
        let (mut free, mut blocked) = (last.1, next);
        for _ in 0..TURN_BISECTIONS {
            let halfway = free.midpoint(blocked);
            match has_room(halfway) {
                Some(turned) => (last, free) = (turned, halfway),
                None => blocked = halfway,
            }
        }
        break;
    }
    last
}
