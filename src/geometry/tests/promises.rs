//! What the documentation promises of all results, with shapes of meaningless numbers.

use std::{f32::consts::FRAC_PI_2, fmt, sync::Arc};

use bevy::math::{Affine2, Rot2, UVec2, Vec2};

use crate::geometry::{
    CastHit, Contact, Placement, Separation, Shape, Tiles, cast_ray, cast_shape, contact_within,
    contains_point, separation,
};

/// The numbers that are most likely to break shapes.
const NUMBERS: [f32; 7] = [
    f32::NAN,
    f32::INFINITY,
    f32::MAX,
    f32::MIN_POSITIVE,
    1e-45,
    0.0,
    1e15,
];

fn grid(tiles: Tiles) -> Shape {
    Shape::Tiles {
        tiles: Arc::new(tiles),
        placement: Placement::at(Vec2::ZERO),
    }
}

fn grids() -> Vec<Shape> {
    let mut last = Tiles::new(65_535, 65_535, Vec2::ONE);
    last.set(UVec2::splat(65_534), true);
    let mut grids = vec![
        grid(Tiles::new(0, 0, Vec2::ONE)),
        grid(Tiles::new(0, 5, Vec2::ONE)),
        grid(Tiles::new(5, 5, Vec2::ONE)),
        grid(last),
    ];
    for number in NUMBERS {
        let rows = ["#.", ".#"];
        grids.push(grid(Tiles::from_rows(rows, Vec2::splat(number))));
        grids.push(grid(Tiles::from_rows(rows, Vec2::new(1.0, number))));
        grids.push(grid(Tiles::new(3, 3, Vec2::splat(number))));
    }
    grids
}

/// Shapes of all kinds, made and posed by all of the numbers.
fn shapes() -> Vec<Shape> {
    let arrow = [(12.0, 0.0), (-8.0, 8.0), (-3.0, 0.0), (-8.0, -8.0)].map(Vec2::from);
    let huge = arrow.map(|corner| corner * (f32::MAX / 12.0));
    let triangle = [Vec2::ZERO, Vec2::X, Vec2::Y];
    let polygons = [&arrow[..], &huge, &triangle]
        .map(|points| Shape::polygon(points.iter().copied()).expect("no edges cross"));
    let block = grid(Tiles::from_rows(["##", "#."], Vec2::splat(2.0)));
    let mut shapes = grids();
    shapes.extend(polygons.clone());
    for n in NUMBERS {
        shapes.extend([
            Shape::circle(Vec2::ZERO, n),
            Shape::circle(Vec2::new(n, 0.5), 1.0),
            Shape::circle(Vec2::splat(n), n),
            Shape::rect(Vec2::ZERO, Vec2::new(2.0, n), Rot2::radians(0.4)),
            Shape::rect(Vec2::splat(n), Vec2::splat(n), Rot2::IDENTITY),
            Shape::capsule(Vec2::splat(-n), Vec2::new(n, 1.0), 0.5),
            Shape::capsule(Vec2::NEG_X, Vec2::X, n),
        ]);
        for shape in [&polygons[0], &polygons[2], &block] {
            let [both, plain] = [Vec2::new(n, 1.0), Vec2::new(1.0, -2.0)];
            for (scale, translation) in [(both, plain), (plain, both), (Vec2::splat(n), both)] {
                let pose = Affine2::from_scale_angle_translation(scale, 0.4, translation);
                shapes.push(shape.transformed(&pose));
            }
        }
    }
    shapes
}

fn is_unit(normal: Vec2) -> bool {
    (normal.length() - 1.0).abs() < 1e-3
}

fn is_sound_hit(hit: Option<CastHit>) -> bool {
    hit.is_none_or(|hit| {
        hit.point.is_finite() && (0.0..=1.0).contains(&hit.fraction) && is_unit(hit.normal)
    })
}

fn is_sound_contact(found: Option<Contact>) -> bool {
    found.is_none_or(|found| {
        found.point.is_finite() && found.depth.is_finite() && is_unit(found.normal)
    })
}

fn is_sound_separation(found: &Separation) -> bool {
    if found.distance.is_finite() {
        is_unit(found.normal) && found.point_a.is_finite() && found.point_b.is_finite()
    } else {
        found.distance == f32::INFINITY && found.normal == Vec2::ZERO
    }
}

/// Of all pairs of shapes, checks one in `every`.
fn assert_sound_results(every: usize) {
    let shapes = shapes();
    let mut failures = Vec::new();
    let mut check = |is_sound: bool, result: &dyn fmt::Debug, what: &dyn fmt::Debug| {
        if !is_sound {
            failures.push(format!("{result:?} {what:.300?}"));
        }
    };
    let displacements = [Vec2::ZERO, Vec2::new(3.0, 1.0), Vec2::splat(f32::MAX)];
    for (i, a) in shapes.iter().enumerate() {
        for b in shapes[i..].iter().skip(i % every).step_by(every) {
            let pair = (a.aabb(), b.aabb(), a, b);
            for margin in [0.0, 1.0, f32::MAX] {
                let found = contact_within(a, b, margin);
                check(is_sound_contact(found), &found, &pair);
            }
            let found = separation(a, b);
            check(is_sound_separation(&found), &found, &pair);
            for displacement in displacements {
                let hit = cast_shape(a, displacement, b);
                check(is_sound_hit(hit), &(displacement, hit), &pair);
            }
        }
        for from in [Vec2::ZERO, Vec2::new(0.5, -20.0), Vec2::splat(-f32::MAX)] {
            for displacement in displacements {
                let hit = cast_ray(a, from, displacement);
                check(is_sound_hit(hit), &(from, displacement, hit), &a);
            }
            let _ = contains_point(a, from);
        }
    }
    let count = failures.len();
    failures.truncate(30);
    assert!(failures.is_empty(), "{count}: {failures:#?}");
}

#[test]
fn a_flat_polygon_of_coordinates_whose_differences_overflow_has_finite_results() {
    let wide = [(-f32::MAX, -1e28), (f32::MAX, 0.0), (0.0, 0.0)].map(Vec2::from);
    let wide = Shape::polygon(wide).expect("it has an area");
    for quarter_turns in [0.0, 1.0] {
        let scale = Affine2::from_scale(Vec2::new(1e-18, 1.5e-30));
        let pose = Affine2::from_angle(quarter_turns * FRAC_PI_2) * scale;
        let flat = wide.transformed(&pose);
        assert!(flat.is_finite());
        for other in shapes().iter().filter(|shape| shape.is_finite()) {
            for [a, b] in [[&flat, other], [other, &flat]] {
                assert!(is_sound_separation(&separation(a, b)), "{a:?} {b:?}");
                assert!(is_sound_contact(contact_within(a, b, 0.0)), "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn results_are_finite_and_normals_of_unit_length() {
    assert_sound_results(31);
}

#[test]
#[ignore = "takes minutes: the same with all pairs of shapes"]
fn results_of_all_pairs_are_finite_and_normals_of_unit_length() {
    assert_sound_results(1);
}

/// Bevy calls rotations and vectors normalized if their length is off by less than about 1e-4.
#[test]
fn normals_are_of_unit_length_if_rotations_are() {
    let long = Rot2 {
        cos: -1.0,
        sin: -0.00999785,
    };
    assert!(long.is_normalized());
    let target = Shape::rect(Vec2::ZERO, Vec2::new(2.0, 1.0), long);
    for turn in [Rot2::FRAC_PI_2, Rot2::FRAC_PI_4, long] {
        let wall = Shape::rect(Vec2::new(5.0, 0.5), Vec2::new(1.0, 3.0), turn);
        for distance in [0.0, 4.0, 20.0] {
            let found = separation(&target.translated(Vec2::X * distance), &wall);
            assert!(
                found.normal.is_normalized(),
                "{turn:?} {distance} {found:?}"
            );
        }
    }
}
