//! The walls near many areas, of which each is mostly not far from the one before.

use super::super::tolerances::{MAX_CACHED_WALLS, WALL_SEARCH_WIDTHS};
use crate::{
    aabb::{Aabb2d, contains, grow, intersects},
    broad_phase::{EMPTY, NumberedBox},
    index::{ColliderEntry, ColliderIndex},
};

/// A cache of the walls that were found last.
pub(super) struct WallCache {
    /// The area of which `walls` has every wall.
    searched: Aabb2d,
    /// Around walls, by their slots.
    walls: Vec<NumberedBox>,
    /// How far beyond the next area walls are searched, in its widths: less where there are many.
    margin: f32,
}

impl Default for WallCache {
    fn default() -> Self {
        Self {
            searched: EMPTY,
            walls: Vec::new(),
            margin: WALL_SEARCH_WIDTHS,
        }
    }
}

impl WallCache {
    /// Clears the cache, because the walls differ.
    pub fn clear(&mut self) {
        (self.searched, self.margin) = (EMPTY, WALL_SEARCH_WIDTHS);
        self.walls.clear();
    }

    /// The walls whose boxes overlap an area.
    pub fn overlapping<'a>(
        &'a mut self,
        area: Aabb2d,
        index: &'a ColliderIndex,
    ) -> impl Iterator<Item = ColliderEntry<'a>> {
        if self.walls.len() > MAX_CACHED_WALLS || !contains(&self.searched, &area) {
            self.search(&area, index);
        }
        (self.walls.iter())
            .filter(move |wall| intersects(&area, &wall.aabb))
            .filter_map(|wall| index.at(wall.number))
    }

    fn search(&mut self, area: &Aabb2d, index: &ColliderIndex) {
        self.margin = if self.walls.len() > MAX_CACHED_WALLS {
            self.margin / 2.0
        } else {
            WALL_SEARCH_WIDTHS.min(self.margin * 2.0)
        };
        let width = (area.max - area.min).min_element();
        self.searched = grow(area, self.margin * width);
        self.walls.clear();
        index.visit_overlapping(&self.searched, |other| {
            if other.role.is_wall() {
                let (number, aabb) = (other.slot, other.shape.aabb());
                self.walls.push(NumberedBox { number, aabb });
            }
        });
    }
}
