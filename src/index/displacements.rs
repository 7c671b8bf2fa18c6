//! How far tracked colliders moved since the last update, seen from the world and from what carries
//! them.

use bevy::{platform::collections::HashMap, prelude::*};
use smallvec::SmallVec;

use crate::{
    aabb::{Aabb2d, merge, translated},
    geometry::Shape,
    state::PreviousPose,
};

/// The displacements since the last update of those that moved, by slot.
#[derive(Default)]
pub(super) struct Displacements(HashMap<u32, Displacement>);

/// The displacement of a collider since the last update, in world units.
pub(super) struct Displacement {
    pub in_world: Vec2,
    /// Relative to each of its ancestors, nearest first.
    pub relative: SmallVec<[(Entity, Vec2); 4]>,
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
        let relative = self.get(slot).map(|displacement| &displacement.relative);
        (relative.into_iter().flatten()).fold(end, |around, (_, moved)| {
            merge(&around, &translated(&end, -*moved))
        })
    }
}

impl Displacement {
    /// That of a collider with this local shape, now at `to`.
    pub fn between(local: &Shape, from: &PreviousPose, to: &PreviousPose) -> Self {
        let displacement =
            |from, to| local.transformed(to).center() - local.transformed(from).center();
        let in_world = displacement(&from.pose, &to.pose);
        let relative = from.ancestors.iter().zip(&to.ancestors).map(|(from, now)| {
            if from.pose == now.pose {
                return (now.entity, Vec2::ZERO);
            }
            let to_world = to.pose.matrix2 * now.pose.matrix2.inverse();
            let moved = to_world * displacement(&from.pose, &now.pose);
            // An ancestor that flattens the collider has no frame to see it from.
            (now.entity, if moved.is_finite() { moved } else { in_world })
        });
        Self {
            in_world,
            relative: relative.collect(),
        }
    }

    /// Whether it moved, seen from anywhere.
    pub fn is_any(&self) -> bool {
        self.in_world != Vec2::ZERO || self.relative.iter().any(|(_, moved)| *moved != Vec2::ZERO)
    }
}
