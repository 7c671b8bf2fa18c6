//! Convex shapes, and the convex pieces of others.

use bevy::math::Vec2;

use super::{
    compound::tiles::{CellPiece, Tiles},
    convex::{ConvexShape, RoundedBox},
    placement::Placement,
    shape::Shape,
};
use crate::aabb::{Aabb2d, half_size, intersects};

impl Shape {
    /// Whether the shape is one convex piece.
    #[inline]
    pub(crate) fn is_convex(&self) -> bool {
        match self {
            Self::Circle { .. } | Self::Rect { .. } | Self::Capsule { .. } => true,
            Self::Polygon { polygon, .. } => polygon.is_single_piece(),
            Self::Tiles { .. } | Self::Compound { .. } => false,
        }
    }

    /// The shape as a convex one, or `None` if it is not.
    #[inline]
    pub(super) fn as_convex(&self) -> Option<ConvexShape<'_>> {
        match self {
            &Self::Circle { center, radius } => Some(ConvexShape::Circle { center, radius }),
            &Self::Rect {
                center,
                half_size,
                rotation,
            } => Some(ConvexShape::Box(RoundedBox {
                center,
                half_size,
                rotation,
                radius: 0.0,
            })),
            &Self::Capsule {
                center,
                half_length,
                rotation,
                radius,
            } => Some(ConvexShape::Box(RoundedBox {
                center,
                half_size: Vec2::new(half_length, 0.0),
                rotation,
                radius,
            })),
            Self::Polygon { polygon, placement } => (polygon.is_single_piece())
                .then(|| ConvexShape::Polygon(polygon.outline(), placement)),
            Self::Tiles { .. } | Self::Compound { .. } => None,
        }
    }

    /// Visits the convex pieces of the shape that reach into `area`, and maybe some beside it.
    ///
    /// Rectangles of a grid are cut outside of `area`, except that areas wider than 62 columns are
    /// split into strips.
    pub(crate) fn visit_convex_pieces(&self, area: &Aabb2d, visit: &mut dyn FnMut(&Self)) {
        match self {
            Self::Tiles { tiles, placement } => {
                let area = placement.inverse_transform_aabb(area);
                tiles.visit_rects(&area, &mut |range| {
                    // Only once there is a rectangle: usually there is none.
                    let (rotation, scale) = placement.rotation_and_scale();
                    let (center, half_size) = tiles.center_and_half_size(&range);
                    visit(&Self::Rect {
                        center: placement.transform_point(center),
                        half_size: half_size * scale,
                        rotation,
                    });
                });
                if tiles.has_shaped_cells() {
                    Self::visit_shaped_cells(tiles, placement, &area, visit);
                }
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
            Self::Compound { .. } => self.visit_shapes(&mut |shape| {
                if intersects(area, &shape.aabb()) {
                    shape.visit_convex_pieces(area, visit);
                }
            }),
            _ => visit(self),
        }
    }

    /// Visits the pieces of those cells of a grid that are neither full nor open, in an area in the
    /// grid's frame.
    #[inline(never)]
    pub(super) fn visit_shaped_cells(
        tiles: &Tiles,
        placement: &Placement,
        area: &Aabb2d,
        visit: &mut dyn FnMut(&Self),
    ) {
        tiles.visit_shaped(area, &mut |cell, piece| {
            visit(&Self::cell_piece(tiles.cell_center(cell), piece, placement));
        });
    }

    /// The solid part of a cell that is not full. `center` is that of the cell, in the grid's
    /// frame.
    pub(super) fn cell_piece(center: Vec2, piece: &CellPiece, placement: &Placement) -> Self {
        match piece {
            CellPiece::Rect {
                center: offset,
                half_size,
            } => {
                let (rotation, scale) = placement.rotation_and_scale();
                Self::Rect {
                    center: placement.transform_point(center + *offset),
                    half_size: *half_size * scale,
                    rotation,
                }
            }
            CellPiece::Polygon(polygon) => Self::Polygon {
                polygon: polygon.clone(),
                placement: placement.moved_to(placement.transform_point(center)),
            },
        }
    }

    /// The approximate half extent of the convex pieces of the shape, in world units.
    pub(super) fn piece_half_extent(&self) -> f32 {
        if let Self::Polygon { polygon, placement } = self
            && let Some(half_extent) = polygon.piece_half_extent()
        {
            return half_extent * placement.scale().max_element();
        }
        match self {
            Self::Tiles { tiles, placement } => {
                (tiles.cell_size() * placement.scale()).max_element()
            }
            _ => half_size(&self.aabb()).max_element(),
        }
    }
}
