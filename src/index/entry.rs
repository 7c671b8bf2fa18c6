use bevy::prelude::*;

use super::lineage::{Lineage, Lineages};
use crate::{
    components::{CollisionLayers, LayerMask},
    geometry::{Shape, TOUCHING_SLOP},
};

/// One collider.
#[derive(Clone, Copy)]
pub(crate) struct ColliderEntry<'a> {
    pub entity: Entity,
    /// What the index knows it by.
    pub slot: u32,
    /// In world space.
    pub shape: &'a Shape,
    pub role: &'a ColliderRole,
    /// The distance that the entity keeps from what blocks it, in world units.
    pub skin: f32,
    pub(super) lineages: &'a Lineages,
}

/// What decides with whom a collider collides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColliderRole {
    pub layers: CollisionLayers,
    /// The layers that block the entity; none, if it is not a mover.
    pub blocked_by: LayerMask,
    pub solidity: Solidity,
    pub has_parent: bool,
    pub body: Body,
    /// Whether the way that it went in a run is noted.
    pub is_swept: bool,
}

/// What a collider blocks of the movers that collide with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solidity {
    None,
    /// What comes against a direction: see [`OneWayWalls`](super::OneWayWalls).
    OneWay,
    Full,
}

/// Why a collider does not stop another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    NotSolid,
    /// The other one is no mover that is blocked by its layers.
    NotBlockedBy,
    /// They do not see each other.
    Layers,
    SameBody,
}

/// The nearest mover among an entity itself and its ancestors. Colliders with the same one are one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    None,
    Itself,
    Ancestor,
}

impl<'a> ColliderEntry<'a> {
    /// The skin with what rounding may add to it.
    pub fn effective_skin(&self) -> f32 {
        effective_skin(self.skin, self.shape)
    }

    /// The distance at which two colliders count as touching: a mover stops short of what blocks it, and touches it all the
    /// same.
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

    /// The topmost ancestor; the entity itself, if it has no parent.
    pub fn root(&self) -> Entity {
        self.lineage().map_or(self.entity, |lineage| lineage.root)
    }

    /// The mover that carries both, if one does.
    #[inline]
    pub fn common_mover(&self, other: &Self) -> Option<Entity> {
        if self.role.body == Body::None || other.role.body == Body::None {
            return None;
        }
        self.mover().filter(|mover| other.mover() == Some(*mover))
    }

    /// Whether the other one stops this one.
    #[inline]
    pub fn is_blocked_by(&self, other: &Self) -> bool {
        self.passage(other).is_none()
    }

    /// Why the other one does not stop this one; none, if it does.
    #[inline]
    pub fn passage(&self, other: &Self) -> Option<Passage> {
        let (role, blocker) = (self.role, other.role);
        if !blocker.is_solid() {
            Some(Passage::NotSolid)
        } else if !other.blocks_layers(role.blocked_by) {
            Some(Passage::NotBlockedBy)
        } else if !role.layers.interacts_with(blocker.layers) {
            Some(Passage::Layers)
        } else {
            self.common_mover(other).map(|_| Passage::SameBody)
        }
    }

    /// Whether it stops what is blocked by these layers.
    #[inline]
    pub fn blocks_layers(&self, blocked_by: LayerMask) -> bool {
        self.role.is_solid() && blocked_by.intersects(self.role.layers.memberships)
    }

    /// The nearest mover among the entity itself and its ancestors.
    #[inline]
    pub fn mover(&self) -> Option<Entity> {
        match self.role.body {
            Body::None => None,
            Body::Itself => Some(self.entity),
            Body::Ancestor => self.lineage()?.mover,
        }
    }

    fn lineage(&self) -> Option<&'a Lineage> {
        let lineages = self.lineages;
        self.role.has_parent.then(|| lineages.get(self.slot))?
    }
}

impl ColliderRole {
    #[inline]
    pub fn is_solid(&self) -> bool {
        self.solidity != Solidity::None
    }

    /// Whether the collider is a wall: solid, and not part of a mover.
    #[inline]
    pub fn is_wall(&self) -> bool {
        self.is_solid() && self.body == Body::None
    }

    /// The distance from its shape at which such a collider may touch another.
    pub fn touching_distance(&self, shape: &Shape, skin: f32, margin: f32) -> f32 {
        if self.blocked_by == LayerMask::NONE {
            margin
        } else {
            margin.max(2.0 * effective_skin(skin, shape))
        }
    }
}

/// The skin with what rounding may add to it.
pub(crate) fn effective_skin(skin: f32, shape: &Shape) -> f32 {
    skin + TOUCHING_SLOP * shape.largest_coordinate()
}
