//! Convex shapes as the functions on pairs of them see them.

use bevy::math::{Rot2, Vec2};

use super::{outline::Outline, rounded_box::RoundedBox};
use crate::geometry::placement::Placement;

/// A convex shape in the world.
#[derive(Clone, Copy)]
pub(in crate::geometry) enum ConvexShape<'a> {
    Circle {
        center: Vec2,
        radius: f32,
    },
    /// A rectangle or a capsule.
    Box(RoundedBox),
    Polygon(&'a Outline, &'a Placement),
}

impl ConvexShape<'_> {
    /// The shape's center; of a polygon, that of the bounding box in its own frame.
    #[inline]
    pub fn center(&self) -> Vec2 {
        match self {
            Self::Circle { center, .. } => *center,
            Self::Box(rounded) => rounded.center,
            Self::Polygon(outline, placement) => placement.transform_point(outline.center()),
        }
    }

    /// The shape as a box with a radius, or `None` if it is a polygon.
    #[inline]
    pub fn rounded_box(&self) -> Option<RoundedBox> {
        match *self {
            Self::Circle { center, radius } => Some(RoundedBox {
                center,
                half_size: Vec2::ZERO,
                rotation: Rot2::IDENTITY,
                radius,
            }),
            Self::Box(rounded) => Some(rounded),
            Self::Polygon(..) => None,
        }
    }

    /// Whether the shape is nowhere wider than `width`, as points and segments are not.
    pub fn is_thinner_than(&self, width: f32) -> bool {
        match self {
            Self::Polygon(_, placement) => placement.is_flat(),
            _ => (self.rounded_box()).is_some_and(|rounded| {
                2.0 * (rounded.half_size.min_element() + rounded.radius) <= width
            }),
        }
    }
}
