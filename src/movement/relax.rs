//! Parting shapes that overlap, all at the same time.

use bevy::math::Vec2;

use crate::geometry::{Shape, penetration_within};

/// How much of the sum of its pushes a body follows that is pushed by several: they partly mean the same.
const SHARE_OF_SUM: f32 = 0.75;

/// Something that may overlap others.
pub(super) struct Body {
    pub shape: Shape,
    /// How far it was moved.
    pub moved: Vec2,
    push: Vec2,
    pushes: u32,
}

/// Two bodies that may overlap.
pub(super) struct Pair {
    pub bodies: [u32; 2],
    /// The part of an overlap by which each yields.
    pub shares: [f32; 2],
    /// The distance that they keep.
    pub gap: f32,
}

impl Body {
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            moved: Vec2::ZERO,
            push: Vec2::ZERO,
            pushes: 0,
        }
    }

    pub fn shift(&mut self, by: Vec2) {
        self.shape.translate(by);
        self.moved += by;
    }

    fn add_push(&mut self, whole: Vec2, share: f32) {
        self.push += whole * share;
        self.pushes += u32::from(share > 0.0);
    }

    fn follow_pushes(&mut self) {
        if self.pushes > 0 {
            let part = if self.pushes > 1 { SHARE_OF_SUM } else { 1.0 };
            self.shift(self.push * part);
            (self.push, self.pushes) = (Vec2::ZERO, 0);
        }
    }
}

impl Pair {
    /// Whether each of the two, from the first of which `normal` points to the second, is urged into the other one and that yields.
    pub fn leans(&self, urges: [Vec2; 2], normal: Vec2) -> [bool; 2] {
        [
            self.shares[1] > 0.0 && urges[0].dot(normal) > 0.0,
            self.shares[0] > 0.0 && urges[1].dot(normal) < 0.0,
        ]
    }
}

/// Parts the pairs, in so many steps or until none overlaps. In each step all bodies are moved at once, from where they all were
/// after the step before, so that the order of the pairs does not matter.
pub(super) fn part(bodies: &mut [Body], pairs: &[Pair], steps: usize) {
    for _ in 0..steps {
        let mut any = false;
        for Pair {
            bodies: [i, j],
            shares,
            gap,
        } in pairs
        {
            let (i, j) = (*i as usize, *j as usize);
            if let Some((depth, normal)) =
                penetration_within(&bodies[i].shape, &bodies[j].shape, *gap)
            {
                let whole = normal * depth;
                bodies[i].add_push(-whole, shares[0]);
                bodies[j].add_push(whole, shares[1]);
                any = true;
            }
        }
        if !any {
            break;
        }
        bodies.iter_mut().for_each(Body::follow_pushes);
    }
}
