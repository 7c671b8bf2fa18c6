//! Where a mover went, and how its move ended.

use bevy::math::Vec2;

use super::{crusher::CrushSite, footing::Footing};
use crate::{events::BlockingHit, index::Waypoint};

/// Where a mover went and what blocked it.
#[derive(Default)]
pub(crate) struct Trajectory {
    /// Relative to the start. It begins where depenetration put the mover.
    pub path: Vec<Waypoint>,
    /// In order.
    pub hits: Vec<BlockingHit>,
}

impl Trajectory {
    pub fn clear(&mut self) {
        self.path.clear();
        self.hits.clear();
    }

    /// Sets the path to that of a mover that stays where it is. Keeps the hits.
    pub fn stay(&mut self) {
        self.path.clear();
        self.push(0.0, Vec2::ZERO);
        self.push(1.0, Vec2::ZERO);
    }

    /// Appends a waypoint at this fraction of the update.
    pub fn push(&mut self, fraction: f32, offset: Vec2) {
        self.path.push(Waypoint { fraction, offset });
    }
}

/// How a move ended.
#[derive(Clone, Copy)]
pub(crate) struct MoveEnd {
    /// From the start to the end, in world units.
    pub displacement: Vec2,
    /// The velocity at the end, in world units per second.
    pub velocity: Vec2,
    /// Whether the mover is in walls from which no displacement separates it.
    pub is_crushed: bool,
    /// Where it is crushed, if that is known.
    pub crush_site: Option<CrushSite>,
    /// What the mover touches, if it is a walker.
    pub footing: Footing,
}

impl MoveEnd {
    /// The end of a mover in walls from which no displacement separates it.
    pub fn crushed(crush_site: Option<CrushSite>) -> Self {
        Self {
            displacement: Vec2::ZERO,
            velocity: Vec2::ZERO,
            is_crushed: true,
            crush_site,
            footing: Footing::NONE,
        }
    }
}
