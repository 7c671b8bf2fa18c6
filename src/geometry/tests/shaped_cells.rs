//! Grids with cells of any shape, against one shape for each cell.

use std::f32::consts::TAU;

use bevy::math::{Affine2, Rot2, UVec2, Vec2};

use crate::geometry::{
    CellShape, CellShapeError, CellShapes, Shape, Tiles, cast_ray, cast_shape, contact,
    contains_point, separation,
};

/// All kinds of cells, mirrored and rotated.
pub(super) fn shapes() -> CellShapes {
    let kinds = [
        CellShape::FULL,
        CellShape::slope(0.0, 1.0),
        CellShape::slope(0.0, 0.5),
        CellShape::slope(0.5, 1.0),
        CellShape::rect(0.0..1.0, 0.0..0.5),
        CellShape::rect(0.25..0.5, 0.0..1.0),
        CellShape::polygon([
            Vec2::new(0.5, 0.0),
            Vec2::new(1.0, 0.5),
            Vec2::new(0.5, 1.0),
            Vec2::new(0.0, 0.5),
        ])
        .unwrap(),
    ];
    let all = kinds.iter().flat_map(|kind| {
        [
            kind.clone(),
            kind.flipped_x(),
            kind.flipped_y(),
            kind.rotated(1),
            kind.rotated(3).flipped_x(),
        ]
    });
    (1..)
        .zip(all)
        .fold(CellShapes::new(), |shapes, (number, shape)| {
            shapes.with(number, shape)
        })
}

fn random_grid(rng: &mut fastrand::Rng) -> Tiles {
    let (columns, rows) = (rng.u32(1..9), rng.u32(1..9));
    let share = rng.f32();
    let numbers = (0..columns * rows).map(|_| {
        if rng.f32() < share {
            rng.i32(0..36)
        } else {
            rng.i32(0..2)
        }
    });
    let numbers: Vec<i32> = numbers.collect();
    let cell_size = Vec2::new(rng.f32() * 9.0 + 1.0, rng.f32() * 9.0 + 1.0);
    Tiles::from_int_grid(columns, numbers, cell_size, &shapes())
}

fn random_pose(rng: &mut fastrand::Rng) -> Affine2 {
    let mut sign = || if rng.bool() { 1.0 } else { -1.0 };
    let scale = Vec2::new(sign(), sign());
    let angle = [0.0, 0.3, TAU / 4.0][rng.usize(0..3)];
    Affine2::from_scale_angle_translation(scale, angle, Vec2::new(rng.f32(), rng.f32()) * 20.0)
}

pub(super) fn placed(tiles: Tiles, pose: &Affine2) -> Shape {
    let tiles = Shape::Tiles {
        tiles: tiles.into(),
        placement: crate::geometry::Placement::at(Vec2::ZERO),
    };
    tiles.transformed(pose)
}

/// One shape for each cell of which anything is solid.
pub(super) fn cell_by_cell(tiles: &Tiles, pose: &Affine2) -> Vec<Shape> {
    let cells = tiles.solid_cells().filter_map(|cell| {
        let low = tiles.cell_center(cell) - tiles.cell_size() / 2.0;
        let vertices = tiles.cell_shape(cell)?.vertices().iter();
        let vertices = vertices.map(|vertex| low + *vertex * tiles.cell_size());
        Some(Shape::polygon(vertices).unwrap().transformed(pose))
    });
    cells.collect()
}

fn random_shape(rng: &mut fastrand::Rng) -> Shape {
    let center = Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * 90.0;
    let size = Vec2::new(rng.f32(), rng.f32()) * 12.0 + 0.1;
    match rng.u8(0..3) {
        0 => Shape::circle(center, size.x),
        1 => Shape::rect(center, size, Rot2::radians(rng.f32() * TAU)),
        _ => Shape::capsule(center, center + size, size.y / 3.0),
    }
}

#[test]
fn a_grid_is_as_far_as_the_nearest_of_its_cells() {
    let mut rng = fastrand::Rng::with_seed(1);
    for case in 0..3000 {
        let (tiles, pose) = (random_grid(&mut rng), random_pose(&mut rng));
        let cells = cell_by_cell(&tiles, &pose);
        let (grid, other) = (placed(tiles, &pose), random_shape(&mut rng));
        let distances = cells.iter().map(|cell| separation(&other, cell).distance);
        let nearest = distances.fold(f32::INFINITY, f32::min);
        let found = separation(&other, &grid).distance;
        let is_equal = nearest == found || (nearest - found).abs() < 1e-3;
        assert!(
            is_equal || nearest.max(found) < -1e-3,
            "case {case}: {found}, not {nearest}"
        );
        if nearest.abs() > 1e-3 {
            assert_eq!(
                contact(&other, &grid).is_some(),
                nearest < 0.0,
                "case {case}"
            );
        }
    }
}

#[test]
fn rays_and_casts_hit_the_first_of_the_cells() {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut hits = 0;
    for case in 0..3000 {
        let (tiles, pose) = (random_grid(&mut rng), random_pose(&mut rng));
        let cells = cell_by_cell(&tiles, &pose);
        let (grid, other) = (placed(tiles, &pose), random_shape(&mut rng));
        let displacement = Vec2::from_angle(rng.f32() * TAU) * 100.0;
        let start = other.center();
        if cells.iter().any(|cell| contains_point(cell, start)) {
            continue;
        }
        let of_rays = cells
            .iter()
            .filter_map(|cell| cast_ray(cell, start, displacement));
        let first = of_rays
            .map(|hit| hit.fraction)
            .fold(f32::INFINITY, f32::min);
        let found = cast_ray(&grid, start, displacement).map_or(f32::INFINITY, |hit| hit.fraction);
        let is_equal = first == found || (first - found).abs() < 1e-4;
        // A ray that grazes a vertex may hit or miss.
        let shorter = first.min(found);
        let grazes = || {
            let at = Shape::circle(start + displacement * shorter, 0.01);
            first.max(found) > shorter
                && cells
                    .iter()
                    .any(|cell| separation(&at, cell).distance < 0.01)
        };
        assert!(
            is_equal || grazes(),
            "case {case}: a ray at {found}, not {first}"
        );
        hits += u32::from(found < 1.0);
        let casts = cells
            .iter()
            .filter_map(|cell| cast_shape(&other, displacement, cell));
        let first = casts.map(|hit| hit.fraction).fold(f32::INFINITY, f32::min);
        let found = cast_shape(&other, displacement, &grid);
        let found = found.map_or(f32::INFINITY, |hit| hit.fraction);
        let is_equal = first == found || (first - found).abs() < 1e-4;
        assert!(is_equal, "case {case}: a cast at {found}, not {first}");
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn the_cells_in_a_shape_are_those_that_it_overlaps() {
    let mut rng = fastrand::Rng::with_seed(6);
    let mut found_cells = 0;
    for case in 0..3000 {
        let (tiles, shape) = (random_grid(&mut rng), random_shape(&mut rng));
        let mut found = tiles.cells_in(&shape);
        found.sort_by_key(|cell| (cell.y, cell.x));
        let all = tiles
            .solid_cells()
            .zip(cell_by_cell(&tiles, &Affine2::IDENTITY));
        let expected = all.filter(|(_, cell)| contact(cell, &shape).is_some());
        let expected: Vec<UVec2> = expected.map(|(cell, _)| cell).collect();
        assert_eq!(found, expected, "case {case}");
        found_cells += found.len();
    }
    assert!(found_cells > 1000, "{found_cells}");
    let tiles = random_grid(&mut rng);
    let nowhere = Shape::circle(Vec2::new(f32::NAN, 0.0), 1.0);
    assert_eq!(tiles.cells_in(&nowhere), []);
    let everywhere = Shape::circle(Vec2::ZERO, 1e9);
    assert_eq!(
        tiles.cells_in(&everywhere).len(),
        tiles.solid_cells().count()
    );
}

#[test]
fn a_point_is_inside_if_it_is_inside_of_a_cell() {
    let mut rng = fastrand::Rng::with_seed(3);
    for case in 0..3000 {
        let (tiles, pose) = (random_grid(&mut rng), random_pose(&mut rng));
        let cells = cell_by_cell(&tiles, &pose);
        let grid = placed(tiles.clone(), &pose);
        let point = random_shape(&mut rng).center() * 0.5;
        let distance = |cell: &Shape| separation(&Shape::circle(point, 0.0), cell).distance;
        let nearest = cells.iter().map(distance).fold(f32::INFINITY, f32::min);
        let is_inside = contains_point(&grid, point);
        assert!(
            is_inside == (nearest < 0.0) || nearest.abs() < 1e-3,
            "case {case}: {nearest}"
        );
        // The cell that a point of the surface belongs to.
        if let Some(near) = grid.cell_near(point) {
            let low = tiles.cell_center(near) - tiles.cell_size() / 2.0;
            let vertices = tiles.cell_shape(near).unwrap().vertices().iter();
            let vertices = vertices.map(|vertex| low + *vertex * tiles.cell_size());
            let cell = Shape::polygon(vertices).unwrap().transformed(&pose);
            // The nearest in cells, which are stretched in the world, of those around the point.
            let [least, most] = [
                tiles.cell_size().min_element(),
                tiles.cell_size().max_element(),
            ];
            let limit = nearest.max(0.0) * most / least + 1e-3;
            assert!(
                distance(&cell) <= limit || nearest > 0.9 * least,
                "case {case}"
            );
        } else {
            assert!(
                nearest > tiles.cell_size().min_element() * 0.9,
                "case {case}: {nearest}"
            );
        }
    }
}

#[test]
fn edited_cells_are_those_of_a_new_grid() {
    let mut rng = fastrand::Rng::with_seed(4);
    for case in 0..300 {
        let mut tiles = Tiles::with_shapes(150, 90, Vec2::ONE, &shapes());
        let mut numbers = vec![0; 150 * 90];
        for _ in 0..rng.usize(0..60) {
            let cell = UVec2::new(rng.u32(50..150), rng.u32(50..90));
            let number = [0, 1, rng.u8(0..40)][rng.usize(0..3)];
            tiles.set_number(cell, number);
            let expected = if shapes().get(number).is_some() {
                number
            } else {
                0
            };
            assert_eq!(tiles.number(cell), expected, "case {case}");
            numbers[(cell.y * 150 + cell.x) as usize] = i32::from(number);
        }
        let new = Tiles::from_int_grid(150, numbers, Vec2::ONE, &shapes());
        assert_eq!(tiles, new, "case {case}");
        let solid = tiles.solid_cells().count();
        for cell in tiles.solid_cells().collect::<Vec<_>>() {
            tiles.set(cell, false);
        }
        assert_eq!(tiles.solid_cells().count(), 0, "case {case}: of {solid}");
        assert_eq!(
            tiles,
            Tiles::with_shapes(150, 90, Vec2::ONE, &shapes()),
            "case {case}"
        );
    }
}

#[test]
fn a_cell_shape_says_what_is_wrong_with_it() {
    let polygon =
        |vertices: &[[f32; 2]]| CellShape::polygon(vertices.iter().map(|v| Vec2::from(*v)));
    assert_eq!(
        polygon(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]),
        Err(CellShapeError::Outside)
    );
    assert_eq!(
        polygon(&[[0.0, f32::NAN], [1.0, 0.0], [0.0, 1.0]]),
        Err(CellShapeError::Outside)
    );
    let arrow = [[0.0, 0.0], [0.5, 0.5], [1.0, 0.0], [0.5, 1.0]];
    assert_eq!(polygon(&arrow), Err(CellShapeError::NotConvex));
    assert!(matches!(
        polygon(&[[0.0, 0.0]]),
        Err(CellShapeError::Polygon(_))
    ));
    for (left, right) in [(f32::NAN, 0.0), (-1.0, f32::NEG_INFINITY), (0.0, 0.0)] {
        assert!(CellShape::slope(left, right).is_empty());
    }
    assert_eq!(CellShape::slope(f32::INFINITY, 2.0), CellShape::FULL);
    assert!(CellShape::rect(0.5..0.5, 0.0..1.0).is_empty());
    assert!(CellShape::rect(f32::NAN..1.0, 0.0..1.0).is_empty());
    assert_eq!(CellShape::rect(-1.0..3.0, -1.0..3.0), CellShape::FULL);
}

#[test]
fn mirrored_and_rotated_shapes_come_back() {
    for (number, shape) in shapes().iter() {
        let twice = shape.flipped_x().flipped_x();
        assert_eq!(
            (&twice, shape.rotated(4)),
            (shape, shape.clone()),
            "{number}"
        );
        assert_eq!(shape.flipped_x().flipped_y(), shape.rotated(2), "{number}");
        let area = |shape: &CellShape| {
            let vertices = shape.vertices();
            let next = vertices.iter().cycle().skip(1);
            vertices
                .iter()
                .zip(next)
                .map(|(p, q)| p.perp_dot(*q))
                .sum::<f32>()
                / 2.0
        };
        for turned in [shape.flipped_x(), shape.flipped_y(), shape.rotated(1)] {
            assert!(
                (area(&turned) - area(shape)).abs() < 1e-6 && area(shape) > 0.0,
                "{number}"
            );
        }
    }
}

#[test]
fn the_last_shape_of_a_number_counts_and_zero_stays_open() {
    let half = CellShape::rect(0.0..1.0, 0.0..0.5);
    let shapes = CellShapes::new()
        .with(0, CellShape::FULL)
        .with(1, CellShape::FULL)
        .with(1, half.clone())
        .with(2, CellShape::FULL)
        .with(2, CellShape::empty());
    assert!(shapes.iter().eq([(1, &half)]));
    assert_eq!(shapes.get(1), Some(&half));
    assert_eq!((shapes.get(0), shapes.get(2)), (None, None));
}
