//! What crushes a mover, and where.

use bevy::{ecs::entity::Entity, math::Vec2};

use crate::events::BlockingHit;

/// What crushes a mover.
#[derive(Clone, Copy)]
pub(crate) struct Crusher {
    pub entity: Entity,
    /// From its surface to the mover at the time when the crushing began, unit length. The mover is
    /// not depenetrated against it.
    pub normal: Vec2,
}

impl Crusher {
    pub fn of(hit: &BlockingHit) -> Self {
        Self {
            entity: hit.blocker,
            normal: hit.normal,
        }
    }

    /// The normal of an entity, or `None` if it is not one of the crushers.
    pub fn normal_of(crushers: &[Self], entity: Entity) -> Option<Vec2> {
        let crusher = crushers.iter().find(|crusher| crusher.entity == entity)?;
        Some(crusher.normal)
    }
}

/// Where a mover was crushed: a hash of the mover and of all walls within some distance.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct CrushSite {
    /// In world units.
    pub distance: f32,
    pub skin: f32,
    pub hash: u64,
}
