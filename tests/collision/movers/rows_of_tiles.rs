//! Movers slide along a row of a thousand tiles as along one long wall.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

const TILES: usize = 1000;
const TILE: f32 = 1.0;
/// The row has this length in front of its center and behind it.
const HALF_LENGTH: f32 = TILES as f32 * TILE / 2.0;
/// A shorter path may differ by as much as one of this length: a single tiny gap may cost some
/// hundredths of a tile.
const MIN_PATH: f32 = 25.0 * TILE;
const ROW: LayerMask = LayerMask::layer(1);
const WALL: LayerMask = LayerMask::layer(2);

/// The arrangement of the tiles of a row.
#[derive(Clone, Copy, Debug)]
struct Layout {
    center: Vec2,
    /// The direction of the row, in radians.
    angle: f32,
    /// The gap between two tiles, negative if they overlap.
    gap: f32,
    /// Whether there is a second row behind, its seams at the centers of the first one's tiles.
    is_double: bool,
    grid: Grid,
}

/// Whether the tiles are the cells of one collider.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grid {
    None,
    /// The row is a row of the grid, with some cells behind it.
    Row,
    /// The row is a column of the grid.
    Column,
}

impl Layout {
    fn along(&self) -> Vec2 {
        Vec2::from_angle(self.angle)
    }

    /// The normal of the surface.
    fn up(&self) -> Vec2 {
        self.along().perp()
    }

    /// The fraction of the path by which a mover on the row may differ from one on the wall. A gap
    /// is a notch that vertices enter: on a slope of a degree in it, a mover that pushes at 89
    /// degrees is twice as fast, or stops.
    fn allowed(&self) -> f32 {
        if self.gap > 0.0 { 0.003 } else { 0.001 }
    }

    /// The position at this distance along the row and from its surface.
    fn to_world(self, along: f32, up: f32) -> Vec2 {
        self.center + self.along() * along + self.up() * up
    }

    /// Lays the row, and the wall that is the same in one piece. Each blocks other movers.
    fn spawn(&self, app: &mut App) {
        let mut spawn_tile = |size: Vec2, position: Vec2, layers: CollisionLayers| {
            let collider = RectCollider::new(size.x, size.y);
            spawn(
                app,
                (collider, Solid, layers, rotated(position, self.angle)),
            );
        };
        let tile = Vec2::new(TILE - self.gap, TILE);
        let single = if self.grid == Grid::None { TILES } else { 0 };
        for i in 0..single {
            let along = (i as f32 + 0.5) * TILE - HALF_LENGTH;
            let in_row = CollisionLayers::new(ROW, LayerMask::ALL);
            spawn_tile(tile, self.to_world(along, -0.5 * TILE), in_row);
            if self.is_double {
                let position = self.to_world(along + 0.5 * TILE, -1.5 * TILE);
                spawn_tile(tile, position, in_row);
            }
        }
        let size = Vec2::new(2.0 * HALF_LENGTH, TILE);
        let whole = CollisionLayers::new(WALL, LayerMask::ALL);
        spawn_tile(size, self.to_world(0.0, -0.5 * TILE), whole);
        self.spawn_grid(app);
    }

    /// The row as a grid that is four cells deep; those behind it are solid at random.
    fn spawn_grid(&self, app: &mut App) {
        let mut rng = Rng::with_seed(TILES as u64);
        let mut is_solid = |is_front: bool| is_front || rng.bool();
        let cells = TILES as u32;
        let (tiles, angle) = match self.grid {
            Grid::None => return,
            Grid::Row => {
                let solid = (0..4 * cells).map(|i| is_solid(i < cells));
                (
                    TileCollider::from_cells(cells, solid, Vec2::splat(TILE)),
                    self.angle,
                )
            }
            // The last column, a quarter turn back.
            Grid::Column => {
                let solid = (0..4 * cells).map(|i| is_solid(i % 4 == 3));
                let angle = self.angle + FRAC_PI_2;
                (TileCollider::from_cells(4, solid, Vec2::splat(TILE)), angle)
            }
        };
        let in_row = CollisionLayers::new(ROW, LayerMask::ALL);
        let transform = rotated(self.to_world(0.0, -2.0 * TILE), angle);
        spawn(app, (tiles, Solid, in_row, transform));
    }
}

/// A mover on the row, and the same one on the wall.
struct Pair {
    movers: [Entity; 2],
    velocity: Vec2,
    start: Vec2,
    /// The distance that a mover slides in a frame if nothing stops it.
    progress: f32,
    describe: String,
}

impl Pair {
    fn random(
        app: &mut App,
        rng: &mut Rng,
        layout: &Layout,
        path_length: f32,
        frames: usize,
    ) -> Self {
        let push = [rng.f32() * 88.0 + 1.0, [1.0, 45.0, 89.0][rng.usize(..3)]][rng.usize(..2)];
        let push = push.to_radians();
        // From a third of a tile to many tiles in a frame, but no further than the row is long.
        let furthest = (path_length / push.cos() / frames as f32).max(0.3);
        let speed = 0.3 * (furthest / 0.3).powf(rng.f32());
        let is_backward = rng.bool();
        let side = if is_backward { -1.0 } else { 1.0 };
        let velocity = (layout.along() * side * push.cos() - layout.up() * push.sin()) * speed;
        let turn = [layout.angle, rng.f32() * TAU][rng.usize(..2)];
        let size = Vec2::new(0.3 + 2.0 * rng.f32(), 0.3 + 2.0 * rng.f32());
        let kind = Kind::any(rng);
        let extent = Vec2::from_angle(turn - layout.angle).abs();
        // The others are at most as high as the rectangle around them.
        let height = match kind {
            Kind::Circle => size.x,
            _ => size.x * extent.y + size.y * extent.x,
        } / 2.0;
        let start = layout.to_world(
            -side * (path_length / 2.0 - rng.f32()),
            height + 0.1 * rng.f32(),
        );
        let describe =
            format!("{kind:?}, {size}, rotated {turn}, {push} rad, {speed} a frame, side {side}");
        let movers = [ROW, WALL].map(|layer| {
            let body = Mover {
                blocked_by: layer,
                ..Mover::default()
            };
            let mover = spawn(app, (body, rotated(start, turn)));
            kind.insert(app, mover, size);
            mover
        });
        Self {
            movers,
            velocity: velocity / STEP_SECS,
            start,
            progress: speed * push.cos(),
            describe,
        }
    }

    /// The distance of both along the row.
    fn went(&self, app: &App, layout: &Layout) -> [f32; 2] {
        let along = layout.along() * self.velocity.dot(layout.along()).signum();
        (self.movers).map(|mover| (shape_of(app, mover).center() - self.start).dot(along))
    }
}

/// Moves pairs of movers along one row. Returns the distance of those on tiles from the others, as
/// a fraction of the tolerance.
fn worst_of_row(layout: Layout, rng: &mut Rng, pairs: usize, frames: usize) -> (f32, String) {
    let mut app = test_app();
    layout.spawn(&mut app);
    let path_length = 2.0 * HALF_LENGTH - 20.0;
    let pairs: Vec<Pair> = (0..pairs)
        .map(|_| Pair::random(&mut app, rng, &layout, path_length, frames))
        .collect();
    let furthest = layout.center.abs().max_element() + HALF_LENGTH;
    let rounding = tolerance(furthest) - tolerance(0.0);
    // Each update rounds the position, and always in the same direction if the displacements are
    // equal.
    let drift = furthest * f32::EPSILON / 2.0;
    let mut worst = (0.0, String::new());
    for frame in 1..=frames {
        for pair in &pairs {
            for mover in pair.movers {
                set_velocity(&mut app, mover, pair.velocity);
            }
        }
        app.update();
        for pair in &pairs {
            if pair.progress * frame as f32 > path_length {
                continue;
            }
            let [on_tiles, on_wall] = pair.went(&app, &layout);
            let allowed =
                layout.allowed() * on_wall.abs().max(MIN_PATH) + rounding + drift * frame as f32;
            let fraction = (on_tiles - on_wall).abs() / allowed;
            if fraction > worst.0 {
                let describe = &pair.describe;
                worst = (
                    fraction,
                    format!("{layout:?}, {describe}, frame {frame}: {on_tiles} {on_wall}"),
                );
            }
        }
    }
    worst
}

fn random_layout(rng: &mut Rng, limit: f32) -> Layout {
    let away = [0.0, limit * rng.f32()][rng.usize(..2)];
    let hair = 1e-4 + 9e-4 * rng.f32();
    let grid = [Grid::None, Grid::None, Grid::Row, Grid::Column][rng.usize(..4)];
    let gap = [0.0, hair, -hair, -0.1 * rng.f32()][rng.usize(..4)];
    Layout {
        center: Vec2::from_angle(rng.f32() * TAU) * away,
        angle: [0.0, rng.f32() * TAU][rng.usize(..2)],
        gap: if grid == Grid::None { gap } else { 0.0 },
        is_double: rng.bool(),
        grid,
    }
}

/// Rows up to `limit` from the origin.
fn assert_smooth(limit: f32, seeds: impl IntoIterator<Item = u64>, pairs: usize, frames: usize) {
    let (mut worst, mut failed, mut rows) = ((0.0, String::new()), 0, 0);
    for seed in seeds {
        rows += 1;
        let mut rng = Rng::with_seed(seed);
        let layout = random_layout(&mut rng, limit);
        let row = worst_of_row(layout, &mut rng, pairs, frames);
        failed += u32::from(row.0 > 1.0);
        worst = if row.0 > worst.0 { row } else { worst };
    }
    println!("{rows} rows with {pairs} movers: {worst:?}");
    assert!(failed == 0, "{failed} of {rows} rows, as {worst:?}");
}

#[test]
fn a_row_of_tiles_is_as_smooth_as_one_wall() {
    assert_smooth(1e3, 0..6, 24, 100);
}

/// In these two rows a mover stops after hundreds of seams if hits on obstacles that are flush with
/// the plane block a slide.
#[test]
fn a_mover_passes_hundreds_of_seams_slowly() {
    assert_smooth(1e3, [9, 27], 12, 1000);
}

#[test]
fn a_row_of_tiles_far_away_is_as_smooth_as_one_wall() {
    assert_smooth(1e4, 0..6, 24, 100);
}

#[test]
#[ignore = "takes minutes: the same with more rows, along the whole of each"]
fn a_thousand_tiles_are_as_smooth_as_one_wall() {
    assert_smooth(1e3, 0..60, 40, 3000);
    assert_smooth(1e4, 0..16, 24, 100);
}
