use bevy::{math::Vec2, platform::collections::HashMap};

/// A wall that blocks only what moves against a direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneWayWall {
    /// The direction that is free, in world space, unit length; zero, if the wall is scaled to nothing.
    pub direction: Vec2,
    /// How far it went since the last run, in world units.
    pub step: Vec2,
}

/// The one-way walls, by slot.
#[derive(Default)]
pub(crate) struct OneWayWalls(HashMap<u32, OneWayWall>);

impl OneWayWalls {
    pub fn get(&self, slot: u32) -> Option<&OneWayWall> {
        self.0.get(&slot)
    }

    /// Forgets the steps.
    pub fn begin_run(&mut self) {
        for wall in self.0.values_mut() {
            wall.step = Vec2::ZERO;
        }
    }

    pub fn set_direction(&mut self, slot: u32, direction: Vec2) {
        let step = Vec2::ZERO;
        let wall = OneWayWall { direction, step };
        self.0.entry(slot).or_insert(wall).direction = direction;
    }

    pub fn note_step(&mut self, slot: u32, step: Vec2) {
        if let Some(wall) = self.0.get_mut(&slot) {
            wall.step = step;
        }
    }

    pub fn remove(&mut self, slot: u32) {
        self.0.remove(&slot);
    }
}
