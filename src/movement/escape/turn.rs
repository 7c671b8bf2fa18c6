//! Turning a mover as far as the walls around it let it.

use bevy::math::Vec2;

use crate::{
    aabb::{max_distance_from, merge},
    geometry::{Shape, rotation_about},
    movement::{
        body::{Motion, size_of},
        obstacles::{Blockers, Obstacles},
        tolerances::{MAX_TURN_BISECTIONS, MAX_TURN_STEPS, TURN_MARGIN_SKINS, TURN_STEP_SIZES},
    },
};

use super::depenetrate::has_room;

/// A turn around a point.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub pivot: Vec2,
    /// Counter-clockwise, in radians.
    pub angle: f32,
}

impl Turn {
    fn by(self, angle: f32) -> Self {
        Self { angle, ..self }
    }

    fn of(self, shape: &Shape) -> Shape {
        shape.transformed(&rotation_about(self.pivot, self.angle))
    }
}

/// Turns a mover, and returns its shape and the angle in radians. Turns in steps that are too small
/// to get past a wall, as long as depenetration moves the mover by no more than it turned. Turns no
/// further than leaves a little room, because the next update may round differently.
/// `intervals` is a buffer.
pub(crate) fn turn(
    blockers: &Blockers,
    motion: &Motion,
    turn: Turn,
    obstacles: &mut Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> (Shape, f32) {
    let radius = max_distance_from(turn.pivot, &motion.shape.aabb()).max(f32::MIN_POSITIVE);
    let skin_angle = motion.skin / radius;
    let margin = (TURN_MARGIN_SKINS * skin_angle).copysign(turn.angle);
    let arc = radius * turn.angle.abs();
    let steps = arc / (TURN_STEP_SIZES * size_of(motion.shape)).max(f32::MIN_POSITIVE);
    let steps = steps.ceil().clamp(1.0, MAX_TURN_STEPS);
    // One search for all that the first step may need.
    let first = turn.by(turn.angle / steps).of(motion.shape);
    let area = merge(&motion.shape.aabb(), &first.aabb());
    obstacles.search(blockers, &area, arc / steps + 3.0 * motion.skin);
    let mut fits = |angle: f32| {
        let shape = turn.by(angle + margin).of(motion.shape);
        let motion = Motion {
            shape: &shape,
            ..*motion
        };
        let longest = radius * (angle + margin).abs() + 2.0 * motion.skin;
        obstacles.forget_surfaces();
        has_room(blockers, &motion, obstacles, intervals, longest)
    };
    let angles = (1..=steps as u16).map(|step| turn.angle * f32::from(step) / steps);
    let mut free = 0.0;
    for mut blocked in angles {
        if fits(blocked) {
            free = blocked;
            continue;
        }
        for _ in 0..MAX_TURN_BISECTIONS {
            if (blocked - free).abs() <= skin_angle {
                break;
            }
            let halfway = free.midpoint(blocked);
            if fits(halfway) {
                free = halfway;
            } else {
                blocked = halfway;
            }
        }
        break;
    }
    (turn.by(free).of(motion.shape), free)
}
