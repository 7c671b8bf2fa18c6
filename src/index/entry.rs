//! One collider of the index, and the rules between two of them.

use bevy::prelude::*;

use super::{
    ancestry::{Ancestry, MoverRelation},
    by_slot::BySlot,
    hierarchy::{Parents, is_ancestor},
    ignored::Ignored,
    reason::Reason,
    registration::ColliderFlags,
};
use crate::{
    components::{CollisionLayers, EntityOrder, LayerMask, StableKey},
    geometry::{Shape, TOUCHING_SLOP},
};

/// One collider.
#[derive(Clone, Copy)]
pub(crate) struct ColliderEntry<'a> {
    pub entity: Entity,
    /// Stays the same as long as the collider is in the index.
    pub slot: u32,
    /// In world space.
    pub shape: &'a Shape,
    pub role: &'a ColliderRole,
    /// The distance that the entity keeps from what blocks it, in world units.
    pub skin: f32,
    pub(super) keys: &'a BySlot<StableKey>,
    pub(super) ancestries: &'a BySlot<Ancestry>,
    pub(super) ignored: &'a Ignored,
}

/// All that an entity's components say about its collider.
pub(super) struct ColliderState {
    pub entity: Entity,
    /// The slot that the entity had.
    pub slot: u32,
    pub shape: Shape,
    pub role: ColliderRole,
    pub skin: f32,
    pub key: Option<StableKey>,
    pub ancestry: Option<Ancestry>,
    /// What it ignores.
    pub ignored: Option<Entity>,
}

/// What decides with which others a collider collides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColliderRole {
    pub layers: CollisionLayers,
    /// The layers that block the entity, those of its mover for a part: none if it is neither.
    pub blocked_by: LayerMask,
    pub solidity: Solidity,
    pub moved_by: MoverRelation,
    pub(super) flags: ColliderFlags,
}

/// Which movers a collider blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solidity {
    None,
    /// Those that come from one side: see [`OneWayWalls`](super::OneWayWalls).
    OneWay,
    Full,
}

impl<'a> ColliderEntry<'a> {
    /// What it is sorted by.
    #[inline]
    pub fn order(&self) -> EntityOrder {
        EntityOrder::of(self.entity, self.keys.get(self.slot))
    }

    /// The skin width plus a bound on the rounding of coordinates.
    pub fn effective_skin(&self) -> f32 {
        effective_skin(self.skin, self.shape)
    }

    /// The distance below which two colliders count as overlapping: a mover stops a skin width away
    /// from what blocks it, and still touches it.
    #[inline]
    pub fn pair_margin(&self, other: &ColliderEntry, margin: f32) -> f32 {
        let skin_margin = |mover: &ColliderEntry, solid: &ColliderEntry| {
            if mover.is_blocked_by(solid) {
                2.0 * mover.effective_skin()
            } else {
                0.0
            }
        };
        margin
            .max(skin_margin(self, other))
            .max(skin_margin(other, self))
    }

    /// The topmost ancestor, or the entity itself if it has no parent.
    pub fn root(&self) -> Entity {
        self.ancestry()
            .map_or(self.entity, |ancestry| ancestry.root)
    }

    /// Whether it is the collider of an entity, or of the descendant of a mover.
    #[inline]
    pub fn belongs_to(&self, entity: Entity) -> bool {
        self.entity == entity || self.mover() == Some(entity)
    }

    /// Whether one of the two ignores the other.
    #[inline]
    pub fn ignores(&self, other: &Self) -> bool {
        self.is_ignoring(other) || other.is_ignoring(self)
    }

    #[inline]
    fn is_ignoring(&self, other: &Self) -> bool {
        (self.ignored).ignores(self.slot, |ignored| other.belongs_to(ignored))
    }

    /// The entity whose [`Ignores`](crate::Ignores) lets the two ignore each other: one of them, or
    /// of their movers.
    pub fn ignored_by(&self, other: &Self) -> Option<Entity> {
        let owner = |one: &Self, other: &Self| {
            if one
                .ignored
                .own(one.slot)
                .is_some_and(|it| other.belongs_to(it))
            {
                return Some(one.entity);
            }
            one.mover()
        };
        if self.is_ignoring(other) {
            owner(self, other)
        } else {
            owner(other, self).filter(|_| other.is_ignoring(self))
        }
    }

    /// The mover that carries both, or `None`.
    #[inline]
    pub fn common_mover(&self, other: &Self) -> Option<Entity> {
        if self.role.moved_by == MoverRelation::None || other.role.moved_by == MoverRelation::None {
            return None;
        }
        self.mover().filter(|mover| other.mover() == Some(*mover))
    }

    /// Whether the other one blocks this one.
    #[inline]
    pub fn is_blocked_by(&self, other: &Self) -> bool {
        self.check_blocker(other).is_ok()
    }

    /// Whether the other one blocks this one, or why not.
    #[inline]
    pub fn check_blocker(&self, other: &Self) -> Result<(), Reason> {
        let (role, blocker) = (self.role, other.role);
        if !blocker.is_solid() {
            Err(Reason::NotSolid)
        } else if !other.blocks_layers(role.blocked_by) {
            Err(Reason::NotBlockedBy)
        } else if !role.layers.interacts_with(blocker.layers) {
            Err(Reason::Layers)
        } else if self.ignores(other) {
            Err(Reason::Ignored)
        } else if self.common_mover(other).is_some() {
            Err(Reason::SameBody)
        } else {
            Ok(())
        }
    }

    /// Whether it blocks a mover that is blocked by these layers.
    #[inline]
    pub fn blocks_layers(&self, blocked_by: LayerMask) -> bool {
        self.role.is_solid() && blocked_by.intersects(self.role.layers.memberships)
    }

    /// The nearest mover among the entity itself and its ancestors.
    #[inline]
    pub fn mover(&self) -> Option<Entity> {
        match self.role.moved_by {
            MoverRelation::None => None,
            MoverRelation::Itself => Some(self.entity),
            MoverRelation::Part | MoverRelation::Carried => self.ancestry()?.mover,
        }
    }

    fn ancestry(&self) -> Option<&'a Ancestry> {
        let ancestries = self.ancestries;
        self.role.has_parent().then(|| ancestries.get(self.slot))?
    }
}

impl ColliderRole {
    #[inline]
    pub fn has_parent(&self) -> bool {
        self.flags.has_any(ColliderFlags::PARENT)
    }

    /// Whether its path within an update is recorded.
    #[inline]
    pub fn is_swept(&self) -> bool {
        self.moved_by.is_body() || self.flags.has_any(ColliderFlags::SWEPT)
    }

    /// Whether its pose is kept until the next update, because its motion since then counts.
    #[inline]
    pub fn is_tracked(&self) -> bool {
        self.flags.are_tracked()
    }

    #[inline]
    pub fn is_solid(&self) -> bool {
        self.solidity != Solidity::None
    }

    /// Whether the collider is a wall: solid, and not carried by a mover.
    #[inline]
    pub fn is_wall(&self) -> bool {
        self.is_solid() && self.moved_by == MoverRelation::None
    }

    /// The distance from its shape at which a collider of this role may touch another.
    pub fn touching_distance(&self, shape: &Shape, skin: f32, margin: f32) -> f32 {
        if self.blocked_by == LayerMask::NONE {
            margin
        } else {
            margin.max(2.0 * effective_skin(skin, shape))
        }
    }
}

/// The skin width plus a bound on the rounding of coordinates, in world units.
pub(crate) fn effective_skin(skin: f32, shape: &Shape) -> f32 {
    skin + TOUCHING_SLOP * shape.largest_coordinate()
}

/// Whether one of two colliders is an ancestor of the other.
pub(crate) fn are_related(a: &ColliderEntry, b: &ColliderEntry, parents: &Parents) -> bool {
    (a.role.has_parent() || b.role.has_parent())
        && a.root() == b.root()
        && (is_ancestor(a.entity, b.entity, parents) || is_ancestor(b.entity, a.entity, parents))
}
