//! Why two entities collide or do not collide.

mod explainer;
mod sentence;

pub(super) use explainer::Explainer;

use bevy::prelude::*;

use crate::{components::LayerMask, geometry::Contact, index::LayerNames};

/// Why two entities collide or do not collide, and whether one blocks the other: the result of
/// [`Collisions::explain`](super::Collisions::explain).
///
/// [`Display`](std::fmt::Display) formats it as a sentence that names the remedy.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The first of the two entities.
    pub a: Entity,
    /// The second of the two entities.
    pub b: Entity,
    /// Whether `a` and `b` collide, or why not.
    pub verdict: Verdict,
    /// Whether `b` blocks `a`, or why not. `None` if one of them is absent.
    pub b_blocks_a: Option<Blocking>,
    /// Whether `a` blocks `b`, or why not. `None` if one of them is absent.
    pub a_blocks_b: Option<Blocking>,
    /// What the [`Walker`](crate::Walker) `a` takes `b` for. `None` if `a` is none, or did not
    /// touch `b` in the last update.
    pub a_walks_on_b: Option<Walkable>,
    /// What `b` takes `a` for.
    pub b_walks_on_a: Option<Walkable>,
    /// What `a` and `b` lack.
    lacks: [Lack; 2],
    layer_names: LayerNames,
}

/// What an entity lacks, beyond the public data of an [`Explanation`]. The sentence names the
/// remedy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lack {
    #[default]
    Nothing,
    /// The entity, or the mover whose body it belongs to, is a mover without a collider.
    MoverCollider,
    /// The entity is `OneWay`, but not `Solid`.
    Solid,
    /// The entity is not `Solid`, but an ancestor without a collider is.
    SolidOfAncestor,
}

impl Explanation {
    /// Whether the two collide, which means that they are a pair of
    /// [`Collisions`](super::Collisions).
    pub fn collide(&self) -> bool {
        matches!(self.verdict, Verdict::Collide(_))
    }
}

/// Whether two entities `a` and `b` collide, or why not. If several reasons apply, the first in
/// declaration order is reported.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// They collide: they overlap, or are closer than [`CollisionSettings::margin`] or the skin of
    /// a mover requires, with a negative depth. The contact is as seen from `a`.
    ///
    /// [`CollisionSettings::margin`]: crate::CollisionSettings::margin
    Collide(Contact),
    /// Both are the same entity.
    SameEntity,
    /// One of them has no active collider.
    Absent {
        /// The entity without one; `a` if neither has one.
        entity: Entity,
        /// Why it has none.
        absence: Absence,
    },
    /// Their [`CollisionLayers`](crate::CollisionLayers) do not match.
    Layers {
        /// The memberships of `b` if the filters of `a` contain none of them: one has to be added.
        /// [`LayerMask::NONE`] if `b` is in no layer. `None` if the filters of `a` match.
        a_lacks: Option<LayerMask>,
        /// What the memberships of `a` lack for the filters of `b`.
        b_lacks: Option<LayerMask>,
    },
    /// One of them [ignores](crate::Ignores) the other.
    Ignored,
    /// Both are static walls: [`Solid`](crate::Solid), and neither is a mover, a descendant of one,
    /// or [`Swept`](crate::Swept). They collide if
    /// [`CollisionSettings::solid_pairs`](crate::CollisionSettings::solid_pairs) is set.
    Walls,
    /// Both belong to one body, that of a [`Mover`](crate::Mover).
    SameBody {
        /// The mover: for each of the two, the nearest among itself and its ancestors.
        mover: Entity,
    },
    /// One of them is an ancestor of the other.
    Related {
        /// The ancestor, at any distance.
        ancestor: Entity,
        /// Its descendant.
        descendant: Entity,
    },
    /// They are too far apart.
    Apart {
        /// Their distance, in world units.
        gap: f32,
        /// The distance below which they would collide, in world units: the greater of
        /// [`CollisionSettings::margin`](crate::CollisionSettings::margin) and twice the skin width
        /// of a mover that the other one blocks.
        margin: f32,
    },
    /// They only touch, which does not count as overlapping: except for rounding, their distance
    /// equals `margin`.
    Touching {
        /// Their distance, in world units. Negative if they overlap, by no more than rounding.
        gap: f32,
        /// The distance below which they would collide, in world units.
        margin: f32,
    },
    /// They did not collide in the last update, but something has changed since then: they will
    /// collide in the next.
    Changed,
}

/// Why an entity has no active collider. If several reasons apply, the first in declaration order
/// is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Absence {
    /// The entity is despawned, or not spawned yet.
    NoSuchEntity,
    /// It has no collider component of a type that is registered with the app.
    NoCollider,
    /// It has a [`ColliderDisabled`](crate::ColliderDisabled).
    Disabled,
    /// It is hidden from queries, by Bevy's `Disabled` or another disabling component.
    Hidden,
    /// It has no [`Transform`].
    NoTransform,
    /// Its position, size or scale is not finite.
    NotFinite,
    /// Its position, size or scale is finite in the frame of its parent, but not in the world.
    NotFiniteInWorld,
    /// Its parents form a cycle.
    ParentCycle,
    /// It was spawned, enabled or given its collider after the last update.
    NotSynced,
    /// It is a [`TileCollider`](crate::TileCollider) without any solid cell.
    NoSolidCell,
}

/// Whether a collider blocks another one, or why not. If several reasons apply, the first in
/// declaration order is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Blocking {
    /// It blocks. A [`OneWay`](crate::OneWay) wall blocks only what moves into a surface that faces
    /// its direction.
    Blocks,
    /// The other one has no [`Mover`](crate::Mover) of its own. The children of a mover are not
    /// blocked either, unless they are [`Rigid`](crate::Rigid).
    NoMover,
    /// The response of the other one is [`MoverResponse::Pass`](crate::MoverResponse::Pass).
    Passes,
    /// The collider is not [`Solid`](crate::Solid).
    NotSolid,
    /// [`Mover::blocked_by`](crate::Mover::blocked_by) of the other one contains none of the
    /// collider's layers.
    NotBlockedBy {
        /// The memberships of the collider: one has to be added.
        lacks: LayerMask,
    },
    /// Their [`CollisionLayers`](crate::CollisionLayers) do not match: see [`Verdict::Layers`].
    Layers,
    /// One of them [ignores](crate::Ignores) the other.
    Ignored,
    /// Both belong to one body, or one is an ancestor of the other.
    SameBody,
    /// The collider belongs to a [`Walker`](crate::Walker) that stands on the other one, or on
    /// somebody who does: the other one carries it.
    Carried,
    /// Both are [`Mover`](crate::Mover)s, and deeper in each other than a quarter of the size of
    /// the smaller one: they are separated.
    DeepInMover,
    /// The collider is a [`OneWay`](crate::OneWay) wall that the other one overlapped when the
    /// update began.
    InOneWay,
    /// The collider is a [`OneWay`](crate::OneWay) wall, and the other one was not on its blocking
    /// side when it began to move. A wall that is not [`Swept`](crate::Swept) may have jumped over
    /// it before.
    BehindOneWay,
    /// The collider is a [`OneWay`](crate::OneWay) wall, and the other one is a
    /// [`Walker`](crate::Walker) that drops through it.
    DropsThrough,
}

/// What a [`Walker`](crate::Walker) takes a collider for that it touches. Angles are in radians
/// from the horizon of the walker.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Walkable {
    /// It stands on it.
    Floor,
    /// It is too steep to stand on.
    Wall {
        /// The angle of the surface.
        slope: f32,
        /// [`Walker::max_slope`](crate::Walker::max_slope).
        max_slope: f32,
    },
    /// It is above the walker.
    Ceiling,
}
