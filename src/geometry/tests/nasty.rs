//! Numbers that nobody means to write.

use std::sync::Arc;

use bevy::math::{Affine2, Rot2, Vec2};
use proptest::{prelude::*, sample::select};

use super::{reference::Outline, shapes::cases};
use crate::geometry::{
    CastHit, Contact, Placement, Shape, Tiles, bounce_off, cast_ray, cast_shape, cast_with_margin,
    contact, contact_within, contains_point, penetration_within, separation, slide_along,
};

pub(super) const NUMBERS: [f32; 17] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    // The smallest number above zero.
    1e-45,
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e5,
    -1e5,
    1e-20,
    1e15,
];

fn ordinary_shapes() -> [Shape; 4] {
    [
        triangle(),
        Shape::circle(Vec2::new(0.5, -0.25), 2.0),
        Shape::rect(Vec2::new(-0.5, 0.25), Vec2::new(4.0, 3.0), Rot2::IDENTITY),
        Shape::rect(
            Vec2::new(0.25, 0.5),
            Vec2::new(4.0, 3.0),
            Rot2::radians(0.4),
        ),
    ]
}

fn triangle() -> Shape {
    let vertices = [
        Vec2::new(-2.0, -1.0),
        Vec2::new(2.0, -1.5),
        Vec2::new(0.5, 2.0),
    ];
    Shape::polygon(vertices).unwrap_or(Shape::circle(Vec2::ZERO, 1.0))
}

/// A triangle at some position, scaled and rotated.
fn scaled(scale: Vec2, translation: Vec2) -> Shape {
    let pose = Affine2::from_scale_angle_translation(scale, 0.4, translation);
    triangle().transformed(&pose)
}

/// Shapes of all kinds with each of their fields set to each of the numbers.
fn nasty_shapes() -> Vec<Shape> {
    let two = Vec2::splat(2.0);
    let rotated = Rot2::radians(0.4);
    NUMBERS
        .into_iter()
        .flat_map(|n| {
            [
                Shape::circle(Vec2::new(n, 0.5), 2.0),
                Shape::circle(Vec2::new(0.5, n), 2.0),
                Shape::circle(Vec2::new(0.5, 0.5), n),
                Shape::circle(Vec2::splat(n), n),
                Shape::rect(Vec2::new(n, 0.5), two, Rot2::IDENTITY),
                Shape::rect(Vec2::new(0.5, n), two, rotated),
                Shape::rect(Vec2::ZERO, Vec2::new(n, 2.0), Rot2::IDENTITY),
                Shape::rect(Vec2::ZERO, Vec2::new(2.0, n), Rot2::IDENTITY),
                Shape::rect(Vec2::ZERO, Vec2::new(2.0, n), rotated),
                Shape::rect(Vec2::splat(n), Vec2::splat(n), rotated),
                scaled(Vec2::new(n, 1.0), two),
                scaled(Vec2::new(1.0, n), -two),
                scaled(Vec2::ONE, Vec2::new(1.0, n)),
                Shape::capsule(Vec2::new(n, 0.5), two, 1.0),
                Shape::capsule(-two, Vec2::new(0.5, n), 1.0),
                Shape::capsule(-two, two, n),
                Shape::capsule(Vec2::splat(n), Vec2::splat(n), n),
                Shape::rect(Vec2::ZERO, two, Rot2 { cos: n, sin: 0.0 }),
                Shape::rect(Vec2::ZERO, two, Rot2 { cos: 1.0, sin: n }),
            ]
        })
        .collect()
}

/// Whether the numbers of a shape are so small that no product of three of them overflows, and its
/// rotation is of unit length.
fn is_tame(shape: &Shape) -> bool {
    let rotated = match shape {
        Shape::Circle { .. }
        | Shape::Polygon { .. }
        | Shape::Tiles { .. }
        | Shape::Compound { .. } => true,
        Shape::Rect { rotation, .. } | Shape::Capsule { rotation, .. } => {
            (rotation.length() - 1.0).abs() < 1e-3
        }
    };
    shape.is_finite() && shape.largest_coordinate() < 1e12 && rotated
}

fn is_circle(shape: &Shape) -> bool {
    matches!(shape, Shape::Circle { .. })
}

/// Whether one of a shape's own numbers is infinite or NaN.
fn has_bad_number(shape: &Shape) -> bool {
    let sizes_finite = match shape {
        Shape::Circle { radius, .. } => radius.is_finite(),
        Shape::Rect {
            half_size,
            rotation,
            ..
        } => half_size.is_finite() && rotation.is_finite(),
        Shape::Capsule {
            half_length,
            rotation,
            radius,
            ..
        } => half_length.is_finite() && rotation.is_finite() && radius.is_finite(),
        Shape::Polygon { placement, .. }
        | Shape::Tiles { placement, .. }
        | Shape::Compound { placement, .. } => {
            placement.x_axis().is_finite() && placement.y_axis().is_finite()
        }
    };
    !(shape.center().is_finite() && sizes_finite)
}

/// Every shape with every other, the ordinary ones among them.
fn pairs() -> impl Iterator<Item = (Shape, Shape)> {
    let shapes: Vec<Shape> = nasty_shapes()
        .into_iter()
        .chain(ordinary_shapes())
        .collect();
    let others = shapes.clone();
    shapes.into_iter().flat_map(move |a| {
        let pairs: Vec<_> = others.iter().map(|b| (a.clone(), b.clone())).collect();
        pairs
    })
}

fn is_sound_contact(contact: &Contact) -> bool {
    contact.point.is_finite()
        && contact.depth.is_finite()
        && (contact.normal.length() - 1.0).abs() < 1e-3
}

fn is_sound_hit(hit: &CastHit) -> bool {
    hit.point.is_finite()
        && (0.0..=1.0).contains(&hit.fraction)
        && (hit.normal.length() - 1.0).abs() < 1e-3
}

fn check_no_contact(is_bad: impl Fn(&Shape) -> bool) {
    for (a, b) in pairs().filter(|(a, b)| is_bad(a) || is_bad(b)) {
        for margin in [0.0, 1.0] {
            assert_eq!(contact_within(&a, &b, margin), None, "{a:?} {b:?} {margin}");
        }
    }
}

fn check_no_hit(is_bad: impl Fn(&Shape) -> bool) {
    for (a, b) in pairs().filter(|(a, b)| is_bad(a) || is_bad(b)) {
        for displacement in [Vec2::ZERO, Vec2::new(3.0, 1.0)] {
            assert_eq!(cast_shape(&a, displacement, &b), None, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_circle_with_a_bad_number_has_no_contact_with_a_good_shape() {
    for good in ordinary_shapes() {
        for bad in nasty_shapes()
            .iter()
            .filter(|shape| is_circle(shape) && has_bad_number(shape))
        {
            assert_eq!(contact(bad, &good), None, "{bad:?}");
            assert_eq!(contact(&good, bad), None, "{bad:?}");
        }
    }
}

#[test]
fn a_shape_with_a_bad_number_has_no_contact() {
    check_no_contact(has_bad_number);
}

#[test]
fn a_shape_with_a_bad_number_is_not_hit() {
    check_no_hit(has_bad_number);
}

#[test]
fn a_circle_at_nan_is_not_hit() {
    check_no_hit(|shape| is_circle(shape) && shape.center().is_nan());
}

#[test]
fn the_separation_of_a_shape_with_a_bad_number_is_not_finite() {
    for (a, b) in pairs().filter(|(a, b)| has_bad_number(a) || has_bad_number(b)) {
        let found = separation(&a, &b);
        let points_finite = found.point_a.is_finite() && found.point_b.is_finite();
        assert!(
            !(found.distance.is_finite() && points_finite),
            "{found:?} for {a:?} {b:?}"
        );
    }
}

#[test]
fn no_overlap_is_without_depth_and_direction() {
    for (a, b) in pairs() {
        for margin in [0.0, 0.02, 1e-45, 1e5] {
            let Some((lacking, direction)) = penetration_within(&a, &b, margin) else {
                continue;
            };
            assert!(lacking > 0.0, "{lacking} for {a:?} {b:?} {margin}");
            if is_tame(&a) && is_tame(&b) {
                assert!(lacking.is_finite(), "{a:?} {b:?} {margin}");
                assert!(
                    (direction.length() - 1.0).abs() < 1e-3,
                    "{direction} for {a:?} {b:?} {margin}"
                );
            }
        }
    }
}

#[test]
fn a_nan_shape_contains_nothing() {
    for shape in nasty_shapes() {
        let is_nan = Outline::from(&shape)
            .vertices
            .iter()
            .any(|vertex| vertex.is_nan());
        assert!(
            !(is_nan && contains_point(&shape, Vec2::splat(0.5))),
            "{shape:?}"
        );
    }
}

#[test]
fn no_shape_contains_a_point_that_is_not_finite() {
    for shape in ordinary_shapes() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for point in [Vec2::new(bad, 0.0), Vec2::new(0.0, bad), Vec2::splat(bad)] {
                assert!(!contains_point(&shape, point), "{point} in {shape:?}");
            }
        }
    }
}

#[test]
fn tame_shapes_have_sound_results() {
    for (a, b) in pairs() {
        if !(is_tame(&a) && is_tame(&b)) {
            continue;
        }
        let found = separation(&a, &b);
        assert!(found.distance.is_finite(), "{found:?} for {a:?} {b:?}");
        assert!(
            (found.normal.length() - 1.0).abs() < 1e-3,
            "{found:?} for {a:?} {b:?}"
        );
        assert!(found.point_a.is_finite() && found.point_b.is_finite());
        if let Some(found) = contact(&a, &b) {
            assert!(is_sound_contact(&found), "{found:?} for {a:?} {b:?}");
            assert!(found.depth > 0.0);
        }
        for displacement in [Vec2::ZERO, Vec2::new(3.0, 1.0), Vec2::new(-1e6, 1e-6)] {
            if let Some(hit) = cast_shape(&a, displacement, &b) {
                assert!(is_sound_hit(&hit), "{hit:?} for {a:?} {b:?}");
            }
        }
    }
}

fn vectors_that_are_not_finite() -> impl Iterator<Item = Vec2> {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    bad.into_iter()
        .flat_map(|bad| [Vec2::new(bad, 0.0), Vec2::new(1.0, bad), Vec2::splat(bad)])
}

#[test]
fn a_ray_from_nowhere_hits_nothing() {
    for target in ordinary_shapes() {
        for origin in vectors_that_are_not_finite() {
            for displacement in [Vec2::X, Vec2::new(-5.0, 1e30)] {
                assert_eq!(
                    cast_ray(&target, origin, displacement),
                    None,
                    "from {origin}"
                );
            }
        }
    }
}

#[test]
fn a_displacement_that_is_not_finite_hits_nothing_outside() {
    for target in ordinary_shapes() {
        for displacement in vectors_that_are_not_finite() {
            for origin in [Vec2::new(-9.0, 0.0), Vec2::new(1.0, 9.0)] {
                assert_eq!(
                    cast_ray(&target, origin, displacement),
                    None,
                    "from {origin} by {displacement}"
                );
            }
        }
    }
}

#[test]
fn a_cast_from_inside_has_a_sound_hit_or_none_by_any_displacement() {
    for target in ordinary_shapes() {
        for displacement in vectors_that_are_not_finite() {
            let found = cast_ray(&target, Vec2::ZERO, displacement);
            assert!(
                found.is_none_or(|hit| is_sound_hit(&hit)),
                "{found:?} by {displacement}"
            );
        }
    }
}

#[test]
fn shapes_that_overlap_do_not_hit_by_a_displacement_that_is_not_finite() {
    let outline = [(-4, -4), (4, -4), (4, 1), (1, 1), (1, 4), (-4, 4)];
    let outline = outline.map(|(x, y): (i8, i8)| Vec2::new(f32::from(x), f32::from(y)));
    let l = Shape::polygon(outline).expect("no edges cross");
    let grid = Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(["#.", "##"], Vec2::splat(4.0))),
        placement: Placement::at(Vec2::ZERO),
    };
    let shapes: Vec<Shape> = ordinary_shapes().into_iter().chain([l, grid]).collect();
    for (moving, resting) in shapes
        .iter()
        .flat_map(|p| shapes.iter().map(move |q| (p, q)))
    {
        for displacement in vectors_that_are_not_finite() {
            let found = cast_shape(moving, displacement, resting);
            assert_eq!(found, None, "{moving:?} {resting:?} {displacement}");
            let found = cast_with_margin(moving, displacement, resting, 0.0);
            assert!(found.is_none(), "{moving:?} {resting:?} {displacement}");
        }
    }
}

#[test]
fn a_margin_that_is_not_finite_takes_in_all_or_nothing() {
    let far = Shape::circle(Vec2::new(1e4, 0.0), 1.0);
    for shape in ordinary_shapes() {
        let found = contact_within(&shape, &far, f32::INFINITY).expect("all are nearer");
        assert!(is_sound_contact(&found) && found.depth < 0.0, "{found:?}");
        for margin in [f32::NAN, f32::NEG_INFINITY] {
            assert_eq!(contact_within(&shape, &shape, margin), None);
        }
    }
}

proptest! {
    #![proptest_config(cases(4096))]

    /// Only that there is no panic, and no result beside the numbers that have a range.
    #[test]
    fn nothing_panics(
        n in proptest::collection::vec(select(&NUMBERS[..]), 16),
        a_is_circle: bool,
        b_is_circle: bool,
    ) {
        let shape = |is_circle: bool, n: &[f32]| {
            let center = Vec2::new(n[0], n[1]);
            if is_circle {
                Shape::circle(center, n[2])
            } else {
                Shape::rect(center, Vec2::new(n[2], n[3]), Rot2 { cos: n[4], sin: n[5] })
            }
        };
        let (a, b) = (shape(a_is_circle, &n), shape(b_is_circle, &n[6..]));
        let displacement = Vec2::new(n[12], n[13]);
        let _ = (a.aabb(), a.is_finite(), a.translated(displacement), a.largest_coordinate());
        let _ = (separation(&a, &b), contact_within(&a, &b, n[14]));
        let _ = contains_point(&a, displacement);
        if let Some(hit) = cast_shape(&a, displacement, &b) {
            prop_assert!((0.0..=1.0).contains(&hit.fraction));
        }
        if let Some(hit) = cast_with_margin(&a, displacement, &b, n[14]) {
            prop_assert!((0.0..=1.0).contains(&hit.fraction));
        }
        let normals = [Vec2::new(n[14], n[15]), Vec2::X];
        let _ = (slide_along(displacement, normals), bounce_off(displacement, normals[0], n[2]));
    }
}

#[test]
fn what_is_finite_is_distinguished_from_what_is_not() {
    let size = Vec2::splat(2.0);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let shapes = [
            Shape::circle(Vec2::new(bad, 0.0), 1.0),
            Shape::circle(Vec2::new(0.0, bad), 1.0),
            Shape::rect(Vec2::new(bad, 0.0), size, Rot2::IDENTITY),
            Shape::rect(Vec2::new(0.0, bad), size, Rot2::radians(0.3)),
            Shape::rect(Vec2::ZERO, Vec2::ZERO, Rot2 { cos: bad, sin: 0.0 }),
            Shape::rect(Vec2::ZERO, size, Rot2 { cos: 1.0, sin: bad }),
        ];
        for shape in shapes {
            assert!(!shape.is_finite(), "{shape:?}");
        }
    }
    for bad in [f32::NAN, f32::INFINITY] {
        assert!(!Shape::circle(Vec2::ZERO, bad).is_finite());
        assert!(!Shape::rect(Vec2::ZERO, Vec2::new(bad, 1.0), Rot2::IDENTITY).is_finite());
        assert!(!Shape::rect(Vec2::ZERO, Vec2::new(1.0, bad), Rot2::IDENTITY).is_finite());
    }
    // The sum overflows, though neither number is infinite.
    assert!(!Shape::circle(Vec2::new(f32::MAX, 0.0), f32::MAX).is_finite());
    for shape in ordinary_shapes() {
        assert!(shape.is_finite());
    }
}
