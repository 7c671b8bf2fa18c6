//! Bounding boxes.

use bevy::math::{Rot2, Vec2};
use proptest::prelude::*;

use super::{
    reference::Outline,
    shapes::{between, cases, four_ulp, pair, shape, touching_pair, vector},
};
use crate::{
    aabb::Aabb2d,
    geometry::{Shape, contact, contact_within},
};

fn overlap(a: &Aabb2d, b: &Aabb2d) -> bool {
    a.min.cmplt(b.max).all() && b.min.cmplt(a.max).all()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_box_holds_the_surface_and_touches_it_on_each_side(shape in shape()) {
        let outline = Outline::from(&shape);
        // Two sums and a product of single precision.
        let rounding = four_ulp(&shape, &shape) / 2.0;
        let Aabb2d { min, max } = shape.aabb();
        for point in outline.surface(64) {
            prop_assert!(point.cmpge(min.as_dvec2() - rounding).all(), "{} {}", point, min);
            prop_assert!(point.cmple(max.as_dvec2() + rounding).all(), "{} {}", point, max);
        }
        let extents =
            [(Vec2::X, max.x), (Vec2::Y, max.y), (Vec2::NEG_X, -min.x), (Vec2::NEG_Y, -min.y)];
        for (direction, extent) in extents {
            let slack = f64::from(extent) - outline.support(direction.as_dvec2());
            prop_assert!(slack.abs() <= rounding, "{} too wide along {}", slack, direction);
        }
    }

    #[test]
    fn boxes_overlap_where_shapes_do(
        (a, b) in prop_oneof![pair(), touching_pair(1e-3), touching_pair(5e-5)],
    ) {
        if contact(&a, &b).is_some() {
            prop_assert!(overlap(&a.aabb(), &b.aabb()));
        }
    }

    #[test]
    fn grown_boxes_overlap_where_shapes_are_within_the_margin(
        (a, b) in pair(),
        margin in between(0.0, 8.0),
    ) {
        let grown = |shape: &Shape| {
            let Aabb2d { min, max } = shape.aabb();
            Aabb2d { min: min - margin / 2.0, max: max + margin / 2.0 }
        };
        if contact_within(&a, &b, margin).is_some() {
            prop_assert!(overlap(&grown(&a), &grown(&b)));
        }
    }

    #[test]
    fn no_coordinate_is_larger_than_the_largest(shape in shape()) {
        let largest = f64::from(shape.largest_coordinate());
        for point in Outline::from(&shape).surface(16) {
            prop_assert!(point.abs().max_element() <= largest * (1.0 + 1e-6));
        }
    }

    #[test]
    fn a_moved_shape_is_the_same_elsewhere(shape in shape(), by in vector(30)) {
        let moved = shape.translated(by);
        prop_assert!(moved.center().distance(shape.center() + by) <= 1e-5);

        let expected = Outline::from(&shape).moved(by.as_dvec2());
        for (found, expected) in Outline::from(&moved).vertices.iter().zip(expected.vertices) {
            prop_assert!(found.distance(expected) < 4e-6);
        }
    }
}

#[test]
fn boxes_in_numbers() {
    let at = Vec2::new(3.0, -2.0);
    let root = 2f32.sqrt();
    let cases = [
        (Shape::circle(at, 4.0), Vec2::splat(4.0)),
        (
            Shape::rect(at, Vec2::new(6.0, 2.0), Rot2::IDENTITY),
            Vec2::new(3.0, 1.0),
        ),
        // A quarter turn exchanges width and height.
        (
            Shape::rect(at, Vec2::new(6.0, 2.0), Rot2::FRAC_PI_2),
            Vec2::new(1.0, 3.0),
        ),
        // An eighth of a turn, either way.
        (
            Shape::rect(at, Vec2::new(6.0, 2.0), Rot2::FRAC_PI_4),
            Vec2::splat(2.0 * root),
        ),
        (
            Shape::rect(at, Vec2::new(6.0, 2.0), Rot2::degrees(-45.0)),
            Vec2::splat(2.0 * root),
        ),
        (
            Shape::rect(at, Vec2::new(6.0, 0.0), Rot2::degrees(135.0)),
            Vec2::splat(1.5 * root),
        ),
    ];
    for (shape, half) in cases {
        let Aabb2d { min, max } = shape.aabb();
        super::assert_close(min, at - half, 1e-6);
        super::assert_close(max, at + half, 1e-6);
    }
}
