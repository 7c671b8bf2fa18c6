//! Where colliders went within an update.

use bevy::math::Vec2;

use crate::aabb::{Aabb2d, merge, translated};

/// Where a collider was at some moment of the update, relative to its position at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waypoint {
    /// The fraction of the update, in 0..=1.
    pub fraction: f32,
    /// In world units.
    pub offset: Vec2,
}

/// Where on a path a collider was at a fraction of the update.
pub(crate) fn offset_at(path: &[Waypoint], fraction: f32) -> Vec2 {
    let next = path.partition_point(|waypoint| waypoint.fraction <= fraction);
    PathCursor { path, next }.offset_at(fraction)
}

/// A moment that advances along a path.
pub(super) struct PathCursor<'a> {
    path: &'a [Waypoint],
    /// The index of the first waypoint after that moment.
    next: usize,
}

impl<'a> PathCursor<'a> {
    pub fn new(path: &'a [Waypoint]) -> Self {
        Self { path, next: 0 }
    }

    /// Advances to a fraction of the update, and returns where the collider was then.
    pub fn advance_to(&mut self, fraction: f32) -> Vec2 {
        let passed = self.path[self.next..].iter();
        self.next += passed
            .take_while(|waypoint| waypoint.fraction <= fraction)
            .count();
        self.offset_at(fraction)
    }

    /// The fraction of the next waypoint, or one.
    pub fn next_fraction(&self) -> f32 {
        let next = self.path.get(self.next);
        next.map_or(1.0, |waypoint| waypoint.fraction)
    }

    /// Where the collider was at a fraction between the waypoints around the moment.
    fn offset_at(&self, fraction: f32) -> Vec2 {
        let Self { path, next } = *self;
        match (path.get(next.wrapping_sub(1)), path.get(next)) {
            (Some(from), Some(to)) => {
                let along = (fraction - from.fraction) / (to.fraction - from.fraction);
                from.offset.lerp(to.offset, along)
            }
            (Some(waypoint), None) | (None, Some(waypoint)) => waypoint.offset,
            (None, None) => Vec2::ZERO,
        }
    }
}

/// The paths of movers and swept colliders in this update. A sparse set by slots (Briggs and
/// Torczon, "An Efficient Representation for Sparse Sets", 1993): clearing it takes no time.
#[derive(Default)]
pub(super) struct Paths {
    waypoints: Vec<Waypoint>,
    /// In the order in which they were recorded.
    paths: Vec<Path>,
    /// For each slot the number of its path, if the path of that number has that slot.
    numbers: Vec<u32>,
}

/// The number of no path.
const NONE: u32 = u32::MAX;

/// The waypoints that belong to a slot.
struct Path {
    slot: u32,
    start: u32,
    end: u32,
}

impl Paths {
    pub fn clear(&mut self) {
        self.waypoints.clear();
        self.paths.clear();
    }

    /// Records a path. Returns whether it leads anywhere.
    pub fn set(&mut self, slot: u32, path: impl Iterator<Item = Waypoint>) -> bool {
        let start = self.waypoints.len();
        self.waypoints.extend(path);
        let (number, index) = (self.paths.len() as u32, slot as usize);
        self.paths.push(Path {
            slot,
            start: start as u32,
            end: self.waypoints.len() as u32,
        });
        if index >= self.numbers.len() {
            self.numbers.resize(index + 1, NONE);
        }
        self.numbers[index] = number;
        self.waypoints[start..]
            .iter()
            .any(|waypoint| waypoint.offset != Vec2::ZERO)
    }

    /// Removes the path of a slot.
    pub fn remove(&mut self, slot: u32) {
        if let Some(number) = self.numbers.get_mut(slot as usize) {
            *number = NONE;
        }
    }

    /// The path of a slot: empty if the collider did not move.
    #[inline]
    pub fn get(&self, slot: u32) -> &[Waypoint] {
        let number = self.numbers.get(slot as usize);
        let path = number.and_then(|&number| self.paths.get(number as usize));
        match path {
            Some(path) if path.slot == slot => {
                &self.waypoints[path.start as usize..path.end as usize]
            }
            _ => &[],
        }
    }

    /// The box around all positions of a collider within the update, from its box at the end.
    pub fn swept(&self, slot: u32, end: Aabb2d) -> Aabb2d {
        self.get(slot).iter().fold(end, |around, waypoint| {
            merge(&around, &translated(&end, waypoint.offset))
        })
    }
}
