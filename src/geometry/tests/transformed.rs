//! Shapes transformed by poses.

use bevy::math::{Affine2, Affine3A, DVec2, Quat, Rot2, Vec2, Vec3};
use proptest::prelude::*;

use super::{
    assert_close, assert_near,
    reference::Outline,
    shapes::{between, cases, rect, turn, vector},
};
use crate::geometry::{
    Shape, cast_ray, contains_point, pose_from_scale_rotation_translation, world_pose,
};

/// A factor of either sign.
fn scale() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(1.0f32),
        Just(-1.0f32),
        between(0.1, 3.0),
        between(-3.0, -0.1)
    ]
}

fn pose(scale: Vec2, turn: Rot2, translation: Vec2) -> Affine2 {
    Affine2::from_scale_angle_translation(scale, turn.as_radians(), translation)
}

/// Each vertex must be where the pose puts one, and the reverse.
fn check_vertices(pose: &Affine2, local: &Shape) -> Result<(), TestCaseError> {
    let found = Outline::from(&local.transformed(pose)).vertices;
    let expected: Vec<DVec2> = Outline::from(local)
        .vertices
        .iter()
        .map(|vertex| {
            pose.x_axis.as_dvec2() * vertex.x
                + pose.y_axis.as_dvec2() * vertex.y
                + pose.translation.as_dvec2()
        })
        .collect();
    for (these, those) in [(&found, &expected), (&expected, &found)] {
        for vertex in these {
            let nearest = those.iter().map(|other| other.distance(*vertex));
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            prop_assert!(
                nearest < 1e-4,
                "{} is {} from any of {:?}",
                vertex,
                nearest,
                those
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn an_upright_rectangle_takes_both_scales(
        center in vector(10),
        size in (between(0.0, 10.0), between(0.0, 10.0)),
        scale in (scale(), scale()),
        turn in turn(),
        by in vector(30),
    ) {
        let local = Shape::rect(center, size.into(), Rot2::IDENTITY);
        check_vertices(&pose(scale.into(), turn, by), &local)?;
    }

    #[test]
    fn a_rotated_rectangle_takes_an_even_scale_and_is_mirrored(
        local in rect(),
        scale in scale(),
        mirror: bool,
        turn in turn(),
        by in vector(30),
    ) {
        let scale = Vec2::new(scale, if mirror { -scale } else { scale });
        check_vertices(&pose(scale, turn, by), &local)?;
    }

    #[test]
    fn a_circle_takes_the_longer_scaled_axis(
        center in vector(10),
        radius in between(0.0, 10.0),
        scale in (scale(), scale()),
        turn in turn(),
        by in vector(30),
    ) {
        let pose = pose(scale.into(), turn, by);
        let Shape::Circle { center: found_center, radius: found_radius } =
            Shape::circle(center, radius).transformed(&pose)
        else {
            return Err(TestCaseError::fail("not a circle"));
        };
        let longer = scale.0.abs().max(scale.1.abs());
        prop_assert!((found_radius - radius * longer).abs() < 1e-5 * (1.0 + radius * longer));
        prop_assert!(found_center.distance(pose.transform_point2(center)) < 1e-4);
    }
}

/// How far a shape extends from its center along a direction.
fn extent(shape: &Shape, direction: Vec2) -> f32 {
    let direction = direction.as_dvec2().normalize();
    (Outline::from(shape).support(direction) - shape.center().as_dvec2().dot(direction)) as f32
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_capsule_is_scaled_along_and_across(
        (half_length, radius) in (between(0.0, 5.0), between(0.0, 5.0)),
        scale in (scale(), scale()),
        turn in turn(),
        by in vector(30),
    ) {
        let pose = pose(scale.into(), turn, by);
        let half = Vec2::new(half_length, 0.0);
        let found = Shape::capsule(-half, half, radius).transformed(&pose);
        let across = radius * scale.1.abs();
        let along = ((half_length + radius) * scale.0.abs()).max(across);
        prop_assert!((extent(&found, turn * Vec2::Y) - across).abs() < 1e-4, "{:?}", found);
        prop_assert!((extent(&found, turn * Vec2::X) - along).abs() < 1e-4, "{:?}", found);
        prop_assert!(found.center().distance(by) < 1e-4);
    }

    #[test]
    fn the_ends_of_a_capsule_go_along_with_an_even_scale(
        (start, end) in (vector(10), vector(10)),
        radius in between(0.0, 5.0),
        scale in scale(),
        mirror: bool,
        turn in turn(),
        by in vector(30),
    ) {
        let pose = pose(Vec2::new(scale, if mirror { -scale } else { scale }), turn, by);
        let found = Outline::from(&Shape::capsule(start, end, radius).transformed(&pose));
        prop_assert!((found.radius - f64::from(radius * scale.abs())).abs() < 1e-4);
        for end in [start, end].map(|end| pose.transform_point2(end).as_dvec2()) {
            let nearest = found.vertices.iter().map(|vertex| vertex.distance(end));
            prop_assert!(nearest.fold(f64::INFINITY, f64::min) < 1e-4, "{:?}", found);
        }
    }
}

#[test]
fn shear_is_ignored() {
    let sheared = Affine2::from_cols(Vec2::new(2.0, 0.0), Vec2::new(3.0, 4.0), Vec2::X);
    let square = Shape::rect(Vec2::ZERO, Vec2::splat(2.0), Rot2::IDENTITY);
    // The x axis keeps its direction; the y axis only its length.
    let expected = Shape::rect(Vec2::X, Vec2::new(4.0, 10.0), Rot2::IDENTITY);
    assert_eq!(square.transformed(&sheared), expected);
    assert_eq!(
        Shape::circle(Vec2::ZERO, 1.0).transformed(&sheared),
        Shape::circle(Vec2::X, 5.0)
    );
}

#[test]
fn what_is_scaled_to_nothing_is_a_segment_or_a_point() {
    let rect = Shape::rect(Vec2::ZERO, Vec2::new(2.0, 4.0), Rot2::IDENTITY);
    let turn = Rot2::degrees(90.0);
    let cases = [
        // Without width what is left is the height, which points to the left after a quarter turn.
        (Vec2::new(0.0, 1.0), Vec2::new(2.0, 0.0)),
        (Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)),
        (Vec2::ZERO, Vec2::ZERO),
    ];
    for (scale, extent) in cases {
        let shape = rect.transformed(&pose(scale, turn, Vec2::ZERO));
        assert!(shape.is_finite(), "{shape:?}");
        assert_close(shape.aabb().max, extent, 1e-6);
        assert_close(shape.aabb().min, -extent, 1e-6);
    }
}

#[test]
fn a_pose_that_is_not_finite_makes_a_shape_that_is_not() {
    let shapes = [
        Shape::circle(Vec2::ONE, 1.0),
        Shape::rect(Vec2::ONE, Vec2::splat(2.0), Rot2::radians(0.3)),
    ];
    for bad in [f32::NAN, f32::INFINITY] {
        let poses = [
            Affine2::from_cols(Vec2::new(bad, 0.0), Vec2::Y, Vec2::ZERO),
            Affine2::from_cols(Vec2::X, Vec2::new(0.0, bad), Vec2::ZERO),
            Affine2::from_cols(Vec2::X, Vec2::Y, Vec2::new(0.0, bad)),
        ];
        for (shape, pose) in shapes
            .iter()
            .flat_map(|shape| poses.map(|pose| (shape, pose)))
        {
            assert!(!shape.transformed(&pose).is_finite(), "{shape:?} {pose:?}");
        }
    }
}

#[test]
fn a_nan_axis_makes_a_nan_radius() {
    for pose in [
        Affine2::from_cols(Vec2::new(f32::NAN, 0.0), Vec2::Y, Vec2::ZERO),
        Affine2::from_cols(Vec2::X, Vec2::new(0.0, f32::NAN), Vec2::ZERO),
    ] {
        // Around its own origin only the radius can tell.
        let Shape::Circle { radius, .. } = Shape::circle(Vec2::ZERO, 1.0).transformed(&pose) else {
            panic!("not a circle");
        };
        assert!(radius.is_nan());
    }
}

#[test]
fn a_negative_size_counts_as_zero() {
    let at = Vec2::new(1.0, 2.0);
    assert_eq!(Shape::circle(at, -3.0), Shape::circle(at, 0.0));
    for (size, expected) in [
        ((-3.0, 4.0), (0.0, 4.0)),
        ((3.0, -4.0), (3.0, 0.0)),
        ((-3.0, -4.0), (0.0, 0.0)),
    ] {
        assert_eq!(
            Shape::rect(at, size.into(), Rot2::IDENTITY),
            Shape::rect(at, expected.into(), Rot2::IDENTITY)
        );
    }
}

#[test]
fn what_is_scaled_to_a_line_contains_no_point() {
    let notched = [
        (-1.0, -1.0),
        (1.0, -1.0),
        (1.0, 1.0),
        (0.4, 1.0),
        (0.1, -0.2),
        (-0.6, 1.0),
        (-1.0, 0.7),
    ];
    let notched = Shape::polygon(notched.map(Vec2::from)).unwrap();
    for scale in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y, Vec2::ZERO] {
        let flat = notched.transformed(&Affine2::from_scale(scale));
        for point in [Vec2::new(0.0, -0.5), Vec2::new(-0.5, 0.0), Vec2::ZERO] {
            assert!(!contains_point(&flat, point), "{scale} {point}");
            let is_hit = cast_ray(&flat, point, Vec2::splat(1e-3));
            assert_eq!(is_hit, None, "{scale} {point}");
        }
    }
}

#[test]
fn a_world_pose_is_seen_from_above() {
    let turn = Quat::from_rotation_z(0.5);
    let world = Affine3A::from_scale_rotation_translation(
        Vec3::new(2.0, 3.0, 4.0),
        turn,
        Vec3::new(5.0, 6.0, 7.0),
    );
    let seen = world_pose(&world);
    let expected = pose(Vec2::new(2.0, 3.0), Rot2::radians(0.5), Vec2::new(5.0, 6.0));
    assert_close(seen.x_axis, expected.x_axis, 1e-6);
    assert_close(seen.y_axis, expected.y_axis, 1e-6);
    assert_close(seen.translation, expected.translation, 1e-6);
    assert_near(seen.matrix2.determinant(), 6.0, 1e-5);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_pose_from_scale_rotation_translation_is_the_world_pose_of_that_affine(
        pieces in prop::array::uniform10(between(-3.0, 3.0)),
        flat: bool,
    ) {
        let [a, b, c, d, e, f, g, h, i, j] = pieces;
        let (scale, translation) = (Vec3::new(a, b, c), Vec3::new(d, e, f) * 1e3);
        let rotation = if flat {
            Quat::from_rotation_z(g)
        } else {
            Quat::from_xyzw(g, h, i, j).normalize()
        };
        let affine = Affine3A::from_scale_rotation_translation(scale, rotation, translation);
        prop_assert_eq!(
            pose_from_scale_rotation_translation(scale, rotation, translation),
            world_pose(&affine),
        );
    }
}
