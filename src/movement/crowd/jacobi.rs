//! Separates overlapping shapes by Jacobi iteration: all move at once, so that the order of the
//! pairs does not matter.

use bevy::math::Vec2;

use crate::{
    geometry::{Shape, penetration_within},
    movement::tolerances::JACOBI_RELAXATION,
};

/// The floor that a body stands on. Sideways corrections move the body along it, and do not lift
/// it.
#[derive(Clone, Copy)]
pub(crate) struct Floor {
    /// Outward, unit length.
    pub normal: Vec2,
    /// The least cosine of the angle between the normal and a correction that is not sideways.
    pub min_cosine: f32,
}

/// A shape that may overlap others.
pub(crate) struct Body {
    pub shape: Shape,
    pub floor: Option<Floor>,
    /// Its displacement so far.
    pub moved: Vec2,
    /// The sum of the corrections of this iteration.
    correction: Vec2,
    /// The number of corrections that move it.
    corrections: u32,
    /// The length of the longest of the corrections, in world units.
    longest: f32,
}

/// Two bodies that may overlap.
pub(crate) struct Pair {
    pub bodies: [u32; 2],
    /// The fraction of an overlap by which each gives way.
    pub shares: [f32; 2],
    /// The distance that they keep, in world units.
    pub margin: f32,
}

impl Floor {
    /// Converts a unit correction to one along the floor that gets as far in its direction. Returns
    /// it unchanged if it is not sideways.
    pub fn along(self, direction: Vec2) -> Vec2 {
        let upward = direction.dot(self.normal);
        if upward.abs() >= self.min_cosine {
            return direction;
        }
        let along = direction - self.normal * upward;
        along / along.length_squared()
    }
}

impl Body {
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            floor: None,
            moved: Vec2::ZERO,
            correction: Vec2::ZERO,
            corrections: 0,
            longest: 0.0,
        }
    }

    pub fn translate(&mut self, displacement: Vec2) {
        self.shape.translate(displacement);
        self.moved += displacement;
    }

    /// Adds a correction by `length` along `direction`, which has unit length.
    fn add_correction(&mut self, direction: Vec2, length: f32) {
        if !(length > 0.0) {
            return;
        }
        let correction = self.floor.map_or(direction, |floor| floor.along(direction)) * length;
        self.correction += correction;
        self.corrections += 1;
        self.longest = self.longest.max(correction.length());
    }

    fn apply_corrections(&mut self) {
        if self.corrections > 0 {
            let relaxation = if self.corrections > 1 {
                JACOBI_RELAXATION
            } else {
                1.0
            };
            // Corrections of similar overlaps add up to no more than the longest.
            let correction = self.correction * relaxation;
            self.translate(correction.clamp_length_max(self.longest));
            (self.correction, self.corrections, self.longest) = (Vec2::ZERO, 0, 0.0);
        }
    }
}

impl Pair {
    /// Whether each of the two presses against the other, and the other gives way. `remaining` is
    /// what is left of their displacements; the normal points from the first to the second.
    pub fn presses(&self, remaining: [Vec2; 2], normal: Vec2) -> [bool; 2] {
        [
            self.shares[1] > 0.0 && remaining[0].dot(normal) > 0.0,
            self.shares[0] > 0.0 && remaining[1].dot(normal) < 0.0,
        ]
    }
}

/// Separates the pairs, in this many iterations or until none overlaps. Each iteration moves all
/// bodies at once, from where they were after the iteration before.
pub(crate) fn separate_jacobi(bodies: &mut [Body], pairs: &[Pair], iterations: usize) {
    for _ in 0..iterations {
        let mut any = false;
        for Pair {
            bodies: [i, j],
            shares,
            margin,
        } in pairs
        {
            let (i, j) = (*i as usize, *j as usize);
            if let Some((depth, normal)) =
                penetration_within(&bodies[i].shape, &bodies[j].shape, *margin)
            {
                bodies[i].add_correction(-normal, depth * shares[0]);
                bodies[j].add_correction(normal, depth * shares[1]);
                any = true;
            }
        }
        if !any {
            break;
        }
        bodies.iter_mut().for_each(Body::apply_corrections);
    }
}
