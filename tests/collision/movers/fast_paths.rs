//! Movers that cross much of a map within one update.

use bevy::prelude::*;
use bevy_thud::{MoveOutcome, geometry, geometry::Shape, prelude::*};
use fastrand::Rng;

use crate::common::*;

const RADIUS: f32 = 4.0;
/// The tolerance of a slide around corners, as a fraction of the path: it turns a little at a time.
const TURNING: f32 = 0.003;
/// The fractions of hits are rounded, which adds up over hundreds of bounces.
const ROUNDING: f32 = 0.1;
const CELL: f32 = 16.0;
const SIDE: u32 = 200;

fn query(app: &mut App, start: Vec2, mover: Mover) -> MoveOutcome {
    run_system(app, move |query: SpatialQuery| {
        let ball = Shape::circle(start, RADIUS);
        query.move_and_slide(&ball, &mover, 1.0, &SpatialQueryFilter::default())
    })
}

/// A closed map of cells, of which about this fraction is solid, except for those around the
/// center.
fn cells(rng: &mut Rng, density: f32) -> Vec<bool> {
    let is_solid = |number: u32| {
        let cell = UVec2::new(number % SIDE, number / SIDE);
        let from_center = cell.as_vec2() - SIDE as f32 / 2.0;
        let is_edge = cell.min_element() == 0 || cell.max_element() == SIDE - 1;
        is_edge || (rng.f32() < density && from_center.abs().max_element() > 2.0)
    };
    (0..SIDE * SIDE).map(is_solid).collect()
}

/// The closed map as one grid, or each cell as a wall of its own, slightly rotated.
fn spawn_map(app: &mut App, rng: &mut Rng, density: f32, is_grid: bool) -> Vec<Shape> {
    let cells = cells(rng, density);
    let tiles = geometry::Tiles::from_cells(SIDE, cells.iter().copied(), Vec2::splat(CELL));
    let mut shapes = vec![];
    for cell in tiles.solid_cells() {
        let is_edge = cell.min_element() == 0 || cell.max_element() == SIDE - 1;
        let angle = if is_grid || is_edge { 0.0 } else { rng.f32() };
        let position = tiles.cell_center(cell);
        shapes.push(Shape::rect(
            position,
            Vec2::splat(CELL),
            Rot2::radians(angle),
        ));
        if !is_grid {
            let wall = (
                RectCollider::new(CELL, CELL),
                Solid,
                rotated(position, angle),
            );
            spawn(app, wall);
        }
    }
    if is_grid {
        let grid = TileCollider::from_cells(SIDE, cells, Vec2::splat(CELL));
        spawn(app, (grid, Solid, Transform::default()));
    }
    app.update();
    shapes
}

/// The walls by the cells around which they are.
struct Walls(Vec<Vec<Shape>>);

impl Walls {
    fn of(shapes: Vec<Shape>) -> Self {
        let mut walls = Self(vec![vec![]; (SIDE * SIDE) as usize]);
        for shape in shapes {
            let cell = Self::cell(shape.center());
            walls.0[cell].push(shape);
        }
        walls
    }

    fn cell(position: Vec2) -> usize {
        let cell = (position / CELL + SIDE as f32 / 2.0).floor();
        let cell = cell.clamp(Vec2::ZERO, Vec2::splat(SIDE as f32 - 1.0));
        (cell.y * SIDE as f32 + cell.x) as usize
    }

    /// The distance of a ball from the nearest wall, if that is near.
    fn distance(&self, position: Vec2) -> f32 {
        let ball = Shape::circle(position, RADIUS);
        let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| Vec2::new(x as f32, y as f32)));
        around
            .flat_map(|offset| &self.0[Self::cell(position + offset * CELL)])
            .map(|wall| geometry::separation(&ball, wall).distance)
            .fold(f32::INFINITY, f32::min)
    }
}

/// Follows a bouncing ball from hit to hit: between them there has to be room for it all along, and
/// a wall at each.
fn assert_no_bounce_is_lost(density: f32, is_grid: bool, speed: f32) {
    let mut rng = Rng::with_seed(7);
    let mut app = test_app();
    let walls = Walls::of(spawn_map(&mut app, &mut rng, density, is_grid));
    let mut most = 0;
    for _ in 0..20 {
        let mut velocity = Vec2::from_angle(rng.f32() * 6.3) * speed;
        let mover = Mover {
            response: MoverResponse::Bounce,
            ..Mover::with_velocity(velocity)
        };
        let outcome = query(&mut app, Vec2::ZERO, mover);
        most = most.max(outcome.hits.len());
        assert!(outcome.hits.len() < 1024);
        let (mut position, mut time) = (Vec2::ZERO, 0.0);
        let ends = (outcome.hits.iter()).map(|hit| (hit.fraction, Some(hit.normal)));
        for (number, (until, normal)) in ends.chain([(1.0, None)]).enumerate() {
            let displacement = velocity * (until - time);
            let samples = (displacement.length() / 2.0) as usize + 1;
            for sample in 0..=samples {
                let there = position + displacement * (sample as f32 / samples as f32);
                let distance = walls.distance(there);
                assert!(distance > -ROUNDING, "hit {number}: {distance} at {there}");
            }
            (position, time) = (position + displacement, until);
            if let Some(normal) = normal {
                let distance = walls.distance(position);
                assert!(
                    distance < SKIN + ROUNDING,
                    "hit {number}: {distance} at {position}"
                );
                velocity -= 2.0 * velocity.dot(normal) * normal;
            }
        }
        assert!(position.distance(outcome.displacement) < 0.1, "{position}");
    }
    println!("{density} {is_grid} {speed}: up to {most} bounces");
}

#[test]
fn a_fast_bounce_in_a_map_loses_no_bounce() {
    for density in [0.0, 0.01, 0.1, 0.3] {
        assert_no_bounce_is_lost(density, true, 10_000.0);
    }
}

#[test]
fn a_fast_bounce_among_walls_loses_no_bounce() {
    for density in [0.01, 0.1] {
        assert_no_bounce_is_lost(density, false, 10_000.0);
    }
}

#[test]
fn a_bounce_faster_than_a_map_is_large_waits_after_its_last_bounce() {
    let mut rng = Rng::with_seed(8);
    let mut app = test_app();
    let walls = Walls::of(spawn_map(&mut app, &mut rng, 0.1, true));
    let mover = Mover {
        response: MoverResponse::Bounce,
        ..Mover::with_velocity(Vec2::new(1e8, 0.7e8))
    };
    let outcome = query(&mut app, Vec2::ZERO, mover);
    assert_eq!(outcome.hits.len(), 1024);
    let distance = walls.distance(outcome.displacement);
    assert!((0.5 * SKIN..2.0 * SKIN).contains(&distance), "{distance}");
    let speed = outcome.velocity.length();
    assert!((speed / 1e8f32.hypot(0.7e8) - 1.0).abs() < 1e-3, "{speed}");
}

/// The end of a ball that slides in thousands of small steps.
fn small_steps(app: &mut App, displacement: Vec2, steps: usize) -> Vec2 {
    let mut position = Vec2::ZERO;
    for _ in 0..steps {
        let mover = Mover::with_velocity(displacement / steps as f32);
        position += query(app, position, mover).displacement;
    }
    position
}

#[test]
fn a_fast_slide_among_walls_ends_where_small_steps_end() {
    let mut rng = Rng::with_seed(9);
    for is_grid in [true, false] {
        let mut app = test_app();
        spawn_map(&mut app, &mut rng, 0.003, is_grid);
        let (mut aside, mut far) = (0, vec![]);
        for case in 0..40 {
            let displacement = Vec2::from_angle(rng.f32() * 6.3) * 1500.0;
            let fast = query(&mut app, Vec2::ZERO, Mover::with_velocity(displacement));
            aside += usize::from(fast.displacement.distance(displacement) > 1.0);
            let slow = small_steps(&mut app, displacement, 3000);
            if fast.displacement.distance(slow) > TURNING * 1500.0 {
                far.push(format!("{case}: {} {slow}", fast.displacement));
            }
        }
        println!("{is_grid}: {aside} deflected, {far:?}");
        assert!(aside > 10 && far.is_empty(), "{aside} {far:?}");
    }
}

#[test]
fn a_slide_goes_on_over_more_than_a_hundred_corners() {
    let mut app = test_app();
    let corners = 2000;
    let radius = 1000.0;
    for number in 0..corners {
        let angle = std::f32::consts::PI * (number as f32 + 0.5) / corners as f32;
        let length = std::f32::consts::PI * radius / corners as f32;
        let transform = rotated(Vec2::from_angle(angle) * (radius - 2.0), angle);
        spawn(
            &mut app,
            (RectCollider::new(4.0, 1.05 * length), Solid, transform),
        );
    }
    app.update();
    let slide = |app: &mut App, start: Vec2, displacement: Vec2| {
        start + query(app, start, Mover::with_velocity(displacement)).displacement
    };
    let start = Vec2::from_angle(2.9) * (radius + RADIUS + 0.5);
    let displacement = Vec2::new(1500.0, 0.0);
    let fast = slide(&mut app, start, displacement);
    let mut slow = start;
    for _ in 0..3000 {
        slow = slide(&mut app, slow, displacement / 3000.0);
    }
    assert!(
        fast.distance(slow) < TURNING * 1500.0,
        "{fast} instead of {slow}"
    );
}

#[test]
fn a_fast_slide_along_a_floor_of_many_tiles_reaches_its_end() {
    let mut app = test_app();
    for number in 0..5000 {
        let transform = at(CELL * number as f32, -CELL / 2.0 - RADIUS);
        spawn(&mut app, (RectCollider::new(CELL, CELL), Solid, transform));
    }
    app.update();
    let mover = Mover::with_velocity(Vec2::new(79_000.0, -50_000.0));
    let outcome = query(&mut app, Vec2::ZERO, mover);
    let end = outcome.displacement;
    assert!(
        (end - Vec2::new(79_000.0, SKIN)).abs().max_element() < 0.2,
        "{end}"
    );
    assert_eq!(outcome.velocity.y, 0.0);
}
