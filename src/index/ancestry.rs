//! Which entities a collider is below.

use bevy::prelude::*;

/// Summary of the ancestors of a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ancestry {
    /// The topmost ancestor, or the entity itself if it has no parent.
    pub root: Entity,
    /// The nearest mover among the entity itself and its ancestors.
    pub mover: Option<Entity>,
    /// A hash of all ancestors: it differs when any of them is another one.
    fingerprint: u64,
}

/// How the nearest mover among an entity and its ancestors moves it. Colliders with the same mover
/// do not collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoverRelation {
    None,
    /// It is a mover.
    Itself,
    /// It is a part of the mover above it: see [`MoverPart`](crate::MoverPart).
    Part,
    /// The mover above carries it along.
    Carried,
}

impl MoverRelation {
    /// Whether walls block the collider: it is that of a mover, or a part of one.
    pub fn is_body(self) -> bool {
        matches!(self, Self::Itself | Self::Part)
    }
}

impl Ancestry {
    /// Before any ancestor is known.
    pub const NONE: Self = Self {
        root: Entity::PLACEHOLDER,
        mover: None,
        fingerprint: 0,
    };

    /// The ancestry of an entity without a parent.
    pub fn of_root(entity: Entity, is_mover: bool) -> Self {
        Self {
            root: entity,
            mover: is_mover.then_some(entity),
            ..Self::NONE
        }
    }

    /// The ancestry of a child of the last ancestor that was added.
    pub fn of_child(self, child: Entity, is_mover: bool) -> Self {
        Self {
            mover: is_mover.then_some(child).or(self.mover),
            ..self
        }
    }

    /// Adds the next ancestor above.
    pub fn add(&mut self, ancestor: Entity, is_mover: bool) {
        self.root = ancestor;
        self.mover = self.mover.or(is_mover.then_some(ancestor));
        // FNV-1a, word by word.
        self.fingerprint = (self.fingerprint ^ ancestor.to_bits()).wrapping_mul(0x0100_0000_01B3);
    }

    /// How a mover moves `entity`, whose ancestry this is.
    pub fn relation_of(&self, entity: Entity, is_part: bool) -> MoverRelation {
        match self.mover {
            None => MoverRelation::None,
            Some(mover) if mover == entity => MoverRelation::Itself,
            Some(_) if is_part => MoverRelation::Part,
            Some(_) => MoverRelation::Carried,
        }
    }
}
