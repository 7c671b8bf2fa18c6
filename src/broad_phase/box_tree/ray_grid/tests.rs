use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use bevy::math::{
    DVec2, IVec2, Vec2, Vec2Swizzles,
    bounding::{Aabb2d, BoundingVolume},
};
use proptest::prelude::*;

use super::{
    super::{
        super::{EMPTY, Sweep, brute_force::sweep_entry},
        node::{Limits, NOTHING, limits},
    },
    LazyRayGrid, RayGrid,
    cell::{Insets, STEPS},
    layout::Layout,
};
use crate::{aabb::grow, strategies::between};

fn grid_of(boxes: &[Aabb2d]) -> Option<RayGrid> {
    let bounds = boxes
        .iter()
        .fold(NOTHING, |bounds, aabb| bounds.min(limits(aabb)));
    grid_for(boxes, bounds, boxes.len())
}

/// With cells for so many boxes, of which there may be fewer.
fn grid_for(boxes: &[Aabb2d], bounds: Limits, count: usize) -> Option<RayGrid> {
    let mut grid = RayGrid::default();
    let is_of_use = grid.fill(bounds, count, (0..).zip(boxes.iter().map(limits)));
    is_of_use.then_some(grid)
}

fn square(center: Vec2, size: f32) -> Aabb2d {
    Aabb2d::new(center, Vec2::splat(size / 2.0))
}

/// So many boxes in each row, and as many rows, at distances of 10.
fn rows_of_boxes(side: u16, size: f32) -> Vec<Aabb2d> {
    let place = |row, column| 10.0 * Vec2::new(f32::from(column), f32::from(row));
    (0..side)
        .flat_map(|row| (0..side).map(move |column| square(place(row, column), size)))
        .collect()
}

/// The places of all boxes that a ray meets.
fn met(grid: &RayGrid, ray: &Sweep) -> Vec<u32> {
    let mut met = Vec::new();
    grid.visit_along(ray, &mut |place, _| met.push(place));
    met.sort_unstable();
    met
}

/// Asserts that a ray meets each box once that is on its way, and no others but for what is very near. One that goes nowhere may meet
/// what is near it.
fn assert_meets_what_is_on_its_way(grid: &RayGrid, ray: &Sweep, boxes: &[Aabb2d]) {
    let found = met(grid, ray);
    assert!(found.is_sorted_by(|a, b| a < b), "{found:?} has one twice");
    let near = grid.layout.margin + 2.0 / f64::from(STEPS);
    let reach = |aabb: &Aabb2d| sweep_entry(ray, aabb).is_some_and(|at| at <= ray.length.into());
    for (place, aabb) in (0..).zip(boxes) {
        let coordinates = aabb.min.abs().max(aabb.max.abs()).max(ray.start.min.abs());
        let slop = 1e-4 * coordinates.max_element() + (near / grid.layout.cells_per_unit) as f32;
        let is_found = found.contains(&place);
        assert!(is_found || !reach(aabb), "{ray:?} passes {aabb:?} by");
        let longer = Sweep {
            length: ray.length * 1.0001,
            ..*ray
        };
        let is_near = sweep_entry(&longer, &grow(aabb, slop)).is_some();
        let may_be_found = is_near || ray.direction == Vec2::ZERO;
        assert!(
            !is_found || may_be_found,
            "{ray:?} does not come to {aabb:?}"
        );
    }
}

/// Boxes around the origin, or far from it, of any scale.
fn some_boxes() -> impl Strategy<Value = Vec<Aabb2d>> {
    let size = || prop_oneof![2 => Just(0.0), 8 => between(0.0, 30.0)];
    let one = (
        between(-100.0, 100.0),
        between(-100.0, 100.0),
        size(),
        size(),
    );
    let at = prop_oneof![Just(0.0), Just(-1e4), Just(50.0)];
    let scale = prop_oneof![Just(1e-3), Just(1.0), Just(1e3)];
    (prop::collection::vec(one, 20..80), at, scale).prop_map(|(boxes, at, scale)| {
        let scaled = |(x, y, width, height)| Aabb2d {
            min: (Vec2::new(x, y) + at) * scale,
            max: (Vec2::new(x + width, y + height) + at) * scale,
        };
        boxes.into_iter().map(scaled).collect()
    })
}

/// Where a ray starts, relative to the boxes, where it goes, and how far.
fn some_ray() -> impl Strategy<Value = (Vec2, Vec2, f32)> {
    let along =
        || prop_oneof![2 => Just(0.0), 1 => Just(1.0), 1 => Just(-1.0), 4 => between(-3.0, 3.0)];
    let start = || prop_oneof![4 => between(0.0, 1.0), 1 => between(-3.0, 3.0), 1 => Just(0.5)];
    let length = prop_oneof![Just(f32::INFINITY), Just(0.0), between(0.0, 2e5)];
    ((start(), start()), (along(), along()), length)
        .prop_map(|(start, along, length)| (start.into(), along.into(), length))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rays_meet_each_box_on_their_way_once(boxes in some_boxes(), (start, direction, length) in some_ray()) {
        let Some(grid) = grid_of(&boxes) else {
            return Err(TestCaseError::reject("no grid"));
        };
        let [min, max] = boxes.iter().fold([Vec2::INFINITY, Vec2::NEG_INFINITY], |[min, max], aabb| {
            [min.min(aabb.min), max.max(aabb.max)]
        });
        let ray = Sweep::of_point(min + (max - min) * start, direction, length);
        assert_meets_what_is_on_its_way(&grid, &ray, &boxes);
        let corner = boxes[0].min;
        assert_meets_what_is_on_its_way(&grid, &Sweep::of_point(corner, direction, length), &boxes);
    }

    #[test]
    fn rays_along_thousands_of_cells_miss_nothing(heights in [between(-1.5, 1.5), between(-1.5, 1.5)], is_turned in any::<bool>()) {
        let place = |at: Vec2| if is_turned { at.yx() } else { at };
        let boxes: Vec<Aabb2d> = (0..5000).map(|number: u16| square(place(Vec2::X * 10.0 * f32::from(number)), 2.0)).collect();
        let grid = grid_of(&boxes).unwrap();
        prop_assert!(grid.layout.size.max_element() > 4000);
        let [start, end] = [Vec2::new(-9.0, heights[0]), Vec2::new(50_010.0, heights[1])].map(place);
        for [from, to] in [[start, end], [end, start]] {
            let ray = Sweep::of_point(from, (to - from).normalize(), f32::INFINITY);
            assert_meets_what_is_on_its_way(&grid, &ray, &boxes);
        }
    }

    #[test]
    fn a_box_goes_on_beyond_the_lines_between_its_parts(boxes in some_boxes()) {
        let Some(grid) = grid_of(&boxes) else {
            return Err(TestCaseError::reject("no grid"));
        };
        let Layout { origin, cells_per_unit, size, margin } = grid.layout;
        for aabb in &boxes {
            let parts: HashMap<IVec2, Insets> = grid.layout.parts_of(limits(aabb)).map(|(cell, insets)| {
                let cell = cell as i32;
                (IVec2::new(cell % size.x, cell / size.x), insets)
            }).collect();
            let [mut min, mut max] = [DVec2::INFINITY, DVec2::NEG_INFINITY];
            for (&cell, &insets) in &parts {
                let beyond = [IVec2::NEG_X, IVec2::NEG_Y, IVec2::X, IVec2::Y].map(|to| parts.contains_key(&(cell + to)));
                prop_assert_eq!(insets.map(|inset| inset == 0), beyond);
                let [left, bottom, right, top] = insets.map(|inset| f64::from(inset) / f64::from(STEPS));
                min = min.min(cell.as_dvec2() + DVec2::new(left, bottom));
                max = max.max(cell.as_dvec2() + 1.0 - DVec2::new(right, top));
            }
            let cells = |at: Vec2| (at.as_dvec2() - origin) * cells_per_unit;
            for beyond in [cells(aabb.min) - min, max - cells(aabb.max)] {
                prop_assert!(beyond.min_element() >= margin && beyond.max_element() <= margin + 2.0 / f64::from(STEPS));
            }
        }
    }

    #[test]
    fn a_ray_that_gets_shorter_still_finds_the_first_box(boxes in some_boxes(), (start, direction, _) in some_ray()) {
        let Some(grid) = grid_of(&boxes) else {
            return Err(TestCaseError::reject("no grid"));
        };
        let start = boxes[0].min + (boxes[1].max - boxes[0].min) * start;
        let ray = Sweep::of_point(start, direction, f32::INFINITY);
        let mut first: Option<f32> = None;
        grid.visit_along(&ray, &mut |place, reach| {
            if let Some(entry) = sweep_entry(&ray, &boxes[place as usize]).map(|entry| entry as f32)
                && entry <= *reach
            {
                *reach = entry;
                first = Some(entry);
            }
        });
        let entries = boxes.iter().filter_map(|aabb| sweep_entry(&ray, aabb));
        let least = entries.map(|entry| entry as f32).reduce(f32::min);
        prop_assert_eq!(first, least);
    }
}

#[test]
fn rays_on_the_lines_between_cells_miss_nothing() {
    let boxes = rows_of_boxes(20, 6.0);
    let grid = grid_of(&boxes).unwrap();
    let side = grid.layout.cells_per_unit.recip();
    let corner = |column: i32, row: i32| {
        let cells = DVec2::new(column.into(), row.into());
        (grid.layout.origin + cells * side).as_vec2()
    };
    let directions = [-1.0, 0.0, 1.0].map(|x| [-1.0, 0.0, 1.0].map(|y| Vec2::new(x, y)));
    for column in 0..=grid.layout.size.x {
        for row in 0..=grid.layout.size.y {
            for &direction in directions.as_flattened() {
                for length in [f32::INFINITY, side as f32] {
                    let ray = Sweep::of_point(corner(column, row), direction, length);
                    assert_meets_what_is_on_its_way(&grid, &ray, &boxes);
                }
            }
        }
    }
}

/// Rays from anywhere, also from far away, to corners and sides of a few boxes.
#[test]
fn far_rays_miss_nothing_among_many_cells() {
    let mut dice = fastrand::Rng::with_seed(18);
    for (within, cells) in [
        (Vec2::new(40_000.0, 300.0), 120_000),
        (Vec2::splat(10_000.0), 1_000_000),
    ] {
        let mut place = |beyond: f32| {
            let part = Vec2::new(dice.f32(), dice.f32()) * (1.0 + 2.0 * beyond) - beyond;
            part * within
        };
        let boxes: Vec<Aabb2d> = (0..60)
            .map(|number: u8| square(place(-0.01), f32::from(number % 6)))
            .collect();
        let bounds = limits(&Aabb2d {
            min: Vec2::ZERO,
            max: within,
        });
        let grid = grid_for(&boxes, bounds, 3 * cells).unwrap();
        assert!((1.0..1.1).contains(&(grid.layout.cell_count() as f64 / cells as f64)));
        for beyond in [0.0, 0.0, 0.5] {
            for aabb in &boxes {
                for to in [aabb.min, aabb.max, aabb.center().with_x(aabb.min.x)] {
                    let start = place(beyond);
                    let ray = Sweep::of_point(start, (to - start).normalize(), f32::INFINITY);
                    assert!(grid.suits(&ray));
                    assert_meets_what_is_on_its_way(&grid, &ray, &boxes);
                }
            }
        }
    }
}

#[test]
fn many_boxes_in_a_cell_are_all_met_once() {
    let crowd = [square(Vec2::splat(50.0), 6.0); 40];
    let boxes = [&crowd[..], &rows_of_boxes(20, 6.0)].concat();
    let grid = grid_of(&boxes).unwrap();
    let ray = Sweep::of_point(Vec2::new(-9.0, 50.0), Vec2::X, f32::INFINITY);
    assert_meets_what_is_on_its_way(&grid, &ray, &boxes);
    assert_eq!(met(&grid, &ray).len(), 60);
}

#[test]
fn a_grid_suits_rays_from_near_it() {
    let grid = grid_of(&rows_of_boxes(20, 6.0)).unwrap();
    let side = grid.layout.cells_per_unit.recip() as f32;
    let suits = |cells: f32| {
        let ray = Sweep::of_point(Vec2::X * cells * side, Vec2::NEG_X, f32::INFINITY);
        grid.suits(&ray)
    };
    assert!(suits(0.0) && suits(8000.0) && suits(-8000.0));
    assert!(!suits(9000.0) && !suits(-9000.0));
}

#[test]
fn there_is_no_grid_where_it_would_be_of_no_use() {
    let crowd = rows_of_boxes(20, 6.0);
    assert!(grid_of(&crowd).is_some());
    let with = |others: &[Aabb2d]| grid_of(&[&crowd, others].concat()).is_some();
    assert!(!with(&[square(Vec2::splat(1e6), 6.0)]), "all share a cell");
    let crowds: Vec<Aabb2d> = (rows_of_boxes(10, 6.0).iter())
        .flat_map(|aabb| [square(10.0 * aabb.center(), 6.0); 40])
        .collect();
    assert!(grid_of(&crowds).is_none(), "a few cells hold all");
    let walls = [square(Vec2::splat(100.0), 200.0); 20];
    assert!(!with(&walls), "walls are everywhere");
    assert!(
        grid_of(&[square(Vec2::ONE, 0.0); 300]).is_none(),
        "all on a spot"
    );
    assert!(grid_of(&[EMPTY; 300]).is_none(), "none is left");
    let far = Vec2::splat(1e8);
    let row = |number: u8| square(far + 8.0 * f32::from(number), 1.0);
    let boxes: Vec<Aabb2d> = (0..20).map(row).collect();
    assert!(grid_of(&boxes).is_none(), "all within rounding");
}

#[test]
fn boxes_on_a_line_have_a_grid() {
    let boxes: Vec<Aabb2d> = rows_of_boxes(30, 0.0).drain(30..60).collect();
    let grid = grid_of(&boxes).unwrap();
    for (start, direction) in [(Vec2::Y * 10.0, Vec2::X), (Vec2::new(50.0, -9.0), Vec2::Y)] {
        let ray = Sweep::of_point(start, direction, f32::INFINITY);
        assert_meets_what_is_on_its_way(&grid, &ray, &boxes);
    }
}

#[test]
fn a_grid_is_filled_when_rays_have_paid_for_it() {
    let mut lazy = LazyRayGrid::default();
    let asks_until_filled =
        |lazy: &LazyRayGrid, boxes| (1..1000).find(|_| lazy.get(boxes, |_| true).is_some());
    assert_eq!(asks_until_filled(&lazy, 800), Some(101));
    assert_eq!(asks_until_filled(&lazy, 800), Some(1));
    lazy.forget();
    assert_eq!(asks_until_filled(&lazy, 1600), Some(201));
    lazy.forget();
    assert_eq!(asks_until_filled(&lazy, 200), None, "too few boxes");
}

#[test]
fn a_grid_of_no_use_is_filled_once() {
    let lazy = LazyRayGrid::default();
    let mut fills = 0;
    for _ in 0..1000 {
        let grid = lazy.get(800, |_| {
            fills += 1;
            false
        });
        assert!(grid.is_none());
    }
    assert_eq!(fills, 1);
}

#[test]
fn of_many_threads_one_fills_the_grid() {
    let (lazy, fills) = (LazyRayGrid::default(), AtomicUsize::new(0));
    let ask = || {
        lazy.get(800, |_| {
            fills.fetch_add(1, Ordering::Relaxed);
            true
        })
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..200).for_each(|_| _ = ask()));
        }
    });
    assert!(ask().is_some());
    assert_eq!(fills.into_inner(), 1);
}
