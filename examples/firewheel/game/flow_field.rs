//! The way around the walls to the nearest player, from everywhere at once.
//!
//! The floor is divided into cells. Dijkstra's algorithm spreads from the players over the free cells and leaves in each one how
//! far it is; a monster walks to where that becomes less.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, contact},
    prelude::*,
};

use super::{
    arena::{HALF_SIZE, Wall},
    player::Player,
};

/// How old the ways may be.
pub const REFRESH: Duration = Duration::from_millis(100);

const CELL: f32 = 28.0;
const COLUMNS: i32 = (2.0 * HALF_SIZE.x / CELL) as i32;
const ROWS: i32 = (2.0 * HALF_SIZE.y / CELL) as i32;
/// A cell is free if a circle of this radius fits into its middle.
const CLEARANCE: f32 = 15.0;
const UNREACHED: u32 = u32::MAX;
/// The steps to the eight neighbours, with their lengths in fifths of a cell.
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
    is_blocked: Vec<bool>,
    /// How far it is to the nearest player, in fifths of a cell.
    distances: Vec<u32>,
}

pub fn plugin(app: &mut App) {
    let cells = (COLUMNS * ROWS) as usize;
    app.insert_resource(FlowField {
        walls: Vec::new(),
        is_blocked: vec![false; cells],
        distances: vec![UNREACHED; cells],
    });
}

/// Whether a wall was built, or the door opened or closed.
pub fn walls_changed(
    changed: Query<(), (With<Wall>, Or<(Added<Wall>, Added<ColliderDisabled>)>)>,
    mut enabled: RemovedComponents<ColliderDisabled>,
) -> bool {
    enabled.read().count() > 0 || !changed.is_empty()
}

/// Marks the cells that walls cover.
pub fn map_walls(
    walls: Query<(&RectCollider, &Transform), (With<Wall>, Without<ColliderDisabled>)>,
    mut field: ResMut<FlowField>,
) {
    field.walls = walls
        .iter()
        .map(|(rect, at)| {
            let turn = Rot2::radians(at.rotation.to_euler(EulerRot::ZYX).0);
            Shape::rect(at.translation.truncate(), rect.size, turn)
        })
        .collect();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let cell = IVec2::new(column, row);
            let is_blocked = !field.has_room(center_of(cell), CLEARANCE);
            field.is_blocked[number_of(cell)] = is_blocked;
        }
    }
}

/// Measures the way to the players from all cells.
pub fn find_ways(players: Query<&Transform, With<Player>>, mut field: ResMut<FlowField>) {
    let field = &mut *field;
    field.distances.fill(UNREACHED);
    let mut frontier = BinaryHeap::new();
    for player in &players {
        let cell = cell_at(player.translation.truncate());
        frontier.push(Reverse((0, cell.x, cell.y)));
    }
    while let Some(Reverse((distance, x, y))) = frontier.pop() {
        let known = &mut field.distances[number_of(IVec2::new(x, y))];
        if *known <= distance {
            continue;
        }
        *known = distance;
        for (step, length) in STEPS {
            let next = IVec2::new(x, y) + step;
            if field.is_free(next) {
                frontier.push(Reverse((distance + length, next.x, next.y)));
            }
        }
    }
}

impl FlowField {
    /// The direction from a place towards the nearest player; zero, where there is no way.
    pub fn way_from(&self, place: Vec2) -> Vec2 {
        let cell = cell_at(place);
        let next = STEPS
            .map(|(step, _)| cell + step)
            .into_iter()
            .filter(|&next| is_inside(next))
            .min_by_key(|&next| self.distances[number_of(next)])
            .filter(|&next| self.distances[number_of(next)] != UNREACHED);
        next.map_or(Vec2::ZERO, |next| {
            (center_of(next) - place).normalize_or_zero()
        })
    }

    /// Whether something not too big can go straight from one place to another.
    pub fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        let samples = (from.distance(to) / (CELL / 2.0)) as usize;
        (1..samples)
            .all(|sample| self.is_free(cell_at(from.lerp(to, sample as f32 / samples as f32))))
    }

    /// Whether nothing stands in a place.
    pub fn is_free_at(&self, place: Vec2) -> bool {
        self.is_free(unclamped_cell_at(place))
    }

    /// Whether a monster that appears in a place finds a player.
    pub fn is_reachable(&self, place: Vec2) -> bool {
        self.distances[number_of(cell_at(place))] != UNREACHED
    }

    /// Whether a circle fits between the walls.
    pub fn has_room(&self, place: Vec2, radius: f32) -> bool {
        let circle = Shape::circle(place, radius);
        let mut walls = self.walls.iter();
        !walls.any(|wall| contact(&circle, wall).is_some())
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

fn unclamped_cell_at(place: Vec2) -> IVec2 {
    ((place + HALF_SIZE) / CELL).floor().as_ivec2()
}

fn cell_at(place: Vec2) -> IVec2 {
    unclamped_cell_at(place).clamp(IVec2::ZERO, IVec2::new(COLUMNS - 1, ROWS - 1))
}
