//! Where colliders were in the last update whose motion since then counts.

use bevy::{
    ecs::entity::{EntityHashMap, MapEntities},
    math::Affine2,
    prelude::*,
};
use smallvec::SmallVec;

/// The entities above another one, nearest first.
pub(crate) type Ancestors = SmallVec<[Ancestor; 4]>;

/// An entity above another one.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Ancestor {
    #[entities]
    pub entity: Entity,
    /// From the frame of the entity below to that of the ancestor.
    pub pose: Affine2,
}

/// The pose of a collider in the last update.
#[derive(MapEntities, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PreviousPose {
    /// From the frame of its entity to the world.
    pub pose: Affine2,
    /// With other ancestors, its motion does not count.
    #[entities]
    pub ancestors: Ancestors,
    /// The [`StableKey`](crate::StableKey) of its entity, or the greatest number.
    pub key: u64,
}

impl PreviousPose {
    /// Whether the ancestors are the same, wherever they are.
    pub fn has_same_ancestors(&self, other: &Self) -> bool {
        let entity = |ancestor: &Ancestor| ancestor.entity;
        (self.ancestors.iter().map(entity)).eq(other.ancestors.iter().map(entity))
    }
}

/// The poses in the last update of the colliders that are swept, and of one-way walls.
pub(crate) type PreviousPoses = EntityHashMap<PreviousPose>;
