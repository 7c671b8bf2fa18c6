//! Grids of cells, against the cells one by one.

use std::{collections::BTreeSet, sync::Arc};

use bevy::math::{UVec2, Vec2};
use proptest::prelude::*;

use super::shapes::{between, cases};
use crate::{
    aabb::{Aabb2d, intersects},
    geometry::{Placement, Shape, Tiles, compound::tiles::CellRange, contains_point},
};

/// Solid cells of a grid, wider than a chunk sometimes.
pub(super) fn tiles() -> impl Strategy<Value = Tiles> {
    let size = prop_oneof![
        (1..12u32, 1..12u32),
        (60..140u32, 1..5u32),
        (1..5u32, 60..140u32)
    ];
    let cell_size = (between(0.5, 3.0), between(0.5, 3.0)).prop_map(Vec2::from);
    (size, cell_size, 1..100u64, any::<u64>()).prop_map(
        |((columns, rows), cell_size, share, seed)| {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut tiles = Tiles::new(columns, rows, cell_size);
            for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                tiles.set(UVec2::new(x, y), random.u64(0..100) < share);
            }
            tiles
        },
    )
}

/// A grid that has at least one solid cell.
pub(super) fn grid() -> impl Strategy<Value = Shape> {
    tiles().prop_map(|mut tiles| {
        tiles.set(UVec2::ZERO, true);
        Shape::Tiles {
            tiles: Arc::new(tiles),
            placement: Placement::at(Vec2::ZERO),
        }
    })
}

pub(super) fn cell_aabb(tiles: &Tiles, cell: UVec2) -> Aabb2d {
    let half = tiles.size().as_vec2() * tiles.cell_size() / 2.0;
    let left_top =
        Vec2::new(-half.x, half.y) + cell.as_vec2() * tiles.cell_size() * Vec2::new(1.0, -1.0);
    Aabb2d {
        min: left_top - Vec2::new(0.0, tiles.cell_size().y),
        max: left_top + Vec2::new(tiles.cell_size().x, 0.0),
    }
}

/// The columns and rows of all cells in the rectangles that cover an area. None may be open, nor in
/// two of them.
fn cells_of_rects(tiles: &Tiles, area: &Aabb2d) -> BTreeSet<(u32, u32)> {
    let mut seen = BTreeSet::new();
    tiles.visit_rects(area, &mut |CellRange { start, end }| {
        for (x, y) in (start.y..end.y).flat_map(|y| (start.x..end.x).map(move |x| (x, y))) {
            assert!(tiles.is_solid(UVec2::new(x, y)), "{area:?}: {x} {y}");
            assert!(seen.insert((x, y)), "{area:?}: {x} {y} twice");
        }
    });
    seen
}

/// Some cells, no more than 64 columns of them, as rectangles: runs of rows, together with the same
/// runs of the rows below. Of those that are in no row or column of the inner ones, none.
fn rects_by_runs(tiles: &Tiles, window: &CellRange, inner: &CellRange) -> BTreeSet<[u32; 4]> {
    let runs_of = |row: u32| {
        let is_solid = |column: u32| tiles.is_solid(UVec2::new(column, row));
        let is_first = move |column: &u32| {
            is_solid(*column) && (*column == window.start.x || !is_solid(column - 1))
        };
        let with_end = move |column: u32| {
            let end = (column..window.end.x).find(|column| !is_solid(*column));
            (column, end.unwrap_or(window.end.x))
        };
        let is_near = |(start, end): &(u32, u32)| *start < inner.end.x && *end > inner.start.x;
        let starts = (window.start.x..window.end.x).filter(is_first);
        starts.map(with_end).filter(is_near).collect::<Vec<_>>()
    };
    let mut rects = BTreeSet::new();
    for row in window.start.y..window.end.y {
        for run in runs_of(row) {
            let is_same = |row: &u32| runs_of(*row).contains(&run);
            let is_below = row > window.start.y && is_same(&(row - 1));
            let end = (row..window.end.y).find(|row| !is_same(row));
            let end = end.unwrap_or(window.end.y);
            if !is_below && row < inner.end.y && end > inner.start.y {
                rects.insert([run.0, row, run.1, end]);
            }
        }
    }
    rects
}

/// The rectangles that cover an area around some cells are such runs, except for how far they
/// extend beyond the next row.
fn assert_rects_are_runs(tiles: &Tiles, start: UVec2, size: UVec2) {
    let end = (start + size).min(tiles.size());
    let corners = [start, end].map(|corner| {
        let from_center = corner.as_vec2() - tiles.size().as_vec2() / 2.0;
        from_center * tiles.cell_size() * Vec2::new(1.0, -1.0)
    });
    let area = Aabb2d {
        min: corners[0].min(corners[1]) + 0.1,
        max: corners[0].max(corners[1]) - 0.1,
    };
    let window = CellRange {
        start: start.saturating_sub(UVec2::ONE),
        end: (end + 1).min(tiles.size()),
    };
    let mut rects = BTreeSet::new();
    tiles.visit_rects(&area, &mut |CellRange { start, end }| {
        let [top, bottom] = [start.y.max(window.start.y), end.y.min(window.end.y)];
        assert!(rects.insert([start.x, top, end.x, bottom]));
    });
    let inner = CellRange { start, end };
    assert_eq!(rects, rects_by_runs(tiles, &window, &inner), "{inner:?}");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn rectangles_are_runs_of_rows_that_go_on_below(
        tiles in tiles(),
        x in 0..140u32,
        y in 0..140u32,
        size in (1..9u32, 1..9u32),
        wide in 1..60u32,
    ) {
        let start = UVec2::new(x, y) % tiles.size();
        for size in [UVec2::from(size), UVec2::new(wide, size.1), UVec2::new(size.0, wide)] {
            assert_rects_are_runs(&tiles, start, size);
        }
    }

    #[test]
    fn rectangles_hold_each_solid_cell_of_the_area_once(
        tiles in tiles(),
        corners in prop::array::uniform4(between(-90.0, 90.0)),
    ) {
        let [a, b, c, d] = corners;
        let area =
            Aabb2d { min: Vec2::new(a.min(b), c.min(d)), max: Vec2::new(a.max(b), c.max(d)) };
        let seen = cells_of_rects(&tiles, &area);
        for cell in tiles.solid_cells() {
            if intersects(&area, &cell_aabb(&tiles, cell)) {
                prop_assert!(seen.contains(&(cell.x, cell.y)), "{cell}");
            }
        }
    }

    #[test]
    fn the_cell_near_a_point_is_the_nearest_around_it(
        tiles in tiles(),
        x in between(-1.5, 13.0),
        y in between(-1.5, 13.0),
        is_on_line in any::<bool>(),
    ) {
        let position = Vec2::new(if is_on_line { x.round() } else { x }, y);
        let point =
            (position - tiles.size().as_vec2() / 2.0) * tiles.cell_size() * Vec2::new(1.0, -1.0);
        let position = tiles.in_cells(point);
        let distance =
            |cell: UVec2| position.clamp(cell.as_vec2(), cell.as_vec2() + 1.0).distance(position);
        let is_around =
            |cell: &UVec2| (cell.as_vec2() - position.floor()).abs().max_element() <= 1.0;
        let expected = tiles.solid_cells().filter(is_around).map(distance).reduce(f32::min);
        let found = tiles.solid_cell_near(point);
        prop_assert!(found.is_none_or(|cell| tiles.is_solid(cell) && is_around(&cell)));
        prop_assert_eq!(found.map(distance), expected);
    }

    #[test]
    fn cells_are_what_they_were_set_to(
        columns in 1..140u32,
        rows in 1..140u32,
        edits in prop::collection::vec((0..150u32, 0..150u32, any::<bool>()), 0..60),
    ) {
        let mut tiles = Tiles::new(columns, rows, Vec2::ONE);
        let mut expected = BTreeSet::new();
        for (x, y, is_solid) in edits {
            let before = tiles.clone();
            tiles.set(UVec2::new(x, y), is_solid);
            if x < columns && y < rows && is_solid {
                expected.insert((y, x));
            } else if is_solid {
                prop_assert_eq!(&before, &tiles);
            } else {
                expected.remove(&(y, x));
            }
        }
        let found: Vec<(u32, u32)> = tiles.solid_cells().map(|cell| (cell.y, cell.x)).collect();
        prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_point_in_a_cell_is_found_there(
        tiles in tiles(),
        x in between(0.01, 0.99),
        y in between(0.01, 0.99),
    ) {
        let cell = tiles.size() / 2;
        let Aabb2d { min, max } = cell_aabb(&tiles, cell);
        let point = min + (max - min) * Vec2::new(x, y);
        prop_assert_eq!(tiles.cell_at(point), cell.cmplt(tiles.size()).all().then_some(cell));
        let size = tiles.size().as_vec2() * tiles.cell_size();
        let [right, above] = [Vec2::X, Vec2::Y].map(|axis| axis * size);
        for outside in [right, -right, above, -above] {
            prop_assert_eq!(tiles.cell_at(outside), None);
        }
    }
}

/// A block of cells whose rows all differ.
pub(super) fn stairs() -> Shape {
    let rows = ["#..#....", "######..", "#######.", ".#######"];
    Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(rows, Vec2::splat(2.0))),
        placement: Placement::at(Vec2::ZERO),
    }
}

#[test]
fn a_point_on_a_line_between_solid_cells_is_inside() {
    let stairs = stairs();
    // Cells from -8 to 8, rows from 4 down to -4.
    for (x, y, is_inside) in [
        (0.0, 0.0, true),
        (0.5, 0.0, true),
        (2.0, -1.0, true),
        (-6.0, 2.0, false),
        (-7.0, 2.0, true),
        (-5.0, 2.0, false),
        (8.0, -3.0, false),
        (7.0, -4.0, false),
        (3.0, 2.0, false),
    ] {
        let point = Vec2::new(x, y);
        assert_eq!(contains_point(&stairs, point), is_inside, "{point}");
    }
}

/// The rectangles that a block of solid cells is reported as, from some columns and rows up to
/// others, in a grid of 200 by 200.
fn rects_of_block(columns: (u32, u32), rows: (u32, u32)) -> Vec<(UVec2, UVec2)> {
    let mut tiles = Tiles::new(200, 200, Vec2::ONE);
    for (x, y) in (rows.0..rows.1).flat_map(|y| (columns.0..columns.1).map(move |x| (x, y))) {
        tiles.set(UVec2::new(x, y), true);
    }
    let everywhere = Aabb2d {
        min: Vec2::splat(-100.0),
        max: Vec2::splat(100.0),
    };
    let mut rects = Vec::new();
    tiles.visit_rects(&everywhere, &mut |range| {
        rects.push((range.start, range.end));
    });
    rects
}

#[test]
fn a_block_of_solid_cells_is_one_rectangle() {
    let block = (UVec2::new(70, 10), UVec2::new(120, 199));
    assert_eq!(rects_of_block((70, 120), (10, 199)), [block]);
}

#[test]
fn rectangles_in_the_corners_of_a_chunk_are_runs_of_rows() {
    let mut random = fastrand::Rng::with_seed(1);
    let cells = std::iter::repeat_with(|| random.u8(0..4) > 0).take(64 * 64);
    let tiles = Tiles::from_cells(64, cells, Vec2::ONE);
    let starts = [0, 1, 2, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63];
    for (x, y) in (starts.into_iter()).flat_map(|x| starts.map(|y| (x, y))) {
        for size in (0..64).map(|number| UVec2::new(number % 8 + 1, number / 8 + 1)) {
            assert_rects_are_runs(&tiles, UVec2::new(x, y), size);
        }
    }
}

#[test]
fn an_area_without_limits_holds_all_cells() {
    let tiles = Tiles::from_rows(["#.#", ".#.", "##."], Vec2::ONE);
    let all: BTreeSet<(u32, u32)> = tiles.solid_cells().map(|cell| (cell.x, cell.y)).collect();
    let cells_within = |min: f32, max: f32| {
        let [min, max] = [min, max].map(Vec2::splat);
        cells_of_rects(&tiles, &Aabb2d { min, max })
    };
    let (none, infinity) = (f32::NAN, f32::INFINITY);
    for [min, max] in [
        [-infinity, infinity],
        [none, none],
        [none, 9.0],
        [-9.0, none],
    ] {
        assert_eq!(cells_within(min, max), all, "{min} {max}");
    }
    for [min, max] in [[infinity; 2], [-infinity; 2], [9.0, infinity]] {
        assert!(cells_within(min, max).is_empty(), "{min} {max}");
    }
}

#[test]
fn what_is_beyond_the_area_does_not_split_rectangles() {
    let rows = ["#####", "####", "#######", "######"];
    let tiles = Tiles::from_rows(rows, Vec2::ONE);
    let left = Aabb2d {
        min: Vec2::new(-3.5, -2.0),
        max: Vec2::new(-1.0, 2.0),
    };
    let mut rects = Vec::new();
    tiles.visit_rects(&left, &mut |range| rects.push((range.start, range.end)));
    assert_eq!(rects, [(UVec2::ZERO, UVec2::new(4, 4))]);
}

#[test]
fn rectangles_of_a_wide_block_are_64_columns_wide_at_most() {
    let rects = rects_of_block((30, 190), (50, 150));
    let columns: Vec<(u32, u32)> = (rects.iter())
        .map(|(start, end)| {
            assert_eq!((start.y, end.y), (50, 150));
            (start.x, end.x)
        })
        .collect();
    assert_eq!(columns, [(30, 64), (64, 128), (128, 190)]);
}

#[test]
fn areas_of_any_width_hold_each_cell_once() {
    let (columns, rows) = (200u32, 130u32);
    let mut tiles = Tiles::new(columns, rows, Vec2::ONE);
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        // Runs of many lengths, and solid rows between.
        tiles.set(UVec2::new(x, y), y % 4 == 0 || (x * 7 + y) % 9 < x % 8);
    }
    let starts = [0, 1, 62, 63, 64, 65];
    let widths = (1..4).chain(61..68).chain(125..132);
    for (start, width) in starts
        .into_iter()
        .flat_map(|start| widths.clone().map(move |width| (start, width)))
    {
        let end = UVec2::new((start + width).min(columns), 70);
        let start = UVec2::new(start, 60);
        let center = tiles.size().as_vec2() / 2.0;
        let [p, q] = [start, end].map(|corner| (corner.as_vec2() - center) * Vec2::new(1.0, -1.0));
        let area = Aabb2d {
            min: p.min(q) + 0.25,
            max: p.max(q) - 0.25,
        };
        let seen = cells_of_rects(&tiles, &area);
        for (x, y) in (start.y..end.y).flat_map(|y| (start.x..end.x).map(move |x| (x, y))) {
            let is_solid = tiles.is_solid(UVec2::new(x, y));
            assert_eq!(seen.contains(&(x, y)), is_solid, "{start} {end}: {x} {y}");
        }
    }
}

#[test]
fn a_changed_copy_shares_the_other_chunks() {
    let mut tiles = Tiles::new(1000, 1000, Vec2::ONE);
    for (x, y) in (0..1000).flat_map(|y| (0..1000).map(move |x| (x, y))) {
        tiles.set(UVec2::new(x, y), true);
    }
    let mut copy = tiles.clone();
    copy.set(UVec2::new(500, 500), false);
    assert_eq!(tiles.chunks_not_shared_with(&copy), 1);
    assert!(tiles.is_solid(UVec2::new(500, 500)));
}

#[test]
fn a_grid_of_no_size_holds_no_point() {
    for cell_size in [Vec2::ZERO, Vec2::X, Vec2::Y] {
        let flat = Shape::Tiles {
            tiles: Arc::new(Tiles::from_rows(["#"], cell_size)),
            placement: Placement::at(Vec2::ZERO),
        };
        assert!(!contains_point(&flat, Vec2::ZERO), "{cell_size}");
    }
}

#[test]
fn no_cell_is_near_a_point_that_is_not_finite() {
    let tiles = Tiles::from_rows(["##", "##"], Vec2::ONE);
    for number in [f32::NAN, f32::INFINITY, f32::MAX, 1e30, 1e10, 3.5] {
        for point in [
            Vec2::splat(number),
            Vec2::new(0.0, -number),
            Vec2::new(-number, 0.0),
        ] {
            assert_eq!(tiles.solid_cell_near(point), None, "{point}");
        }
    }
    // So little beyond the edge that it is on it except for rounding.
    let beyond = Vec2::new(-1.0 - 1e-7, 0.5);
    assert_eq!(tiles.solid_cell_near(beyond), Some(UVec2::ZERO));
}

#[test]
fn across_the_far_side_a_cell_may_be_nearer_than_at_the_near_corner() {
    let tiles = Tiles::from_rows(["#..", "..#", "..."], Vec2::ONE);
    // 0.45 cells from the upper left corner of the cell in the center.
    let point = Vec2::new(-0.05, 0.05);
    assert_eq!(tiles.solid_cell_near(point), Some(UVec2::new(2, 1)));
}

/// Positions in such a grid are rounded to a thousandth of a cell.
#[test]
fn points_on_the_edges_of_a_long_row_of_cells_are_not_inside() {
    let columns = 10_000;
    let cells = (0..columns)
        .map(|column| column % 2 == 0)
        .collect::<Vec<_>>();
    let tiles = Tiles::from_cells(columns, cells, Vec2::splat(0.3));
    let row = Shape::Tiles {
        tiles: Arc::new(tiles),
        placement: Placement::at(Vec2::ZERO),
    };
    for line in -200i16..=200 {
        let x = f32::from(line) * 0.3;
        for x in [x - 1e-6, x, x + 1e-6] {
            assert!(!contains_point(&row, Vec2::new(x, 0.05)), "{x}");
        }
        let center = Vec2::new(x + 0.15, 0.05);
        assert_eq!(contains_point(&row, center), line % 2 == 0, "{center}");
    }
}
