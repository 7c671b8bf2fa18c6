//! What the documentation promises of all answers, with shapes of which nobody means the numbers.

use std::sync::Arc;

use bevy::math::{Affine2, Rot2, UVec2, Vec2};

use super::nasty::NUMBERS;
use crate::geometry::{
    CastHit, Contact, Placement, Separation, Shape, Tiles, cast_ray, cast_shape, contact,
    contact_within, contains_point, distance,
};

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

/// Shapes of all kinds, posed by all numbers.
fn shapes() -> Vec<Shape> {
    let arrow = [(12.0, 0.0), (-8.0, 8.0), (-3.0, 0.0), (-8.0, -8.0)].map(Vec2::from);
    let huge = arrow.map(|corner| corner * (f32::MAX / 12.0));
    let triangle = [Vec2::ZERO, Vec2::X, Vec2::Y];
    let polygons = [&arrow[..], &huge, &triangle]
        .map(|points| Shape::polygon(points.iter().copied()).expect("no sides cross"));
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

fn assert_hit_is_sound(hit: Option<CastHit>, what: impl Fn() -> String) {
    if let Some(hit) = hit {
        let is_sound =
            hit.point.is_finite() && (0.0..=1.0).contains(&hit.fraction) && is_unit(hit.normal);
        assert!(is_sound, "{hit:?}: {}", what());
    }
}

fn assert_contact_is_sound(found: Option<Contact>, what: impl Fn() -> String) {
    if let Some(found) = found {
        let is_sound = found.point.is_finite() && found.depth.is_finite() && is_unit(found.normal);
        assert!(is_sound, "{found:?}: {}", what());
    }
}

#[test]
fn answers_are_finite_and_normals_of_unit_length() {
    let shapes = shapes();
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate() {
            let pair = || format!("{i} {j} {a:?} {b:?}");
            for margin in [0.0, 1.0, f32::MAX] {
                assert_contact_is_sound(contact_within(a, b, margin), pair);
            }
            let Separation {
                distance,
                normal,
                point_a,
                point_b,
            } = distance(a, b);
            if distance.is_finite() {
                assert!(
                    is_unit(normal) && point_a.is_finite() && point_b.is_finite(),
                    "{}",
                    pair()
                );
            } else {
                assert_eq!(
                    (distance, normal),
                    (f32::INFINITY, Vec2::ZERO),
                    "{}",
                    pair()
                );
                assert_eq!(contact(a, b), None, "{}", pair());
            }
            for way in [Vec2::ZERO, Vec2::new(3.0, 1.0), Vec2::splat(f32::MAX)] {
                assert_hit_is_sound(cast_shape(a, way, b), pair);
            }
        }
        for from in [Vec2::ZERO, Vec2::new(0.5, -20.0), Vec2::splat(-f32::MAX)] {
            for way in [Vec2::new(0.0, 100.0), Vec2::splat(f32::MAX)] {
                assert_hit_is_sound(cast_ray(a, from, way), || format!("{from} {way} {i} {a:?}"));
            }
            let _ = contains_point(a, from);
        }
    }
}
