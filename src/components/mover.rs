//! Entities that the plugin moves.

use bevy::prelude::*;

use super::LayerMask;
use crate::events::{self, MoverHits};

/// Moves its entity, and stops it at what is [`Solid`](crate::Solid).
///
/// The entity's own collider is swept along the way, so it passes through nothing, however fast it
/// is. It stops short of what blocks it by [`skin_width`](Self::skin_width), and collides with it all the same:
/// the two are a pair while they are nearer than twice the skin. Its children go with it; their
/// colliders are not blocked, and swept only if they are [`Swept`](crate::Swept). All movers move
/// at once, from where everything was when the run began, after walls that are
/// [`Swept`](crate::Swept) have pushed them. Writing the [`Transform`] of a mover is a teleport.
///
/// While no time passes, or without a [`Time`] resource, nothing moves, and
/// [displacements](Self::displacement) wait. A mover whose parent is scaled to nothing stays where
/// it is; so does one whose velocity, displacement or end is not finite, and a warning names it. Of
/// the translation only x and y count: z may be anything.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
#[component(on_remove = events::clear_hits)]
#[require(Transform, MoverHits)]
pub struct Mover {
    /// World units per second. After the run it is what is left of it: without the part that points into a wall at which the
    /// mover slid, turned around where it bounced; zero, if it [stopped](MoverResponse::Stop) or is crushed.
    pub velocity: Vec2,
    /// World units, once: added to the motion of the next run in which time passes, which sets it
    /// to zero. For dashes and knockback.
    ///
    /// While the game is paused it waits: a knockback is not lost when a hit also stops time for a
    /// moment. What adds to it frame by frame (`+=`) then piles up, and moves the mover by all of
    /// it at once. So let such systems rest, too (`run_if(|time: Res<Time>|
    /// !time.delta().is_zero())`), or use [`velocity`](Self::velocity), which only ever counts for
    /// time that passes.
    pub displacement: Vec2,
    /// What the mover does where it is blocked.
    pub response: MoverResponse,
    /// The layers of solid colliders that block the mover, of those that its [`CollisionLayers`](crate::CollisionLayers) let it
    /// collide with. A solid collider in other layers reports, but lets the mover through. All by default.
    pub blocked_by: LayerMask,
    /// The part of the speed into a wall that comes back in a [`Bounce`](MoverResponse::Bounce), 0 to 1. 1 by default.
    pub restitution: f32,
    /// How little the mover yields to other [`Solid`](crate::Solid) movers when both moved into each other, compared with
    /// theirs. 1 by default. A mover that is not solid itself yields wholly.
    pub weight: f32,
    /// The distance that the mover keeps from what blocks it, in world units. 0.02 by default. Larger values are safer against
    /// rounding far from the origin, and become visible.
    pub skin_width: f32,
}

/// What a [`Mover`] does where it is blocked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum MoverResponse {
    /// Goes on along the surface.
    #[default]
    Slide,
    /// Stays where it was blocked. Its velocity is zero then.
    Stop,
    /// Goes on in the direction in which the surface throws it back; after 1,024 bounces in one
    /// update it waits there for the next.
    Bounce,
    /// Is not blocked by anything.
    Pass,
}

impl Default for Mover {
    fn default() -> Self {
        Self {
            velocity: Vec2::ZERO,
            displacement: Vec2::ZERO,
            response: MoverResponse::Slide,
            blocked_by: LayerMask::ALL,
            restitution: 1.0,
            weight: 1.0,
            skin_width: 0.02,
        }
    }
}

impl Mover {
    /// A mover of this velocity, in world units per second.
    pub fn with_velocity(velocity: Vec2) -> Self {
        Self {
            velocity,
            ..Self::default()
        }
    }

    /// The layers that do block the mover.
    pub(crate) fn effective_blocked_by(&self) -> LayerMask {
        if self.passes() {
            LayerMask::NONE
        } else {
            self.blocked_by
        }
    }

    /// Whether nothing blocks the mover, whatever its layers are.
    pub(crate) fn passes(&self) -> bool {
        self.response == MoverResponse::Pass
    }

    /// The skin as it is used.
    pub(crate) fn valid_skin(&self) -> f32 {
        finite_or(self.skin_width, 0.0).max(0.0)
    }

    pub(crate) fn valid_restitution(&self) -> f32 {
        finite_or(self.restitution, 1.0).clamp(0.0, 1.0)
    }

    pub(crate) fn valid_weight(&self) -> f32 {
        finite_or(self.weight, 1.0).max(0.0)
    }
}

fn finite_or(number: f32, fallback: f32) -> f32 {
    if number.is_finite() { number } else { fallback }
}
