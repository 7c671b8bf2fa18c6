//! The motion of colliders relative to an ancestor that they have in common with another.

use bevy::prelude::*;
use smallvec::SmallVec;

use super::{
    collider_index::ColliderIndex,
    displacements::Displacement,
    entry::{ColliderEntry, Solidity},
    hierarchy::{Parents, is_ancestor},
    one_way::OneWayWall,
    paths::Waypoint,
};

/// A collider to which motion is relative: in the frame of the nearest common ancestor, or in the
/// world if there is none.
#[derive(Clone, Copy)]
pub(crate) struct Observer<'a> {
    pub entry: &'a ColliderEntry<'a>,
    pub parents: &'a Parents<'a, 'a>,
}

impl Observer<'_> {
    /// The displacement of a collider relative to the nearest ancestor that carries the observer as
    /// well, or `None` if there is none.
    fn relative(&self, of: &ColliderEntry, displacement: &Displacement) -> Option<Vec2> {
        let Self { entry, parents } = self;
        if !(of.role.has_parent() && entry.role.has_parent() && of.root() == entry.root()) {
            return None;
        }
        let mut relative = displacement.relative.iter();
        relative
            .find(|(ancestor, _)| is_ancestor(*ancestor, entry.entity, parents))
            .map(|(_, relative)| *relative)
    }
}

impl ColliderIndex {
    /// The displacement of a collider since the last update as an observer sees it, in world units.
    #[inline]
    pub fn displacement(&self, of: &ColliderEntry, observer: Option<Observer>) -> Vec2 {
        let Some(displacement) = self.colliders.displacements.get(of.slot) else {
            return Vec2::ZERO;
        };
        let relative = observer.and_then(|observer| observer.relative(of, displacement));
        relative.unwrap_or(displacement.in_world)
    }

    /// The displacement of a wall that pushes movers, or zero.
    #[inline]
    pub fn push_displacement(&self, wall: &ColliderEntry, observer: Option<Observer>) -> Vec2 {
        if self.has_moving_walls && wall.role.is_swept() && wall.role.is_wall() {
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
        let displacement = self.colliders.displacements.get(of.slot)?;
        let carried = displacement.in_world - observer.relative(of, displacement)?;
        let relative = self.path(of).iter().map(|waypoint| Waypoint {
            offset: waypoint.offset + carried * (1.0 - waypoint.fraction),
            ..*waypoint
        });
        (carried != Vec2::ZERO).then(|| relative.collect())
    }

    /// A one-way wall as an observer sees it, at rest without one, or `None` for other colliders.
    #[inline]
    pub fn one_way_wall(
        &self,
        entry: &ColliderEntry,
        observer: Option<Observer>,
    ) -> Option<OneWayWall> {
        if entry.role.solidity != Solidity::OneWay {
            return None;
        }
        Some(OneWayWall {
            entity: entry.entity,
            direction: *self.free_directions.get(entry.slot)?,
            delta: observer.map_or(Vec2::ZERO, |_| self.displacement(entry, observer)),
        })
    }
}
