//! The shortest path around the walls to the nearest player, from everywhere at once.
//!
//! The floor is divided into cells. Dijkstra's algorithm spreads from the players over the free
//! cells and stores the distance in each. A monster walks to the neighbor with the smallest
//! distance.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, contact},
    prelude::*,
};

use super::{
    arena::{HALF_SIZE, Wall},
    exact,
    player::Player,
};

/// How often the distances are updated.
pub const REFRESH: Duration = Duration::from_millis(100);

const CELL: f32 = 28.0;
const COLUMNS: i32 = (2.0 * HALF_SIZE.x / CELL) as i32;
const ROWS: i32 = (2.0 * HALF_SIZE.y / CELL) as i32;
/// A cell is free if a circle of this radius fits at its center.
const CLEARANCE: f32 = 15.0;
const UNREACHED: u32 = u32::MAX;
/// The steps to the eight neighbors, with their lengths in fifths of a cell.
const STEPS: [(IVec2, u32); 8] = [
    (IVec2::new(1, 0), 5),
    (IVec2::new(1, 1), 7),
    (IVec2::new(0, 1), 5),
    (IVec2::new(-1, 1), 7),
    (IVec2::new(-1, 0), 5),
    (IVec2::new(-1, -1), 7),
    (IVec2::new(0, -1), 5),
    (IVec2::new(1, -1), 7),
];

#[derive(Resource)]
pub struct FlowField {
    walls: Vec<Shape>,
    turnstiles: Vec<Turnstile>,
    is_blocked: Vec<bool>,
    /// The distance of each cell to the nearest player, in fifths of a cell.
    distances: Vec<u32>,
}

pub fn plugin(app: &mut App) {
    let cells = (COLUMNS * ROWS) as usize;
    app.insert_resource(FlowField {
        walls: Vec::new(),
        turnstiles: Vec::new(),
        is_blocked: vec![false; cells],
        distances: vec![UNREACHED; cells],
    });
}

/// Whether a wall was built or moved, or the door opened or closed.
pub fn walls_changed(
    changed: Query<
        (),
        (
            With<Wall>,
            Or<(Changed<Transform>, Added<ColliderDisabled>)>,
        ),
    >,
    mut enabled: RemovedComponents<ColliderDisabled>,
) -> bool {
    enabled.read().count() > 0 || !changed.is_empty()
}

/// A wall that blocks in one direction only.
struct Turnstile {
    shape: Shape,
    center: Vec2,
    direction: Vec2,
    half_length: f32,
}

impl Turnstile {
    /// Whether it blocks the straight line from one position to another.
    fn bars(&self, from: Vec2, to: Vec2) -> bool {
        let ahead = |position: Vec2| (position - self.center).dot(self.direction);
        let (from_ahead, to_ahead) = (ahead(from), ahead(to));
        if from_ahead <= 0.0 || to_ahead > 0.0 {
            return false;
        }
        let crossing = from.lerp(to, from_ahead / (from_ahead - to_ahead));
        crossing.distance(self.center) < self.half_length
    }
}

/// Marks the cells that walls cover.
pub fn map_walls(
    walls: Query<
        (&RectCollider, &Transform, Option<&OneWay>),
        (With<Wall>, Without<ColliderDisabled>),
    >,
    mut field: ResMut<FlowField>,
) {
    field.walls.clear();
    field.turnstiles.clear();
    for (rect, at, one_way) in &walls {
        let center = at.translation.truncate();
        let turn = exact::rotation_2d(at.rotation);
        let shape = Shape::rect(center, rect.size, turn);
        match one_way {
            None => field.walls.push(shape),
            Some(one_way) => field.turnstiles.push(Turnstile {
                shape,
                center,
                direction: turn * *one_way.0,
                half_length: rect.size.x / 2.0,
            }),
        }
    }
    let FlowField {
        walls, is_blocked, ..
    } = &mut *field;
    is_blocked.fill(false);
    for wall in walls {
        for cell in cells_near(wall) {
            let position = Shape::circle(center_of(cell), CLEARANCE);
            is_blocked[number_of(cell)] |= contact(&position, wall).is_some();
        }
    }
}

/// All cells that a wall may block.
fn cells_near(wall: &Shape) -> impl Iterator<Item = IVec2> {
    let around = wall.aabb();
    let [first, last] = [around.min - CLEARANCE, around.max + CLEARANCE].map(cell_at);
    (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| IVec2::new(x, y)))
}

/// Computes the distance to the nearest player for all cells.
pub fn find_paths(players: Query<&Transform, With<Player>>, mut field: ResMut<FlowField>) {
    let field = &mut *field;
    field.distances.fill(UNREACHED);
    let mut frontier = BinaryHeap::new();
    for player in &players {
        let cell = cell_at(player.translation.truncate());
        frontier.push(Reverse((0, cell.x, cell.y)));
    }
    while let Some(Reverse((distance, x, y))) = frontier.pop() {
        let cell = IVec2::new(x, y);
        let known = &mut field.distances[number_of(cell)];
        if *known <= distance {
            continue;
        }
        *known = distance;
        for (step, length) in STEPS {
            let next = cell + step;
            if field.is_free(next) && !field.is_barred(center_of(next), center_of(cell)) {
                frontier.push(Reverse((distance + length, next.x, next.y)));
            }
        }
    }
}

impl FlowField {
    /// The direction from a position toward the nearest player, or zero if there is no path.
    pub fn direction_from(&self, position: Vec2) -> Vec2 {
        let cell = cell_at(position);
        let next = STEPS
            .map(|(step, _)| cell + step)
            .into_iter()
            .filter(|&next| is_inside(next) && !self.is_barred(position, center_of(next)))
            .min_by_key(|&next| self.distances[number_of(next)])
            .filter(|&next| self.distances[number_of(next)] != UNREACHED);
        next.map_or(Vec2::ZERO, |next| {
            (center_of(next) - position).normalize_or_zero()
        })
    }

    /// Whether the straight line from one position to another leads through free cells.
    pub fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        let samples = (from.distance(to) / (CELL / 2.0)) as usize;
        !self.is_barred(from, to)
            && (1..samples)
                .all(|sample| self.is_free(cell_at(from.lerp(to, sample as f32 / samples as f32))))
    }

    /// Whether a nearby position is free and no turnstile is in between.
    pub fn is_open(&self, from: Vec2, position: Vec2) -> bool {
        self.is_free(unclamped_cell_at(position)) && !self.is_barred(from, position)
    }

    /// Whether there is a path from a position to a player.
    pub fn is_reachable(&self, position: Vec2) -> bool {
        self.distances[number_of(cell_at(position))] != UNREACHED
    }

    /// Whether a circle at a position overlaps no wall.
    pub fn has_room(&self, position: Vec2, radius: f32) -> bool {
        let circle = Shape::circle(position, radius);
        let turnstiles = self.turnstiles.iter().map(|turnstile| &turnstile.shape);
        let mut walls = self.walls.iter().chain(turnstiles);
        !walls.any(|wall| contact(&circle, wall).is_some())
    }

    fn is_barred(&self, from: Vec2, to: Vec2) -> bool {
        let mut turnstiles = self.turnstiles.iter();
        turnstiles.any(|turnstile| turnstile.bars(from, to))
    }

    fn is_free(&self, cell: IVec2) -> bool {
        is_inside(cell) && !self.is_blocked[number_of(cell)]
    }
}

fn is_inside(cell: IVec2) -> bool {
    (0..COLUMNS).contains(&cell.x) && (0..ROWS).contains(&cell.y)
}

fn number_of(cell: IVec2) -> usize {
    (cell.y * COLUMNS + cell.x) as usize
}

fn center_of(cell: IVec2) -> Vec2 {
    (cell.as_vec2() + 0.5) * CELL - HALF_SIZE
}

fn unclamped_cell_at(position: Vec2) -> IVec2 {
    ((position + HALF_SIZE) / CELL).floor().as_ivec2()
}

fn cell_at(position: Vec2) -> IVec2 {
    unclamped_cell_at(position).clamp(IVec2::ZERO, IVec2::new(COLUMNS - 1, ROWS - 1))
}
