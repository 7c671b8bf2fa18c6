//! Who ignores whom.

use bevy::prelude::*;

use super::by_slot::BySlot;

/// What colliders ignore: each what its entity does, and what the mover does that carries it.
#[derive(Default)]
pub(super) struct Ignored {
    own: BySlot<Entity>,
    of_mover: BySlot<Entity>,
    /// The slots of those whose movers ignore an entity, with that entity.
    inherited: Vec<(u32, Entity)>,
}

impl Ignored {
    /// The entities that a collider ignores.
    #[inline]
    pub fn of(&self, slot: u32) -> impl Iterator<Item = Entity> {
        let both = [self.own.get(slot), self.of_mover.get(slot)];
        both.into_iter().flatten().copied()
    }

    /// Whether no entity ever ignored another one.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// Stores what an entity ignores. Returns whether that differs.
    pub fn set(&mut self, slot: u32, ignored: Option<Entity>) -> bool {
        self.own.set(slot, ignored)
    }

    /// Stores what is inherited from movers. `carried` lists colliders with the slots of their
    /// movers. Returns the slots of those for which anything differs.
    pub fn inherit(&mut self, carried: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
        let own = &self.own;
        let inherited: Vec<(u32, Entity)> = carried
            .filter_map(|[slot, mover]| Some((slot, *own.get(mover)?)))
            .collect();
        if inherited == self.inherited {
            return Vec::new();
        }
        let before = std::mem::replace(&mut self.inherited, inherited);
        for &(slot, _) in &before {
            self.of_mover.set(slot, None);
        }
        for &(slot, ignored) in &self.inherited {
            self.of_mover.set(slot, Some(ignored));
        }
        let both = before.iter().chain(&self.inherited);
        both.map(|&(slot, _)| slot).collect()
    }
}
