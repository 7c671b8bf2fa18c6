//! Contacts with a flat surface behind which there are many pieces, and depths in solid ground.

use std::f32::consts::TAU;
use std::sync::Arc;

use bevy::math::{Affine2, Rot2, UVec2, Vec2};
use proptest::{collection::vec, prelude::*};

use super::shapes::{between, cases};
use crate::{
    aabb::half_size,
    geometry::{Placement, Shape, Tiles, contact},
};

/// The rounding error of a result in single precision, in world units.
const ROUNDING: f32 = 1e-3;

/// A polygon below the x axis, from -10 to 10, with vertices along its upper edge and a rough lower
/// one.
fn rough_below() -> impl Strategy<Value = Shape> {
    let upper = vec(between(-9.5, 9.5), 0..6);
    let lower = vec(between(-8.0, -0.2), 2..24);
    (upper, lower).prop_map(|(mut upper, lower)| {
        upper.sort_by(f32::total_cmp);
        upper.dedup();
        let ends = [10.0, -10.0].map(|x| Vec2::new(x, 0.0));
        let upper = upper.into_iter().rev().map(|x| Vec2::new(x, 0.0));
        let step = 20.0 / (lower.len() - 1) as f32;
        let at = |(i, y)| Vec2::new(-10.0 + step * i as f32, y);
        let lower: Vec<Vec2> = lower.into_iter().enumerate().map(at).collect();
        let points = [ends[0]]
            .into_iter()
            .chain(upper)
            .chain([ends[1]])
            .chain(lower);
        Shape::polygon(points).expect("its edges do not cross")
    })
}

/// A grid below the x axis, from -10 to 10, of a full row above random ones.
fn full_row_above_random_cells() -> impl Strategy<Value = Shape> {
    (vec(any::<bool>(), 20 * 7), 1..8u32).prop_map(|(random, scarcity)| {
        let full = (0..20).map(|_| true);
        let some = (0u32..)
            .zip(random)
            .map(|(i, is_solid)| is_solid || i % scarcity == 0);
        let tiles = Tiles::from_cells(20, full.chain(some), Vec2::ONE);
        Shape::Tiles {
            placement: Placement::at(-tiles.half_size() * Vec2::Y),
            tiles: Arc::new(tiles),
        }
    })
}

/// A shape that is as wide as high, around the origin.
fn falling() -> impl Strategy<Value = Shape> {
    (0..4u8, between(0.1, 3.0)).prop_map(|(kind, half)| match kind {
        0 => Shape::circle(Vec2::ZERO, half),
        1 => Shape::rect(Vec2::ZERO, Vec2::splat(2.0 * half), Rot2::IDENTITY),
        2 => Shape::capsule(Vec2::NEG_X * half, Vec2::X * half, half),
        _ => {
            let corner = |i: u8| Vec2::from_angle((f32::from(i) + 0.5) / 8.0 * TAU) * half;
            Shape::polygon((0..8).map(corner)).expect("it is convex")
        }
    })
}

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn a_shallow_contact_has_the_normal_of_the_flat_edge_and_not_of_one_between_pieces(
        floor in prop_oneof![rough_below(), full_row_above_random_cells()],
        shape in falling(),
        x in prop_oneof![between(-6.0, 6.0), (-6i8..=6).prop_map(f32::from)],
        fraction in between(0.01, 1.0),
        quarter_turns in 0..4u8,
        aside in between(-0.5, 0.5),
    ) {
        let half_size = half_size(&shape.aabb());
        // No more than half of the least distance of the surface from the center.
        let depth = fraction * 0.45 * half_size.min_element();
        let shape = shape.translated(Vec2::new(x, half_size.y - depth));
        let angle = f32::from(quarter_turns) * TAU / 4.0 + aside * f32::from(quarter_turns % 2);
        let pose = Affine2::from_angle_translation(angle, Vec2::new(3.0, -2.0));
        let [shape, floor] = [shape, floor].map(|shape| shape.transformed(&pose));
        let down = pose.transform_vector2(Vec2::NEG_Y);
        for (a, b, normal) in [(&shape, &floor, down), (&floor, &shape, -down)] {
            let found = contact(a, b).expect("they overlap");
            prop_assert!((found.depth - depth).abs() < ROUNDING, "{found:?} {depth}");
            prop_assert!(found.normal.distance(normal) < ROUNDING, "{found:?} {normal}");
        }
    }
}

fn full_grid(size: u32) -> Shape {
    let cells = (0..size * size).map(|_| true);
    Shape::Tiles {
        tiles: Arc::new(Tiles::from_cells(size, cells, Vec2::ONE)),
        placement: Placement::at(Vec2::ZERO),
    }
}

/// The rectangles of a grid are cut off beside the other shape.
#[test]
fn a_box_in_solid_ground_is_as_deep_as_the_surface_is_far() {
    let ground = full_grid(301);
    for below in 1..=16u8 {
        for size in [Vec2::ONE, Vec2::new(0.2, 3.0), Vec2::new(5.0, 0.5)] {
            for (up, half_size) in [(Vec2::Y, size.y / 2.0), (Vec2::NEG_X, size.x / 2.0)] {
                let center = up * (150.5 - f32::from(below)) + up.perp() * 20.3;
                let block = Shape::rect(center, size, Rot2::IDENTITY);
                let found = contact(&block, &ground).expect("it is in the ground");
                let depth = f32::from(below) + half_size;
                assert!(
                    (found.depth - depth).abs() < ROUNDING,
                    "{found:?} {depth} {size}"
                );
                assert!(
                    found.normal.distance(-up) < ROUNDING,
                    "{found:?} {up} {size}"
                );
            }
        }
    }
    let center = Shape::rect(Vec2::ZERO, Vec2::ONE, Rot2::IDENTITY);
    let deepest = contact(&center, &ground)
        .expect("it is in the ground")
        .depth;
    assert!((16.0..=151.0).contains(&deepest), "{deepest}");
}

/// All rectangles of solid cells, whole or within another one.
fn solid_rects(tiles: &Tiles) -> Vec<Shape> {
    let size = tiles.size();
    let corners = || (0..size.y).flat_map(move |y| (0..size.x).map(move |x| UVec2::new(x, y)));
    let mut rects = Vec::new();
    for start in corners() {
        for last in corners().filter(|last| last.cmpge(start).all()) {
            let is_full = (start.y..=last.y)
                .all(|y| (start.x..=last.x).all(|x| tiles.is_solid(UVec2::new(x, y))));
            if is_full {
                let center = tiles.cell_center(start).midpoint(tiles.cell_center(last));
                let count = (last - start + 1).as_vec2();
                rects.push(Shape::rect(
                    center,
                    count * tiles.cell_size(),
                    Rot2::IDENTITY,
                ));
            }
        }
    }
    rects
}

proptest! {
    #![proptest_config(cases(256))]

    /// Which cells are joined depends on the shape: rectangles of them are no larger than any, and
    /// no smaller than those of all rows.
    #[test]
    fn a_shape_is_as_deep_in_a_grid_as_in_its_deepest_rectangle(
        cells in vec(prop::bool::weighted(0.8), 49),
        shape in falling(),
        [x, y] in [between(-4.0, 4.0), between(-4.0, 4.0)],
        turn in prop_oneof![Just(0.0), between(0.0, 1.5)],
    ) {
        let tiles = Tiles::from_cells(7, cells, Vec2::ONE);
        let rects = solid_rects(&tiles);
        let rows = rects.iter().filter(|rect| half_size(&rect.aabb()).y == 0.5);
        let pose = Affine2::from_angle_translation(turn, Vec2::new(x, y));
        let shape = shape.transformed(&pose);
        let depth_in = |rect: &Shape| contact(&shape, rect).map_or(0.0, |contact| contact.depth);
        let least = rows.map(depth_in).fold(0.0, f32::max);
        let most = rects.iter().map(depth_in).fold(0.0, f32::max);
        let grid = Shape::Tiles { tiles: Arc::new(tiles), placement: Placement::at(Vec2::ZERO) };
        for found in [contact(&shape, &grid), contact(&grid, &shape)] {
            let depth = found.map_or(0.0, |contact| contact.depth);
            prop_assert!(
                (least - ROUNDING..most + ROUNDING).contains(&depth),
                "{depth} {least} {most}",
            );
        }
    }
}
