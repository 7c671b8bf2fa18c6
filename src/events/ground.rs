//! Where a walker stands.

use bevy::{
    ecs::{
        component::component_clone_ignore, entity::MapEntities, lifecycle::HookContext,
        world::DeferredWorld,
    },
    math::Affine2,
    prelude::*,
};

/// A surface that a walker touches.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct SurfaceContact {
    /// The [`Solid`](crate::Solid) collider.
    #[entities]
    pub entity: Entity,
    /// The direction from its surface to the walker, unit length.
    pub normal: Vec2,
    /// The point of its surface, in world units.
    pub point: Vec2,
    /// The cell, if it is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
}

/// What a [`Walker`](crate::Walker) touches: the floor that it stands on, a wall and a ceiling.
///
/// The plugin writes it in each update in which time passes. A surface counts as touched within 1.1
/// to 1.9 [skin widths](crate::Mover::skin_width), more for larger walkers. Cloning an entity does
/// not clone it. Without this component a walker moves as any other [`Mover`](crate::Mover).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// /// Jumps, also up to a tenth of a second after walking off an edge ("coyote time").
/// fn jump(keys: Res<ButtonInput<KeyCode>>, mut hero: Single<(&mut Mover, &Ground)>) {
///     let (mover, ground) = &mut *hero;
///     let may_jump = ground.air_seconds() < 0.1 && mover.velocity.y <= 0.0;
///     if keys.just_pressed(KeyCode::Space) && may_jump {
///         mover.velocity.y = 300.0;
///     }
/// }
/// # bevy::ecs::system::assert_is_system(jump);
/// ```
#[doc(alias("grounded", "coyote"))]
#[derive(Component, MapEntities, Clone, Debug, PartialEq, Reflect)]
#[component(clone_behavior = Custom(component_clone_ignore), map_entities)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Ground {
    #[entities]
    surfaces: TouchedSurfaces,
    floor_velocity: Vec2,
    air_seconds: f32,
    wall_seconds: f32,
    wall_normal: Vec2,
    #[entities]
    anchor: Option<FloorAnchor>,
    drops_through: bool,
}

/// The surfaces that a walker touches, by what they are for it.
#[derive(MapEntities, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub(crate) struct TouchedSurfaces {
    #[entities]
    pub floor: Option<SurfaceContact>,
    #[entities]
    pub wall: Option<SurfaceContact>,
    #[entities]
    pub ceiling: Option<SurfaceContact>,
}

/// A point that the floor carries along, and the pose of the floor at that time. Both are relative
/// to the walker's parent, because what moves floor and walker alike does not carry the walker.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub(crate) struct FloorAnchor {
    /// The point, in the frame of the walker's parent.
    pub point: Vec2,
    /// The pose of the floor's entity in the frame of the walker's parent.
    pub pose: Affine2,
    /// The translation of the walker. If it differs in the next update, the walker was teleported.
    pub translation: Vec2,
    /// The walker's parent, if any. If it differs in the next update, the walker is not carried.
    #[entities]
    pub parent: Option<Entity>,
    /// The translation of the mover that moves the floor, if one does. If it differs in the next
    /// update, the mover was teleported, which counts as no motion.
    pub mover_translation: Option<Vec2>,
    /// Whether the floor was mirrored in the world.
    pub is_mirrored: bool,
    /// Whether something keeps the floor's conveyor from carrying the walker.
    pub is_conveyor_blocked: bool,
    /// Whether the walker did not stand on this floor before, so that its velocity is not known.
    pub is_new: bool,
}

/// Sent when a walker stands on a floor and did not before: as a message, and as an event on the
/// walker.
#[derive(EntityEvent, Message, MapEntities, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Landed {
    /// The walker.
    #[entities]
    pub entity: Entity,
    /// The floor.
    #[entities]
    pub floor: Entity,
    /// The speed of the walker into the floor, in world units per second along its normal. The
    /// floor's own motion does not count.
    pub speed: f32,
}

/// Sent when a walker no longer stands on a floor: as a message, and as an event on the walker. Not
/// sent if its `Walker` or `Mover` is removed, which clears its [`Ground`].
#[derive(EntityEvent, Message, MapEntities, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct LeftFloor {
    /// The walker.
    #[entities]
    pub entity: Entity,
    /// The floor. It may be despawned.
    #[entities]
    pub floor: Entity,
}

/// Sent when a walker stands on another floor than an update before, without having been in the
/// air: as a message, and as an event on the walker. Another cell of the same
/// [`TileCollider`](crate::TileCollider) is not another floor.
#[derive(EntityEvent, Message, MapEntities, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct ChangedFloor {
    /// The walker.
    #[entities]
    pub entity: Entity,
    /// The floor that it stood on. It may be despawned.
    #[entities]
    pub from: Entity,
    /// The floor that it stands on.
    #[entities]
    pub to: Entity,
}

impl Default for Ground {
    /// In the air, and never on a floor before.
    fn default() -> Self {
        Self {
            surfaces: TouchedSurfaces::default(),
            floor_velocity: Vec2::ZERO,
            air_seconds: f32::MAX,
            wall_seconds: f32::MAX,
            wall_normal: Vec2::ZERO,
            anchor: None,
            drops_through: false,
        }
    }
}

impl Ground {
    /// The floor that the walker stands on, or `None` in the air. If it touches several, the one
    /// with the most upward normal.
    ///
    /// A surface is a floor if the angle between its normal and [`Walker::up`](crate::Walker::up)
    /// is at most [`Walker::max_slope`](crate::Walker::max_slope). A walker that rises does not
    /// stand on a floor.
    pub fn floor(&self) -> Option<&SurfaceContact> {
        self.surfaces.floor.as_ref()
    }

    /// A wall that the walker touches: a surface that is neither floor nor ceiling, such as a steep
    /// slope. If it touches several, the most vertical one.
    pub fn wall(&self) -> Option<&SurfaceContact> {
        self.surfaces.wall.as_ref()
    }

    /// The ceiling: a surface as flat as a floor, above the walker.
    pub fn ceiling(&self) -> Option<&SurfaceContact> {
        self.surfaces.ceiling.as_ref()
    }

    /// Whether the walker stands on a floor.
    pub fn is_on_floor(&self) -> bool {
        self.surfaces.floor.is_some()
    }

    /// The velocity at which the floor carried the walker in the last update, in world units per
    /// second. Zero in the air. A floor that was teleported keeps its velocity, as after
    /// [`CollisionState::teleport`](crate::CollisionState::teleport).
    #[doc(alias = "get_platform_velocity")]
    pub fn floor_velocity(&self) -> Vec2 {
        self.floor_velocity
    }

    /// The time since the walker last stood on a floor, in seconds of its
    /// [own time](crate::Mover::time_scale): zero while it does, and [`f32::MAX`] if it never did.
    pub fn air_seconds(&self) -> f32 {
        self.air_seconds
    }

    /// The time since the walker last touched a wall, in seconds of its
    /// [own time](crate::Mover::time_scale): zero while it does, and [`f32::MAX`] if it has not
    /// touched one since it stood on a floor. For wall jumps that may come a little late.
    pub fn wall_seconds(&self) -> f32 {
        self.wall_seconds
    }

    /// The normal of that wall, unit length, or zero if there was none.
    pub fn wall_normal(&self) -> Vec2 {
        self.wall_normal
    }

    /// Makes the walker fall through the [`OneWay`](crate::OneWay) floors that it touches, until it
    /// touches none. If it is called in each update, as while a key is held, every further floor
    /// stops the fall for one update. To fall without a stop, leave the layer of these floors out
    /// of [`Mover::blocked_by`](crate::Mover::blocked_by).
    pub fn drop_through(&mut self) {
        self.drops_through = true;
    }

    pub(crate) fn drops_through(&self) -> bool {
        self.drops_through
    }

    pub(crate) fn anchor(&self) -> Option<&FloorAnchor> {
        self.anchor.as_ref()
    }

    /// The state after an update of this many `seconds` that ends with these surfaces.
    #[must_use]
    pub(crate) fn after(
        &self,
        surfaces: TouchedSurfaces,
        anchor: Option<FloorAnchor>,
        floor_velocity: Vec2,
        drops_through: bool,
        seconds: f32,
    ) -> Self {
        let is_on_floor = surfaces.floor.is_some();
        let later = |before: f32| (before + seconds).min(f32::MAX);
        let (wall_seconds, wall_normal) = match &surfaces.wall {
            Some(wall) => (0.0, wall.normal),
            None if is_on_floor => (f32::MAX, Vec2::ZERO),
            None => (later(self.wall_seconds), self.wall_normal),
        };
        Self {
            surfaces,
            floor_velocity,
            air_seconds: if is_on_floor {
                0.0
            } else {
                later(self.air_seconds)
            },
            wall_seconds,
            wall_normal,
            anchor,
            drops_through,
        }
    }
}

/// Clears the ground of an entity that lost its `Walker` or its `Mover`.
pub(crate) fn clear_ground(mut world: DeferredWorld, removed: HookContext) {
    if let Some(mut ground) = world.get_mut::<Ground>(removed.entity) {
        ground.set_if_neq(Ground::default());
    }
}
