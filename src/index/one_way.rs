//! Walls that block from one side only.

use bevy::{math::Vec2, platform::collections::HashMap};

use crate::geometry::{Shape, separation, touching_slop};

/// A wall that blocks from one side only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneWayWall {
    /// The direction that is free, in world space, unit length. Zero if the wall is scaled to
    /// nothing.
    pub direction: Vec2,
    /// Its displacement since the last update, in world units.
    pub delta: Vec2,
}

/// The one-way walls, by slot.
#[derive(Default)]
pub(crate) struct OneWayWalls(HashMap<u32, OneWayWall>);

impl OneWayWalls {
    pub fn get(&self, slot: u32) -> Option<&OneWayWall> {
        self.0.get(&slot)
    }

    /// Resets the displacements.
    pub fn begin_update(&mut self) {
        for wall in self.0.values_mut() {
            wall.delta = Vec2::ZERO;
        }
    }

    pub fn set_direction(&mut self, slot: u32, direction: Vec2) {
        let delta = Vec2::ZERO;
        let wall = OneWayWall { direction, delta };
        self.0.entry(slot).or_insert(wall).direction = direction;
    }

    pub fn record_delta(&mut self, slot: u32, delta: Vec2) {
        if let Some(wall) = self.0.get_mut(&slot) {
            wall.delta = delta;
        }
    }

    pub fn remove(&mut self, slot: u32) {
        self.0.remove(&slot);
    }
}

/// A surface blocks if the cosine of the angle between its normal and the free direction is larger.
const FACING: f32 = 0.01;

/// Whether a surface with this outward normal blocks.
pub(crate) fn faces(wall: &OneWayWall, normal: Vec2) -> bool {
    normal.dot(wall.direction) > FACING
}

/// On which side of a one-way wall a mover was when the update began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// In front of the surface that blocks.
    Blocking,
    /// In front of another surface.
    Free,
    Inside,
}

/// On which side of a wall a mover that started as `start` was.
pub(crate) fn side_of(wall: &OneWayWall, shape: &Shape, start: &Shape) -> Side {
    let before = shape.translated(-wall.delta);
    let separation = separation(start, &before);
    if !(separation.distance >= -touching_slop(start, &before)) {
        Side::Inside
    } else if faces(wall, -separation.normal) {
        Side::Blocking
    } else {
        Side::Free
    }
}
