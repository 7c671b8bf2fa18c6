//! What is asked of boxes with sides along the axes. Unlike Bevy's own functions these assert nothing, so that boxes need not be finite.

use bevy::math::{Vec2, bounding::Aabb2d};

/// Whether two boxes overlap or touch.
pub(crate) fn intersects(a: &Aabb2d, b: &Aabb2d) -> bool {
    a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y
}

/// Whether a box holds another one wholly.
pub(crate) fn contains(outer: &Aabb2d, inner: &Aabb2d) -> bool {
    outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
}

/// The smallest box around two.
pub(crate) fn merge(a: &Aabb2d, b: &Aabb2d) -> Aabb2d {
    Aabb2d {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    }
}

/// The box with `amount` more on each side.
pub(crate) fn grow(aabb: &Aabb2d, amount: f32) -> Aabb2d {
    Aabb2d {
        min: aabb.min - amount,
        max: aabb.max + amount,
    }
}

/// The box around everywhere that a box is on its way.
pub(crate) fn swept(aabb: &Aabb2d, displacement: Vec2) -> Aabb2d {
    let end = Aabb2d {
        min: aabb.min + displacement,
        max: aabb.max + displacement,
    };
    merge(aabb, &end)
}
