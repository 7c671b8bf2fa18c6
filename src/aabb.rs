//! Functions on axis-aligned bounding boxes. Unlike Bevy's own functions, these do not assert that
//! boxes are finite, and do not overflow between finite numbers.

use bevy::math::Vec2;
pub(crate) use bevy::math::bounding::Aabb2d;

/// Returns half of the width and height of a box.
pub(crate) fn half_size(aabb: &Aabb2d) -> Vec2 {
    0.5 * aabb.max - 0.5 * aabb.min
}

/// Returns the center of a box.
pub(crate) fn center(aabb: &Aabb2d) -> Vec2 {
    0.5 * aabb.min + 0.5 * aabb.max
}

/// Whether two boxes overlap or touch.
pub(crate) fn intersects(a: &Aabb2d, b: &Aabb2d) -> bool {
    a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y
}

/// Whether `outer` contains all of `inner`.
pub(crate) fn contains(outer: &Aabb2d, inner: &Aabb2d) -> bool {
    outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
}

/// Returns the smallest box around two boxes.
pub(crate) fn merge(a: &Aabb2d, b: &Aabb2d) -> Aabb2d {
    Aabb2d {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    }
}

/// Returns the box grown by `amount` on each side.
pub(crate) fn grow(aabb: &Aabb2d, amount: f32) -> Aabb2d {
    Aabb2d {
        min: aabb.min - amount,
        max: aabb.max + amount,
    }
}

/// Returns the box around all positions of a box that moves by `displacement`.
pub(crate) fn swept(aabb: &Aabb2d, displacement: Vec2) -> Aabb2d {
    let end = Aabb2d {
        min: aabb.min + displacement,
        max: aabb.max + displacement,
    };
    merge(aabb, &end)
}
