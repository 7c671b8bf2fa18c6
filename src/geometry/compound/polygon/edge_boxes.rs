//! Bounding boxes of the edges of an outline.

use std::ops::Range;

use bevy::math::Vec2;

use super::{bvh::StaticBvh, rings::Rings};
use crate::{
    aabb::Aabb2d,
    geometry::{convex::MAX_VERTICES, vectors::bounding_box},
};

/// The number of consecutive edges that share a box: testing that many edges takes no longer than
/// testing a box. A polygon in one piece has no more.
const EDGES_PER_BOX: usize = MAX_VERTICES;

/// The bounding boxes of groups of consecutive edges. An edge ends at the vertex with its index.
#[derive(Clone, Debug)]
pub(super) struct EdgeBoxes {
    boxes: StaticBvh,
    /// The number of edges.
    count: usize,
}

impl EdgeBoxes {
    /// The boxes around the edges between `vertices`.
    pub fn new(vertices: &[Vec2], rings: Rings) -> Self {
        let count = vertices.len();
        let around = |group: usize| {
            let ends = edges_of_group(group, count);
            let starts = ends.clone().map(|end| rings.before(end));
            bounding_box(ends.chain(starts).map(|vertex| vertices[vertex]))
        };
        Self {
            boxes: StaticBvh::new((0..count.div_ceil(EDGES_PER_BOX)).map(around)),
            count,
        }
    }

    /// Returns the edges of each box that satisfies `is_wanted`.
    pub fn find(
        &self,
        is_wanted: impl FnMut(&Aabb2d) -> bool,
    ) -> impl Iterator<Item = Range<usize>> {
        (self.boxes.find(is_wanted)).map(|group| edges_of_group(group, self.count))
    }
}

/// The edges of a group, of `count` in total.
pub(super) fn edges_of_group(group: usize, count: usize) -> Range<usize> {
    let first = group * EDGES_PER_BOX;
    first..(first + EDGES_PER_BOX).min(count)
}
