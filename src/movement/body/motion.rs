//! The desired motion of a mover.

use bevy::math::Vec2;

use super::{
    crusher::{CrushSite, Crusher},
    walk_rules::Walk,
};
use crate::{
    aabb::{Aabb2d, half_size},
    components::{Mover, MoverResponse},
    geometry::Shape,
    index::effective_skin,
    movement::tolerances::SEAM_PROBE_SKINS,
};

/// A velocity, per update and per second.
#[derive(Clone, Copy)]
pub(crate) struct Velocity {
    /// The displacement of a whole update, in world units. [`Mover::displacement`] adds to it.
    pub per_update: Vec2,
    /// In world units per second.
    pub per_second: Vec2,
}

impl Velocity {
    pub const ZERO: Self = Self {
        per_update: Vec2::ZERO,
        per_second: Vec2::ZERO,
    };

    /// That of a mover, in an update of this many seconds.
    pub fn of(mover: &Mover, seconds: f32) -> Self {
        let per_second = mover.world_velocity();
        Self {
            per_update: per_second * seconds + mover.due_displacement(),
            per_second,
        }
    }

    /// The velocity after that per second changed, in an update of this many seconds.
    pub fn changed_to(self, per_second: Vec2, seconds: f32) -> Self {
        Self {
            per_update: self.per_update + (per_second - self.per_second) * seconds,
            per_second,
        }
        .finite()
    }

    /// Applies a change to both. A result that overflows becomes zero.
    pub fn map(self, change: impl Fn(Vec2) -> Vec2) -> Self {
        Self {
            per_update: change(self.per_update),
            per_second: change(self.per_second),
        }
        .finite()
    }

    /// With zero instead of what is not finite: a sweep along that would not end.
    pub fn finite(self) -> Self {
        let finite = |vector: Vec2| Some(vector).filter(|it| it.is_finite()).unwrap_or_default();
        Self {
            per_update: finite(self.per_update),
            per_second: finite(self.per_second),
        }
    }
}

/// A shape and its desired motion.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub shape: &'a Shape,
    /// The motion if nothing blocks it.
    pub desired: Velocity,
    /// The fraction of the update at which it stops, wherever it is.
    pub max_fraction: f32,
    pub response: MoverResponse,
    pub restitution: f32,
    /// The skin width: the distance to keep, in world units.
    pub skin: f32,
    /// The duration of the update, in seconds.
    pub seconds: f32,
    /// How it walks, if it does.
    pub walk: Option<Walk>,
    /// Where it was crushed in the last update, if it was.
    pub crush_site: Option<&'a CrushSite>,
    /// What crushed it in the last update.
    pub crushers: &'a [Crusher],
}

impl<'a> Motion<'a> {
    /// The motion of a mover for this many seconds, while nothing else moves.
    pub fn of(mover: &Mover, shape: &'a Shape, seconds: f32) -> Self {
        Self {
            shape,
            desired: Velocity::of(mover, seconds),
            max_fraction: 1.0,
            response: mover.response,
            restitution: mover.valid_restitution(),
            skin: effective_skin(mover.valid_skin(), shape),
            seconds,
            walk: None,
            crush_site: None,
            crushers: &[],
        }
    }

    /// A slide by this displacement (world units), while nothing else moves.
    pub fn slide(shape: &'a Shape, displacement: Vec2, skin: f32) -> Self {
        let mover = Mover {
            displacement,
            ..Mover::default()
        };
        Self {
            skin,
            ..Self::of(&mover, shape, 1.0)
        }
    }

    /// The box around everywhere that the mover may get, given the box around its straight path.
    /// Limited to the mover's size beside the path.
    pub fn area(&self, straight: &Aabb2d) -> Aabb2d {
        let displacement = self.desired.per_update;
        let length = displacement.length();
        let aside = match self.response {
            // The projection of a vector onto a surface ends on the circle that has the vector as
            // a diameter (Thales).
            MoverResponse::Slide => (length - displacement.abs()) / 2.0,
            MoverResponse::Bounce => Vec2::splat(length),
            MoverResponse::Stop | MoverResponse::Pass => Vec2::ZERO,
        };
        let size = half_size(&self.shape.aabb()).min_element();
        // At least as far as seams are probed. (Squares of tiny numbers are zero.)
        let least = Vec2::splat(SEAM_PROBE_SKINS * self.skin);
        let aside = aside.min(Vec2::splat(size)).max(least);
        Aabb2d {
            min: straight.min - aside,
            max: straight.max + aside,
        }
    }

    /// Returns the motion that is left after walls pushed the mover, relative to its floor if it
    /// has one: without the component of the desired displacement along the push.
    pub fn after_push(&self, pushed: Vec2) -> Self {
        let desired = self.desired.per_update;
        Self {
            desired: Velocity {
                per_update: desired - component_along(desired, pushed),
                ..self.desired
            },
            ..*self
        }
    }
}

/// The component of a displacement in the direction of a push, no longer than the push.
pub(crate) fn component_along(displacement: Vec2, push: Vec2) -> Vec2 {
    if push == displacement {
        // Returned exactly, without rounding.
        return displacement;
    }
    let length = push.length();
    let forward = push / length.max(f32::MIN_POSITIVE);
    // Not `clamp`, which panics where a number is NaN.
    forward * displacement.dot(forward).max(0.0).min(length)
}
