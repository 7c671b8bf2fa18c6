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
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Ancestor {
    pub entity: Entity,
    /// From the frame of the entity below to that of the ancestor.
    pub pose: Affine2,
}

/// The pose of a collider in the last update.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PreviousPose {
    /// From the frame of its entity to the world.
    pub pose: Affine2,
    /// With other ancestors, its motion does not count.
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
#[derive(Default)]
pub(crate) struct PreviousPoses(EntityHashMap<PreviousPose>);

impl PreviousPoses {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, entity: Entity) -> Option<&PreviousPose> {
        self.0.get(&entity)
    }

    /// All of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, &PreviousPose)> {
        self.0.iter().map(|(&entity, previous)| (entity, previous))
    }

    pub fn insert(&mut self, entity: Entity, pose: PreviousPose) {
        self.0.insert(entity, pose);
    }

    /// Sets the pose of an entity that has one.
    pub fn carry(&mut self, entity: Entity, pose: Affine2, ancestors: Ancestors) {
        if let Some(previous) = self.0.get_mut(&entity) {
            (previous.pose, previous.ancestors) = (pose, ancestors);
        }
    }

    pub fn remove(&mut self, entity: Entity) {
        self.0.remove(&entity);
    }

    /// Removes the poses of entities for which `is_tracked` does not hold.
    pub fn retain(&mut self, is_tracked: impl Fn(Entity) -> bool) {
        self.0.retain(|&entity, _| is_tracked(entity));
    }
}

impl Clone for PreviousPoses {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Keeps the memory.
    fn clone_from(&mut self, source: &Self) {
        self.0.clear();
        let poses = source.iter();
        (self.0).extend(poses.map(|(entity, previous)| (entity, previous.clone())));
    }
}

impl MapEntities for PreviousPoses {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        let mut is_same = |entity: Entity| mapper.get_mapped(entity) == entity;
        let are_same = |(&entity, previous): (&Entity, &PreviousPose)| {
            is_same(entity)
                && previous
                    .ancestors
                    .iter()
                    .all(|ancestor| is_same(ancestor.entity))
        };
        if self.0.iter().all(are_same) {
            return;
        }
        let mapped = self.0.drain().map(|(entity, mut previous)| {
            for ancestor in &mut previous.ancestors {
                ancestor.entity = mapper.get_mapped(ancestor.entity);
            }
            (mapper.get_mapped(entity), previous)
        });
        let mapped: EntityHashMap<_> = mapped.collect();
        self.0 = mapped;
    }
}
