//! How far ahead of a mover obstacles are searched at a time, so that the cost of a fast mover
//! depends on what it hits, not on what is around its path.

use bevy::math::Vec2;

use crate::{
    aabb::{Aabb2d, grow, half_size, swept},
    geometry::{Shape, TOUCHING_SLOP},
    movement::tolerances::{
        DENSE_OBSTACLES, FIRST_WINDOW_EXTENTS, MIN_WINDOW_GROWTH, SPARSE_OBSTACLES,
        WINDOW_LIMITS_EXTENTS,
    },
};

/// The length of the next window of a path.
pub(crate) struct Lookahead {
    /// In world units.
    distance: f32,
    /// The least and the greatest distance.
    limits: [f32; 2],
    /// The length of the path before, in world units.
    traveled: f64,
}

impl Lookahead {
    pub fn of(mover: &Shape, skin: f32) -> Self {
        // A point has no size. Windows shorter than its skin would count as stalled.
        let extent = 2.0 * half_size(&mover.aabb()).max_element();
        let extent = extent.max(skin).max(f32::MIN_POSITIVE);
        Self {
            distance: FIRST_WINDOW_EXTENTS * extent,
            limits: WINDOW_LIMITS_EXTENTS.map(|extents| extents * extent),
            traveled: 0.0,
        }
    }

    /// The fraction of a displacement at which the window that begins at fraction `start` ends.
    pub fn end_of_window(&self, displacement: Vec2, start: f64) -> f64 {
        let length = displacement.as_dvec2().length();
        let before = self.traveled + start * length;
        let window = f64::from(self.distance).max(before * MIN_WINDOW_GROWTH);
        if start * length + window < length {
            start + window / length
        } else {
            1.0
        }
    }

    /// Adds a distance (world units) to the length of the path.
    pub fn advance(&mut self, distance: f64) {
        self.traveled += distance;
    }

    /// Adapts the length of the next window: longer after few obstacles, shorter after many, and at
    /// most twice `free_distance` (world units) if the path ended there at an obstacle.
    pub fn adapt(&mut self, obstacles: usize, free_distance: Option<f32>) {
        let [least, most] = self.limits;
        let wanted = match free_distance {
            Some(free_distance) => self.distance.min(2.0 * free_distance),
            None if obstacles <= SPARSE_OBSTACLES => self.distance * 2.0,
            None if obstacles > DENSE_OBSTACLES => self.distance / 2.0,
            None => self.distance,
        };
        self.distance = wanted.max(least).min(most);
    }
}

/// The box around all positions of a shape between two fractions of a displacement.
pub(crate) fn swept_box(shape: &Shape, displacement: Vec2, [start, end]: [f64; 2]) -> Aabb2d {
    if [start, end] == [0.0, 1.0] {
        return swept(&shape.aabb(), displacement);
    }
    let offset_at = |fraction: f64| (displacement.as_dvec2() * fraction).as_vec2();
    let [from, to] = [start, end].map(offset_at);
    let area = swept(&shape.translated(from).aabb(), to - from);
    let largest = area.min.abs().max(area.max.abs()).max_element();
    grow(&area, TOUCHING_SLOP * largest)
}
