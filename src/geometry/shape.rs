use std::sync::Arc;

use bevy::math::{
    Affine2, Affine3A, Quat, Rot2, Vec2, Vec3,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{ConvexCore, Placement, Polygon, PolygonError, TOUCHING_SLOP, Tiles};

/// A solid shape in the plane.
///
/// A [`Collider`](crate::Collider) gives one in the frame of its entity; the plugin then works with the same
/// shape in world space.
///
/// Sizes must not be negative. The functions that make shapes see to it. In a variant that a
/// [`Collider`](crate::Collider) writes with a negative size that counts as zero; in one that is
/// passed to the functions of this module it makes no shape, and mostly nothing finds it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape {
    /// All points that are nearer to `center` than `radius`.
    Circle {
        /// Center, in world units.
        center: Vec2,
        /// Radius, in world units. Not negative.
        radius: f32,
    },
    /// A rectangle, turned about its center.
    Rect {
        /// Center, in world units.
        center: Vec2,
        /// Half of the width and of the height, in world units. Neither is negative.
        half_size: Vec2,
        /// Counter-clockwise turn (with y up) of the rectangle's own x axis.
        #[cfg_attr(
            feature = "serialize",
            serde(deserialize_with = "crate::checked::rotation")
        )]
        rotation: Rot2,
    },
    /// A capsule, also known as a stadium: all points that are nearer than `radius` to a segment.
    Capsule {
        /// Middle of the segment, in world units.
        center: Vec2,
        /// Half of the length of the segment, in world units. Not negative.
        half_length: f32,
        /// Counter-clockwise turn (with y up) of the segment from the x axis.
        #[cfg_attr(
            feature = "serialize",
            serde(deserialize_with = "crate::checked::rotation")
        )]
        rotation: Rot2,
        /// Radius, in world units. Not negative.
        radius: f32,
    },
    /// A simple polygon, convex or not.
    Polygon {
        /// The polygon in its own frame.
        polygon: Arc<Polygon>,
        /// Where that frame is.
        placement: Placement,
    },
    /// A grid of cells, of which the solid ones count.
    Tiles {
        /// The grid in its own frame.
        tiles: Arc<Tiles>,
        /// Where that frame is.
        placement: Placement,
    },
}

/// What a shape is that is not a polygon: a box grown by a radius, around the shape's center.
#[derive(Default)]
pub(super) struct RoundedCore {
    pub half_size: Vec2,
    pub rotation: Rot2,
    pub radius: f32,
}

impl Shape {
    /// A circle. A negative radius counts as zero, which makes a point.
    pub fn circle(center: Vec2, radius: f32) -> Self {
        Self::Circle {
            center,
            radius: not_negative(radius),
        }
    }

    /// A rectangle from its full width and height. A negative size counts as zero, which makes a segment or a point.
    pub fn rect(center: Vec2, size: Vec2, rotation: Rot2) -> Self {
        Self::Rect {
            center,
            half_size: Vec2::new(not_negative(size.x), not_negative(size.y)) / 2.0,
            rotation,
        }
    }

    /// A capsule around the segment between two points. A negative radius counts as zero, which makes a segment; without a length it
    /// is a circle.
    pub fn capsule(start: Vec2, end: Vec2, radius: f32) -> Self {
        let half = (end - start) / 2.0;
        Self::Capsule {
            center: start + half,
            half_length: super::direction_and_length(half).map_or(0.0, |(_, length)| length),
            rotation: rotation_of_axes(half, Vec2::ZERO),
            radius: not_negative(radius),
        }
    }

    /// A simple polygon, convex or not, with these vertices in either winding.
    ///
    /// # Errors
    ///
    /// If there are fewer than three points, if one is not finite, or if sides cross or touch each other.
    pub fn polygon(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        Ok(Self::Polygon {
            polygon: Arc::new(Polygon::new(points)?),
            placement: Placement::at(Vec2::ZERO),
        })
    }

    /// The middle of the shape; of a polygon, that of the box around it in its own frame.
    #[inline]
    pub fn center(&self) -> Vec2 {
        match self {
            Self::Circle { center, .. }
            | Self::Rect { center, .. }
            | Self::Capsule { center, .. } => *center,
            Self::Polygon { polygon, placement } => placement.transform_point(polygon.middle()),
            Self::Tiles { placement, .. } => placement.center,
        }
    }

    /// The smallest box with sides along the axes that holds the shape; the whole of a grid. Not finite where the shape is not.
    #[inline(always)]
    pub fn aabb(&self) -> Aabb2d {
        let (center, half) = match *self {
            Self::Circle { center, radius } => (center, Vec2::splat(radius)),
            Self::Rect {
                center,
                half_size,
                rotation,
            } => (center, half_extents(half_size, rotation)),
            Self::Capsule {
                center,
                half_length,
                rotation: Rot2 { sin, cos },
                radius,
            } => (center, Vec2::new(cos, sin).abs() * half_length + radius),
            Self::Polygon {
                ref polygon,
                ref placement,
            } => return polygon.aabb_at(placement),
            Self::Tiles {
                ref tiles,
                ref placement,
            } => (
                placement.center,
                placement.apply_half_size(tiles.half_size()),
            ),
        };
        // A literal, because the constructor asserts that its input is finite.
        Aabb2d {
            min: center - half,
            max: center + half,
        }
    }

    /// The direction in which a long shape is narrowest, and half of its width there; for rounding somewhat more.
    pub(crate) fn min_width_axis(&self) -> Option<(Vec2, f32)> {
        if matches!(self, Self::Circle { .. }) {
            return None;
        }
        let RoundedCore {
            half_size,
            rotation,
            radius,
        } = self.core()?;
        let (across, half_width) = if half_size.x < half_size.y {
            (Vec2::X, half_size.x)
        } else {
            (Vec2::Y, half_size.y)
        };
        let rounding = 4.0 * TOUCHING_SLOP * self.largest_coordinate();
        Some((rotation * across, half_width + radius + rounding))
    }

    /// Whether a convex shape is nowhere wider than so much, as points and lines are not.
    pub(super) fn is_thinner_than(&self, width: f32) -> bool {
        match self {
            Self::Polygon { polygon, placement } => {
                polygon.is_single_piece() && placement.is_flat()
            }
            _ => (self.core())
                .is_some_and(|core| 2.0 * (core.half_size.min_element() + core.radius) < width),
        }
    }

    /// Whether every point of the shape has finite coordinates.
    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        if let Self::Polygon { polygon, placement } = self {
            return polygon.is_finite_at(placement);
        }
        let Aabb2d { min, max } = self.aabb();
        let turn = match self {
            Self::Circle { .. } | Self::Polygon { .. } | Self::Tiles { .. } => Vec2::ZERO,
            Self::Rect { rotation, .. } | Self::Capsule { rotation, .. } => {
                Vec2::new(rotation.cos, rotation.sin)
            }
        };
        // Times zero all finite numbers are zero, and no others.
        min * 0.0 + max * 0.0 + turn * 0.0 == Vec2::ZERO
    }

    /// Becomes another shape. Whether that made a difference.
    #[inline(always)]
    pub(crate) fn set_if_neq(&mut self, other: &Self) -> bool {
        let is_different = match (&mut *self, other) {
            // Most are circles. What is done with them is so short that the processor fetches several at a time.
            (
                Self::Circle { center, radius },
                Self::Circle {
                    center: new_center,
                    radius: new_radius,
                },
            ) => {
                let is_different = center != new_center || radius != new_radius;
                (*center, *radius) = (*new_center, *new_radius);
                return is_different;
            }
            (known, other) => *known != *other,
        };
        if is_different {
            self.clone_from(other);
        }
        is_different
    }

    /// The shape moved by `translation`.
    pub fn translated(&self, translation: Vec2) -> Self {
        let mut moved = self.clone();
        moved.translate(translation);
        moved
    }

    /// Moves the shape by `translation`.
    pub(crate) fn translate(&mut self, translation: Vec2) {
        match self {
            Self::Circle { center, .. }
            | Self::Rect { center, .. }
            | Self::Capsule { center, .. } => *center += translation,
            Self::Polygon { placement, .. } | Self::Tiles { placement, .. } => {
                placement.center += translation;
            }
        }
    }

    /// The shape as seen through `pose`, in the frame that `pose` maps to.
    ///
    /// Scale counts absolute, and shear is ignored. A circle stays a circle: it takes the longer of
    /// its two scaled axes. A rectangle takes both scales and keeps the direction of its x axis (of
    /// its y axis, where the x axis is scaled to nothing). A capsule is as wide as the scale across
    /// says, and as long as the one along it, its round ends included; but never shorter than wide.
    /// A polygon takes both scales and keeps the direction of its frame's x axis; seen in a mirror
    /// it is mirrored. A negative size counts as zero.
    #[inline(always)]
    pub fn transformed(&self, pose: &Affine2) -> Self {
        let (x_axis, y_axis) = (pose.x_axis, pose.y_axis);
        match *self {
            Self::Polygon {
                ref polygon,
                ref placement,
            } => Self::Polygon {
                polygon: polygon.clone(),
                placement: placement.transformed(pose),
            },
            Self::Tiles {
                ref tiles,
                ref placement,
            } => Self::Tiles {
                tiles: tiles.clone(),
                placement: placement.transformed(pose),
            },
            Self::Circle { center, radius } => Self::Circle {
                center: pose.transform_point2(center),
                radius: not_negative(radius) * max_or_nan(x_axis.length(), y_axis.length()),
            },
            Self::Rect {
                center,
                half_size,
                rotation,
            } => {
                let own_x = x_axis * rotation.cos + y_axis * rotation.sin;
                let own_y = y_axis * rotation.cos - x_axis * rotation.sin;
                let [half_width, half_height] = half_size.to_array().map(not_negative);
                Self::Rect {
                    center: pose.transform_point2(center),
                    half_size: Vec2::new(half_width * own_x.length(), half_height * own_y.length()),
                    rotation: rotation_of_axes(own_x, own_y),
                }
            }
            Self::Capsule {
                center,
                half_length,
                rotation,
                radius,
            } => {
                let along = x_axis * rotation.cos + y_axis * rotation.sin;
                let across = y_axis * rotation.cos - x_axis * rotation.sin;
                let [half_length, radius] = [half_length, radius].map(not_negative);
                let scaled_radius = radius * across.length();
                Self::Capsule {
                    center: pose.transform_point2(center),
                    half_length: not_negative(
                        (half_length + radius) * along.length() - scaled_radius,
                    ),
                    rotation: rotation_of_axes(along, across),
                    radius: scaled_radius,
                }
            }
        }
    }

    /// An upper bound of the absolute value of every coordinate of the shape.
    // Always, for where the kind of shape is known, little is left.
    #[inline(always)]
    pub(crate) fn largest_coordinate(&self) -> f32 {
        let reach = match *self {
            Self::Polygon {
                ref polygon,
                ref placement,
            } => (placement.apply_half_size(polygon.bounds().half_size())).max_element(),
            Self::Tiles {
                ref tiles,
                ref placement,
            } => (placement.apply_half_size(tiles.half_size())).max_element(),
            Self::Circle { radius, .. } => radius,
            Self::Rect { half_size, .. } => half_size.x + half_size.y,
            Self::Capsule {
                half_length,
                radius,
                ..
            } => half_length + radius,
        };
        self.center().abs().max_element() + reach
    }

    /// The box that has grown to the shape; none, if it is a polygon.
    #[inline]
    pub(super) fn core(&self) -> Option<RoundedCore> {
        let (half_size, rotation, radius) = match *self {
            Self::Circle { radius, .. } => (Vec2::ZERO, Rot2::IDENTITY, radius),
            Self::Rect {
                half_size,
                rotation,
                ..
            } => (half_size, rotation, 0.0),
            Self::Capsule {
                half_length,
                rotation,
                radius,
                ..
            } => (Vec2::new(half_length, 0.0), rotation, radius),
            Self::Polygon { .. } | Self::Tiles { .. } => return None,
        };
        Some(RoundedCore {
            half_size,
            rotation,
            radius,
        })
    }

    /// The part of the surface of a convex shape that lies furthest along `direction` (unit length), relative to the center: the two
    /// ends of a side, or twice the same point.
    pub(super) fn support(&self, direction: Vec2) -> [Vec2; 2] {
        let Some(core) = self.core() else {
            return ConvexCore::of(self).support(direction);
        };
        let RoundedCore {
            half_size,
            rotation,
            radius,
        } = core;
        let local = rotation.inverse() * direction;
        let corner = half_size * Vec2::new(1f32.copysign(local.x), 1f32.copysign(local.y));
        let across = if local.y.abs() < super::PARALLEL_ANGLE {
            Vec2::new(1.0, -1.0)
        } else if local.x.abs() < super::PARALLEL_ANGLE {
            Vec2::new(-1.0, 1.0)
        } else {
            Vec2::ONE
        };
        [corner, corner * across].map(|end| rotation * end + direction * radius)
    }
}

/// Half of the width and height of the box around a turned rectangle.
fn half_extents(half_size: Vec2, Rot2 { sin, cos }: Rot2) -> Vec2 {
    Vec2::new(
        half_size.x * cos.abs() + half_size.y * sin.abs(),
        half_size.x * sin.abs() + half_size.y * cos.abs(),
    )
}

/// The part of a world transform that 2D shapes see: x and y of its axes and of its translation.
pub(crate) fn world_pose(affine: &Affine3A) -> Affine2 {
    Affine2::from_cols(
        affine.x_axis.truncate(),
        affine.y_axis.truncate(),
        affine.translation.truncate(),
    )
}

/// The [`world_pose`] of an affine with these parts, without what is not seen of it: in half of the time.
#[inline]
pub(crate) fn pose_from_scale_rotation_translation(
    scale: Vec3,
    rotation: Quat,
    translation: Vec3,
) -> Affine2 {
    let [x, y, z, w] = rotation.to_array();
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let x_axis = Vec2::new(1.0 - (y * y2 + z * z2), x * y2 + w * z2);
    let y_axis = Vec2::new(x * y2 - w * z2, 1.0 - (x * x2 + z * z2));
    Affine2::from_cols(x_axis * scale.x, y_axis * scale.y, translation.truncate())
}

/// Zero for a negative number. Unlike `max(0.0)` it keeps NaN, so that it is found and named later.
pub(super) fn not_negative(size: f32) -> f32 {
    if size < 0.0 { 0.0 } else { size }
}

/// The larger number, NaN if one of them is.
fn max_or_nan(a: f32, b: f32) -> f32 {
    if a > b || a.is_nan() { a } else { b }
}

pub(super) fn rotation_of_axes(x_axis: Vec2, y_axis: Vec2) -> Rot2 {
    let along_x = super::direction_and_length(x_axis)
        .map(|(direction, _)| direction)
        .or_else(|| super::direction_and_length(y_axis).map(|(direction, _)| -direction.perp()))
        .unwrap_or(Vec2::X);
    Rot2 {
        cos: along_x.x,
        sin: along_x.y,
    }
}
