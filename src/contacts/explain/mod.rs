//! Why two entities collide, or why they do not.

mod explainer;
mod sentence;

pub(super) use explainer::Explainer;

use bevy::prelude::*;

use crate::{components::LayerMask, geometry::Contact};

/// What [`Collisions::explain`](super::Collisions::explain) tells. It is a sentence, too, by [`Display`](std::fmt::Display).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The entity that was asked about first.
    pub a: Entity,
    /// The other one.
    pub b: Entity,
    /// Whether they collide, or why not.
    pub verdict: Verdict,
    /// Whether `b` stops `a`, or why not; none, if one of them is absent.
    pub b_blocks_a: Option<Blocking>,
    /// Whether `a` stops `b`, or why not; none, if one of them is absent.
    pub a_blocks_b: Option<Blocking>,
    /// What `a` lacks, and what `b` does.
    lacks: [Lack; 2],
}

/// What an entity lacks beyond what the data of an [`Explanation`] tell: the sentence names the
/// remedy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lack {
    #[default]
    Nothing,
    /// It is a mover without a collider, or is carried by one.
    MoverCollider,
    /// It is `OneWay`, but not `Solid`.
    Solid,
    /// It is not `Solid`; an ancestor that has no collider is.
    SolidOfAncestor,
}

impl Explanation {
    /// Whether the two collide: whether they are a pair of [`Collisions`](super::Collisions).
    pub fn collide(&self) -> bool {
        matches!(self.verdict, Verdict::Collide(_))
    }
}

/// Whether two entities `a` and `b` collide, or why not. Of several reasons the one that comes first here counts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// They do: they overlap, or are nearer than counts as overlapping, with a negative depth. The
    /// contact is seen from `a`.
    Collide(Contact),
    /// They are one and the same entity.
    SameEntity,
    /// One of them has no collider that takes part.
    Absent {
        /// The one; `a`, if neither has.
        entity: Entity,
        /// Why.
        absence: Absence,
    },
    /// Their [`CollisionLayers`](crate::CollisionLayers) do not agree.
    Layers {
        /// The layers that `b` is in, if `a` looks for none of them. One of them has to be among the filters of `a`. There is no layer, if
        /// `b` is in none.
        a_lacks: Option<LayerMask>,
        /// The same with the sides exchanged.
        b_lacks: Option<LayerMask>,
    },
    /// Both are walls: [`Solid`](crate::Solid), and neither is a mover, part of one, or [`Swept`](crate::Swept).
    /// [`CollisionSettings::solid_pairs`](crate::CollisionSettings::solid_pairs) lets them collide.
    Walls,
    /// One [`Mover`](crate::Mover) carries both, which makes them one body.
    SameBody {
        /// The nearest mover among each of them and its ancestors.
        mover: Entity,
    },
    /// One of them is an ancestor of the other.
    Related {
        /// The one that is above, at whatever distance.
        ancestor: Entity,
        /// The one that is below.
        descendant: Entity,
    },
    /// They are apart.
    Apart {
        /// Their distance, in world units.
        gap: f32,
        /// The distance below which they would collide:
        /// [`CollisionSettings::margin`](crate::CollisionSettings::margin), or twice the skin of a
        /// mover that the other one blocks, if that is more.
        margin: f32,
    },
    /// They only touch, which makes no pair: but for rounding, their distance is the one below
    /// which they would collide.
    Touching {
        /// Their distance, in world units; negative, if they overlap.
        gap: f32,
        /// The distance below which they would collide, by more than rounding.
        margin: f32,
    },
    /// They did not collide in the last run. What has changed since then will let them.
    Changed,
}

/// Why an entity has no collider that takes part. Of several reasons the one that comes first here counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Absence {
    /// It is despawned, or not spawned yet.
    NoSuchEntity,
    /// It has no collider of a kind that the app knows.
    NoCollider,
    /// It has a [`ColliderDisabled`](crate::ColliderDisabled).
    Disabled,
    /// It is hidden from queries, by Bevy's `Disabled` or another such component.
    Hidden,
    /// It has no [`Transform`].
    NoTransform,
    /// Its position, size or scale is not finite.
    NotFinite,
    /// Its parents form a cycle.
    ParentCycle,
    /// It was spawned, enabled or given its collider since the last run.
    NotSynced,
}

/// Whether one collider stops another, or why not. Of several reasons the one that comes first here counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Blocking {
    /// It does; a [`OneWay`](crate::OneWay) wall does as far as it is run against.
    Blocks,
    /// The other one has no [`Mover`](crate::Mover) of its own: a mover's children are not stopped either.
    NoMover,
    /// The other one's response is [`MoverResponse::Pass`](crate::MoverResponse::Pass).
    Passes,
    /// It is not [`Solid`](crate::Solid).
    NotSolid,
    /// The other one's [`Mover::blocked_by`](crate::Mover::blocked_by) has none of its layers.
    NotBlockedBy {
        /// The layers that it is in. One of them has to be among those.
        lacks: LayerMask,
    },
    /// Their [`CollisionLayers`](crate::CollisionLayers) do not agree: see [`Verdict::Layers`].
    Layers,
    /// One mover carries both, or one of them is an ancestor of the other.
    SameBody,
    /// It is a [`OneWay`](crate::OneWay) wall in which the other one was when the run began.
    InOneWay,
    /// It is a [`OneWay`](crate::OneWay) wall, and the other one was not before the side that blocks when the run began.
    BehindOneWay,
}
