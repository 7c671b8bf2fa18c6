//! Collision layers.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use bevy::prelude::*;

/// A set of up to 32 collision layers.
///
/// ```
/// use bevy_thud::prelude::*;
///
/// const WALLS: LayerMask = LayerMask::layer(0);
/// const MONSTERS: LayerMask = LayerMask::layer(1);
/// assert!((WALLS | MONSTERS).intersects(MONSTERS));
/// assert!(!WALLS.intersects(!WALLS));
/// assert!(!WALLS.contains(WALLS | MONSTERS));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct LayerMask(
    /// One bit for each layer.
    pub u32,
);

impl LayerMask {
    /// No layer.
    pub const NONE: Self = Self(0);
    /// Every layer.
    pub const ALL: Self = Self(u32::MAX);
    /// The number of layers.
    pub(crate) const COUNT: usize = u32::BITS as usize;

    /// The set of one layer, numbered 0 to 31. [`NONE`](Self::NONE) for a higher number, which is
    /// no layer.
    pub const fn layer(number: u32) -> Self {
        Self(match 1u32.checked_shl(number) {
            Some(bit) => bit,
            None => 0,
        })
    }

    /// The layers that are in either set. Like `|`, but usable in constants.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the two sets have a layer in common.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all layers of `other` are in this set. Every set contains [`NONE`](Self::NONE).
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl Default for LayerMask {
    /// [`ALL`](Self::ALL): without a mask, everything collides.
    fn default() -> Self {
        Self::ALL
    }
}

impl<L: Into<LayerMask>> BitOr<L> for LayerMask {
    type Output = Self;

    fn bitor(self, other: L) -> Self {
        self.union(other.into())
    }
}

impl<L: Into<LayerMask>> BitOrAssign<L> for LayerMask {
    fn bitor_assign(&mut self, other: L) {
        *self = *self | other;
    }
}

impl BitAnd for LayerMask {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for LayerMask {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl Not for LayerMask {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The layers of a collider, and the layers with which it collides.
///
/// Two colliders collide only if the filters of each contain a layer of the other's memberships.
/// Without this component, a collider is in all layers and collides with all layers.
///
/// ```
/// use bevy_thud::prelude::*;
///
/// const PLAYERS: LayerMask = LayerMask::layer(0);
/// const MONSTERS: LayerMask = LayerMask::layer(1);
/// const COINS: LayerMask = LayerMask::layer(2);
///
/// // Components of the entities, beside their colliders. Only the player collects the coin.
/// let player = CollisionLayers::new(PLAYERS, LayerMask::ALL);
/// let monster = CollisionLayers::new(MONSTERS, LayerMask::ALL);
/// let coin = CollisionLayers::new(COINS, PLAYERS);
/// assert!(player.interacts_with(coin));
/// assert!(player.interacts_with(monster));
/// assert!(!monster.interacts_with(coin));
/// ```
#[doc(alias("mask", "groups"))]
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
pub struct CollisionLayers {
    /// The layers that the collider is in. All by default.
    pub memberships: LayerMask,
    /// The layers with which the collider collides. All by default.
    pub filters: LayerMask,
}

impl CollisionLayers {
    /// A collider in the layers `memberships` that collides with the layers `filters`. Each is a
    /// [`LayerMask`], or a [`CollisionLayer`](crate::CollisionLayer) or an array of these. For a
    /// constant, write the fields.
    pub fn new(memberships: impl Into<LayerMask>, filters: impl Into<LayerMask>) -> Self {
        Self {
            memberships: memberships.into(),
            filters: filters.into(),
        }
    }

    /// Whether the filters of each contain a layer of the other's memberships.
    #[inline]
    pub const fn interacts_with(self, other: Self) -> bool {
        self.filters_match(other) && other.filters_match(self)
    }

    /// Whether these filters contain a layer of the memberships of `other`.
    #[inline]
    pub const fn filters_match(self, other: Self) -> bool {
        self.filters.intersects(other.memberships)
    }
}
