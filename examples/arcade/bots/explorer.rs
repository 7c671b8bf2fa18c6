//! The bot of the dungeon: it pushes a crate onto the plate, takes the key, and strikes at foes.

use std::collections::{HashSet, VecDeque};

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::{
    clock::Clock,
    dungeon::{Foe, Hero, Key, Lock},
    games::{Intent, Layer},
    maps::CELL,
};

/// A foe that is nearer than this is fought.
const FIGHT_DISTANCE: f32 = 84.0;
/// From the center of a crate to the hero that is about to push it.
const PUSH_DISTANCE: f32 = 33.0;
/// A crate whose row or column is off by less than this is on the plate when it gets there.
const PLATE_TOLERANCE: f32 = 20.0;
/// How far the hero may be off the line on which it pushes.
const LINE_TOLERANCE: f32 = 6.0;
const HERO_RADIUS: f32 = 13.0;
/// From the center of a crate to the hero beside it.
const CRATE_CLEARANCE: f32 = 17.0 + HERO_RADIUS;

/// What its paths depend on.
struct Floor<'a> {
    map: &'a TileCollider,
    locks: Vec<Vec2>,
    crates: Vec<Vec2>,
}

pub fn explore(
    hero: Single<(&Transform, &Clock), With<Hero>>,
    map: Single<&TileCollider>,
    locks: Query<&Transform, With<Lock>>,
    keys: Query<(&Key, &Transform)>,
    crates: Query<&Transform, With<Pushable>>,
    foes: Query<&Transform, With<Foe>>,
    query: SpatialQuery,
    mut intent: ResMut<Intent>,
) {
    let (hero, clock) = *hero;
    let position = hero.translation.truncate();
    let foes = foes.iter().map(|at| at.translation.truncate());
    let nearest = foes.min_by(|a, b| a.distance(position).total_cmp(&b.distance(position)));
    let offset = nearest.map(|foe| foe - position);
    if let Some(offset) = offset.filter(|offset| is_prey(position, *offset, &query)) {
        *intent = fight(offset, clock);
        return;
    }
    let floor = Floor {
        map: *map,
        locks: locks.iter().map(|at| at.translation.truncate()).collect(),
        crates: crates.iter().map(|at| at.translation.truncate()).collect(),
    };
    let key = |number| {
        let found = keys.iter().find(|(key, _)| key.0 == number);
        found.map(|(_, at)| at.translation.truncate())
    };
    let steer = match key(1) {
        Some(plate) => floor.push(position, plate),
        None => key(2).or(nearest).map(|goal| floor.path(position, goal)),
    };
    *intent = Intent {
        steer: steer.unwrap_or_default(),
        ..default()
    };
}

/// Near enough to fight, and not behind a wall.
fn is_prey(position: Vec2, offset: Vec2, query: &SpatialQuery) -> bool {
    let (direction, distance) = (Dir2::new(offset).unwrap_or(Dir2::X), offset.length());
    let walls = SpatialQueryFilter::only(Layer::Wall);
    let ray = Ray2d::new(position, direction);
    distance < FIGHT_DISTANCE && query.cast_ray(ray, distance, &walls).is_none()
}

/// It steps back after a swing, until the sword is ready.
fn fight(offset: Vec2, clock: &Clock) -> Intent {
    let rests = (0.0..0.1).contains(&clock.reload);
    Intent {
        steer: offset * if rests { -1.0 } else { 1.0 },
        act: true,
        holds_act: false,
    }
}

impl Floor<'_> {
    /// Pushes the crate that is nearest to the plate among those that can be pushed to it.
    fn push(&self, position: Vec2, plate: Vec2) -> Option<Vec2> {
        let crates = self.crates.iter().copied();
        let pushes = crates.map(|at| (at, push_direction(plate - at)));
        let possible = pushes.filter(|&(at, direction)| self.has_room_behind(at, direction));
        let nearest = possible.min_by(|(a, _), (b, _)| {
            let [a, b] = [a, b].map(|at| at.distance(plate));
            a.total_cmp(&b)
        });
        let (at, direction) = nearest?;
        let offset = position - at;
        let error = direction.perp_dot(offset);
        let is_behind = offset.dot(direction) < LINE_TOLERANCE - PUSH_DISTANCE;
        if is_behind && error.abs() < LINE_TOLERANCE {
            // Back to the line as well.
            Some(direction - direction.perp() * error / LINE_TOLERANCE)
        } else {
            Some(self.path(position, at - direction * PUSH_DISTANCE))
        }
    }

    /// Whether no wall is where the hero pushes a crate in this direction.
    fn has_room_behind(&self, at: Vec2, direction: Vec2) -> bool {
        let cell = self
            .map
            .cell_at(at - direction * (PUSH_DISTANCE + HERO_RADIUS));
        cell.is_some_and(|cell| !self.map.is_solid(cell))
    }

    /// The direction in which a shortest path to the goal begins: around crates if there is one.
    fn path(&self, position: Vec2, goal: Vec2) -> Vec2 {
        let free = self.first_step(position, goal, |cell| self.has_crate(cell));
        free.or_else(|| self.first_step(position, goal, |_| false))
            .unwrap_or_default()
    }

    fn first_step(
        &self,
        position: Vec2,
        goal: Vec2,
        is_blocked: impl Fn(UVec2) -> bool,
    ) -> Option<Vec2> {
        let (start, end) = (self.map.cell_at(position)?, self.map.cell_at(goal)?);
        let mut queue = VecDeque::from([end]);
        let mut seen = HashSet::from([end]);
        while let Some(cell) = queue.pop_front() {
            if cell == start {
                return Some(goal - position);
            }
            let neighbors = [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y];
            for next in neighbors.map(|step| cell.saturating_add_signed(step)) {
                if next == start {
                    let to = if cell == end {
                        goal
                    } else {
                        self.map.cell_center(cell)
                    };
                    return Some(to - position);
                }
                let is_open = !self.map.is_solid(next) && !self.has_lock(next);
                if is_open && !is_blocked(next) && seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn has_lock(&self, cell: UVec2) -> bool {
        self.is_near(cell, &self.locks, CELL / 2.0)
    }

    /// Whether the hero at the center of a cell would touch a crate.
    fn has_crate(&self, cell: UVec2) -> bool {
        self.is_near(cell, &self.crates, CRATE_CLEARANCE)
    }

    fn is_near(&self, cell: UVec2, squares: &[Vec2], distance: f32) -> bool {
        let center = self.map.cell_center(cell);
        let mut offsets = squares.iter().map(|square| (*square - center).abs());
        offsets.any(|offset| offset.max_element() < distance)
    }
}

/// First to the row of the plate, then along it.
fn push_direction(offset: Vec2) -> Vec2 {
    if offset.y.abs() > PLATE_TOLERANCE {
        Vec2::Y * offset.y.signum()
    } else {
        Vec2::X * offset.x.signum()
    }
}
