//! Casts of random shapes, against oracles.

use std::sync::Arc;

use bevy::math::{Affine2, DVec2, Rot2, UVec2, Vec2};
use proptest::prelude::*;

use super::{
    reference::{
        Outline, SeparatingTranslation, fraction_of_reaching, separating_translations,
        signed_distance,
    },
    shapes::{between, cases, circle, pair, rect, shape, touching_pair, vector},
};
use crate::{
    aabb::{center, half_size},
    geometry::{
        CastHit, Placement, Shape, Tiles, cast::surface_point, cast_ray, cast_shape,
        cast_with_margin,
    },
};

/// The surface may be hit this much too early or too late, in world units. Coordinates in these
/// tests stay below 80, where four units in the last place (within which touching shapes count as
/// hit) are 4e-5; the rest is rounding.
const BAND: f32 = 1e-4;

/// How much one division in single precision may change a fraction.
const FRACTION_ROUNDING: f64 = 1e-6;

/// A motion, sometimes straight at the other shape.
fn motion() -> impl Strategy<Value = (Shape, Vec2, Shape)> {
    (pair(), vector(40), between(0.5, 3.0), any::<bool>()).prop_map(
        |((moving, resting), anywhere, beyond, aimed)| {
            let aim = (resting.center() - moving.center() + anywhere / 10.0) * beyond;
            let displacement = if aimed { aim } else { anywhere };
            (moving, displacement, resting)
        },
    )
}

/// The fraction must be between those of a slightly larger and a slightly smaller target, and exist
/// accordingly.
fn check_fraction(
    time: Option<f64>,
    (moving, displacement, resting): (&Shape, Vec2, &Shape),
    level: f32,
) -> Result<(), TestCaseError> {
    let reaching =
        |level: f32| fraction_of_reaching(moving, displacement, resting, f64::from(level));
    let (early, late) = (reaching(level + BAND), reaching(level - BAND));
    let Some(time) = time else {
        prop_assert!(late.is_none(), "a miss, though they hit at {:?}", late);
        return Ok(());
    };
    prop_assert!((0.0..=1.0).contains(&time), "{}", time);
    let Some(early) = early else {
        return Err(TestCaseError::fail(format!(
            "a hit at {time}, though they stay apart"
        )));
    };
    let late = late.unwrap_or(1.0);
    prop_assert!(
        (early - FRACTION_ROUNDING..=late + FRACTION_ROUNDING).contains(&time),
        "{} is not between {} and {}",
        time,
        early,
        late
    );
    Ok(())
}

/// At the hit a line across the normal must separate the shapes, and pass through the point on the
/// resting one's surface.
fn check_hit(
    hit: &CastHit,
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
) -> Result<(), TestCaseError> {
    // That of the fraction, of the normal over the size of a shape, and of the point.
    let tolerance = 3.0 * f64::from(BAND);
    prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5);
    let normal = hit.normal.as_dvec2();
    prop_assert!(
        hit.normal.dot(displacement) <= 1e-5 * displacement.length(),
        "the normal {} points along the motion",
        hit.normal
    );
    let moved = Outline::from(moving).moved(displacement.as_dvec2() * f64::from(hit.fraction));
    let resting = Outline::from(resting);
    let plane = hit.point.as_dvec2().dot(normal);
    let (nearest_moving, furthest_resting) = (-moved.support(-normal), resting.support(normal));
    prop_assert!(
        furthest_resting < plane + tolerance,
        "the resting shape is {} above the plane",
        furthest_resting - plane
    );
    prop_assert!(
        nearest_moving > plane - tolerance,
        "the moving shape is {} below the plane",
        plane - nearest_moving
    );
    for shape in [&moved, &resting] {
        let off_surface = shape.off_surface(hit.point.as_dvec2());
        prop_assert!(off_surface < tolerance, "{} off the surface", off_surface);
    }
    Ok(())
}

/// Shapes that overlap already: at once, with the normal of a shortest separating translation.
fn check_start_inside(hit: &CastHit, moving: &Shape, resting: &Shape) -> Result<(), TestCaseError> {
    prop_assert_eq!(hit.fraction, 0.0);
    let normal = hit.normal.as_dvec2().normalize();
    let translation = SeparatingTranslation::along(&resting.into(), &moving.into(), normal);
    let depth = -signed_distance(moving, resting);
    prop_assert!(
        (translation.length - depth).abs() < BAND.into(),
        "{} {}",
        translation.length,
        depth
    );
    Ok(())
}

fn check_cast(moving: &Shape, displacement: Vec2, resting: &Shape) -> Result<(), TestCaseError> {
    let hit = cast_shape(moving, displacement, resting);
    let time = hit.map(|hit| f64::from(hit.fraction));
    check_fraction(time, (moving, displacement, resting), 0.0)?;
    let start = signed_distance(moving, resting);
    match hit {
        Some(hit) if start > BAND.into() => check_hit(&hit, moving, displacement, resting),
        Some(hit) if start < -f64::from(BAND) => check_start_inside(&hit, moving, resting),
        _ => Ok(()),
    }
}

/// The direction of the shortest displacement that separates `moving` from `resting`.
fn separating_direction(resting: &Shape, moving: &Shape) -> Vec2 {
    let translations = separating_translations(&resting.into(), &moving.into());
    translations[0].direction.as_vec2()
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn a_cast_hits_where_bisection_says((moving, displacement, resting) in motion()) {
        check_cast(&moving, displacement, &resting)?;
    }

    #[test]
    fn a_cast_without_motion_hits_what_it_is_in((a, b) in pair()) {
        let hit = cast_shape(&a, Vec2::ZERO, &b);
        let distance = signed_distance(&a, &b);
        if distance < -f64::from(BAND) {
            prop_assert!(hit.is_some_and(|hit| hit.fraction == 0.0));
        } else if distance > BAND.into() {
            prop_assert_eq!(hit, None);
        }
    }

    #[test]
    fn a_ray_hits_where_bisection_says(
        target in prop_oneof![circle(), rect()],
        origin in vector(30),
        displacement in vector(60),
    ) {
        let point = Shape::circle(origin, 0.0);
        let hit = cast_ray(&target, origin, displacement);
        let fraction = hit.map(|hit| f64::from(hit.fraction));
        check_fraction(fraction, (&point, displacement, &target), 0.0)?;
        if let Some(hit) = hit && signed_distance(&point, &target) > BAND.into() {
            check_hit(&hit, &point, displacement, &target)?;
            let end = origin + displacement * hit.fraction;
            prop_assert!(hit.point.distance(end) < 2.0 * BAND);
        }
    }

    #[test]
    fn a_ray_from_inside_hits_at_once_with_the_normal_of_the_nearest_edge(
        target in prop_oneof![circle(), rect()],
        offset in vector(1),
        displacement in vector(60),
    ) {
        let aabb = target.aabb();
        let origin = center(&aabb) + half_size(&aabb) * offset;
        let point = Shape::circle(origin, 0.0);
        if signed_distance(&point, &target) < -f64::from(BAND) {
            let hit = cast_ray(&target, origin, displacement).expect("it starts inside");
            check_start_inside(&hit, &point, &target)?;
        }
    }

    /// A positive margin is kept; a negative one is sunk into.
    #[test]
    fn a_cast_keeps_the_margin(
        (moving, displacement, resting) in motion(),
        inflation in prop_oneof![Just(0.02f32), between(-2.0, 4.0)],
    ) {
        let found = cast_with_margin(&moving, displacement, &resting, inflation);
        let fraction = found.as_ref().map(|found| found.fraction);
        check_fraction(fraction, (&moving, displacement, &resting), inflation)?;
        if let Some(found) = found {
            prop_assert!((found.normal.length() - 1.0).abs() < 1e-5);
            let starts_outside = signed_distance(&moving, &resting) > f64::from(inflation + BAND);
            if starts_outside {
                prop_assert!(found.normal.dot(displacement) <= 1e-5 * displacement.length());
            }
        }
    }

    /// The fraction is in double precision: with a displacement that is a thousand times as long,
    /// the shape ends at the same position.
    #[test]
    fn a_long_displacement_ends_at_the_right_position((moving, displacement, resting) in motion()) {
        let far = displacement * 1_000.0;
        let found = cast_with_margin(&moving, far, &resting, 0.0);
        check_fraction(found.as_ref().map(|found| found.fraction), (&moving, far, &resting), 0.0)?;
        if let Some(found) = found {
            let end = moving.translated((far.as_dvec2() * found.fraction).as_vec2());
            prop_assert!(signed_distance(&end, &resting) < BAND.into());
        }
    }

    #[test]
    fn what_touches_and_moves_in_does_not_pass_through((resting, moving) in touching_pair(0.0)) {
        let displacement = separating_direction(&resting, &moving) * -20.0;
        let hit = cast_shape(&moving, displacement, &resting);
        let found = hit.map(|hit| f64::from(hit.fraction));
        check_fraction(found, (&moving, displacement, &resting), 0.0)?;
    }

    /// Like a mover that is placed flush with a wall, though it should keep a skin.
    #[test]
    fn what_touches_does_not_move_in_through_its_skin((resting, moving) in touching_pair(0.0)) {
        let displacement = separating_direction(&resting, &moving) * -20.0;
        let found = cast_with_margin(&moving, displacement, &resting, 0.02);
        check_fraction(found.map(|found| found.fraction), (&moving, displacement, &resting), 0.02)?;
    }

    #[test]
    fn what_touches_and_moves_away_hits_nothing((resting, moving) in touching_pair(0.0)) {
        let displacement = separating_direction(&resting, &moving) * 20.0;
        prop_assert_eq!(cast_shape(&moving, displacement, &resting), None);
    }

    #[test]
    fn what_is_clearly_apart_and_moves_away_hits_nothing(
        (resting, moving) in touching_pair(0.0),
        distance in between(2e-4, 1.0),
        aside in between(-1.0, 1.0),
    ) {
        let normal = separating_direction(&resting, &moving);
        let moving = moving.translated(normal * distance);
        let away = normal + normal.perp() * aside;
        prop_assert_eq!(cast_shape(&moving, away * 20.0, &resting), None);
    }

    #[test]
    fn motion_is_relative((moving, displacement, resting) in motion()) {
        let there = cast_shape(&moving, displacement, &resting);
        let back = cast_shape(&resting, -displacement, &moving);
        if let (Some(there), Some(back)) = (there, back)
            && there.fraction > 0.0
            && back.fraction > 0.0
        {
            let slack = 50.0 * BAND / displacement.length().max(0.01);
            prop_assert!((there.fraction - back.fraction).abs() < slack);
        }
    }

    #[test]
    fn a_hit_is_not_later_for_a_larger_target(
        target in shape(),
        origin in vector(30),
        displacement in vector(60),
    ) {
        let larger = match target.clone() {
            Shape::Circle { center, radius } => Shape::circle(center, radius + 1.0),
            Shape::Rect { center, half_size, rotation } => {
                Shape::rect(center, half_size * 2.0 + 2.0, rotation)
            }
            Shape::Capsule { center, half_length, rotation, radius } => {
                let half = rotation * Vec2::new(half_length, 0.0);
                Shape::capsule(center - half, center + half, radius + 1.0)
            }
            polygon => {
                let vertices = Outline::from(&polygon).vertices;
                let center = vertices.iter().sum::<DVec2>().as_vec2() / vertices.len() as f32;
                let pose =
                    Affine2::from_translation(center) * Affine2::from_scale(Vec2::splat(1.5));
                polygon.transformed(&(pose * Affine2::from_translation(-center)))
            }
        };
        if let Some(hit) = cast_ray(&target, origin, displacement) {
            let sooner = cast_ray(&larger, origin, displacement);
            prop_assert!(
                sooner.is_some_and(|sooner| sooner.fraction <= hit.fraction + 1e-6),
                "{:?} {:?}",
                hit,
                sooner,
            );
        }
    }
}

/// Cells near the origin are not rounded as the far ends of their grid are.
#[test]
fn a_cell_in_the_center_of_a_long_grid_blocks_as_it_does_alone() {
    let center_of = |columns: u32, center: Vec2| {
        let mut tiles = Tiles::new(columns, 1, Vec2::ONE);
        tiles.set(UVec2::new(columns / 2, 0), true);
        Shape::Tiles {
            tiles: Arc::new(tiles),
            placement: Placement::at(center),
        }
    };
    let rect = |center: Vec2| Shape::rect(center, Vec2::ONE, Rot2::IDENTITY);
    for overlap in [-1e-2, -1e-4, 1e-4, 1e-2] {
        let start = Vec2::new(-5.0, 1.0 - overlap);
        let pairs = [
            (center_of(1, start), center_of(2001, Vec2::ZERO)),
            (rect(start), rect(Vec2::ZERO)),
        ];
        let [found, expected] = pairs
            .map(|(mover, wall)| cast_shape(&mover, Vec2::X * 9.0, &wall).map(|hit| hit.fraction));
        assert_eq!(found.is_some(), expected.is_some(), "{overlap}");
        let [found, expected] = [found, expected].map(Option::unwrap_or_default);
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}

#[test]
fn a_circle_in_line_with_a_corner_faces_the_edge() {
    let half = Vec2::new(3.0, 2.0);
    let outline = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
    let corner = |(x, y): (i8, i8)| half * Vec2::new(x.into(), y.into());
    let walls = [
        Shape::rect(Vec2::ZERO, half * 2.0, Rot2::IDENTITY),
        Shape::polygon(outline.map(corner)).unwrap(),
    ];
    for wall in &walls {
        for corner in outline.map(corner) {
            for outward in [Vec2::X, Vec2::Y] {
                let center = corner + outward * corner.signum() * 1.5;
                let ball = Shape::circle(center, 1.0);
                let surface = surface_point(&ball, wall).unwrap();
                assert!(surface.is_edge, "{center} {wall:?}");
            }
        }
    }
}
