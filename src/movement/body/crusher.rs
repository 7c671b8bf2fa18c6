//! What crushes a mover, and where.

use bevy::{ecs::entity::Entity, math::Vec2};

use crate::events::BlockingHit;

/// What crushes a mover.
#[derive(Clone, Copy)]
pub(crate) struct Crusher {
    pub entity: Entity,
    /// From its surface to the mover when it began to crush the mover, unit length: the mover is
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

    /// The normal of an entity, if that is one of these.
    pub fn normal_of(crushers: &[Self], entity: Entity) -> Option<Vec2> {
        let crusher = crushers.iter().find(|crusher| crusher.entity == entity)?;
        Some(crusher.normal)
    }
}

/// Where a mover was crushed: the mover and all walls within some distance, as a hash.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct CrushSite {
    /// In world units.
    pub distance: f32,
    pub skin: f32,
    pub hash: u64,
}
