use std::ops::Range;

use bevy::{
    math::{Vec2, bounding::Aabb2d},
    platform::collections::HashMap,
};

use crate::aabb::merged;

/// Where a mover was at some moment of the run, relative to where it is in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waypoint {
    /// The fraction of the run, in 0..=1.
    pub time: f32,
    /// In world units.
    pub offset: Vec2,
}

/// Where movers, and what else is swept, went in this run.
#[derive(Default)]
pub(super) struct Ways {
    waypoints: Vec<Waypoint>,
    /// The part of the waypoints that belongs to each slot.
    ranges: HashMap<u32, Range<usize>>,
}

impl Ways {
    pub fn clear(&mut self) {
        self.waypoints.clear();
        self.ranges.clear();
    }

    /// Notes a way; true, if it leads anywhere.
    pub fn set(&mut self, slot: u32, way: impl Iterator<Item = Waypoint>) -> bool {
        let start = self.waypoints.len();
        self.waypoints.extend(way);
        self.ranges.insert(slot, start..self.waypoints.len());
        self.waypoints[start..]
            .iter()
            .any(|waypoint| waypoint.offset != Vec2::ZERO)
    }

    /// Empty, if the collider was not moved.
    pub fn get(&self, slot: u32) -> &[Waypoint] {
        match self.ranges.get(&slot) {
            Some(range) => &self.waypoints[range.clone()],
            None => &[],
        }
    }

    /// The box around everywhere that a collider was in this run, from where it is in the end.
    pub fn swept(&self, slot: u32, end: Aabb2d) -> Aabb2d {
        self.get(slot).iter().fold(end, |around, waypoint| {
            merged(
                &around,
                &Aabb2d {
                    min: end.min + waypoint.offset,
                    max: end.max + waypoint.offset,
                },
            )
        })
    }
}
