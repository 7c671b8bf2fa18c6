//! Who ignores whom.

use bevy::prelude::*;

use super::by_slot::BySlot;

/// What colliders ignore: each what its entity does, and what the mover does that carries it.
#[derive(Default)]
pub(super) struct Ignored {
    own: BySlot<Entity>,
    of_mover: BySlot<Entity>,
    /// What `of_mover` has, in the order of the last update.
    inherited: Vec<(u32, Entity)>,
}

impl Ignored {
    /// Whether a collider ignores an entity for which `is_it` holds.
    #[inline]
    pub fn ignores(&self, slot: u32, is_it: impl Fn(Entity) -> bool) -> bool {
        let is_it = |ignored: &BySlot<Entity>| ignored.get(slot).is_some_and(|&it| is_it(it));
        is_it(&self.own) || is_it(&self.of_mover)
    }

    /// What the entity of a collider itself ignores.
    pub fn own(&self, slot: u32) -> Option<Entity> {
        self.own.get(slot).copied()
    }

    /// Stores what an entity ignores. Returns whether that differs.
    pub fn set(&mut self, slot: u32, ignored: Option<Entity>) -> bool {
        self.own.set(slot, ignored)
    }

    /// Stores what is inherited from movers: the slots of those whose movers ignore an entity, with
    /// that entity. Calls `change` with the slots of those for which anything differs.
    pub fn inherit(
        &mut self,
        inherited: impl Iterator<Item = (u32, Entity)> + Clone,
        mut change: impl FnMut(u32),
    ) {
        if inherited.clone().eq(self.inherited.iter().copied()) {
            return;
        }
        for (slot, _) in self.inherited.drain(..) {
            self.of_mover.set(slot, None);
            change(slot);
        }
        self.inherited.extend(inherited);
        for &(slot, ignored) in &self.inherited {
            self.of_mover.set(slot, Some(ignored));
            change(slot);
        }
    }
}
