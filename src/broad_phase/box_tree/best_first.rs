//! Searches that come to what is near first, and end where nothing nearer can be.

use std::f32::consts::FRAC_1_SQRT_2;

use bevy::math::{Vec2, Vec4};

use super::{
    super::Sweep,
    BoxTree,
    node::{LANES, Node, limits},
};

/// The part of a coordinate, or of a distance, by which rounding may move a box: its own, that of the search, and the number of a lane
/// in the last bits.
pub(super) const ROUNDING: f32 = 24.0 * f32::EPSILON;

/// What is further away is out of reach.
pub(super) const MAX_DISTANCE: f32 = 1e38;

/// The bits that hold the number of a lane. There is one more than needed, which is always set: then no number is zero, and one operation
/// sets those of all lanes, where the compiler would leave out the first one and put it back.
const LANE_BITS: u32 = 2 * LANES as u32 - 1;

/// How many levels there are above as many boxes as there may be.
const MAX_LEVELS: usize = u32::BITS.div_ceil(LANES.ilog2()) as usize;

/// How far the boxes of a node are, never more than in truth. The last bits of each distance are the number of its lane: so the least
/// one tells which it is.
#[derive(Clone, Copy)]
pub(super) struct Distances([Vec4; 2]);

impl Distances {
    /// Takes in zero or more for each lane; [`Vec4::MAX`] for what is out of reach.
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

    /// The lane that is nearest, if it is not further than `reach`. It is out of reach from then on.
    #[inline(always)]
    pub fn take_nearest(&mut self, reach: f32) -> Option<usize> {
        let [a, b] = self.0;
        let least = a.min(b).min_element();
        // The number of a lane is more than zero, too.
        if !(least <= reach.max(f32::MIN_POSITIVE)) {
            return None;
        }
        let without = |half: Vec4| Vec4::select(half.cmpeq(Vec4::splat(least)), Vec4::MAX, half);
        self.0 = [without(a), without(b)];
        Some(least.to_bits() as usize % LANES)
    }
}

/// What boxes may be near to.
pub(super) trait NodeDistance {
    /// How far the boxes of a node are. What is further than `reach` may be out of reach.
    fn distances(&self, node: &Node, reach: f32) -> Distances;
}

impl BoxTree {
    /// Visits the item_indices of the boxes that are not further than `reach`: the nearest lane of each node first, with all that is below it.
    /// The visitor may lessen the reach.
    pub(super) fn visit_best_first(
        &self,
        visit_best_first: &impl NodeDistance,
        reach: f32,
        visit: &mut impl FnMut(u32, &mut f32),
    ) {
        if self.order.item_indices.is_empty() {
            return;
        }
        let mut reach = reach.min(MAX_DISTANCE);
        let root = self.levels.len() - 1;
        let (mut level, mut node) = (root, 0);
        let mut distances = visit_best_first.distances(&self.levels[level].nodes[node], reach);
        // What is left of the nodes above, for each level.
        let mut above = [(distances, node); MAX_LEVELS];
        loop {
            let Some(lane) = distances.take_nearest(reach) else {
                if level == root {
                    break;
                }
                level += 1;
                (distances, node) = above[level];
                continue;
            };
            let child = node * LANES + lane;
            if level > 0 {
                above[level] = (distances, node);
                (level, node) = (level - 1, child);
                distances = visit_best_first.distances(&self.levels[level].nodes[node], reach);
            } else {
                visit(self.order.item_at(child), &mut reach);
            }
        }
    }
}

/// A sweep, ready to be tested against many boxes. It meets those that it enters along both axes before it leaves them along one.
/// (Kay and Kajiya, "Ray Tracing Complex Scenes", 1986.)
///
/// Of each axis the side is near that the sweep comes to first. As limits are all lower ones, seen from their own direction, there is one
/// formula for all directions.
pub(super) struct Slabs {
    /// Which limits are near. The opposite ones are far.
    near: [usize; 2],
    /// From where the sweep enters at near limits, and from where it leaves at far ones.
    enter: [Vec4; 2],
    leave: [Vec4; 2],
    /// What a unit takes in multiples of the direction: for rounding somewhat less until it enters, and more until it leaves.
    to_enter: [Vec4; 2],
    to_leave: [Vec4; 2],
}

/// No infinity times zero is to come up. So what goes along one axis goes a little along the other, too.
const MIN_SPEED: f32 = 1e-38;

impl Slabs {
    pub fn of(sweep: &Sweep) -> Self {
        let direction = sweep.direction.to_array();
        let start = limits(&sweep.start).to_array();
        let coordinates = sweep.start.min.abs().max(sweep.start.max.abs());
        let rounding = coordinates.max_element() * ROUNDING;
        let near = [0, 1].map(|axis| axis + if direction[axis] < 0.0 { 2 } else { 0 });
        let from = |limit: usize| Vec4::splat(rounding - start[limit]);
        let unit = direction.map(|along| along.abs().max(MIN_SPEED).recip());
        Self {
            near,
            enter: near.map(|limit| from(limit ^ 2)),
            leave: near.map(from),
            to_enter: unit.map(|unit| Vec4::splat(unit * (1.0 - ROUNDING))),
            to_leave: unit.map(|unit| Vec4::splat(unit * (1.0 + ROUNDING))),
        }
    }

    /// When the sweep enters and leaves the boxes of half of the lanes along an axis.
    #[inline(always)]
    fn along(&self, axis: usize, node: &Node, half: usize) -> (Vec4, Vec4) {
        let near = self.near[axis];
        let enter = (node.half(near, half) - self.enter[axis]) * self.to_enter[axis];
        let leave = (self.leave[axis] - node.half(near ^ 2, half)) * self.to_leave[axis];
        (enter, leave)
    }
}

impl NodeDistance for Slabs {
    // Not inlined it takes a fourth more.
    #[inline(always)]
    fn distances(&self, node: &Node, reach: f32) -> Distances {
        let half = |half: usize| {
            let (enter_x, leave_x) = self.along(0, node, half);
            let (enter_y, leave_y) = self.along(1, node, half);
            let enter = enter_x.max(enter_y).max(Vec4::ZERO);
            let leave = leave_x.min(leave_y).min(Vec4::splat(reach));
            Vec4::select(enter.cmple(leave), enter, Vec4::MAX)
        };
        Distances::of([half(0), half(1)])
    }
}

/// What is around a point.
pub(super) struct PointDistance {
    /// The limits of the point.
    limits: [Vec4; 4],
    rounding: Vec4,
}

impl PointDistance {
    pub fn of(Vec2 { x, y }: Vec2) -> Self {
        Self {
            limits: [x, y, -x, -y].map(Vec4::splat),
            rounding: Vec4::splat(x.abs().max(y.abs()) * ROUNDING),
        }
    }
}

impl NodeDistance for PointDistance {
    /// As if nearness were an octagon, up to a twelfth less: that takes neither roots nor squares, which would overflow.
    #[inline(always)]
    fn distances(&self, node: &Node, _reach: f32) -> Distances {
        let half = |half: usize| {
            let beyond = |limit: usize| node.half(limit, half) - self.limits[limit];
            let x = beyond(0).max(beyond(2)).max(Vec4::ZERO);
            let y = beyond(1).max(beyond(3)).max(Vec4::ZERO);
            let slanted = x * FRAC_1_SQRT_2 + y * FRAC_1_SQRT_2;
            let distance = x.max(y).max(slanted) * (1.0 - ROUNDING) - self.rounding;
            distance.max(Vec4::ZERO).min(Vec4::MAX)
        };
        Distances::of([half(0), half(1)])
    }
}
