//! How tracked colliders moved since the last update, seen from the world and from their ancestors.

use bevy::{ecs::entity::Entity, platform::collections::HashMap};
use smallvec::SmallVec;

use crate::{
    aabb::{Aabb2d, grow, merge, translated},
    geometry::{RigidMotion, Shape},
    state::PreviousPose,
};

/// The displacements since the last update of those that moved, by slot.
#[derive(Default)]
pub(super) struct Displacements(HashMap<u32, Displacement>);

/// The motion of a collider since the last update.
pub(super) struct Displacement {
    pub in_world: RigidMotion,
    /// Relative to each of its ancestors, nearest first.
    pub relative: SmallVec<[(Entity, RigidMotion); 4]>,
}

impl Displacements {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn remove(&mut self, slot: u32) {
        self.0.remove(&slot);
    }

    #[inline]
    pub fn get(&self, slot: u32) -> Option<&Displacement> {
        self.0.get(&slot)
    }

    pub fn record(&mut self, slot: u32, displacement: Displacement) {
        if displacement.is_any() {
            self.0.insert(slot, displacement);
        }
    }

    /// The box around the paths of a collider that each of its ancestors sees, from its box at the
    /// end.
    pub fn swept(&self, slot: u32, end: Aabb2d) -> Aabb2d {
        let displacement = self.get(slot);
        let swept = displacement.map_or(end, |it| box_swept(end, &it.in_world));
        let relative = displacement.map(|it| &it.relative);
        (relative.into_iter().flatten()).fold(swept, |around, (_, motion)| {
            merge(&around, &box_swept(end, motion))
        })
    }
}

impl Displacement {
    /// That of a collider with this local shape, now at `to`.
    pub fn between(local: &Shape, from: &PreviousPose, to: &PreviousPose) -> Self {
        let in_world = RigidMotion::between(local, &from.pose, &to.pose);
        let relative = from.ancestors.iter().zip(&to.ancestors).map(|(from, now)| {
            if from.pose == now.pose {
                return (now.entity, RigidMotion::ZERO);
            }
            let to_world = to.pose.matrix2 * now.pose.matrix2.inverse();
            let seen = RigidMotion::between(local, &from.pose, &now.pose);
            let motion = RigidMotion {
                center: in_world.center,
                delta: to_world * seen.delta,
                turn: seen.turn * to_world.determinant().signum(),
            };
            // An ancestor that flattens the collider has no frame to see it from.
            let is_seen = motion.is_finite();
            (now.entity, if is_seen { motion } else { in_world })
        });
        Self {
            in_world,
            relative: relative.collect(),
        }
    }

    /// Whether it moved, seen from anywhere.
    pub fn is_any(&self) -> bool {
        let relative = self.relative.iter().map(|(_, motion)| motion);
        relative.chain([&self.in_world]).any(RigidMotion::is_any)
    }
}

/// The box around the path of a collider, from its box at the end.
fn box_swept(end: Aabb2d, motion: &RigidMotion) -> Aabb2d {
    let around = merge(&end, &translated(&end, -motion.delta));
    // The center may be anywhere in the box.
    let radius = (end.max - end.min).length();
    if motion.turn == 0.0 {
        around
    } else {
        grow(&around, motion.max_deviation(radius))
    }
}
