//! Movers: kinematic colliders that the plugin moves.

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

use super::{LayerMask, Solid};
use crate::events::{self, MoverHits};

/// Moves its entity by a velocity: a kinematic character controller. [`Solid`](crate::Solid)
/// colliders block it.
///
/// The entity's own collider is swept, so it cannot tunnel at any speed, and keeps a gap of
/// [`skin_width`](Self::skin_width) to whatever blocks it. The two still collide: they are a pair
/// while they are closer than twice the skin width. Children move along; their colliders are not
/// blocked unless they are [`MoverPart`], and swept only if they are [`Swept`](crate::Swept). All
/// movers are moved simultaneously from the state at the start of the update, after
/// [`Swept`](crate::Swept) walls have pushed them. Writing the [`Transform`] of a mover teleports
/// it.
///
/// While no time passes, or without a [`Time`] resource, nothing moves, and
/// [displacements](Self::displacement) are kept. A mover does not move if its parent has a scale of
/// zero, or if its velocity, displacement or destination is NaN or infinite, in which case a
/// warning names it. Only x and y of its translation are used.
///
/// | field | unit | default | |
/// |---|---|---|---|
/// | [`velocity`](Self::velocity) | world units per second | zero | moves it in each update |
/// | [`displacement`](Self::displacement) | world units | zero | moves it once, as a dash |
/// | [`response`](Self::response) | | `Slide` | what it does where it is blocked |
/// | [`blocked_by`](Self::blocked_by) | layers | all | whose solid colliders block it |
/// | [`restitution`](Self::restitution) | 0..=1 | 1 | how much of the speed a bounce keeps |
/// | [`weight`](Self::weight) | relative | 1 | resistance to being pushed by other movers |
/// | [`skin_width`](Self::skin_width) | world units | 0.02 | the gap to what blocks it |
/// | [`time_scale`](Self::time_scale) | relative | 1 | how fast time passes for it |
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// fn spawn(mut commands: Commands) {
///     let right = Transform::from_xyz(80.0, 0.0, 0.0);
///     commands.spawn((CircleCollider::new(16.0), Mover::default()));
///     commands.spawn((RectCollider::new(20.0, 200.0), Solid, right));
/// }
///
/// /// Sets the velocity, not the `Transform`. The plugin moves the mover up to the wall.
/// fn steer(keys: Res<ButtonInput<KeyCode>>, mut mover: Single<&mut Mover>) {
///     let pressed = |key| f32::from(keys.pressed(key));
///     mover.velocity.x = 200.0 * (pressed(KeyCode::KeyD) - pressed(KeyCode::KeyA));
///     if keys.just_pressed(KeyCode::Space) {
///         mover.displacement.x += 50.0; // A dash. It does not get through the wall either.
///     }
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// # bevy::ecs::system::assert_is_system(steer);
/// ```
#[doc(alias("CharacterBody2D", "LinearVelocity"))]
#[doc(alias("kinematic", "character controller", "move_and_collide"))]
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
#[component(on_remove = clear_outcome)]
#[require(Transform, MoverHits)]
pub struct Mover {
    /// Velocity, in world units per second. The update writes the result: without the component
    /// into a wall along which the mover slid, reflected where it bounced, and zero if it
    /// [stopped](MoverResponse::Stop) or is crushed.
    pub velocity: Vec2,
    /// A one-time displacement, in world units, for dashes and knockback: added to the motion of
    /// the next update in which time passes, which sets it to zero.
    ///
    /// It is kept while the game is paused, so that a knockback is not lost if a hit also stops
    /// time for a moment. A system that adds to it each frame (`+=`) then accumulates displacement
    /// that moves the mover all at once. Pause such systems as well
    /// (`run_if(|time: Res<Time>| !time.delta().is_zero())`), or use [`velocity`](Self::velocity).
    #[doc(alias("dash", "knockback"))]
    pub displacement: Vec2,
    /// How the mover responds to what blocks it.
    pub response: MoverResponse,
    /// The layers whose solid colliders block the mover, if its
    /// [`CollisionLayers`](crate::CollisionLayers) let it collide with them. Solid colliders in
    /// other layers report overlaps, but do not block. All by default.
    pub blocked_by: LayerMask,
    /// The fraction of the speed into a wall that a [`Bounce`](MoverResponse::Bounce) returns, in
    /// 0..=1. 1 by default. Values outside are clamped, NaN and infinite values count as 1.
    #[doc(alias = "bounciness")]
    pub restitution: f32,
    /// Resistance to being pushed by other [`Solid`](crate::Solid) movers: where two overlap, each
    /// gives way in proportion to the other's weight. 1 by default. A mover at rest is not pushed
    /// by one that moves. A mover that is not solid gives way entirely. Two movers that overlap by
    /// more than a quarter of the size of the smaller one do not block each other. A negative
    /// weight counts as 0, a NaN or infinite one as 1.
    pub weight: f32,
    /// The gap that the mover keeps to what blocks it, in world units. 0.02 by default. Larger
    /// values are more robust far from the origin, but visible. Negative, NaN and infinite values
    /// count as 0.
    #[doc(alias = "safe_margin")]
    pub skin_width: f32,
    /// How fast time passes for the mover: 0.5 in a slow zone, 0 while it is frozen, as by a hit
    /// stop. 1 by default. It scales how far the velocity and [`Turning`] move it, and leaves the
    /// velocity as it is. Floors, doors and other movers move it at full speed. While it is 0, the
    /// velocity does not change and the [displacement](Self::displacement) is kept. A negative
    /// value counts as 0, a NaN or infinite one as 1.
    pub time_scale: f32,
}

/// Turns a [`Mover`] around its origin, and writes the rotation of its [`Transform`]. Walls limit
/// the turn: the mover is moved out of what it turns into, by no more than it turns, if it has
/// room.
///
/// The turn comes before the mover's own motion in an update. A blocked turn is tried again in the
/// next update. Walls block the mover's collider and those of [`MoverPart`] children; other
/// children turn along unblocked. Writing the rotation of a mover instead is a teleport: it may
/// turn into walls, and is then moved out of them.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A quarter of a turn each second, counter-clockwise.
/// let turning = Turning(std::f32::consts::FRAC_PI_2);
/// commands.spawn((RectCollider::new(60.0, 10.0), Mover::default(), turning));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Turning(
    /// The angular velocity, in radians per second, counter-clockwise (with y up) in the world. NaN
    /// and infinite values count as 0.
    pub f32,
);

/// Lets other movers push this [`Mover`], like clay: where one presses against it, both go on at
/// their common speed along the normal, by [`weight`](Mover::weight), in the same update and as far
/// as walls let both. It blocks for as long as it has this component, with or without [`Solid`].
///
/// Who is not pushable is infinitely heavy: a hero takes crates along at its own speed. Two
/// pushable fighters of equal weight stand still against each other. A car of weight 3 pushes one
/// of weight 1 that wants to stay along at three quarters of its speed. In a row, each pushes the
/// next one, up to 32 of them; what blocks the last one blocks all. A [`Swept`](crate::Swept) door
/// pushes a row as well.
///
/// A walker pushes only sideways, along its floor, not what it stands on or what is above its head.
/// Movers that [stop or bounce](MoverResponse) push nothing. The pushed mover slides along walls,
/// and walks along slopes if it is a [`Walker`](crate::Walker). It gets no velocity: it moves only
/// while it is pushed, and by its own velocity, such as that of a fall. Who pushes keeps its
/// velocity, times its share of the weight.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((RectCollider::new(16.0, 16.0), Pushable));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Mover, Solid)]
pub struct Pushable;

/// Makes a descendant's collider a part of its [`Mover`]: what blocks the mover blocks this
/// collider as well, and the two are swept and separated as one shape.
///
/// The layers that block it, the skin and the response are those of the mover, which needs its own
/// collider. The part has pairs and events of its own, along its path, by its own
/// [`CollisionLayers`](crate::CollisionLayers), and blocks others only if it is [`Solid`]. It turns
/// and scales with the hierarchy, and is depenetrated from what it turns or grows into. In which
/// order parts were spawned makes no difference. Has no effect without a mover above it, or on a
/// mover.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A tank with a gun that does not reach through walls.
/// commands.spawn((RectCollider::new(40.0, 30.0), Mover::default())).with_child((
///     CapsuleCollider::new(3.0, 20.0),
///     MoverPart,
///     Transform::from_xyz(25.0, 0.0, 0.0),
/// ));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct MoverPart;

/// How a [`Mover`] responds to what blocks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum MoverResponse {
    /// Slides along the surface.
    #[default]
    Slide,
    /// Stops where it is blocked, with zero velocity.
    Stop,
    /// Bounces off the surface, relative to it if it is that of a [`Swept`](crate::Swept) wall: a
    /// bat, a paddle or a flipper gives a ball its speed. Off movers it bounces as off walls at
    /// rest, or crowds would gain speed. After 1,024 bounces in one update, the mover stops there
    /// until the next.
    Bounce,
    /// Passes through everything: nothing blocks the mover.
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
            time_scale: 1.0,
        }
    }
}

impl Mover {
    /// A mover with this velocity, in world units per second.
    pub fn with_velocity(velocity: Vec2) -> Self {
        Self {
            velocity,
            ..Self::default()
        }
    }

    /// The layers that block the mover: none if its response is `Pass`.
    pub(crate) fn effective_blocked_by(&self) -> LayerMask {
        if self.passes() {
            LayerMask::NONE
        } else {
            self.blocked_by
        }
    }

    /// Whether nothing blocks the mover because of its response.
    pub(crate) fn passes(&self) -> bool {
        self.response == MoverResponse::Pass
    }

    /// The skin width, with invalid values replaced.
    pub(crate) fn valid_skin(&self) -> f32 {
        finite_or(self.skin_width, 0.0).max(0.0)
    }

    pub(crate) fn valid_restitution(&self) -> f32 {
        finite_or(self.restitution, 1.0).clamp(0.0, 1.0)
    }

    pub(crate) fn valid_weight(&self) -> f32 {
        finite_or(self.weight, 1.0).max(0.0)
    }

    pub(crate) fn valid_time_scale(&self) -> f32 {
        finite_or(self.time_scale, 1.0).max(0.0)
    }

    /// The velocity in the time of the world.
    pub(crate) fn world_velocity(&self) -> Vec2 {
        self.velocity * self.valid_time_scale()
    }

    /// Converts a velocity from the time of the world to that of the mover. Returns the current one
    /// if the scale is too small to divide by.
    pub(crate) fn own_velocity(&self, in_world: Vec2) -> Vec2 {
        // What did not change is not rounded.
        if in_world == self.world_velocity() {
            return self.velocity;
        }
        let own = in_world / self.valid_time_scale();
        if own.is_finite() { own } else { self.velocity }
    }

    /// The displacement of this update: none while it is frozen.
    pub(crate) fn due_displacement(&self) -> Vec2 {
        if self.valid_time_scale() > 0.0 {
            self.displacement
        } else {
            Vec2::ZERO
        }
    }
}

impl Turning {
    /// The angle of an update that takes this long, in radians: 0 if it is not finite.
    pub(crate) fn angle(self, seconds: f32) -> f32 {
        finite_or(self.0 * seconds, 0.0)
    }
}

/// Clears the components that the plugin wrote, for an entity that lost its `Mover`.
fn clear_outcome(mut world: DeferredWorld, removed: HookContext) {
    events::clear_hits(world.reborrow(), removed);
    events::clear_ground(world, removed);
}

pub(super) fn finite_or(number: f32, fallback: f32) -> f32 {
    if number.is_finite() { number } else { fallback }
}
