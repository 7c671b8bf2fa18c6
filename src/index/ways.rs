use bevy::math::{Vec2, bounding::Aabb2d};

use crate::aabb::merge;

/// Where a mover was at some moment of the run, relative to where it is in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waypoint {
    /// The fraction of the run, in 0..=1.
    pub time: f32,
    /// In world units.
    pub offset: Vec2,
}

/// Where on a way a collider was at a fraction of the run.
pub(crate) fn offset_at(way: &[Waypoint], time: f32) -> Vec2 {
    let next = way.partition_point(|waypoint| waypoint.time <= time);
    match (way.get(next.wrapping_sub(1)), way.get(next)) {
        (Some(from), Some(to)) => {
            let part = (time - from.time) / (to.time - from.time);
            from.offset.lerp(to.offset, part)
        }
        (Some(waypoint), None) | (None, Some(waypoint)) => waypoint.offset,
        (None, None) => Vec2::ZERO,
    }
}

/// Where movers, and what else is swept, went in this run. A sparse set by slots (Briggs and Torczon, "An Efficient Representation for
/// Sparse Sets", 1993): to forget all takes no time.
#[derive(Default)]
pub(super) struct Ways {
    waypoints: Vec<Waypoint>,
    /// In the order in which they were noted.
    ways: Vec<Way>,
    /// For each slot the number of its way, if there is one with that number and that slot.
    numbers: Vec<u32>,
}

/// The number of no way.
const NONE: u32 = u32::MAX;

/// The part of the waypoints that belongs to a slot.
struct Way {
    slot: u32,
    start: u32,
    end: u32,
}

impl Ways {
    pub fn clear(&mut self) {
        self.waypoints.clear();
        self.ways.clear();
    }

    /// Notes a way; true, if it leads anywhere.
    pub fn set(&mut self, slot: u32, way: impl Iterator<Item = Waypoint>) -> bool {
        let start = self.waypoints.len();
        self.waypoints.extend(way);
        let (number, index) = (self.ways.len() as u32, slot as usize);
        self.ways.push(Way {
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

    /// Forgets the way of a slot.
    pub fn remove(&mut self, slot: u32) {
        if let Some(number) = self.numbers.get_mut(slot as usize) {
            *number = NONE;
        }
    }

    /// Empty, if the collider was not moved.
    #[inline]
    pub fn get(&self, slot: u32) -> &[Waypoint] {
        let number = self.numbers.get(slot as usize);
        let way = number.and_then(|&number| self.ways.get(number as usize));
        match way {
            Some(way) if way.slot == slot => &self.waypoints[way.start as usize..way.end as usize],
            _ => &[],
        }
    }

    /// The box around everywhere that a collider was in this run, from where it is in the end.
    pub fn swept(&self, slot: u32, end: Aabb2d) -> Aabb2d {
        self.get(slot).iter().fold(end, |around, waypoint| {
            merge(
                &around,
                &Aabb2d {
                    min: end.min + waypoint.offset,
                    max: end.max + waypoint.offset,
                },
            )
        })
    }
}
