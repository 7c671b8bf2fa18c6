//! What grids are made of and drawn as: rows of text and edges, against the cells one by one.

use std::collections::BTreeSet;

use bevy::math::{UVec2, Vec2};
use proptest::{prelude::*, sample::select};

use super::{shapes::cases, tiles::tiles};
use crate::geometry::Tiles;

/// Columns or rows near to where chunks end, and others.
fn near_borders() -> impl Strategy<Value = u32> {
    prop_oneof![select(vec![0, 62, 63, 64, 65, 639, 640, 699]), 0..700u32]
}

/// The edges along each line between rows, and then along each between columns, cell by cell.
fn slow_edges(tiles: &Tiles) -> Vec<[Vec2; 2]> {
    let half = tiles.size().as_vec2() / 2.0;
    let mut edges = Vec::new();
    for axis in [1, 0] {
        let cell = |line: u32, along: u32| {
            let mut cell = UVec2::splat(along);
            cell[axis] = line;
            cell
        };
        for line in 0..=tiles.size()[axis] {
            let is_edge = |along: u32| {
                let before = cell(line.wrapping_sub(1), along);
                tiles.is_solid(before) != tiles.is_solid(cell(line, along))
            };
            let count = tiles.size()[1 - axis];
            let mut along = 0;
            while let Some(start) = (along..count).find(|along| is_edge(*along)) {
                along = (start..count)
                    .find(|along| !is_edge(*along))
                    .unwrap_or(count);
                edges.push([start, along].map(|end| {
                    let vertex = cell(line, end).as_vec2() - half;
                    vertex * tiles.cell_size() * Vec2::new(1.0, -1.0)
                }));
            }
        }
    }
    edges
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn edges_are_between_solid_and_open_cells(tiles in tiles()) {
        prop_assert_eq!(tiles.edges().collect::<Vec<_>>(), slow_edges(&tiles));
    }

    #[test]
    fn edges_of_scattered_cells_are_those_of_each(
        cells in prop::collection::vec((near_borders(), near_borders()), 0..9),
    ) {
        let mut tiles = Tiles::new(700, 700, Vec2::ONE);
        for (x, y) in cells {
            tiles.set(UVec2::new(x, y), true);
        }
        prop_assert_eq!(tiles.edges().collect::<Vec<_>>(), slow_edges(&tiles));
    }

    #[test]
    fn rows_of_text_say_what_their_characters_say(
        rows in prop::collection::vec("[#. @ä]{0,70}", 0..70),
    ) {
        let (mut plain, mut hashes) = (BTreeSet::new(), BTreeSet::new());
        for (y, row) in rows.iter().enumerate() {
            for (x, character) in row.chars().enumerate() {
                let cell = (y as u32, x as u32);
                if character != ' ' && character != '.' {
                    plain.insert(cell);
                }
                if character == '#' {
                    hashes.insert(cell);
                }
            }
        }
        let columns = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let size = UVec2::new(columns as u32, rows.len() as u32);
        let by_default = Tiles::from_rows(&rows, Vec2::ONE);
        let by_hashes = Tiles::from_rows_with(&rows, Vec2::ONE, |character| character == '#');
        for (tiles, expected) in [(by_default, plain), (by_hashes, hashes)] {
            prop_assert_eq!(tiles.size(), size);
            let found: BTreeSet<_> = tiles.solid_cells().map(|cell| (cell.y, cell.x)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn what_is_made_open_again_is_as_if_it_had_never_been_solid() {
    let mut tiles = Tiles::new(65_535, 65_535, Vec2::ONE);
    let cells = [
        (0, 0),
        (65_534, 65_534),
        (65_534, 3),
        (70, 65_534),
        (70, 9_000),
    ];
    for cell in cells.map(UVec2::from) {
        let before = tiles.clone();
        tiles.set(cell, true);
        tiles.set(cell, false);
        assert_eq!(tiles, before);
        tiles.set(cell, true);
    }
    assert_eq!(tiles.edges().count(), 4 * cells.len());
    for cell in cells.map(UVec2::from) {
        assert!(tiles.is_solid(cell));
        tiles.set(cell, false);
    }
    assert_eq!(tiles, Tiles::new(65_535, 65_535, Vec2::ONE));
}

#[test]
fn rows_and_columns_beyond_the_largest_grid_are_left_out() {
    let long = "#".repeat(70_000);
    let rows = std::iter::repeat_n("", 69_999).chain([long.as_str()]);
    assert_eq!(
        Tiles::from_rows(rows, Vec2::ONE).size(),
        UVec2::new(0, 65_535)
    );
    let tiles = Tiles::from_rows([long.as_str()], Vec2::ONE);
    assert_eq!(
        (tiles.size(), tiles.solid_cells().count()),
        (UVec2::new(65_535, 1), 65_535)
    );
}
