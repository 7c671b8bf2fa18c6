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
use crate::geometry::RigidMotion;

/// A collider to which motion is relative: in the frame of the nearest common ancestor, or in the
/// world if there is none.
#[derive(Clone, Copy)]
pub(crate) struct Observer<'a> {
    pub entry: &'a ColliderEntry<'a>,
    pub parents: &'a Parents<'a, 'a>,
}

impl Observer<'_> {
    /// The motion of a collider relative to the nearest ancestor that carries the observer as well,
    /// or `None` if there is none.
    fn relative(&self, of: &ColliderEntry, displacement: &Displacement) -> Option<RigidMotion> {
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
    /// The motion of a collider since the last update as an observer sees it.
    #[inline]
    fn motion(&self, of: &ColliderEntry, observer: Option<Observer>) -> RigidMotion {
        let Some(displacement) = self.colliders.displacements.get(of.slot) else {
            return RigidMotion::ZERO;
        };
        let relative = observer.and_then(|observer| observer.relative(of, displacement));
        relative.unwrap_or(displacement.in_world)
    }

    /// The motion of a wall that pushes movers, or none.
    #[inline]
    pub fn push_motion(&self, wall: &ColliderEntry, observer: Option<Observer>) -> RigidMotion {
        if self.has_moving_walls && wall.role.is_swept() && wall.role.is_wall() {
            self.motion(wall, observer)
        } else {
            RigidMotion::ZERO
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
        let carried = displacement.in_world.delta - observer.relative(of, displacement)?.delta;
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
            motion: observer.map_or(RigidMotion::ZERO, |_| self.motion(entry, observer)),
        })
    }
}
