//! The broad phase that measured best so far.

mod curve;
mod node;
mod pairs;
mod sort;

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{Arrangement, BroadPhase, EMPTY, PairTask, is_present};
use curve::{Curve, middle};
use node::{LANES, Node, lanes, without_infinity};
use sort::Sorter;

/// New places are found when more than one in so many boxes needs one.
const STRAYS_PER_SORT: usize = 12;

/// A tree of boxes that keeps its order from run to run.
///
/// The boxes are arranged along a space-filling curve, large ones apart from small ones, and each run of [`LANES`] of them
/// makes a leaf, each run of leaves a node, and so on up to one; nothing but boxes is stored. When boxes move, the tree is
/// fitted to them, and only when many have left the place of their leaf those are sorted in again.
///
/// The order is that of Kamel and Faloutsos, "On Packing R-trees" (1993).
#[derive(Default)]
pub(crate) struct BoxTree {
    /// Where the box at each place was when it was sorted in.
    origins: Vec<Origin>,
    /// From the leaves to the root.
    levels: Vec<Level>,
    /// Around the origins of each leaf's boxes, and somewhat more.
    homes: Vec<Aabb2d>,
    curve: Curve,
    /// How many places wait for a sort: what was there came, left, or strayed from its home.
    strays: usize,
    sorter: Sorter,
}

/// Where a box was when it was sorted in.
#[derive(Clone, Copy, Debug)]
struct Origin {
    /// The place on the curve.
    key: u64,
    middle: Vec2,
}

impl Origin {
    /// Of what has no place on the curve: it is new, gone, or not near its home any more.
    const STRAYED: Self = Self {
        key: u64::MAX,
        middle: Vec2::ZERO,
    };

    fn has_strayed(&self) -> bool {
        self.key == Self::STRAYED.key
    }
}

#[derive(Default)]
struct Level {
    nodes: Vec<Node>,
    marks: Vec<Marks>,
}

/// What is known of the lanes of a node, a bit for each.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// The box is not up to date.
    stale: u8,
    /// There is something marked.
    active: u8,
}

impl BroadPhase for BoxTree {
    fn mark(&mut self, place: u32) {
        let (leaf, lane) = (place as usize / LANES, place as usize % LANES);
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let marks = &mut self.levels[0].marks;
        if leaf >= marks.len() {
            marks.resize(leaf + 1, Marks::default());
        }
        marks[leaf].stale |= 1 << lane;
        marks[leaf].active |= 1 << lane;
    }

    fn unmark_all(&mut self) {
        for level in &mut self.levels {
            for marks in &mut level.marks {
                marks.active = 0;
            }
        }
    }

    fn refresh(&mut self, items: &mut impl Arrangement) {
        let newcomers = items.len().saturating_sub(self.origins.len());
        self.strays += newcomers;
        self.origins.resize(items.len(), Origin::STRAYED);
        self.resize_levels();
        self.refresh_leaves(items);
        if !self.curve.suits(items.len()) {
            self.sort_all(items);
        } else if self.strays * STRAYS_PER_SORT > items.len() {
            self.sort_strays(items);
        } else {
            self.refresh_nodes();
        }
    }

    fn clear(&mut self) {
        self.origins.clear();
        self.levels.clear();
        self.curve = Curve::default();
        self.strays = 0;
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        if !self.origins.is_empty() && is_present(area) {
            let root = self.levels.len() - 1;
            self.descend(root, 0, &without_infinity(area), &mut visit);
        }
    }

    fn split(&self, tasks: &mut Vec<PairTask>) {
        if !self.origins.is_empty() {
            self.split_pairs(tasks);
        }
    }

    fn visit_pairs(&self, task: &PairTask, mut visit: impl FnMut(u32, u32)) {
        self.join(self.task_level(), task, &mut visit);
    }
}

impl BoxTree {
    /// Adds or drops nodes on all levels, for as many places as there are.
    fn resize_levels(&mut self) {
        let mut nodes = self.origins.len().div_ceil(LANES);
        self.homes.resize(nodes, EMPTY);
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Level::default());
            }
            let Level { nodes: list, marks } = &mut self.levels[level];
            if level > 0 && list.len() != nodes {
                marks.resize(nodes, Marks::default());
                marks.fill(Marks {
                    stale: u8::MAX,
                    active: u8::MAX,
                });
            }
            list.resize(nodes, Node::EMPTY);
            marks.resize(nodes, Marks::default());
            if nodes <= 1 {
                self.levels.truncate(level + 1);
                break;
            }
            nodes = nodes.div_ceil(LANES);
        }
    }

    /// Takes in the boxes at stale places, and notes which of them are not near their homes any more.
    fn refresh_leaves(&mut self, items: &impl Arrangement) {
        let Level { nodes, marks } = &mut self.levels[0];
        for (leaf, (node, marks)) in nodes.iter_mut().zip(marks).enumerate() {
            let home = &self.homes[leaf];
            for lane in lanes(marks.stale.into()) {
                let place = leaf * LANES + lane;
                let aabb = items.aabb(place);
                node.set(lane, &aabb);
                let origin = &mut self.origins[place];
                if !origin.has_strayed() && !contains(home, middle(&aabb)) {
                    *origin = Origin::STRAYED;
                    self.strays += 1;
                }
            }
        }
    }

    /// Fits the nodes above the leaves, and tells them what is active.
    fn refresh_nodes(&mut self) {
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let (children, parents) = (&mut below[level - 1], &mut above[0]);
            let of_parent = children
                .nodes
                .chunks(LANES)
                .zip(children.marks.chunks_mut(LANES));
            for ((parent, marks), (nodes, child_marks)) in parents
                .nodes
                .iter_mut()
                .zip(&mut parents.marks)
                .zip(of_parent)
            {
                let all_stale = marks.stale == u8::MAX;
                *marks = Marks::default();
                for (lane, (node, child)) in nodes.iter().zip(child_marks).enumerate() {
                    if child.stale != 0 || all_stale {
                        parent.set(lane, &node.bounds());
                        marks.stale |= 1 << lane;
                        child.stale = 0;
                    }
                    marks.active |= u8::from(child.active != 0) << lane;
                }
            }
        }
        let roots = self.levels.iter_mut().rev().take(1);
        for marks in roots.flat_map(|root| &mut root.marks) {
            marks.stale = 0;
        }
    }

    /// Visits the places below a node whose boxes overlap `area`.
    fn descend(&self, level: usize, node: usize, area: &Aabb2d, visit: &mut impl FnMut(u32)) {
        for lane in lanes(self.levels[level].nodes[node].overlapping(area)) {
            let child = node * LANES + lane;
            if level > 0 {
                self.descend(level - 1, child, area, visit);
            } else {
                visit(child as u32);
            }
        }
    }
}

fn contains(aabb: &Aabb2d, point: Vec2) -> bool {
    aabb.min.cmple(point).all() && point.cmple(aabb.max).all()
}
