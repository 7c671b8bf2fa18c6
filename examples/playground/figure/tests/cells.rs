//! Cells of a grid: toggling them, and outlines around them.

use super::*;

fn grid(rows: &[&str]) -> Form {
    Form::Tiles(TileCollider::from_rows(rows, Vec2::splat(20.0)))
}

fn tiles(figure: &Figure) -> &TileCollider {
    match &figure.form {
        Form::Tiles(tiles) => tiles,
        other => panic!("{other:?} is no grid"),
    }
}

/// The center of a cell in the world.
fn center(figure: &Figure, cell: UVec2) -> Vec2 {
    figure.to_world(tiles(figure).cell_center(cell))
}

#[test]
fn a_click_with_shift_turns_a_cell_over_and_back() {
    for figure in posed(grid(&HALL)) {
        for cell in [UVec2::new(0, 0), UVec2::new(3, 1), UVec2::new(7, 3)] {
            let at = center(&figure, cell);
            let grip = figure.grip_at(at, PIXEL, false);
            let edited = figure.edited(grip, at).unwrap();
            assert_ne!(tiles(&edited).is_solid(cell), tiles(&figure).is_solid(cell));
            assert_eq!(edited.edited(grip, at).as_ref(), Some(&figure));
        }
        let outside = figure.to_world(Vec2::new(0.0, 90.0));
        assert_eq!(figure.edited(None, outside), None);
    }
}

#[test]
fn the_last_cell_stays() {
    let figure = Figure::new(grid(&["#."]), Vec2::ZERO, 0.0);
    let at = center(&figure, UVec2::ZERO);
    assert_eq!(figure.edited(Some(Grip::Body), at), None);
}

#[test]
fn a_dragged_corner_of_a_grid_resizes_its_cells() {
    let corner = |figure: &Figure, side: Vec2| {
        let size = tiles(figure).size().as_vec2() * tiles(figure).cell_size();
        figure.to_world(side * size / 2.0)
    };
    for figure in posed(grid(&HALL)) {
        for side in [Vec2::ONE, Vec2::new(-1.0, 1.0)] {
            let from = corner(&figure, side);
            let to = from + figure.direction_to_world(side * Vec2::new(16.0, 24.0));
            let dragged = figure.dragged(Grip::Side(side), from, to).unwrap();
            assert_near(corner(&dragged, side), to);
            assert_near(corner(&dragged, -side), corner(&figure, -side));
            assert_near(tiles(&dragged).cell_size(), Vec2::new(22.0, 24.0));
            let [before, after] = [&figure, &dragged].map(|figure| tiles(figure).solid_cells());
            assert!(before.eq(after));
        }
    }
}

#[test]
fn only_solid_cells_are_gripped() {
    for figure in posed(grid(&HALL)) {
        let grip = |cell| figure.grip_at(center(&figure, cell), PIXEL, false);
        assert_eq!(grip(UVec2::new(3, 2)), Some(Grip::Body));
        assert_eq!(grip(UVec2::new(1, 1)), None);
    }
}

#[test]
fn outlines_go_around_islands_holes_and_corners_that_meet() {
    let lines = |rows: &[&str]| {
        let mut counts: Vec<usize> = grid(rows).kind().outlines().iter().map(Vec::len).collect();
        counts.sort_unstable();
        counts
    };
    assert_eq!(lines(&["#.#"]), [4, 4]);
    assert_eq!(lines(&["###", "#.#", "###"]), [4, 4]);
    assert_eq!(lines(&["##", "#."]), [6]);
    // The edges of both cells are collinear, so their common corner is not a vertex of the outline.
    assert_eq!(lines(&["#.", ".#"]), [6]);
}
