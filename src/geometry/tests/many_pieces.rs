//! Pairs of shapes with many pieces each: contacts, distances and casts, against all pairs of
//! pieces.

use std::{f32::consts::TAU, sync::Arc, time::Duration};

use bevy::math::{Affine2, Rot2, UVec2, Vec2};
use cpu_time::ThreadTime;
use proptest::prelude::*;

use super::shapes::{between, cases, vector};
use crate::{
    aabb::Aabb2d,
    geometry::{Placement, Shape, Tiles, cast_shape, contact, contact_within, separation},
};

const EVERYWHERE: Aabb2d = Aabb2d {
    min: Vec2::NEG_INFINITY,
    max: Vec2::INFINITY,
};
/// The rounding error of a result in single precision, in world units: coordinates stay below
/// 300.
const ROUNDING: f32 = 1e-3;

/// A grid of this many columns and rows, whose cells are one unit wide.
fn grid(size: u32, is_solid: impl Fn(UVec2) -> bool) -> Shape {
    let cells = (0..size * size).map(|i| is_solid(UVec2::new(i % size, i / size)));
    Shape::Tiles {
        tiles: Arc::new(Tiles::from_cells(size, cells, Vec2::ONE)),
        placement: Placement::at(Vec2::ZERO),
    }
}

/// What is solid within a circle, except for a hole in its center.
fn disc(size: u32, hole: f32) -> Shape {
    let radius = size as f32 / 2.0;
    grid(size, |cell| {
        let from_center = (cell.as_vec2() + 0.5 - radius).length();
        (hole * radius..=radius).contains(&from_center)
    })
}

/// Random cells: one in `rarity + 1` is solid.
fn noise(size: u32, seed: u32, rarity: u32) -> Shape {
    grid(size, |cell| {
        let mixed = (cell.x + 7919 * cell.y + 104_729 * seed).wrapping_mul(2_654_435_761);
        (mixed >> 16).is_multiple_of(rarity + 1)
    })
}

/// A polygon with a vertex at each of some distances from its center.
fn around(distances: impl ExactSizeIterator<Item = f32>) -> Shape {
    let step = TAU / distances.len() as f32;
    let vertex = |(i, distance)| Vec2::from_angle(i as f32 * step) * distance;
    Shape::polygon(distances.enumerate().map(vertex)).unwrap()
}

fn gear(teeth: usize) -> Shape {
    let distances = [10.0, 10.0, 8.5, 8.5];
    around((0..4 * teeth).map(|i| distances[i % 4]))
}

fn comb(teeth: usize) -> Shape {
    let width = teeth as f32;
    let tooth = |i: usize| {
        let x = i as f32;
        [(0.0, -8.0), (0.0, 8.0), (0.5, 8.0), (0.5, -8.0)].map(|(by, y)| Vec2::new(x + by, y))
    };
    let back = [
        Vec2::new(width, -8.0),
        Vec2::new(width, -10.0),
        Vec2::new(0.0, -10.0),
    ];
    let points = (0..teeth).flat_map(tooth).chain(back);
    Shape::polygon(points.map(|point| point - Vec2::X * width / 2.0)).unwrap()
}

/// Shapes of many pieces around the origin, about 20 units wide.
fn many_pieces() -> impl Strategy<Value = Shape> {
    let rough = prop::collection::vec(between(6.0, 10.0), 40..130);
    prop_oneof![
        rough.prop_map(|distances| around(distances.into_iter())),
        (5..40usize).prop_map(gear),
        (4..30usize).prop_map(comb),
        (8..24u32, prop_oneof![Just(0.0), Just(0.8)]).prop_map(|(size, hole)| disc(size, hole)),
        (8..18u32, any::<u32>(), 1..6u32).prop_map(|(size, seed, rarity)| noise(
            size,
            seed % 1000,
            rarity
        )),
    ]
}

/// Rotated, scaled, mirrored and moved; or as it is, on whole numbers.
fn posed(limit: f32) -> impl Strategy<Value = Shape> {
    let scale = prop_oneof![between(0.5, 1.5), between(-1.5, -0.5)];
    let pose = (scale, between(0.5, 1.5), between(-3.0, 3.0)).prop_map(|(x, y, angle)| {
        Affine2::from_scale_angle_translation(Vec2::new(x, y), angle, Vec2::ZERO)
    });
    let plain = Just(Affine2::IDENTITY);
    let position = prop_oneof![
        vector(10).prop_map(move |position| position / 10.0 * limit),
        vector(10).prop_map(move |position| (position / 10.0 * limit).round()),
    ];
    (many_pieces(), prop_oneof![3 => pose, 1 => plain], position).prop_map(
        |(shape, mut pose, position)| {
            pose.translation = position;
            shape.transformed(&pose)
        },
    )
}

fn pieces(shape: &Shape) -> Vec<Shape> {
    let mut pieces = Vec::new();
    shape.visit_convex_pieces(&EVERYWHERE, &mut |piece| pieces.push(piece.clone()));
    pieces
}

/// The signed distance of the pieces that are nearest, or deepest.
fn least_distance(a: &Shape, b: &Shape) -> f32 {
    let (a, b) = (pieces(a), pieces(b));
    let pairs = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
    pairs
        .map(|(p, q)| separation(p, q).distance)
        .fold(f32::INFINITY, f32::min)
}

/// How far the first shape has to move along an axis to leave the box around the second.
fn out_of_box(a: &Shape, b: &Shape) -> f32 {
    let (a, b) = (a.aabb(), b.aabb());
    (b.max - a.min).min(a.max - b.min).min_element()
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn shapes_of_many_pieces_are_as_deep_as_their_deepest_pieces(
        a in posed(12.0),
        b in posed(12.0),
    ) {
        let deepest = least_distance(&a, &b);
        let found = contact(&a, &b);
        if deepest.abs() > ROUNDING {
            prop_assert_eq!(found.is_some(), deepest < 0.0, "{}", deepest);
        }
        if let Some(found) = found {
            prop_assert!((found.normal.length() - 1.0).abs() < 1e-3);
            prop_assert!(found.depth >= -deepest - ROUNDING, "{} {}", found.depth, deepest);
            // Near the other shape, the rectangles of a grid may be larger.
            if [&a, &b].iter().any(|shape| matches!(shape, Shape::Tiles { .. })) {
                prop_assert!(found.depth <= out_of_box(&a, &b) + ROUNDING);
            } else {
                prop_assert!(found.depth <= -deepest + ROUNDING, "{} {}", found.depth, deepest);
            }
        }
    }

    #[test]
    fn shapes_of_many_pieces_are_apart_as_their_nearest_pieces_are(
        a in posed(30.0),
        b in posed(30.0),
    ) {
        let expected = least_distance(&a, &b);
        if expected > 0.0 {
            let found = separation(&a, &b);
            prop_assert!(
                (found.distance - expected).abs() < ROUNDING,
                "{} {expected}",
                found.distance,
            );
            prop_assert!((found.point_a.distance(found.point_b) - expected).abs() < ROUNDING);
            prop_assert!(contact_within(&a, &b, expected - ROUNDING).is_none());
            let near = contact_within(&a, &b, expected + ROUNDING);
            prop_assert!(near.is_some_and(|near| (near.depth + expected).abs() < ROUNDING));
        }
    }

    #[test]
    fn which_shape_comes_first_makes_no_difference(a in posed(12.0), b in posed(12.0)) {
        match (contact(&a, &b), contact(&b, &a)) {
            (Some(found), Some(back)) => {
                let difference = (found.depth - back.depth).abs();
                prop_assert!(difference < ROUNDING, "{found:?} {back:?}");
            }
            (None, None) => {}
            (found, back) => {
                let depth = found.or(back).map_or(0.0, |contact| contact.depth);
                prop_assert!(depth < ROUNDING);
            }
        }
    }

    #[test]
    fn a_cast_hits_the_first_of_all_pairs_of_pieces(
        a in posed(12.0),
        b in posed(12.0),
        angle in between(0.0, TAU),
        aside in between(-15.0, 15.0),
    ) {
        let displacement = Vec2::from_angle(angle);
        let start = a.translated(displacement * -60.0 + displacement.perp() * aside);
        let (p, q) = (pieces(&start), pieces(&b));
        let pairs = p.iter().flat_map(|p| q.iter().map(move |q| (p, q)));
        let expected = pairs
            .filter_map(|(p, q)| cast_shape(p, displacement * 120.0, q))
            .map(|hit| hit.fraction)
            .reduce(f32::min);
        let found = cast_shape(&start, displacement * 120.0, &b).map(|hit| hit.fraction);
        match (found, expected) {
            (Some(found), Some(expected)) => {
                prop_assert!(
                    (found - expected).abs() < 1e-5,
                    "{found} {expected}",
                );
            }
            _ => prop_assert_eq!(found, expected),
        }
    }
}

#[test]
fn layers_of_a_map_overlap_where_they_share_a_cell() {
    let size = 260;
    let is_ground = |cell: UVec2| (cell.x / 2 + cell.y / 3 + cell.x * cell.y / 7).is_multiple_of(2);
    let ground = grid(size, is_ground);
    let water = grid(size, |cell| !is_ground(cell));
    assert!(pieces(&ground).len() > 8000 && pieces(&water).len() > 8000);
    assert_eq!(contact(&ground, &water), None);
    let mut row = (200..size).map(|column| UVec2::new(column, 17));
    let shared = row.find(|cell| is_ground(*cell)).unwrap();
    let flooded = grid(size, |cell| !is_ground(cell) || cell == shared);
    let found = contact(&ground, &flooded).expect("they share a cell");
    assert_eq!(
        (found.cell_a(), found.cell_b()),
        (Some(shared), Some(shared))
    );
}

/// Grids with round and with angular shapes that reach into several cells of them.
fn overlapping() -> impl Iterator<Item = (Shape, Shape)> {
    (0..60u8).flat_map(|seed| {
        let grid = noise(9, seed.into(), 1);
        let center = Vec2::from_angle(f32::from(seed)) * (f32::from(seed) / 15.0);
        let turn = Rot2::radians(f32::from(seed) * 0.7);
        [
            Shape::circle(center, 1.3),
            Shape::rect(center, Vec2::new(3.0, 1.5), turn),
            noise(3, (seed + 60).into(), 1).translated(center),
        ]
        .map(|shape| (shape, grid.clone()))
    })
}

#[test]
fn the_points_of_a_separation_are_apart_by_its_distance() {
    for (a, b) in overlapping() {
        for (a, b) in [(&a, &b), (&b, &a)] {
            let found = separation(a, b);
            let apart = found.point_a + found.normal * found.distance - found.point_b;
            assert!(apart.length() < ROUNDING, "{found:?}");
        }
    }
}

/// By powers of two, so that nothing is rounded another way.
#[test]
fn separations_scale_with_the_shapes() {
    for (a, b) in overlapping().step_by(2) {
        let expected = separation(&a, &b).distance;
        for scale in [1.0 / 1024.0, 1024.0] {
            let found = separation(&resized(&a, scale), &resized(&b, scale)).distance / scale;
            assert!(
                (found - expected).abs() < ROUNDING,
                "{found} {expected} {a:?}"
            );
        }
    }
}

/// A grid scaled by the size of its cells instead of by its frame.
fn resized(shape: &Shape, scale: f32) -> Shape {
    let Shape::Tiles { tiles, placement } = shape else {
        return shape.transformed(&Affine2::from_scale(Vec2::splat(scale)));
    };
    let cells = (0..tiles.size().y)
        .flat_map(|row| (0..tiles.size().x).map(move |column| UVec2::new(column, row)))
        .map(|cell| tiles.is_solid(cell))
        .collect::<Vec<_>>();
    let cell_size = tiles.cell_size() * scale;
    Shape::Tiles {
        tiles: Arc::new(Tiles::from_cells(tiles.size().x, cells, cell_size)),
        placement: Placement::at(placement.center * scale),
    }
}

/// Slivers have large bounding boxes.
#[test]
fn the_pieces_of_a_large_polygon_are_no_slivers() {
    let mut dice = fastrand::Rng::with_seed(1);
    let distances = [(); 400].map(|()| 6.0 + 4.0 * dice.f32());
    for (shape, most) in [(around(distances.into_iter()), 1.7), (comb(60), 1.3)] {
        let area = |aabb: &Aabb2d| (aabb.max - aabb.min).element_product();
        let pieces = pieces(&shape);
        let boxes: f32 = pieces.iter().map(|piece| area(&piece.aabb())).sum();
        let share = boxes / area(&shape.aabb());
        assert!(share < most, "{share} {}", pieces.len());
    }
}

#[test]
fn mirrored_shapes_are_as_deep_in_each_other() {
    let mirror = Affine2::from_scale(Vec2::new(1.0, -1.0));
    for (a, b) in overlapping() {
        let mirrored = [&a, &b].map(|shape| shape.transformed(&mirror));
        let distance = separation(&a, &b).distance;
        let of_mirrored = separation(&mirrored[0], &mirrored[1]).distance;
        assert!(
            (distance - of_mirrored).abs() < ROUNDING,
            "{distance} {of_mirrored} {a:?}"
        );
    }
}

#[test]
fn a_circle_in_a_grid_overlaps_it_until_it_is_moved_by_the_depth() {
    let mut dice = fastrand::Rng::with_seed(4);
    for seed in 0..600 {
        let grid = noise(dice.u32(2..5), seed, 1);
        let center = Vec2::new(dice.f32() - 0.5, dice.f32() - 0.5) * 6.0;
        let circle = Shape::circle(center, 0.2 + 2.5 * dice.f32());
        let found = separation(&circle, &grid);
        if found.distance < -0.01 {
            let short = circle.translated(found.normal * found.distance * 0.98);
            assert!(
                contact(&short, &grid).is_some(),
                "{circle:?} {seed} {found:?}"
            );
        }
    }
}

/// Some 5,000 pieces each, on a diagonal path, whose bounding box most of them are in.
#[test]
fn a_sweep_of_large_stars_takes_less_than_a_second() {
    let star = around((0..10_000u16).map(|i| 10.0 + f32::from(i % 2)));
    let moving = star.translated(Vec2::new(-30.0, -28.0));
    let start = ThreadTime::now();
    assert!(cast_shape(&moving, Vec2::new(60.0, 55.0), &star).is_some());
    assert!(start.elapsed() < Duration::from_secs(1));
}
