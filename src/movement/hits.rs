//! What a hit of a mover says.

use bevy::{ecs::entity::Entity, math::Vec2};

use crate::{events::BlockingHit, index::ColliderIndex};

impl BlockingHit {
    /// A hit at a point of the surface of a blocker, of which entity and slot are given. It is there from the start, at no speed.
    pub(crate) fn at(
        index: &ColliderIndex,
        blocker: (Entity, u32),
        point: Vec2,
        normal: Vec2,
    ) -> Self {
        let (blocker, slot) = blocker;
        Self {
            blocker,
            normal,
            point,
            fraction: 0.0,
            speed: 0.0,
            cell: (index.at(slot)).and_then(|entry| entry.shape.cell_near(point)),
        }
    }
}
