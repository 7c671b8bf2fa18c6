use bevy::prelude::*;

use crate::{
    collider::{ColliderTraits, CollisionLayers, LayerMask},
    geometry::{Shape, TOUCHING_SLOP},
};

/// One collider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColliderEntry<'a> {
    pub entity: Entity,
    /// Where the index keeps it.
    pub slot: u32,
    /// In world space.
    pub shape: &'a Shape,
    pub role: &'a ColliderRole,
    pub background: &'a Background,
}

/// What decides with whom a collider collides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColliderRole {
    pub layers: CollisionLayers,
    pub solid: bool,
    /// The layers that block the entity; none, if it is not a mover.
    pub blocked_by: LayerMask,
    /// The nearest mover among the entity itself and its ancestors. Colliders with the same one are one body.
    pub body: Option<Entity>,
    pub has_parent: bool,
}

/// What is seldom asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Background {
    /// The distance that the entity keeps from what blocks it, in world units.
    pub skin: f32,
    pub lineage: Lineage,
}

/// The place of a collider in the tree of parents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lineage {
    /// The topmost ancestor; the entity itself, if it has no parent.
    pub root: Entity,
    /// The nearest mover among the entity itself and its ancestors.
    pub body: Option<Entity>,
    /// Differs when any ancestor is another one.
    fingerprint: u64,
}

/// Where a mover was at some moment of the run, relative to where it is in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waypoint {
    /// The fraction of the run, in 0..=1.
    pub time: f32,
    /// In world units.
    pub offset: Vec2,
}

impl ColliderEntry<'_> {
    /// The skin with what rounding may add to it.
    pub fn effective_skin(&self) -> f32 {
        self.background.skin + TOUCHING_SLOP * self.shape.largest_coordinate()
    }

    /// The distance from its shape at which the collider may touch another.
    pub fn touching_distance(&self, margin: f32) -> f32 {
        if self.role.blocked_by == LayerMask::NONE {
            margin
        } else {
            margin.max(2.0 * self.effective_skin())
        }
    }

    /// The distance at which two colliders count as touching: a mover stops short of what blocks it, and touches it all the
    /// same.
    pub fn pair_margin(&self, other: &ColliderEntry, margin: f32) -> f32 {
        let skin_margin = |mover: &ColliderEntry, solid: &ColliderEntry| {
            if mover.role.is_blocked_by(solid.role) {
                2.0 * mover.effective_skin()
            } else {
                0.0
            }
        };
        margin
            .max(skin_margin(self, other))
            .max(skin_margin(other, self))
    }
}

impl ColliderRole {
    pub fn new(traits: &ColliderTraits, lineage: &Lineage) -> Self {
        Self {
            layers: traits.layers,
            solid: traits.solid,
            blocked_by: traits.blocked_by,
            body: lineage.body,
            has_parent: traits.has_parent,
        }
    }

    /// Whether the collider is a wall: solid, and not part of a mover.
    pub fn is_wall(&self) -> bool {
        self.solid && self.body.is_none()
    }

    /// Whether a common mover carries both.
    pub fn is_same_body(&self, other: &Self) -> bool {
        self.body.is_some() && self.body == other.body
    }

    /// Whether the other one stops this one.
    pub fn is_blocked_by(&self, other: &Self) -> bool {
        other.solid
            && self.blocked_by.intersects(other.layers.memberships)
            && self.layers.interacts_with(other.layers)
            && !self.is_same_body(other)
    }
}

impl Lineage {
    /// Without a parent.
    pub fn of_root(entity: Entity, is_mover: bool) -> Self {
        Self {
            root: entity,
            body: is_mover.then_some(entity),
            fingerprint: 0,
        }
    }

    /// Adds the next ancestor.
    pub fn descend_from(&mut self, ancestor: Entity, is_mover: bool) {
        self.root = ancestor;
        self.body = self.body.or(is_mover.then_some(ancestor));
        // FNV-1a, word by word.
        self.fingerprint = (self.fingerprint ^ ancestor.to_bits()).wrapping_mul(0x0100_0000_01B3);
    }
}
