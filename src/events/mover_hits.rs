//! What blocked a mover.

use std::ops::Deref;

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

/// What blocks a motion, and where.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct BlockingHit {
    /// The [`Solid`](crate::Solid) collider.
    pub blocker: Entity,
    /// The direction from the blocker's surface to the shape, unit length.
    pub normal: Vec2,
    /// A point of the blocker's surface, in world units.
    pub point: Vec2,
    /// The fraction of the motion at which the shape is blocked, in 0..=1.
    pub fraction: f32,
    /// The speed of the shape into the surface, in world units per second along the normal.
    pub speed: f32,
    /// The cell that was hit, if the blocker is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
}

/// A mover was blocked: in [`MoverHits`], as a message, and as an event on the mover. The fields of
/// its [`BlockingHit`] are there directly, as `mover_hit.normal`.
#[derive(EntityEvent, Message, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct MoverHit {
    /// The mover.
    pub entity: Entity,
    /// What blocked it, and where.
    pub hit: BlockingHit,
}

impl Deref for MoverHit {
    type Target = BlockingHit;

    fn deref(&self) -> &BlockingHit {
        &self.hit
    }
}

/// A mover is in walls that it cannot leave: between two that close, for instance. It is said once, when that begins: as a message,
/// and as an event on the mover. [`MoverHits::is_crushed`] tells how long it lasts.
#[derive(EntityEvent, Message, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Crushed {
    /// The mover.
    pub entity: Entity,
}

/// What blocked a [`Mover`](crate::Mover) in the last run, in the order in which it met them. A
/// mover that keeps pressing against a wall is blocked by it in each run, unless its step is
/// shorter than a hundredth of the skin; or, if it mostly slides along the wall, unless the part of
/// the step into the wall is shorter than that and
/// [`TOUCHING_SLOP`](crate::geometry::TOUCHING_SLOP) of the largest coordinate together. That is
/// 0.0007 units an update at 1,000 units from the origin, and 0.05 at 100,000.
///
/// A clone of a mover begins without hits. A mover from which this is removed moves as before and
/// its [`MoverHit`]s are still sent, but [`Crushed`] is not: nothing remembers whether that was
/// sent.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[component(clone_behavior = Ignore)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct MoverHits {
    hits: Vec<MoverHit>,
    is_crushed: bool,
}

impl MoverHits {
    /// Whether the mover is in walls that it cannot leave. It keeps still then, and the hits tell the walls that it is in. It stays so, but
    /// without hits, while the mover is not moved because no time passes, or because its motion is not finite.
    pub fn is_crushed(&self) -> bool {
        self.is_crushed
    }

    /// Written only when they differ, so that change detection tells.
    pub(crate) fn set(hits: &mut Mut<Self>, now: &[MoverHit], is_crushed: bool) {
        if hits.hits != now || hits.is_crushed != is_crushed {
            hits.hits.clear();
            hits.hits.extend_from_slice(now);
            hits.is_crushed = is_crushed;
        }
    }
}

/// What is no mover any more is blocked by nothing.
pub(crate) fn clear_hits(mut world: DeferredWorld, removed: HookContext) {
    if let Some(mut hits) = world.get_mut::<MoverHits>(removed.entity) {
        MoverHits::set(&mut hits, &[], false);
    }
}

impl Deref for MoverHits {
    type Target = [MoverHit];

    fn deref(&self) -> &[MoverHit] {
        &self.hits
    }
}
