//! The start and the end of a collision.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::geometry::Contact;

/// A message, sent when a pair of colliders starts or stops overlapping.
///
/// For each pair, `Started` and `Ended` strictly alternate, whatever happens to the entities. The
/// messages of an update are ordered: ends of earlier pairs by pair; starts by fraction, then by
/// pair; ends of pairs that started in this update by pair. Entities are compared by their
/// [`StableKey`](crate::StableKey)s, then by id.
///
/// A message has each pair once, and names the two by that order. The events [`CollisionStart`] and
/// [`CollisionEnd`] reach each of the two, as seen from it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn log(mut events: MessageReader<CollisionEvent>) {
///     for event in events.read() {
///         match event {
///             CollisionEvent::Started { a, b, contact, .. } => {
///                 info!("{a} and {b} overlap at {}", contact.point);
///             }
///             CollisionEvent::Ended { a, b, reason } => info!("{a} and {b} end: {reason:?}"),
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(log);
/// ```
///
/// To react to pairs of two kinds only, such as bullets and monsters, use [`Hits`](crate::Hits).
#[derive(Message, MapEntities, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum CollisionEvent {
    /// The two started overlapping.
    Started {
        /// The lesser of the two entities.
        #[entities]
        a: Entity,
        /// The greater of the two entities.
        #[entities]
        b: Entity,
        /// How the two overlap at `fraction`, as seen from `a`.
        contact: Contact,
        /// The fraction of the update's motion at which the overlap started, in 0..=1. 0 if the two
        /// overlapped before it, 1 if neither moved as a [`Mover`](crate::Mover) or a
        /// [`Swept`](crate::Swept) collider.
        fraction: f32,
    },
    /// The two stopped overlapping.
    Ended {
        /// The lesser of the two entities. It may be despawned.
        #[entities]
        a: Entity,
        /// The greater of the two entities. It may be despawned.
        #[entities]
        b: Entity,
        /// Why the two stopped overlapping.
        reason: CollisionEndReason,
    },
}

impl CollisionEvent {
    /// Whether the two started overlapping.
    pub(crate) fn is_start(&self) -> bool {
        matches!(self, Self::Started { .. })
    }

    /// The two entities, the lesser one first.
    pub fn entities(&self) -> [Entity; 2] {
        match *self {
            Self::Started { a, b, .. } | Self::Ended { a, b, .. } => [a, b],
        }
    }
}

/// Why two colliders stopped overlapping. If several reasons apply, the first in declaration order
/// is reported.
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
    /// One of them got a [`ColliderDisabled`](crate::ColliderDisabled), was hidden from queries,
    /// for example by Bevy's `Disabled`, or lost its [`Transform`].
    Disabled,
    /// The position or size of one of them is NaN or infinite, or its parents form a cycle.
    Invalid,
    /// The rules no longer let the two collide: their layers, what they
    /// [ignore](crate::Ignores), whether they are solid, or their hierarchy.
    Filtered,
    /// The two moved apart.
    #[default]
    Separated,
}

/// Triggered on each of two entities when they start overlapping. Bubbles up to their parents.
///
/// A global observer (`app.add_observer`) receives it for the collider, and again for each
/// ancestor. To count each start once, skip the ancestors:
///
/// ```
/// # use bevy::{ecs::entity::MapEntities, prelude::*};
/// # use bevy_thud::prelude::*;
/// # #[derive(Resource, Default)] struct Count(u32);
/// App::new().add_observer(|start: On<CollisionStart>, mut count: ResMut<Count>| {
///     if start.entity == start.collider {
///         count.0 += 1;
///     }
/// });
/// ```
///
/// An observer of one entity receives it once for each collider on that entity or a descendant.
#[doc(alias("OnTriggerEnter", "body_entered"))]
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[entity_event(propagate, auto_propagate)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionStart {
    /// The current target of the event: first the collider, then its ancestors.
    pub entity: Entity,
    /// The collider, also while the event bubbles.
    pub collider: Entity,
    /// The collider that `collider` overlaps.
    pub other: Entity,
    /// How the two overlap, as seen from `collider`: its normal points to `other`.
    pub contact: Contact,
    /// The fraction of the update's motion at which the overlap started, in 0..=1, as in
    /// [`CollisionEvent::Started`].
    pub fraction: f32,
}

/// Triggered on each of two entities when they stop overlapping. Bubbles up to their parents.
///
/// As with [`CollisionStart`], a global observer receives it again for each ancestor, where
/// `end.entity` differs from `end.collider`. A collider that was despawned receives none, and
/// neither do its ancestors; the other one of the pair does.
#[doc(alias("OnTriggerExit", "body_exited"))]
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[entity_event(propagate, auto_propagate)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionEnd {
    /// The current target of the event: first the collider, then its ancestors.
    pub entity: Entity,
    /// The collider, also while the event bubbles.
    pub collider: Entity,
    /// The collider that `collider` overlapped. It may be despawned.
    pub other: Entity,
    /// Why the two stopped overlapping.
    pub reason: CollisionEndReason,
}
