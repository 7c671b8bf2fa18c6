//! Functions on axis-aligned bounding boxes. Unlike Bevy's own functions, these do not assert that
//! boxes are finite, and do not overflow between finite numbers.

use bevy::math::Vec2;
#[cfg(not(bevy_0_20))]
pub(crate) use bevy::math::bounding::Aabb2d;
#[cfg(bevy_0_20)]
pub(crate) use bevy::shape::Aabb2d;

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

/// Returns the box moved by `displacement`.
pub(crate) fn translated(aabb: &Aabb2d, displacement: Vec2) -> Aabb2d {
    Aabb2d {
        min: aabb.min + displacement,
        max: aabb.max + displacement,
    }
}

/// Returns the box around all positions of a box that moves by `displacement`.
pub(crate) fn swept(aabb: &Aabb2d, displacement: Vec2) -> Aabb2d {
    merge(aabb, &translated(aabb, displacement))
}

/// A lower bound of the signed distance of the contents of two boxes, in world units: where the
/// boxes overlap, their negated penetration depth.
pub(crate) fn box_separation(a: &Aabb2d, b: &Aabb2d) -> f32 {
    let gaps = (b.min - a.max).max(a.min - b.max);
    if gaps.max_element() < 0.0 {
        gaps.max_element()
    } else {
        gaps.max(Vec2::ZERO).length()
    }
}

/// The fractions of `displacement` between which a moving box is not further from a resting one
/// than `margin`, or `None` if it always is. Their contents do not hit each other before.
pub(crate) fn box_touch_fractions(
    moving: &Aabb2d,
    resting: &Aabb2d,
    displacement: Vec2,
    margin: f32,
) -> Option<[f64; 2]> {
    let between = |p: Vec2, q: Vec2| q.as_dvec2() - p.as_dvec2();
    let from = between(moving.max, resting.min) - f64::from(margin);
    let to = between(moving.min, resting.max) + f64::from(margin);
    let motion = displacement.as_dvec2();
    let (mut enter, mut exit) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        if motion[axis] == 0.0 {
            if from[axis] > 0.0 || to[axis] < 0.0 {
                return None;
            }
            continue;
        }
        let [p, q] = [from, to].map(|at| at[axis] / motion[axis]);
        (enter, exit) = (enter.max(p.min(q)), exit.min(p.max(q)));
    }
    (enter <= exit).then_some([enter, exit])
}

/// The distance from a point to the farthest corner of a box, in world units.
pub(crate) fn max_distance_from(point: Vec2, aabb: &Aabb2d) -> f32 {
    (aabb.min - point)
        .abs()
        .max((aabb.max - point).abs())
        .length()
}
