//! The size of a mover, and how deep two of them are in each other.

use bevy::math::Vec2;

use crate::{
    aabb::Aabb2d,
    geometry::{Shape, penetration_within},
    movement::tolerances::MAX_BLOCKING_DEPTH_SIZES,
};

/// The size of a mover: the shorter side of the box around its shape, in world units.
pub(crate) fn size_of(shape: &Shape) -> f32 {
    let Aabb2d { min, max } = shape.aabb();
    (max - min).min_element()
}

/// Whether two movers are so deep in each other that neither can block the other.
pub(crate) fn overlap_deeply(p: &Shape, q: &Shape) -> bool {
    deep_overlap(p, q).is_some()
}

/// The penetration depth of two shapes (world units) and the normal from the first to the second,
/// or `None` if they are not so deep in each other that neither can block the other.
pub(crate) fn deep_overlap(p: &Shape, q: &Shape) -> Option<(f32, Vec2)> {
    let least = MAX_BLOCKING_DEPTH_SIZES * size_of(p).min(size_of(q));
    let (beyond, normal) = penetration_within(p, q, -least)?;
    Some((least + beyond, normal))
}
