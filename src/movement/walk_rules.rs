//! What is a floor for a walker, and how it walks on one.

use bevy::{
    ecs::entity::Entity,
    math::{Affine2, Mat2, Vec2},
};

use crate::{
    components::Walker,
    events::{Ground, TouchedSurfaces},
    geometry::Shape,
};

/// The settings of a walker, validated, with its state at the start of an update.
#[derive(Clone, Copy)]
pub(crate) struct WalkRules {
    /// Away from the ground, unit length.
    pub up: Vec2,
    /// The least cosine of the angle between `up` and the normal of a floor.
    pub min_floor_cosine: f32,
    /// In world units, as the next two.
    pub snap_distance: f32,
    pub step_height: f32,
    pub step_width: f32,
    pub constant_speed: bool,
    /// Whether it stood on a floor when the update began.
    pub stood: bool,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
    /// The displacement of the floor's surface in the update, relative to the floor.
    pub conveyor: Vec2,
}

/// What a walker touches at the end of its move.
#[derive(Clone, Copy)]
pub(crate) struct Footing {
    pub surfaces: TouchedSurfaces,
    /// Whether the floor is an edge or round, not a vertex.
    pub is_on_edge: bool,
    /// The mover that the floor belongs to.
    pub floor_mover: Option<Entity>,
    /// The speed at which it landed on a floor, in world units per second.
    pub landing_speed: f32,
    /// The point of the walker that the floor carries along, relative to its center.
    pub anchor: Vec2,
    /// Whether it still falls through one-way floors.
    pub drops_through: bool,
    /// Whether something keeps the floor's conveyor from carrying it.
    pub is_conveyor_blocked: bool,
}

impl Footing {
    /// Touching nothing.
    pub const NONE: Self = Self {
        surfaces: TouchedSurfaces {
            floor: None,
            wall: None,
            ceiling: None,
        },
        is_on_edge: false,
        floor_mover: None,
        landing_speed: 0.0,
        anchor: Vec2::ZERO,
        drops_through: false,
        is_conveyor_blocked: false,
    };

    /// The ground of a walker whose floor does not move, after an update of this many seconds.
    pub fn ground_after(&self, before: &Ground, seconds: f32) -> Ground {
        before.after(
            self.surfaces,
            (None, Vec2::ZERO),
            self.drops_through,
            seconds,
        )
    }
}

/// Extents of a shape along the axes of a walker, in world units.
pub(super) struct WalkExtents {
    /// The coordinate of its lowest point along `up`.
    pub foot: f32,
    /// Half of its width.
    pub half_width: f32,
}

impl WalkRules {
    pub fn new(walker: &Walker, ground: &Ground) -> Self {
        Self {
            up: *walker.up,
            min_floor_cosine: libm::cosf(walker.valid_max_slope()),
            snap_distance: walker.valid_snap_distance(),
            step_height: walker.valid_step_height(),
            step_width: walker.valid_step_width(),
            constant_speed: walker.constant_speed,
            stood: ground.is_on_floor(),
            drops_through: ground.drops_through(),
            conveyor: Vec2::ZERO,
        }
    }

    /// Along the horizon, to the right where `up` is up.
    pub fn right(&self) -> Vec2 {
        -self.up.perp()
    }

    /// Whether a walker stands on a surface with this normal.
    pub fn is_floor(&self, normal: Vec2) -> bool {
        normal.dot(self.up) >= self.min_floor_cosine
    }

    pub fn is_ceiling(&self, normal: Vec2) -> bool {
        normal.dot(self.up) <= -self.min_floor_cosine
    }

    /// Whether a surface that is no floor faces upward.
    pub fn is_steep_slope(&self, normal: Vec2) -> bool {
        !self.is_floor(normal) && normal.dot(self.up) > 0.0
    }

    /// The velocity along a floor with this normal of a walker that wants to move by `desired` in
    /// the air.
    pub fn along_floor(&self, desired: Vec2, normal: Vec2) -> Vec2 {
        let tangent = -normal.perp();
        let speed = desired.dot(self.right());
        if self.constant_speed {
            tangent * speed
        } else {
            tangent * (speed * tangent.dot(self.right()))
        }
    }

    /// The displacement by a conveyor along a floor with this normal.
    pub fn conveyor_along(&self, normal: Vec2) -> Vec2 {
        self.conveyor - normal * self.conveyor.dot(normal)
    }

    /// The displacement of a walker that wanted `desired` if nothing blocked it where it ended. On
    /// a floor nothing presses downward.
    pub fn wanted(&self, desired: Vec2, footing: &Footing) -> Vec2 {
        match footing.surfaces.floor {
            Some(_) => self.right() * desired.dot(self.right()),
            None => desired,
        }
    }

    /// The sine of the angle of the steepest floor.
    pub fn max_slope_sine(&self) -> f32 {
        (1.0 - self.min_floor_cosine * self.min_floor_cosine).sqrt()
    }

    /// The angle between the horizon and a surface with this normal, in radians.
    pub fn slope(&self, normal: Vec2) -> f32 {
        libm::acosf(normal.dot(self.up).clamp(-1.0, 1.0))
    }

    /// The angle of the steepest floor, in radians.
    pub fn max_slope(&self) -> f32 {
        libm::acosf(self.min_floor_cosine)
    }

    /// How far the floor is searched below a walker that loses it.
    pub fn max_descent(&self) -> f32 {
        self.snap_distance.max(self.step_height)
    }

    pub(super) fn extents(&self, shape: &Shape) -> WalkExtents {
        let (up, right) = (self.up, self.right());
        let to_walker = Mat2::from_cols(Vec2::new(right.x, up.x), Vec2::new(right.y, up.y));
        let aabb = shape.transformed(&Affine2::from_mat2(to_walker)).aabb();
        WalkExtents {
            foot: aabb.min.y,
            half_width: (aabb.max.x - aabb.min.x) / 2.0,
        }
    }
}
