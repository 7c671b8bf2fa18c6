//! Movers that walk on floors.

use std::f32::consts::FRAC_PI_4;

use bevy::prelude::*;

use super::{LayerMask, Mover, mover::finite_or};
use crate::events::{self, Ground};

/// Makes a [`Mover`] walk: it stands on floors, keeps its speed on slopes, follows the ground
/// downhill, climbs steps, and is carried by moving platforms.
///
/// Gravity and jumps are the game's: it writes [`Mover::velocity`]. While the walker stands, the
/// horizontal component of the velocity is its speed along the floor, relative to the floor. The
/// component toward the floor has no effect, and an upward one makes it leave the floor. After the
/// update the velocity is horizontal. [`Ground`] says where it stands.
///
/// Only for [`MoverResponse::Slide`](crate::MoverResponse::Slide), and only with a collider on the
/// same entity.
///
/// | field | unit | default | |
/// |---|---|---|---|
/// | [`up`](Self::up) | direction | `Dir2::Y` | away from the ground |
/// | [`max_slope`](Self::max_slope) | radians | π/4 + 0.01 | the steepest slope that is a floor |
/// | [`snap_distance`](Self::snap_distance) | world units | 2 | how far down it follows floors |
/// | [`step_height`](Self::step_height) | world units | 0 | the highest step that it climbs |
/// | [`step_width`](Self::step_width) | world units | 1 | the free width that it needs on a step |
/// | [`corner_correction`](Self::corner_correction) | world units | 0 | its shift aside |
/// | [`constant_speed`](Self::constant_speed) | | true | whether slopes do not slow it down |
/// | [`kept_velocity`](Self::kept_velocity) | | `All` | what is left of the floor's velocity |
/// | [`carried_by`](Self::carried_by) | layers | all | whose colliders carry it |
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn((CapsuleCollider::new(6.0, 12.0), Mover::default(), Walker::default()));
/// }
///
/// fn walk(
///     keys: Res<ButtonInput<KeyCode>>,
///     time: Res<Time>,
///     mut heroes: Query<(&mut Mover, &Ground), With<Walker>>,
/// ) {
///     for (mut mover, ground) in &mut heroes {
///         let pressed = |key| f32::from(keys.pressed(key));
///         let right = pressed(KeyCode::ArrowRight) - pressed(KeyCode::ArrowLeft);
///         mover.velocity.x = 100.0 * right;
///         mover.velocity.y -= 900.0 * time.delta_secs();
///         if keys.just_pressed(KeyCode::Space) && ground.is_on_floor() {
///             mover.velocity.y = 300.0;
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// # bevy::ecs::system::assert_is_system(walk);
/// ```
#[doc(alias("platformer", "autostep"))]
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
#[component(on_remove = events::clear_ground)]
#[require(Mover, Ground)]
pub struct Walker {
    /// The direction away from the ground, in the world. [`Dir2::Y`] by default.
    #[cfg_attr(
        feature = "serialize",
        serde(deserialize_with = "crate::serde_checks::direction")
    )]
    pub up: Dir2,
    /// The steepest slope that is a floor, in radians from the horizon. 45° plus 0.01 by default,
    /// so that rounding does not turn a slope of 45° into a wall. Clamped to 0..=1.56, so that
    /// vertical walls are not floors; NaN counts as 0.
    #[doc(alias = "floor_max_angle")]
    pub max_slope: f32,
    /// How far down a standing walker follows the ground where it falls away, in world units, but
    /// at least `step_height`. 2 by default. Negative, NaN and infinite values count as 0, here and
    /// below.
    #[doc(alias = "floor_snap_length")]
    pub snap_distance: f32,
    /// The height of the highest step that the walker climbs, and that it descends without leaving
    /// the floor, in world units. 0 by default: it climbs none. A round foot of radius `r` rolls
    /// over edges up to `r * (1 - cos(max_slope))` high all the same, 0.3 of it: it touches them as
    /// a slope.
    pub step_height: f32,
    /// The free width that the walker needs on a step, in world units. 1 by default.
    pub step_width: f32,
    /// How far a walker that jumps is shifted aside to get around the edge of a ceiling that its
    /// head only just hits, in world units: to the nearest place from where it can rise by its own
    /// height. It is shifted instantly, and never against its horizontal velocity; the ceiling does
    /// not count as hit. 0 by default: the ceiling stops it.
    pub corner_correction: f32,
    /// Whether the walker is as fast along a slope as on flat ground. True by default. Otherwise
    /// slopes slow it down, up and down, by the cosine of their angle.
    pub constant_speed: bool,
    /// What the walker keeps of the velocity of a floor when it leaves it. All by default.
    pub kept_velocity: KeptVelocity,
    /// The layers whose colliders carry the walker when it stands on them. All by default. It
    /// stands on others as if they did not move.
    pub carried_by: LayerMask,
}

/// What a [`Walker`] keeps of the velocity of a moving floor when it leaves it, by a jump or
/// because the floor ends or falls away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum KeptVelocity {
    /// All of it.
    #[default]
    All,
    /// All but its component downward, so that a jump from a lift that descends is as high as any.
    Upward,
    /// Nothing.
    Nothing,
}

/// A [`Solid`](crate::Solid) collider whose surface moves, such as a conveyor belt: it carries each
/// [`Walker`] that stands on it. The collider itself stays where it is.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A belt that carries walkers to the right, at 40 units per second.
/// commands.spawn((RectCollider::new(120.0, 10.0), Solid, Conveyor(Vec2::X * 40.0)));
/// # }
/// ```
#[doc(alias("constant_linear_velocity", "SurfaceEffector2D"))]
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Conveyor(
    /// The velocity of the surface, in world units per second. It is rotated and mirrored with the
    /// entity, but not scaled; its component along the surface counts. NaN and infinite velocities
    /// count as zero.
    pub Vec2,
);

/// The steepest slope that can be a floor, in radians: a little less than vertical.
const STEEPEST_FLOOR: f32 = 1.56;

impl Default for Walker {
    fn default() -> Self {
        Self {
            up: Dir2::Y,
            max_slope: FRAC_PI_4 + 0.01,
            snap_distance: 2.0,
            step_height: 0.0,
            step_width: 1.0,
            corner_correction: 0.0,
            constant_speed: true,
            kept_velocity: KeptVelocity::All,
            carried_by: LayerMask::ALL,
        }
    }
}

impl Walker {
    /// The steepest slope that is a floor, with invalid values replaced.
    pub(crate) fn valid_max_slope(&self) -> f32 {
        let max_slope = self.max_slope;
        if max_slope.is_nan() {
            0.0
        } else {
            max_slope.clamp(0.0, STEEPEST_FLOOR)
        }
    }

    pub(crate) fn valid_snap_distance(&self) -> f32 {
        finite_or(self.snap_distance, 0.0).max(0.0)
    }

    pub(crate) fn valid_step_height(&self) -> f32 {
        finite_or(self.step_height, 0.0).max(0.0)
    }

    pub(crate) fn valid_step_width(&self) -> f32 {
        finite_or(self.step_width, 0.0).max(0.0)
    }

    pub(crate) fn valid_corner_correction(&self) -> f32 {
        finite_or(self.corner_correction, 0.0).max(0.0)
    }
}
