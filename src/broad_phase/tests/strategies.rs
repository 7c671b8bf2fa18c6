//! Random boxes, changes and queries.

use std::collections::BTreeMap;

use bevy::math::Vec2;
use proptest::prelude::*;

use crate::{
    aabb::Aabb2d,
    broad_phase::{EMPTY, Sweep, is_present},
    strategies::between,
};

/// Coordinates of every magnitude, with many that are equal.
pub(super) fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => between(-100.0, 100.0),
        2 => (-3i8..4).prop_map(f32::from),
        1 => between(-1e30, 1e30),
        1 => between(-1e-30, 1e-30),
        1 => Just(f32::MAX),
        1 => Just(f32::MIN),
    ]
}

fn filled_box() -> impl Strategy<Value = Aabb2d> {
    let size = prop_oneof![4 => between(0.0, 30.0), 1 => Just(0.0), 1 => between(0.0, 1e4)];
    (coordinate(), coordinate(), size.clone(), size).prop_map(|(x, y, width, height)| Aabb2d {
        min: Vec2::new(x, y),
        max: (Vec2::new(x, y) + Vec2::new(width, height)).min(Vec2::MAX),
    })
}

pub(super) fn any_box() -> impl Strategy<Value = Aabb2d> {
    let infinite = Aabb2d {
        min: Vec2::NEG_INFINITY,
        max: Vec2::INFINITY,
    };
    let with_nan = Aabb2d {
        min: Vec2::new(0.0, f32::NAN),
        max: Vec2::ONE,
    };
    prop_oneof![
        40 => filled_box(),
        6 => Just(EMPTY),
        1 => Just(infinite),
        1 => Just(with_nan),
    ]
}

/// Like [`change`], clamped to coordinates whose sums stay finite.
pub(super) fn bounded_change() -> impl Strategy<Value = BTreeMap<u32, Aabb2d>> {
    change().prop_map(|mut boxes| {
        for aabb in boxes.values_mut() {
            *aabb = bounded_if_present(aabb);
        }
        boxes
    })
}

fn bounded_if_present(aabb: &Aabb2d) -> Aabb2d {
    if is_present(aabb) {
        bounded(aabb)
    } else {
        *aabb
    }
}

pub(super) fn bounded(aabb: &Aabb2d) -> Aabb2d {
    let clamped = |point: Vec2| point.clamp(Vec2::splat(-1e36), Vec2::splat(1e36));
    Aabb2d {
        min: clamped(aabb.min),
        max: clamped(aabb.max),
    }
}

/// A ray or a moving box, often along an axis.
pub(super) fn sweep() -> impl Strategy<Value = Sweep> {
    let start = prop_oneof![
        2 => filled_box().prop_map(|aabb| bounded(&aabb)),
        1 => (-100i8..100, -100i8..100).prop_map(|(x, y)| {
            let origin = Vec2::new(x.into(), y.into());
            Aabb2d { min: origin, max: origin }
        }),
    ];
    let along = || {
        prop_oneof![
            3 => between(-1.0, 1.0),
            1 => Just(0.0),
            1 => Just(-1.0),
            1 => Just(1.0),
            1 => between(-1e30, 1e30),
            1 => between(-1e-30, 1e-30),
        ]
    };
    let length = prop_oneof![
        3 => between(0.0, 300.0),
        1 => Just(0.0),
        1 => Just(1e30),
    ];
    (start, along(), along(), length).prop_map(|(start, x, y, length)| Sweep {
        start,
        direction: Vec2::new(x, y),
        length,
    })
}

/// Changes between two refreshes: boxes added, removed and moved.
pub(super) fn change() -> impl Strategy<Value = BTreeMap<u32, Aabb2d>> {
    let few = prop::collection::btree_map(0u32..250, any_box(), 0..60);
    let many = prop::collection::btree_map(0u32..250, any_box(), 100..250);
    prop_oneof![3 => few, 2 => many, 1 => Just(BTreeMap::new())]
}

/// Some 300 boxes near the origin, and perhaps one anywhere.
pub(super) fn crowd() -> impl Strategy<Value = BTreeMap<u32, Aabb2d>> {
    let near = (between(-100.0, 100.0), between(-100.0, 100.0), 0u8..8)
        .prop_map(|(x, y, size)| Aabb2d::new(Vec2::new(x, y), Vec2::splat(size.into())));
    let boxes = prop::collection::vec(near, 300..400);
    let other = prop_oneof![3 => Just(EMPTY), 1 => any_box()];
    (boxes, 0u32..400, other).prop_map(|(boxes, number, other)| {
        let mut boxes: BTreeMap<u32, Aabb2d> = (0..).zip(boxes).collect();
        boxes.insert(number, bounded_if_present(&other));
        boxes
    })
}

/// A ray from near the origin, or toward it from far away.
pub(super) fn ray() -> impl Strategy<Value = Sweep> {
    let near = (-120i8..120, -120i8..120).prop_map(|(x, y)| Vec2::new(x.into(), y.into()));
    let far = prop_oneof![Just(1e6), Just(1e8), Just(1e16), Just(1e30)];
    prop_oneof![
        4 => (sweep(), near.clone()).prop_map(|(sweep, start)| {
            Sweep::of_point(start, sweep.direction, sweep.length)
        }),
        1 => (near, far).prop_map(|(index, far)| {
            Sweep::of_point(index * far, -index, f32::INFINITY)
        }),
    ]
}
