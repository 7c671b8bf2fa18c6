//! The shape of a collider.

use std::sync::Arc;

use bevy::math::{Affine2, Rot2, UVec2, Vec2};

use super::{
    compound::{
        polygon::{Polygon, PolygonError},
        tiles::Tiles,
    },
    convex::{ConvexShape, RoundedBox},
    placement::Placement,
    tolerances::TOUCHING_SLOP,
    vectors::{direction_and_length, not_negative, rotation_of_axes},
};
use crate::aabb::{Aabb2d, half_size};

/// A solid shape in the plane.
///
/// A [`Collider`](crate::Collider) returns one in the frame of its entity; the plugin then works
/// with the same shape in world space.
///
/// Sizes must not be negative, which the constructors ensure. A negative size in a variant that a
/// [`Collider`](crate::Collider) returns counts as zero; in one that is passed to the functions of
/// this module, it makes an invalid shape, which usually overlaps nothing.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape {
    /// All points nearer to `center` than `radius`.
    Circle {
        /// Center, in world units.
        center: Vec2,
        /// Radius, in world units. Not negative.
        radius: f32,
    },
    /// A rectangle, rotated about its center.
    Rect {
        /// Center, in world units.
        center: Vec2,
        /// Half of the width and of the height, in world units. Neither is negative.
        half_size: Vec2,
        /// Counter-clockwise rotation (with y up) of the rectangle's own x axis.
        #[cfg_attr(
            feature = "serialize",
            serde(deserialize_with = "crate::serde_checks::rotation")
        )]
        rotation: Rot2,
    },
    /// A capsule, also known as a stadium: all points nearer to a segment than `radius`.
    Capsule {
        /// Center of the segment, in world units.
        center: Vec2,
        /// Half of the length of the segment, in world units. Not negative.
        half_length: f32,
        /// Counter-clockwise rotation (with y up) of the segment from the x axis.
        #[cfg_attr(
            feature = "serialize",
            serde(deserialize_with = "crate::serde_checks::rotation")
        )]
        rotation: Rot2,
        /// Radius, in world units. Not negative.
        radius: f32,
    },
    /// A polygon, convex or not, maybe with holes and islands.
    Polygon {
        /// The polygon in its own frame.
        polygon: Arc<Polygon>,
        /// The position, rotation and scale of that frame.
        placement: Placement,
    },
    /// The solid cells of a grid.
    Tiles {
        /// The grid in its own frame.
        tiles: Arc<Tiles>,
        /// The position, rotation and scale of that frame.
        placement: Placement,
    },
    /// The union of several shapes.
    Compound {
        /// The shapes, in the frame of the compound. None of them is a compound.
        shapes: Arc<Vec<Shape>>,
        /// The position, rotation and scale of that frame.
        placement: Placement,
    },
}

impl Shape {
    /// A circle. A negative radius counts as zero, which makes a point.
    pub fn circle(center: Vec2, radius: f32) -> Self {
        Self::Circle {
            center,
            radius: not_negative(radius),
        }
    }

    /// A rectangle from its full width and height. A negative size counts as zero, which makes a
    /// segment or a point.
    pub fn rect(center: Vec2, size: Vec2, rotation: Rot2) -> Self {
        Self::Rect {
            center,
            half_size: Vec2::new(not_negative(size.x), not_negative(size.y)) / 2.0,
            rotation,
        }
    }

    /// A capsule around the segment between two points. A negative radius counts as zero, which
    /// makes a segment; a capsule without length is a circle.
    pub fn capsule(start: Vec2, end: Vec2, radius: f32) -> Self {
        let half = (end - start) / 2.0;
        Self::Capsule {
            center: start + half,
            half_length: direction_and_length(half).map_or(0.0, |(_, length)| length),
            rotation: rotation_of_axes(half, Vec2::ZERO),
            radius: not_negative(radius),
        }
    }

    /// A simple polygon, convex or not, with these vertices in either winding.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer than three points, if one is NaN or infinite, if edges
    /// cross or touch each other, or if all of it is narrower than rounding.
    pub fn polygon(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        Polygon::new(points).map(Self::from)
    }

    /// The center of the shape. For a polygon, that of the bounding box in its own frame; for a
    /// compound the origin of its frame.
    #[inline]
    pub fn center(&self) -> Vec2 {
        match self {
            Self::Circle { center, .. }
            | Self::Rect { center, .. }
            | Self::Capsule { center, .. } => *center,
            Self::Polygon { polygon, placement } => {
                placement.transform_point(polygon.outline().center())
            }
            Self::Tiles { placement, .. } | Self::Compound { placement, .. } => placement.center,
        }
    }

    /// The x axis of the shape's frame, in the world; zero for a circle.
    pub(crate) fn x_axis(&self) -> Vec2 {
        match self {
            Self::Circle { .. } => Vec2::ZERO,
            Self::Rect { rotation, .. } | Self::Capsule { rotation, .. } => {
                Vec2::new(rotation.cos, rotation.sin)
            }
            Self::Polygon { placement, .. }
            | Self::Tiles { placement, .. }
            | Self::Compound { placement, .. } => placement.x_axis(),
        }
    }

    /// Whether its frame is mirrored.
    pub(crate) fn is_mirrored(&self) -> bool {
        match self {
            Self::Polygon { placement, .. }
            | Self::Tiles { placement, .. }
            | Self::Compound { placement, .. } => placement.is_mirrored(),
            _ => false,
        }
    }

    /// The axis-aligned bounding box; that of the whole grid for tiles. Not finite if the shape is
    /// not.
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
                placement.transform_half_size(tiles.half_size()),
            ),
            Self::Compound { .. } => return self.aabb_of_shapes(),
        };
        // A literal, because the constructor asserts that its input is finite.
        Aabb2d {
            min: center - half,
            max: center + half,
        }
    }

    /// The direction in which a rectangle or a capsule has its least width, and half of that width
    /// (world units) with a margin for rounding, or `None` for other shapes.
    pub(crate) fn min_width_axis(&self) -> Option<(Vec2, f32)> {
        let Some(ConvexShape::Box(RoundedBox {
            half_size,
            rotation,
            radius,
            ..
        })) = self.as_convex()
        else {
            return None;
        };
        let (across, half_width) = if half_size.x < half_size.y {
            (Vec2::X, half_size.x)
        } else {
            (Vec2::Y, half_size.y)
        };
        let rounding = 4.0 * TOUCHING_SLOP * self.largest_coordinate();
        Some((rotation * across, half_width + radius + rounding))
    }

    /// Whether every point of the shape has finite coordinates.
    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        if let Self::Polygon { polygon, placement } = self {
            return polygon.is_finite_at(placement);
        }
        if let Self::Compound { .. } = self {
            return self.max_of_shapes(|shape| if shape.is_finite() { 0.0 } else { 1.0 }) == 0.0;
        }
        let Aabb2d { min, max } = self.aabb();
        let rotation = match self {
            Self::Rect { rotation, .. } | Self::Capsule { rotation, .. } => {
                Vec2::new(rotation.cos, rotation.sin)
            }
            _ => Vec2::ZERO,
        };
        // Only finite numbers times zero are zero.
        min * 0.0 + max * 0.0 + rotation * 0.0 == Vec2::ZERO
    }

    /// Replaces the shape by another one. Returns whether they differed.
    #[inline(always)]
    pub(crate) fn set_if_neq(&mut self, other: &Self) -> bool {
        let is_different = match (&mut *self, other) {
            // Most shapes are circles. Their code is so short that the processor runs several at a
            // time.
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

    /// Returns the shape moved by `translation`.
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
            Self::Polygon { placement, .. }
            | Self::Tiles { placement, .. }
            | Self::Compound { placement, .. } => {
                placement.center += translation;
            }
        }
    }

    /// Returns the shape transformed by `pose`.
    ///
    /// Negative scale mirrors polygons and grids; for all other shapes only its magnitude counts. A
    /// circle uses the larger scale factor. A rectangle uses both and keeps the direction of its x
    /// axis (of its y axis, if the x axis is scaled to nothing). A capsule scales in width and
    /// length, its round ends included, but never becomes shorter than it is wide. A polygon uses
    /// both factors and keeps the direction of its frame's x axis. Shear is ignored, and a negative
    /// size counts as zero.
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
            Self::Compound {
                ref shapes,
                ref placement,
            } => Self::Compound {
                shapes: shapes.clone(),
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
    // Always inlined: where the kind of shape is known, little code remains.
    #[inline(always)]
    pub(crate) fn largest_coordinate(&self) -> f32 {
        let extent = match *self {
            Self::Polygon {
                ref polygon,
                ref placement,
            } => (placement.transform_half_size(half_size(&polygon.outline().bounds())))
                .max_element(),
            Self::Tiles {
                ref tiles,
                ref placement,
            } => (placement.transform_half_size(tiles.half_size())).max_element(),
            Self::Circle { radius, .. } => radius,
            Self::Rect { half_size, .. } => half_size.x + half_size.y,
            Self::Capsule {
                half_length,
                radius,
                ..
            } => half_length + radius,
            Self::Compound { .. } => return self.max_of_shapes(Self::largest_coordinate),
        };
        self.center().abs().max_element() + extent
    }

    /// The solid cell of a grid at a point of its surface in the world, or next to it, or `None`
    /// for other shapes. On the line between two solid cells it is the one that [`Tiles::cell_at`]
    /// returns.
    pub fn cell_near(&self, point: Vec2) -> Option<UVec2> {
        match self {
            Self::Tiles { tiles, placement } => {
                tiles.solid_cell_near(placement.inverse_transform_point(point))
            }
            _ => None,
        }
    }
}

impl From<Polygon> for Shape {
    fn from(polygon: Polygon) -> Self {
        Self::Polygon {
            polygon: Arc::new(polygon),
            placement: Placement::at(Vec2::ZERO),
        }
    }
}

/// How deep two shapes may overlap by rounding alone, in world units. For a grid, only the cells
/// near the other shape count.
#[inline]
pub(crate) fn touching_slop(a: &Shape, b: &Shape) -> f32 {
    let largest = match (a, b) {
        (Shape::Tiles { .. }, Shape::Tiles { .. }) => {
            a.largest_coordinate().max(b.largest_coordinate())
        }
        (Shape::Tiles { .. }, other) | (other, Shape::Tiles { .. }) => other.largest_coordinate(),
        _ => a.largest_coordinate().max(b.largest_coordinate()),
    };
    TOUCHING_SLOP * largest
}

/// Half of the width and height of the bounding box of a rotated rectangle.
fn half_extents(half_size: Vec2, Rot2 { sin, cos }: Rot2) -> Vec2 {
    Vec2::new(
        half_size.x * cos.abs() + half_size.y * sin.abs(),
        half_size.x * sin.abs() + half_size.y * cos.abs(),
    )
}

/// The larger number, or NaN if one of them is NaN.
fn max_or_nan(a: f32, b: f32) -> f32 {
    if a > b || a.is_nan() { a } else { b }
}
