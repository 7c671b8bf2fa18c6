use bevy::prelude::*;

use super::entry::Body;

/// The place of a collider in the tree of parents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lineage {
    /// The topmost ancestor; the entity itself, if it has no parent.
    pub root: Entity,
    /// The nearest mover among the entity itself and its ancestors.
    pub mover: Option<Entity>,
    /// Differs when any ancestor is another one.
    fingerprint: u64,
}

impl Lineage {
    /// Before any ancestor is known.
    pub const NONE: Self = Self {
        root: Entity::PLACEHOLDER,
        mover: None,
        fingerprint: 0,
    };

    /// Without a parent.
    pub fn of_root(entity: Entity, is_mover: bool) -> Self {
        Self {
            root: entity,
            mover: is_mover.then_some(entity),
            ..Self::NONE
        }
    }

    /// Of a child of all these ancestors.
    pub fn of_child(self, child: Entity, is_mover: bool) -> Self {
        Self {
            mover: is_mover.then_some(child).or(self.mover),
            ..self
        }
    }

    /// Adds the next ancestor.
    pub fn descend_from(&mut self, ancestor: Entity, is_mover: bool) {
        self.root = ancestor;
        self.mover = self.mover.or(is_mover.then_some(ancestor));
        // FNV-1a, word by word.
        self.fingerprint = (self.fingerprint ^ ancestor.to_bits()).wrapping_mul(0x0100_0000_01B3);
    }

    /// Who moves `entity`, of which this is the lineage.
    pub fn body_of(&self, entity: Entity) -> Body {
        match self.mover {
            None => Body::None,
            Some(mover) if mover == entity => Body::Itself,
            Some(_) => Body::Ancestor,
        }
    }
}

/// The lineages of the colliders that have a parent, by slot.
#[derive(Default)]
pub(crate) struct Lineages(Vec<Option<Lineage>>);

impl Lineages {
    pub fn get(&self, slot: u32) -> Option<&Lineage> {
        self.0.get(slot as usize)?.as_ref()
    }

    /// Takes in a lineage; none, where there is no parent. True, if it is another one than before.
    pub fn set(&mut self, slot: u32, lineage: Option<Lineage>) -> bool {
        if self.get(slot) == lineage.as_ref() {
            return false;
        }
        let slot = slot as usize;
        if slot >= self.0.len() {
            self.0.resize(slot + 1, None);
        }
        self.0[slot] = lineage;
        true
    }
}
