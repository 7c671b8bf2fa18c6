//! Rays nearly along the lines of grids, from afar and from near.

use std::sync::Arc;

use bevy::math::{DVec2, UVec2, Vec2};

use super::assert_near;
use crate::geometry::{Placement, Shape, TOUCHING_SLOP, Tiles, cast_ray};

/// Ten columns of unit cells around the origin, with these rows solid.
fn layers(is_solid: [bool; 10]) -> Shape {
    let cells = (0..100).map(|cell| is_solid[cell / 10]);
    placed(Tiles::from_cells(10, cells, Vec2::ONE), Vec2::ZERO)
}

fn placed(tiles: Tiles, center: Vec2) -> Shape {
    Shape::Tiles {
        tiles: Arc::new(tiles),
        placement: Placement::at(center),
    }
}

#[test]
fn a_ray_from_afar_hits_cells_that_it_enters_beside_a_line() {
    // The row above the center, and the third one above it.
    let [near, above] = [4, 2].map(|solid| layers(std::array::from_fn(|row| row == solid)));
    let hit = cast_ray(&near, Vec2::new(-1000.0, 0.0), Vec2::new(2000.0, 0.05)).unwrap();
    assert_near(hit.point.x, -5.0, 1e-3);
    let (far, displacement) = (Vec2::new(-10_000.0, 0.0), Vec2::new(20_000.0, 5.0));
    let hit = cast_ray(&above, far, displacement).unwrap();
    assert_near(hit.point.x, -5.0, 1e-2);
    let below = layers(std::array::from_fn(|row| row == 4 || row == 5));
    assert_eq!(cast_ray(&below, far, displacement), None);
}

#[test]
fn a_short_ray_along_a_line_of_a_wide_grid_hits_cells_on_both_sides() {
    let mut tiles = Tiles::from_cells(100, [true; 200], Vec2::ONE);
    tiles.set(UVec2::new(5, 1), false);
    let grid = placed(tiles, Vec2::new(1050.0, 0.0));
    let hit = cast_ray(&grid, Vec2::new(1000.0, 0.0), Vec2::new(4.0, 3e-4)).unwrap();
    assert_eq!((hit.fraction, hit.normal), (0.0, Vec2::NEG_X));
}

/// The slop is that of the cells on the ray's path, not that of the far ends of the grid.
#[test]
fn a_ray_just_below_the_top_of_a_cell_of_a_wide_grid_hits_it() {
    let mut tiles = Tiles::new(65_535, 3, Vec2::splat(16.0));
    tiles.set(UVec2::new(32_770, 1), true);
    let grid = placed(tiles, Vec2::ZERO);
    for length in [1e3, 1e6] {
        let hit = cast_ray(&grid, Vec2::new(-100.0, 7.8), Vec2::X * length).unwrap();
        assert_near(hit.point.x, 40.0, 0.1);
    }
}

/// The range of fractions at which a ray is in a box.
fn fractions_in([min, max]: [DVec2; 2], origin: DVec2, displacement: DVec2) -> Option<[f64; 2]> {
    let (p, q) = ((min - origin) / displacement, (max - origin) / displacement);
    let enter = p.min(q).max_element().max(0.0);
    let exit = p.max(q).min_element().min(1.0);
    (enter <= exit).then_some([enter, exit])
}

/// Against the solid rows as rectangles, somewhat larger and somewhat smaller than they are.
#[test]
fn rays_nearly_along_lines_hit_the_rows_that_they_enter() {
    let mut dice = fastrand::Rng::with_seed(2);
    for _ in 0..20_000 {
        let is_solid: [bool; 10] = std::array::from_fn(|_| dice.u8(0..3) == 0);
        let far = 5.5 + 10f32.powf(dice.f32() * 5.0);
        let sign = if dice.bool() { 1.0 } else { -1.0 };
        let drift = (dice.f32() - 0.5) * 10f32.powf(1.0 - dice.f32() * 5.0);
        let line = f32::from(dice.u8(0..11)) - 5.0;
        let origin = Vec2::new(-far, line - drift * dice.f32());
        let displacement = Vec2::new(far * (0.9 + dice.f32()), drift);
        let [from, by] = [origin, displacement].map(|vector| vector * Vec2::new(sign, 1.0));
        let found = cast_ray(&layers(is_solid), from, by).map(|hit| hit.fraction);
        let slop = f64::from(4.0 * TOUCHING_SLOP * (far + displacement.x));
        let first = |grown: f64| {
            // Rows run down; those that touch are one.
            let mut rows: Vec<[f64; 2]> = Vec::new();
            for row in (0..10u8).filter(|row| is_solid[usize::from(*row)]) {
                let (low, high) = (4.0 - f64::from(row), 5.0 - f64::from(row));
                match rows.last_mut() {
                    Some(last) if last[0] == high => last[0] = low,
                    _ => rows.push([low, high]),
                }
            }
            let enter = rows.into_iter().filter_map(|[low, high]| {
                let corners = [DVec2::new(-5.0, low - grown), DVec2::new(5.0, high + grown)];
                fractions_in(corners, origin.as_dvec2(), displacement.as_dvec2())
            });
            enter.map(|[enter, _]| enter).reduce(f64::min)
        };
        let [earliest, latest] = [first(slop), first(-slop)].map(|it| it.map(|it| it as f32));
        let ray = format!("{found:?} {earliest:?} {latest:?} {from} {by} {is_solid:?}");
        assert!(latest.is_none() || found.is_some(), "{ray}");
        if let Some(found) = found {
            assert!(
                earliest.is_some_and(|earliest| found > earliest - 1e-5),
                "{ray}"
            );
            assert!(latest.is_none_or(|latest| found < latest + 1e-5), "{ray}");
        }
    }
}
