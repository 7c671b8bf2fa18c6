//! The walls near many places, of which each is mostly not far from the one before.

use bevy::math::bounding::Aabb2d;

use crate::{
    aabb::{contains, grow, intersects},
    broad_phase::{EMPTY, NumberedBox},
    index::{ColliderEntry, ColliderIndex},
};

/// How much more than a place is searched, as a part of its width, to serve those after it, too.
const AHEAD: f32 = 8.0;
/// With more walls than that, to look through them takes longer than to search again.
const MANY: usize = 32;

/// Finds walls, and keeps those that it found last.
pub(super) struct NearbyWalls {
    /// The area in which `walls` are all walls.
    searched: Aabb2d,
    /// Around walls, by their slots.
    walls: Vec<NumberedBox>,
    /// How much more than the next place is searched: less where there are many.
    ahead: f32,
}

impl Default for NearbyWalls {
    fn default() -> Self {
        Self {
            searched: EMPTY,
            walls: Vec::new(),
            ahead: AHEAD,
        }
    }
}

impl NearbyWalls {
    /// Forgets what was found, because the walls are others.
    pub fn begin_run(&mut self) {
        (self.searched, self.ahead) = (EMPTY, AHEAD);
        self.walls.clear();
    }

    /// The walls whose boxes overlap an area.
    pub fn overlapping<'a>(
        &'a mut self,
        area: Aabb2d,
        index: &'a ColliderIndex,
    ) -> impl Iterator<Item = ColliderEntry<'a>> {
        if self.walls.len() > MANY || !contains(&self.searched, &area) {
            self.search(&area, index);
        }
        (self.walls.iter())
            .filter(move |wall| intersects(&area, &wall.aabb))
            .filter_map(|wall| index.at(wall.number))
    }

    fn search(&mut self, area: &Aabb2d, index: &ColliderIndex) {
        self.ahead = if self.walls.len() > MANY {
            self.ahead / 2.0
        } else {
            AHEAD.min(self.ahead * 2.0)
        };
        let width = (area.max - area.min).min_element();
        self.searched = grow(area, self.ahead * width);
        self.walls.clear();
        index.visit_overlapping(&self.searched, |other| {
            if other.role.is_wall() {
                let (number, aabb) = (other.slot, other.shape.aabb());
                self.walls.push(NumberedBox { number, aabb });
            }
        });
    }
}
