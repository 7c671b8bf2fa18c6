//! The convex parts of shapes that are not convex.

use bevy::math::bounding::Aabb2d;

use super::Shape;
use crate::aabb::intersects;

impl Shape {
    /// Whether it has but one part: itself.
    #[inline]
    pub(crate) fn is_convex(&self) -> bool {
        match self {
            Self::Circle { .. } | Self::Rect { .. } | Self::Capsule { .. } => true,
            Self::Polygon { polygon, .. } => polygon.is_single_piece(),
            Self::Tiles { .. } => false,
        }
    }

    /// Visits the convex parts of the shape that reach into an area, and maybe some beside it.
    ///
    /// Parts of a grid end somewhere outside of the area, if they reach so far; but in one of more than 62 columns some end in it, or at its edge.
    #[inline]
    pub(crate) fn visit_convex_pieces(&self, area: &Aabb2d, mut visit: impl FnMut(&Self)) {
        match self {
            Self::Tiles { tiles, placement } => {
                tiles.visit_rects(&placement.unapply_aabb(area), |range| {
                    // Not before there is one, for mostly there is none.
                    let (rotation, scale) = placement.rotation_and_scale();
                    let (middle, half_size) = tiles.middle_and_half_size(&range);
                    visit(&Self::Rect {
                        center: placement.transform_point(middle),
                        half_size: half_size * scale,
                        rotation,
                    });
                });
            }
            Self::Polygon { polygon, placement } if !polygon.is_single_piece() => {
                for piece in polygon.pieces_near(area, placement) {
                    if intersects(area, &piece.aabb_at(placement)) {
                        visit(&Self::Polygon {
                            polygon: piece.clone(),
                            placement: *placement,
                        });
                    }
                }
            }
            _ => visit(self),
        }
    }
}
