//! How far tracked colliders moved since the last update, seen from the world and from what carries
//! them.

use bevy::{platform::collections::HashMap, prelude::*};
use smallvec::SmallVec;

use super::{
    ancestry::MoverRelation,
    collider_index::ColliderIndex,
    entry::ColliderEntry,
    hierarchy::{Parents, is_ancestor},
    paths::Waypoint,
};
use crate::{
    aabb::{Aabb2d, merge, translated},
    geometry::Shape,
    state::PreviousPose,
};

/// The displacements since the last update of those that moved, by slot.
#[derive(Default)]
pub(super) struct Displacements(HashMap<u32, Displacement>);

/// The displacement of a collider since the last update, in world units.
struct Displacement {
    in_world: Vec2,
    /// Relative to each of its ancestors, nearest first.
    relative: SmallVec<[(Entity, Vec2); 4]>,
}

/// A collider that sees others move: relative to the nearest ancestor of both, or else in the world.
#[derive(Clone, Copy)]
pub(crate) struct Observer<'a> {
    pub entry: &'a ColliderEntry<'a>,
    pub parents: &'a Parents<'a, 'a>,
}

impl Displacements {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn remove(&mut self, slot: u32) {
        self.0.remove(&slot);
    }

    fn record(&mut self, slot: u32, displacement: Displacement) {
        if displacement.is_any() {
            self.0.insert(slot, displacement);
        }
    }

    /// The box around a collider, now in `end`, on its way seen from each of its ancestors.
    pub fn swept(&self, slot: u32, end: Aabb2d) -> Aabb2d {
        let relative = self.0.get(&slot).map(|displacement| &displacement.relative);
        (relative.into_iter().flatten()).fold(end, |around, (_, moved)| {
            merge(&around, &translated(&end, -*moved))
        })
    }
}

impl Displacement {
    /// That of a collider with this local shape, now at `to`.
    fn between(local: &Shape, from: &PreviousPose, to: &PreviousPose) -> Self {
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

    fn is_any(&self) -> bool {
        self.in_world != Vec2::ZERO || self.relative.iter().any(|(_, moved)| *moved != Vec2::ZERO)
    }
}

impl Observer<'_> {
    /// The displacement of a collider relative to the nearest ancestor that carries the observer as
    /// well, or `None` if there is none.
    fn relative(&self, of: &ColliderEntry, displacement: &Displacement) -> Option<Vec2> {
        let Self { entry, parents } = self;
        if !(of.role.has_parent && entry.role.has_parent && of.root() == entry.root()) {
            return None;
        }
        let mut relative = displacement.relative.iter();
        relative
            .find(|(ancestor, _)| is_ancestor(*ancestor, entry.entity, parents))
            .map(|(_, relative)| *relative)
    }
}

impl ColliderIndex {
    /// Records how a collider moved that the plugin does not move, from where it was in the last
    /// update to where it is now.
    pub(super) fn record_displacement(
        &mut self,
        slot: u32,
        local: &Shape,
        [from, to]: [&PreviousPose; 2],
    ) {
        let Some(role) = self.at(slot).map(|entry| *entry.role) else {
            return;
        };
        let displacement = Displacement::between(local, from, to);
        if !displacement.in_world.is_finite() {
            return;
        }
        if role.is_swept && role.moved_by != MoverRelation::Itself {
            let [start, end] = [(0.0, -displacement.in_world), (1.0, Vec2::ZERO)];
            let path = [start, end].map(|(fraction, offset)| Waypoint { fraction, offset });
            self.has_moving_walls |= role.is_wall() && displacement.is_any();
            self.set_path(slot, path.into_iter());
        }
        self.colliders.displacements.record(slot, displacement);
    }

    /// The displacement of a collider since the last update as an observer sees it, in world units.
    #[inline]
    pub fn displacement(&self, of: &ColliderEntry, observer: Option<Observer>) -> Vec2 {
        let Some(displacement) = self.colliders.displacements.0.get(&of.slot) else {
            return Vec2::ZERO;
        };
        let relative = observer.and_then(|observer| observer.relative(of, displacement));
        relative.unwrap_or(displacement.in_world)
    }

    /// The displacement of a wall that pushes movers, or zero.
    #[inline]
    pub fn push_displacement(&self, wall: &ColliderEntry, observer: Option<Observer>) -> Vec2 {
        if self.has_moving_walls && wall.role.is_swept && wall.role.is_wall() {
            self.displacement(wall, observer)
        } else {
            Vec2::ZERO
        }
    }

    /// The path of a collider in this update as an observer sees it, if it is not the recorded one
    /// because an ancestor carried both.
    pub fn relative_path(
        &self,
        of: &ColliderEntry,
        observer: Observer,
    ) -> Option<SmallVec<[Waypoint; 4]>> {
        let displacement = self.colliders.displacements.0.get(&of.slot)?;
        let carried = displacement.in_world - observer.relative(of, displacement)?;
        let relative = self.path(of).iter().map(|waypoint| Waypoint {
            offset: waypoint.offset + carried * (1.0 - waypoint.fraction),
            ..*waypoint
        });
        (carried != Vec2::ZERO).then(|| relative.collect())
    }
}
