//! Best-first search: nearest children first, pruned by the best distance so far.

use std::f32::consts::FRAC_1_SQRT_2;

use bevy::math::{Vec2, Vec4};

use super::{
    super::sweep::Sweep,
    node::{LANES, Node, limits},
    tree::BoxTree,
};

/// Relative error of coordinates and distances: rounding of the box, of the query, and the lane
/// index in the last bits.
const DISTANCE_ROUNDING: f32 = 24.0 * f32::EPSILON;

/// Boxes farther away are never visited, in multiples of the direction.
const MAX_DISTANCE: f32 = 1e38;

/// The bits that hold a lane index, and one that is always set. As no lane has zero bits, the
/// compiler keeps this a single vector operation.
const LANE_BITS: u32 = 2 * LANES as u32 - 1;

/// The height of a tree of `u32::MAX` boxes.
const MAX_LEVELS: usize = u32::BITS.div_ceil(LANES.ilog2()) as usize;

/// Lower bounds of the distances of a node's boxes. The last bits of each hold its lane index, so
/// that the least one identifies its lane.
#[derive(Clone, Copy)]
pub(super) struct Distances([Vec4; 2]);

impl Distances {
    /// From distances of zero or more; [`Vec4::MAX`] for lanes not to be visited.
    #[inline(always)]
    pub fn of(distances: [Vec4; 2]) -> Self {
        let numbered = |half: usize| {
            let [a, b, c, d] = distances[half].to_array();
            let number = |distance: f32, lane: u32| {
                f32::from_bits(
                    distance.to_bits() & !LANE_BITS | (LANES as u32 + 4 * half as u32 + lane),
                )
            };
            Vec4::new(number(a, 0), number(b, 1), number(c, 2), number(d, 3))
        };
        Self([numbered(0), numbered(1)])
    }

    /// Removes and returns the nearest lane, or `None` if it is farther than `max_distance`.
    #[inline(always)]
    pub fn take_nearest(&mut self, max_distance: f32) -> Option<usize> {
        let [a, b] = self.0;
        let least = a.min(b).min_element();
        // The lane index makes a distance of zero positive.
        if !(least <= max_distance.max(f32::MIN_POSITIVE)) {
            return None;
        }
        let without = |half: Vec4| Vec4::select(half.cmpeq(Vec4::splat(least)), Vec4::MAX, half);
        self.0 = [without(a), without(b)];
        Some(least.to_bits() as usize % LANES)
    }
}

/// A measure of distance for the search.
pub(super) trait NodeDistance {
    /// Lower bounds for the boxes of a node. Those beyond `max_distance` may be [`Vec4::MAX`].
    fn distances(&self, node: &Node, max_distance: f32) -> Distances;
}

impl BoxTree {
    /// Visits the items within `max_distance`:
    ///
    /// 1. take the nearest lane of the current node;
    /// 2. if no lane is within `max_distance`, pop the node above;
    /// 3. else, in an inner node, push the remaining lanes, and descend into the lane;
    /// 4. in a leaf, visit the item, which may reduce `max_distance`.
    pub(super) fn visit_best_first(
        &self,
        measure: &impl NodeDistance,
        max_distance: f32,
        visit: &mut impl FnMut(u32, &mut f32),
    ) {
        if self.is_empty() {
            return;
        }
        let mut max_distance = max_distance.min(MAX_DISTANCE);
        let root = self.levels.len() - 1;
        let (mut level, mut node) = (root, 0);
        let mut distances = measure.distances(&self.levels[level].nodes[node], max_distance);
        // The remaining lanes of the nodes above, by level.
        let mut above = [(distances, node); MAX_LEVELS];
        loop {
            // 1.
            let Some(lane) = distances.take_nearest(max_distance) else {
                // 2.
                if level == root {
                    break;
                }
                level += 1;
                (distances, node) = above[level];
                continue;
            };
            let child = node * LANES + lane;
            if level > 0 {
                // 3.
                above[level] = (distances, node);
                (level, node) = (level - 1, child);
                distances = measure.distances(&self.levels[level].nodes[node], max_distance);
            } else {
                // 4. Not raised: empty lanes are beyond it.
                let mut reduced = max_distance;
                visit(self.order.item_at(child), &mut reduced);
                max_distance = max_distance.min(reduced);
            }
        }
    }
}

/// The slab test of a sweep against boxes: a sweep hits a box if it enters it along both axes
/// before it leaves it along one. (Kay and Kajiya, "Ray Tracing Complex Scenes", 1986.)
///
/// The near limit of an axis is the one that the sweep reaches first. All limits are lower ones, so
/// one formula serves all directions.
pub(super) struct Slabs {
    /// The near limit of each axis. The far ones are opposite.
    near: [usize; 2],
    /// Offsets at which the sweep enters the near limits and leaves the far ones.
    enter: [Vec4; 2],
    leave: [Vec4; 2],
    /// Reciprocal of the direction, rounded down to enter and up to leave, which grows the boxes.
    to_enter: [Vec4; 2],
    to_leave: [Vec4; 2],
}

/// A component of the direction is at least this, so that infinity times zero does not occur.
const MIN_SPEED: f32 = 1e-38;

impl Slabs {
    pub fn of(sweep: &Sweep) -> Self {
        let direction = sweep.direction.to_array();
        let start = limits(&sweep.start).to_array();
        let coordinates = sweep.start.min.abs().max(sweep.start.max.abs());
        let rounding = coordinates.max_element() * DISTANCE_ROUNDING;
        let near = [0, 1].map(|axis| axis + if direction[axis] < 0.0 { 2 } else { 0 });
        // Not infinite, so that infinity minus infinity does not occur in empty lanes.
        let from = |limit: usize| Vec4::splat((rounding - start[limit]).clamp(f32::MIN, f32::MAX));
        let unit = direction.map(|along| along.abs().max(MIN_SPEED).recip());
        Self {
            near,
            enter: near.map(|limit| from(limit ^ 2)),
            leave: near.map(from),
            to_enter: unit.map(|unit| Vec4::splat(unit * (1.0 - DISTANCE_ROUNDING))),
            to_leave: unit.map(|unit| Vec4::splat(unit * (1.0 + DISTANCE_ROUNDING))),
        }
    }

    /// The distances at which the sweep enters and leaves half of the boxes along an axis.
    #[inline(always)]
    fn along(&self, axis: usize, node: &Node, half: usize) -> (Vec4, Vec4) {
        let near = self.near[axis];
        let enter = (node.half(near, half) - self.enter[axis]) * self.to_enter[axis];
        let leave = (self.leave[axis] - node.half(near ^ 2, half)) * self.to_leave[axis];
        (enter, leave)
    }
}

impl NodeDistance for Slabs {
    // Inlined, because a ray takes a quarter longer otherwise.
    #[inline(always)]
    fn distances(&self, node: &Node, max_distance: f32) -> Distances {
        let half = |half: usize| {
            let (enter_x, leave_x) = self.along(0, node, half);
            let (enter_y, leave_y) = self.along(1, node, half);
            let enter = enter_x.max(enter_y).max(Vec4::ZERO);
            let leave = leave_x.min(leave_y).min(Vec4::splat(max_distance));
            Vec4::select(enter.cmple(leave), enter, Vec4::MAX)
        };
        Distances::of([half(0), half(1)])
    }
}

/// The distance to a point.
pub(super) struct PointDistance {
    /// The limits of the point.
    limits: [Vec4; 4],
    rounding: Vec4,
}

impl PointDistance {
    pub fn to(Vec2 { x, y }: Vec2) -> Self {
        Self {
            limits: [x, y, -x, -y].map(Vec4::splat),
            rounding: Vec4::splat(x.abs().max(y.abs()) * DISTANCE_ROUNDING),
        }
    }
}

impl NodeDistance for PointDistance {
    /// Returns distances in an octagonal metric, at most a twelfth too small. It needs no square
    /// root and cannot overflow.
    #[inline(always)]
    fn distances(&self, node: &Node, _max_distance: f32) -> Distances {
        let half = |half: usize| {
            let beyond = |limit: usize| node.half(limit, half) - self.limits[limit];
            let x = beyond(0).max(beyond(2)).max(Vec4::ZERO);
            let y = beyond(1).max(beyond(3)).max(Vec4::ZERO);
            let slanted = x * FRAC_1_SQRT_2 + y * FRAC_1_SQRT_2;
            let distance = x.max(y).max(slanted) * (1.0 - DISTANCE_ROUNDING) - self.rounding;
            distance.max(Vec4::ZERO).min(Vec4::MAX)
        };
        Distances::of([half(0), half(1)])
    }
}
