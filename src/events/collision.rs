//! The start and the end of a collision.

use bevy::prelude::*;

use crate::geometry::Contact;

/// A pair of colliders started or ended to overlap.
///
/// Each pair starts, ends, starts, ends, and so on, whatever happens to its entities; `a` is always the lesser one. Within
/// one run come first the ends of earlier pairs, then the starts by time of impact, then the ends of those pairs that a fast
/// mover passed within the run; each of these by pair.
#[derive(Message, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum CollisionEvent {
    /// They overlap, and did not before.
    Started {
        /// The lesser of the two entities.
        a: Entity,
        /// The greater of the two entities.
        b: Entity,
        /// How they overlap, seen from `a`: at the time of impact.
        contact: Contact,
        /// When they met, as the fraction 0..=1 of the run's motion: 0 if they overlapped before it, 1 if neither of them went
        /// anywhere as a [`Mover`](crate::Mover) or as what is [`Swept`](crate::Swept).
        fraction: f32,
    },
    /// They overlapped, and do no longer.
    Ended {
        /// The lesser of the two entities. It may be despawned.
        a: Entity,
        /// The greater of the two entities. It may be despawned.
        b: Entity,
        /// Why.
        reason: CollisionEndReason,
    },
}

impl CollisionEvent {
    /// The two entities, the lesser one first.
    pub fn entities(&self) -> [Entity; 2] {
        match *self {
            Self::Started { a, b, .. } | Self::Ended { a, b, .. } => [a, b],
        }
    }
}

/// Why two colliders do not overlap any more. Of several reasons the one that comes first here counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum CollisionEndReason {
    /// One of them was despawned.
    Despawned,
    /// One of them lost its collider.
    ColliderRemoved,
    /// One of them has a [`ColliderDisabled`](crate::ColliderDisabled), or is hidden from queries, by Bevy's `Disabled` for
    /// instance, or lost its [`Transform`].
    Disabled,
    /// The position or size of one of them is not finite.
    Invalid,
    /// The rules do not let them collide any more: their layers, whether they are solid, or who their parents are.
    Filtered,
    /// They are apart.
    #[default]
    Separated,
}

/// Triggered on each of two entities when they start to overlap. It bubbles up to the parents.
///
/// A global observer (`app.add_observer`) receives it for the collider, and then again for each
/// ancestor on its way up. To count each start once, skip the latter:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Resource, Default)] struct Count(u32);
/// App::new().add_observer(|start: On<CollisionStart>, mut count: ResMut<Count>| {
///     if start.entity == start.collider {
///         count.0 += 1;
///     }
/// });
/// ```
///
/// An observer that sits on an entity receives it once for each collider at or below that entity.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[entity_event(propagate, auto_propagate)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionStart {
    /// The entity on which it is triggered now: first the collider, then its ancestors.
    pub entity: Entity,
    /// The collider. It stays the same while the event bubbles.
    pub collider: Entity,
    /// The collider that it overlaps.
    pub other: Entity,
    /// How they overlap, seen from `collider`: its normal points to `other`.
    pub contact: Contact,
    /// When they met, as in [`CollisionEvent::Started`].
    pub fraction: f32,
}

/// Triggered on each of two entities when they do not overlap any more. It bubbles up to the parents.
///
/// As with [`CollisionStart`], a global observer receives it again for each ancestor, and skips
/// that where `end.entity` is not `end.collider`.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[entity_event(propagate, auto_propagate)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionEnd {
    /// The entity on which it is triggered now: first the collider, then its ancestors.
    pub entity: Entity,
    /// The collider. It stays the same while the event bubbles.
    pub collider: Entity,
    /// The collider that it overlapped. It may be despawned.
    pub other: Entity,
    /// Why they do not overlap any more.
    pub reason: CollisionEndReason,
}
