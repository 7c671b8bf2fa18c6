//! Grids with slopes and halves are as smooth as one polygon with their outline.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Course, RATES, bodies},
    long::cases,
};

const CELL: f32 = 16.0;
const COLUMNS: usize = 40;
/// The lowest floor is this many cells above the lower edge of the grid.
const DEPTH: i32 = 2;
const ROWS: i32 = 12;

/// Two heights in halves of a cell, at the left and at the right edge of it, by number.
const SLOPES: [[i32; 2]; 7] = [[0, 2], [2, 0], [0, 1], [1, 0], [1, 2], [2, 1], [1, 1]];

/// How many numbers later the same shapes are one-way.
const ONE_WAY: i32 = 20;

/// What a floor is made of.
#[derive(Clone, Copy, Debug)]
enum Layout {
    OneGrid,
    /// Two grids, of which one ends where the other begins.
    SideBySide,
    /// A third of the cells at the surface are one-way, so in a grid of their own.
    SomeOneWay,
}

const LAYOUTS: [Layout; 3] = [Layout::OneGrid, Layout::SideBySide, Layout::SomeOneWay];

/// The shapes of the walls, by number, or those of the one-way cells.
fn shapes(first_number: u8) -> CellShapes {
    let slopes = SLOPES.map(|heights| {
        let [left, right] = heights.map(|halves| halves as f32 / 2.0);
        CellShape::slope(left, right)
    });
    let shapes = [CellShape::FULL].into_iter().chain(slopes);
    (first_number..)
        .zip(shapes)
        .fold(CellShapes::new(), |shapes, (number, shape)| {
            shapes.with(number, shape)
        })
}

/// The heights of a floor at the edges of columns, in halves of a cell.
fn terrain(rng: &mut fastrand::Rng) -> Vec<i32> {
    let mut heights = vec![6; 4];
    while heights.len() <= COLUMNS {
        let last = heights[heights.len() - 1];
        let most = if last % 2 == 0 { 2 } else { 1 };
        heights.push((last + rng.i32(-most..=most)).clamp(2, 12));
    }
    heights
}

/// The numbers of the cells below a floor, row by row from the top.
fn cells(heights: &[i32]) -> Vec<i32> {
    let cell = |row: i32, column: usize| {
        let above_lowest = (ROWS - 1 - row - DEPTH) * 2;
        let ends = [heights[column], heights[column + 1]].map(|height| height - above_lowest);
        if ends.iter().all(|height| *height >= 2) {
            return 1;
        }
        let slope = SLOPES.iter().position(|slope| *slope == ends);
        slope.map_or(0, |index| index as i32 + 2)
    };
    (0..ROWS)
        .flat_map(|row| (0..COLUMNS).map(move |column| cell(row, column)))
        .collect()
}

/// The outline of the floor and all below it.
fn outline(heights: &[i32]) -> Shape {
    let surface = (0u16..).zip(heights);
    let mut points: Vec<Vec2> = surface
        .map(|(index, height)| Vec2::new(f32::from(index), *height as f32 / 2.0) * CELL)
        .collect();
    let bottom = -(DEPTH as f32) * CELL;
    points.push(Vec2::new(COLUMNS as f32 * CELL, bottom));
    points.push(Vec2::new(0.0, bottom));
    Shape::polygon(points).unwrap()
}

/// Makes a third of the cells one-way at whose upper edge there is open space, or the surface.
fn with_one_way_cells(cells: &mut [i32], rng: &mut fastrand::Rng) {
    for index in 0..cells.len() {
        let is_open_above = index < COLUMNS || cells[index - COLUMNS] == 0;
        if cells[index] > 0 && is_open_above && rng.u8(0..3) == 0 {
            cells[index] += ONE_WAY;
        }
    }
}

/// Spawns the cells in some columns of a floor.
fn spawn_columns(course: &mut Course, cells: &[i32], columns: std::ops::Range<usize>) {
    let width = columns.len();
    let rows = cells.chunks(COLUMNS);
    let cells: Vec<i32> = rows.flat_map(|row| row[columns.clone()].to_vec()).collect();
    let middle = (columns.start + columns.end) as f32 / 2.0;
    let center = Vec2::new(middle, (ROWS / 2 - DEPTH) as f32) * CELL;
    let at = Transform::from_translation(center.extend(0.0));
    let mut commands = course.app.world_mut().commands();
    let grid = |shapes| {
        let numbers = cells.iter().copied();
        TileCollider::from_int_grid(width as u32, numbers, Vec2::splat(CELL), &shapes)
    };
    commands.spawn((grid(shapes(1)), Solid, at));
    commands.spawn((grid(shapes(1 + ONE_WAY as u8)), Solid, OneWay(Dir2::Y), at));
    course.app.world_mut().flush();
}

/// A walker on a floor of cells, and one on a polygon with the same outline.
fn courses(layout: Layout, rng: &mut fastrand::Rng, hertz: f64, body: &Shape) -> [Course; 2] {
    let heights = terrain(rng);
    let start = Vec2::new(1.5 * CELL, 3.0 * CELL + 6.1);
    let course = || Course::at_rate(hertz, body, start, Walker::default());
    let [mut on_cells, mut on_polygon] = [course(), course()];
    let mut cells = cells(&heights);
    if matches!(layout, Layout::SomeOneWay) {
        with_one_way_cells(&mut cells, rng);
    }
    let cut = match layout {
        Layout::SideBySide => rng.usize(4..COLUMNS - 4),
        _ => COLUMNS,
    };
    spawn_columns(&mut on_cells, &cells, 0..cut);
    spawn_columns(&mut on_cells, &cells, cut..COLUMNS);
    on_polygon.wall(outline(&heights));
    [on_cells, on_polygon]
}

/// Plays courses with all bodies, rates and speeds, and these layouts. Calls `step` with both
/// courses of a case until its end is reached, after `prepare`. Both have to stay together, within
/// 0.1 units and the fraction `lag` of the path.
fn each_crossing(
    count: usize,
    layouts: &[Layout],
    lag: f32,
    prepare: impl Fn(&mut Course),
    step: impl Fn(&mut [Course; 2], &str),
) {
    let mut rng = fastrand::Rng::with_seed(1);
    for case in 0..count {
        for (name, body) in bodies() {
            let hertz = RATES[case % 4];
            let speed = [30.0, 100.0, 250.0, 600.0][rng.usize(0..4)];
            let layout = layouts[(case + case / 4) % layouts.len()];
            let mut both = courses(layout, &mut rng, hertz, &body);
            for course in &mut both {
                course.settle();
                course.speed = speed;
                prepare(course);
            }
            let steps = ((COLUMNS as f32 - 4.0) * CELL / speed * hertz as f32) as usize;
            for number in 0..steps {
                let case = format!("case {case}, {layout:?}, {name} at {hertz} Hz, {speed}");
                step(&mut both, &format!("{case}, step {number}"));
                let [p, q] = both.each_ref().map(Course::position);
                let allowed = 0.1 + lag * p.x.abs();
                assert!(
                    p.distance(q) < allowed,
                    "{case}, step {number}: {p}, not {q}"
                );
            }
        }
    }
}

#[test]
fn a_walker_on_slopes_of_cells_walks_as_on_one_polygon() {
    let step = |both: &mut [Course; 2], case: &str| {
        both.iter_mut().for_each(Course::step);
        let [p, q] = both.each_ref().map(|course| course.ground().is_on_floor());
        assert_eq!(p, q, "{case}");
        assert_eq!(both[0].ground().wall(), None, "{case}");
    };
    each_crossing(cases(4, 700), &LAYOUTS, 0.0, |_| {}, step);
}

#[test]
fn a_mover_on_slopes_of_cells_slides_as_on_one_polygon() {
    let without_walker = |course: &mut Course| {
        let mut mover = course.app.world_mut().entity_mut(course.walker);
        mover.remove::<Walker>();
    };
    let slide = |course: &mut Course| {
        // Not gravity: what flies off a peak an update later flies elsewhere.
        course.mover().velocity = Vec2::new(course.speed, -course.speed / 2.0);
        course.app.update();
    };
    let step = |both: &mut [Course; 2], _: &str| both.iter_mut().for_each(slide);
    // A seam may take as much from a mover as along a row of tiles.
    each_crossing(cases(4, 700), &LAYOUTS, 0.001, without_walker, step);
}
