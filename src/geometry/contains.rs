//! Whether a point is inside of a shape, and how deep.

use bevy::math::Vec2;

use super::{
    convex::{ConvexShape, MinkowskiDifference, Separation},
    exposed::to_exposed_edge,
    shape::Shape,
    tolerances::TOUCHING_SLOP,
    vectors::direction_and_length,
};

/// Whether `point` is inside of `shape`. Points on the boundary are not inside. False if either is
/// not finite.
pub fn contains_point(shape: &Shape, point: Vec2) -> bool {
    if !(shape.is_finite() && point.is_finite()) {
        return false;
    }
    match shape {
        // A line contains nothing.
        Shape::Polygon { placement, .. } if placement.is_flat() => false,
        // A line between two solid cells, or between two pieces of a polygon, is inside.
        Shape::Tiles { tiles, placement } => {
            let slop = TOUCHING_SLOP * point.abs().max_element() / placement.scale();
            tiles.is_solid_around(placement.inverse_transform_point(point), slop)
        }
        Shape::Polygon { polygon, placement } if !polygon.is_single_piece() => {
            polygon.contains(placement.inverse_transform_point(point))
        }
        Shape::Compound { .. } => {
            let mut is_inside = false;
            shape.visit_shapes(&mut |shape| is_inside |= contains_point(shape, point));
            is_inside
        }
        _ => shape.as_convex().is_some_and(|shape| {
            let point = ConvexShape::Circle {
                center: point,
                radius: 0.0,
            };
            let nearest = MinkowskiDifference::between(&point, &shape, 0.0).surface_point(0.0);
            nearest.is_some_and(|nearest| nearest.distance < 0.0)
        }),
    }
}

/// Returns the separation of a point from a polygon or a grid that is not convex: the point's
/// distance to the surface, and the nearest point of the surface. `None` outside, on the surface
/// and for other shapes.
pub(super) fn point_penetration(point: Vec2, shape: &Shape) -> Option<Separation> {
    if shape.is_convex() || !contains_point(shape, point) {
        return None;
    }
    let to_surface = match shape {
        Shape::Polygon { polygon, placement } => polygon.to_outline(point, placement)?,
        Shape::Tiles { tiles, placement } => tiles
            .to_open_cell(point, placement)
            .or_else(|| to_exposed_edge(shape, point))?,
        _ => return None,
    };
    let (direction, length) = direction_and_length(to_surface)?;
    Some(Separation {
        distance: -length,
        normal: -direction,
        point_a: point,
        point_b: point + to_surface,
    })
}
