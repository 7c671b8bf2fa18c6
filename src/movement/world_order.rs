//! An order of shapes by their geometry in the world, independent of slots and entities.

use std::cmp::Ordering;

use bevy::math::Vec2;

use crate::geometry::Shape;

/// Orders shapes by center, size, kind, rotation and vertices. Grids that differ only in their
/// cells are equal, as are compounds with one box.
pub(crate) fn by_world(p: &Shape, q: &Shape) -> Ordering {
    by_coordinates(p.center(), q.center()).then_with(|| {
        let [a, b] = [p, q].map(Shape::aabb);
        by_coordinates(a.min, b.min)
            .then_with(|| by_coordinates(a.max, b.max))
            .then_with(|| kind(p).cmp(&kind(q)))
            .then_with(|| by_coordinates(p.x_axis(), q.x_axis()))
            .then_with(|| by_vertices(vertices(p), vertices(q)))
    })
}

/// A key for `x` that sorts as [`f32::total_cmp`] does.
pub(crate) fn sort_key(x: f32) -> u32 {
    let bits = x.to_bits();
    // The larger the bits of a negative number, the smaller it is.
    if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    }
}

fn by_coordinates(p: Vec2, q: Vec2) -> Ordering {
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y))
}

fn by_vertices(p: &[Vec2], q: &[Vec2]) -> Ordering {
    let mut orders = p.iter().zip(q).map(|(&p, &q)| by_coordinates(p, q));
    let first = orders.find(|order| order.is_ne());
    first.unwrap_or(p.len().cmp(&q.len()))
}

fn kind(shape: &Shape) -> u8 {
    match shape {
        Shape::Circle { .. } => 0,
        Shape::Rect { .. } => 1,
        Shape::Capsule { .. } => 2,
        Shape::Polygon { .. } => 3,
        Shape::Tiles { .. } => 4,
        Shape::Compound { .. } => 5,
    }
}

/// The vertices of a polygon, in its own frame. Others have none.
fn vertices(shape: &Shape) -> &[Vec2] {
    match shape {
        Shape::Polygon { polygon, .. } => polygon.vertices(),
        _ => &[],
    }
}
