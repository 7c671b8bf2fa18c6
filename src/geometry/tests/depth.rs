//! How deep points and lines are in shapes that are not convex.

use std::sync::Arc;

use bevy::math::{Affine2, Rot2, UVec2, Vec2};
use proptest::prelude::*;

use super::{
    polygon::star,
    shapes::{between, cases},
    tiles::grid,
};
use crate::geometry::{Placement, Shape, Tiles, contact, separation};

/// The rounding error of a result in single precision, in world units.
const ROUNDING: f32 = 2e-3;

/// A grid around the origin of cells that are one unit wide.
fn of_rows<const COUNT: usize>(rows: [&str; COUNT]) -> Shape {
    Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(rows, Vec2::ONE)),
        placement: Placement::at(Vec2::ZERO),
    }
}

/// Moved, rotated, scaled and mirrored.
fn pose() -> impl Strategy<Value = Affine2> {
    let scale = prop_oneof![between(0.5, 2.0), between(-2.0, -0.5)];
    (
        scale,
        between(0.5, 2.0),
        between(-3.0, 3.0),
        between(-50.0, 50.0),
    )
        .prop_map(|(x, y, angle, x_offset)| {
            Affine2::from_scale_angle_translation(Vec2::new(x, y), angle, Vec2::new(x_offset, 7.0))
        })
}

/// A position in a frame, sometimes on a line between cells.
fn position_in(half: Vec2, step: Vec2, [x, y]: [f32; 2], snap: [bool; 2]) -> Vec2 {
    let position = Vec2::new(x, y) * half;
    let on_line = ((position + half) / step).round() * step - half;
    Vec2::select(snap.into(), on_line, position)
}

/// All that is open in a grid at some position: the cells, and what is around the grid.
fn open_rects(grid: &Shape, pose: &Affine2) -> Vec<Shape> {
    let Shape::Tiles { tiles, .. } = grid else {
        return Vec::new();
    };
    let (size, cell) = (
        tiles.size().as_vec2() * tiles.cell_size(),
        tiles.cell_size(),
    );
    let mut rects = Vec::new();
    let mut add = |center: Vec2, size: Vec2| {
        let rect = Shape::rect(center, size, Rot2::IDENTITY);
        rects.push(rect.transformed(pose));
    };
    let far = 1000.0;
    for side in [-1.0, 1.0] {
        add(
            Vec2::X * side * (size.x + far) / 2.0,
            Vec2::new(far, 2.0 * far),
        );
        add(
            Vec2::Y * side * (size.y + far) / 2.0,
            Vec2::new(2.0 * far, far),
        );
    }
    for row in 0..tiles.size().y {
        for column in 0..tiles.size().x {
            if !tiles.is_solid(UVec2::new(column, row)) {
                add(tiles.cell_center(UVec2::new(column, row)), cell);
            }
        }
    }
    rects
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_point_in_a_grid_is_as_deep_as_the_nearest_open_cell_is_far(
        grid in grid(),
        pose in pose(),
        position in [between(-1.0, 1.0), between(-1.0, 1.0)],
        snap in any::<[bool; 2]>(),
    ) {
        let Shape::Tiles { tiles, .. } = &grid else { return Ok(()); };
        let half = tiles.size().as_vec2() * tiles.cell_size() / 2.0;
        let point = pose.transform_point2(position_in(half, tiles.cell_size(), position, snap));
        let placed = grid.transformed(&pose);
        let as_shape = Shape::circle(point, 0.0);
        let found = separation(&as_shape, &placed);
        let open = open_rects(&grid, &pose);
        let nearest = |to: &Shape| {
            let distances = open.iter().map(|rect| separation(to, rect).distance);
            distances.fold(f32::INFINITY, f32::min)
        };
        let depth = nearest(&as_shape).max(0.0);
        prop_assert!(
            (found.distance.min(0.0) + depth).abs() < ROUNDING,
            "{} {}",
            found.distance,
            depth,
        );
        if depth > ROUNDING {
            prop_assert!((found.point_b.distance(point) - depth).abs() < ROUNDING);
            prop_assert!(nearest(&Shape::circle(found.point_b, 0.0)) < ROUNDING);
            let back = separation(&placed, &as_shape);
            prop_assert_eq!((back.distance, back.normal), (found.distance, -found.normal));
            prop_assert!(
                contact(&as_shape, &placed).is_some_and(|contact| contact.depth == -found.distance),
            );
        }
    }

    #[test]
    fn a_point_in_a_polygon_is_as_deep_as_the_nearest_edge_is_far(
        vertices in star(),
        pose in pose(),
        (towards, fraction) in (any::<prop::sample::Index>(), between(0.0, 0.99)),
    ) {
        // All of it is seen from its center.
        let position = *towards.get(&vertices) * fraction;
        let Ok(star) = Shape::polygon(vertices.clone()) else { return Ok(()); };
        let (point, placed) = (pose.transform_point2(position), star.transformed(&pose));
        prop_assume!(!placed.is_convex());
        let vertices: Vec<Vec2> =
            vertices.into_iter().map(|vertex| pose.transform_point2(vertex)).collect();
        let distances = (0..vertices.len()).map(|i| {
            let (start, end) = (vertices[i], vertices[(i + 1) % vertices.len()]);
            let along = (point - start).dot(end - start) / (end - start).length_squared();
            point.distance(start.lerp(end, along.clamp(0.0, 1.0)))
        });
        let depth = distances.fold(f32::INFINITY, f32::min);
        let found = separation(&Shape::circle(point, 0.0), &placed);
        prop_assert!((found.distance + depth).abs() < ROUNDING, "{} {}", found.distance, depth);
        prop_assert!((found.point_b.distance(point) - depth).abs() < ROUNDING);
    }

    /// On a line between two rows or columns, too, where it only touches the cells on both sides.
    #[test]
    fn a_line_is_as_deep_as_its_center_or_up_to_half_its_length_more(
        grid in grid(),
        position in [between(-1.0, 1.0), between(-1.0, 1.0)],
        snap in any::<[bool; 2]>(),
        is_upright in any::<bool>(),
    ) {
        let Shape::Tiles { tiles, .. } = &grid else { return Ok(()); };
        let half = tiles.size().as_vec2() * tiles.cell_size() / 2.0;
        let center = position_in(half, tiles.cell_size(), position, snap);
        let half_length = 0.15;
        let along = if is_upright { Vec2::Y } else { Vec2::X } * half_length;
        let line = Shape::capsule(center - along, center + along, 0.0);
        let of_center = -separation(&Shape::circle(center, 0.0), &grid).distance;
        for found in [separation(&line, &grid), separation(&grid, &line)] {
            let depth = -found.distance;
            if of_center > ROUNDING {
                prop_assert!(depth > of_center - ROUNDING, "{} {}", depth, of_center);
            }
            let most = of_center.max(0.0) + half_length + ROUNDING;
            prop_assert!(depth < most, "{} {}", depth, of_center);
        }
    }
}

#[test]
fn what_just_fits_a_corridor_leaves_its_wall_into_it() {
    let corridor = of_rows(["#.#"; 9]);
    for aside in [-0.3f32, -0.1, 0.1, 0.3] {
        let block = Shape::rect(Vec2::X * aside, Vec2::ONE, Rot2::IDENTITY);
        let found = contact(&block, &corridor).expect("it is in one of the walls");
        assert!((found.depth - aside.abs()).abs() < 1e-5, "{found:?}");
    }
}

#[test]
fn a_point_is_a_point_whatever_shape_it_is_made_of() {
    let grid = of_rows(["##.", "###", "###"]);
    let position = Vec2::new(-0.8, 0.5);
    let points = [
        Shape::circle(position, 0.0),
        Shape::rect(position, Vec2::ZERO, Rot2::IDENTITY),
        Shape::capsule(position, position, 0.0),
    ];
    for point in points {
        let found = contact(&point, &grid).expect("it is in the grid");
        assert!((found.depth - 0.7).abs() < 1e-5, "{found:?}");
    }
}

/// The rows differ beside the segment, so that the cells around it are not one piece.
#[test]
fn a_segment_between_two_cells_overlaps_them_whichever_end_is_inside() {
    let block = of_rows(["#####", "#.###"]);
    let [outside, inside] = [Vec2::new(-6.0, 0.0), Vec2::new(-2.0, 0.0)];
    for (start, end) in [(outside, inside), (inside, outside)] {
        let segment = Shape::capsule(start, end, 0.0);
        let depth = -separation(&segment, &block).distance;
        // Half of what is inside from its center to the left end of the rows.
        assert!((depth - 0.25).abs() < ROUNDING, "{depth} {start} {end}");
    }
}

/// Its center and its ends are outside, or on the surface of one of the rows.
#[test]
fn a_segment_between_cells_overlaps_them_where_it_has_some_on_both_sides() {
    let stairs = of_rows(["....######", "#####....."]);
    let segment = Shape::capsule(Vec2::new(-8.0, 0.0), Vec2::new(4.0, 0.0), 0.0);
    let depth = -separation(&segment, &stairs).distance;
    assert!((depth - 0.5).abs() < ROUNDING, "{depth}");
    // Without a cell on the other side it only touches.
    let gap = of_rows(["....######", "##........"]);
    let beside = Shape::capsule(Vec2::new(-8.0, 0.0), Vec2::new(-1.0, 0.0), 0.0);
    assert_eq!(contact(&beside, &gap), None);
}

/// Its center and both ends are outside.
#[test]
fn a_segment_along_a_diagonal_of_a_polygon_overlaps_it() {
    // The diagonal goes up from the notch of an arrow.
    let vertices = [(0.0, 0.0), (2.0, -2.0), (0.0, 1.5), (-2.0, -2.0)].map(Vec2::from);
    let arrow = Shape::polygon(vertices).expect("its edges do not cross");
    let segment = Shape::capsule(Vec2::new(0.0, -1e-3), Vec2::new(0.0, 7.0), 0.0);
    for found in [contact(&segment, &arrow), contact(&arrow, &segment)] {
        let depth = found.expect("they overlap").depth;
        assert!(depth > 0.3 && depth < 1.6, "{depth}");
    }
    // Beyond the tip, it does not.
    assert_eq!(contact(&segment.translated(Vec2::Y * 1.502), &arrow), None);
}

/// Where rounding allows for nothing.
#[test]
fn a_point_at_the_origin_where_solid_cells_meet_is_inside() {
    let solid = of_rows(["##"; 2]);
    let found = separation(&Shape::circle(Vec2::ZERO, 0.0), &solid);
    assert_eq!(found.distance, -1.0);
}
