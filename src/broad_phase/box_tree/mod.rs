//! The broad phase that measured best.

mod approach;
mod curve;
mod fill;
mod join;
mod node;
mod order;
mod seek;

use std::ops::Range;

use bevy::math::{Vec2, Vec4, bounding::Aabb2d};

use super::{Arrangement, BroadPhase, PairTask, PairWork, Sweep, is_present, marks::Marks};
use approach::{Slabs, Surroundings};
use fill::{Residence, Strays};
pub(crate) use join::PairSearch;
use node::{LANES, Limits, NOTHING, Node, lanes, limits, reach, size_of};
use order::{ABSENT, Order};

/// New homes are found when more than one in so many boxes needs one.
const STRAYS_PER_SORT: usize = 8;
/// All nodes are filled when more than one in so many boxes changed.
const CHANGES_PER_FILL: usize = 16;

/// A tree of boxes that keeps its order from run to run.
///
/// The boxes are ordered along a space-filling curve, large ones apart from small ones, and each run of [`LANES`] of them makes a
/// leaf, each run of leaves a node, and so on up to one; nothing but boxes is stored. When boxes move, the tree is fitted to
/// them, and only when many have left the place of their leaf those are sorted in again.
///
/// The order is that of Kamel and Faloutsos, "On Packing R-trees" (1993).
#[derive(Default)]
pub(crate) struct BoxTree {
    order: Order,
    /// From the leaves to the root.
    levels: Vec<Level>,
    /// For each leaf.
    residences: Vec<Residence>,
    /// How many boxes wait to be sorted in.
    strays: usize,
    /// The leaves of boxes that are much larger than most. Those are compared one by one: eight of them together may be
    /// everywhere.
    large: Range<usize>,
    /// The places that were marked since the last refresh.
    stale: Marks,
    /// Those that were marked before.
    active: Marks,
    /// What each block of leaves found when it was filled.
    strays_of_blocks: Vec<Strays>,
}

#[derive(Default)]
struct Level {
    nodes: Vec<Node>,
    /// Around each node.
    bounds: Vec<Limits>,
    /// For each node the lanes that hold something marked.
    active: Vec<u8>,
    /// For each node the lanes that hold something else than large boxes; nothing for leaves.
    joined: Vec<u8>,
}

impl BroadPhase for BoxTree {
    type Search = PairSearch;

    fn marks(&mut self) -> &mut Marks {
        &mut self.stale
    }

    fn unmark_all(&mut self) {
        self.active.clear();
    }

    fn is_marked(&self, place: u32) -> bool {
        self.active.contains(place)
    }

    fn refresh(&mut self, items: &mut impl Arrangement) {
        if self.stale.is_empty() {
            return self.spread_marks();
        }
        self.active.merge(&self.stale);
        self.order.welcome(items);
        let waiting = self.strays + self.order.exiles.len();
        if self.order.is_outdated() || waiting * STRAYS_PER_SORT > items.len() {
            self.sort(items);
        } else if self.stale.count() * CHANGES_PER_FILL > items.len() {
            self.fill_leaves::<false>(0, items);
            self.settle_exiles(items);
            self.fill_above();
        } else {
            self.fit_stale(items);
            if self.settle_exiles(items) {
                self.fill_above();
            }
        }
        self.stale.clear();
        self.spread_marks();
    }

    fn clear(&mut self) {
        *self = Self {
            levels: std::mem::take(&mut self.levels),
            ..Self::default()
        };
    }

    fn split(&self, search: &mut PairSearch, tasks: &mut Vec<PairTask>) {
        if !self.order.places.is_empty() {
            self.split_pairs(search, tasks);
        }
    }

    fn list_pairs(
        &self,
        task: &PairTask,
        items: &impl Arrangement,
        search: &mut PairSearch,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        match task.work {
            PairWork::Join(nodes) => self.list_pairs_below(nodes, search, pairs),
            PairWork::SeekByLarge(leaf) => self.list_pairs_of_large(leaf as usize, items, pairs),
            PairWork::SeekByActive([start, end]) => {
                self.list_pairs_of_active(start as usize..end as usize, pairs);
            }
        }
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        if !self.order.places.is_empty() && is_present(area) {
            let root = self.levels.len() - 1;
            self.descend(root, 0, reach(limits(area)), &mut visit);
        }
    }

    fn visit_along(&self, sweep: &Sweep, mut visit: impl FnMut(u32, &mut f32)) {
        if sweep.is_valid() {
            self.approach(&Slabs::of(sweep), sweep.length, &mut visit);
        }
    }

    fn visit_near(&self, point: Vec2, reach: f32, mut visit: impl FnMut(u32, &mut f32)) {
        if point.is_finite() && reach >= 0.0 {
            self.approach(&Surroundings::of(point), reach, &mut visit);
        }
    }
}

impl BoxTree {
    /// The boxes around what is in each node, level by level from the leaves to the root.
    #[cfg(any(feature = "debug", test))]
    pub fn levels_of_boxes(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = Aabb2d>> {
        let levels = if self.order.places.is_empty() {
            &[]
        } else {
            &self.levels[..]
        };
        levels.iter().map(|level| {
            let bounds = level.bounds.iter().copied();
            bounds.filter(|&bounds| bounds != NOTHING).map(node::box_of)
        })
    }

    /// Makes as many nodes as are needed, on all levels.
    fn make_room(&mut self) {
        let mut nodes = self.order.places.len().div_ceil(LANES);
        self.residences.resize(nodes, Residence::default());
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Level::default());
            }
            let level_nodes = &mut self.levels[level];
            level_nodes.nodes.resize(nodes, Node::EMPTY);
            level_nodes.bounds.resize(nodes, NOTHING);
            if nodes <= 1 {
                self.levels.truncate(level + 1);
                break;
            }
            nodes = nodes.div_ceil(LANES);
        }
    }

    /// Gives a new place to what waits for one, and drops what is gone.
    fn sort(&mut self, items: &mut impl Arrangement) {
        let waiting = self.residences.iter().map(|residence| residence.waiting);
        self.order.sort(items, waiting);
        self.active.rearrange(self.order.former(), &mut self.stale);
        self.make_room();
        self.residences.fill(Residence::default());
        self.strays = 0;
        // What is behind the last one is to be dropped.
        let count = self.order.places.len();
        if let Some(last) = self.residences.last_mut() {
            last.waiting = (0xFE << ((count - 1) % LANES)) as u8;
        }
        self.fill_leaves::<true>(0, items);
        self.fill_above();
        self.large = self.order.first_large() / LANES..self.order.tail / LANES;
        self.find_joined();
    }

    /// Finds the nodes that are to be joined with each other.
    fn find_joined(&mut self) {
        let leaves = self.residences.len();
        let Some((_, above)) = self.levels.split_first_mut() else {
            return;
        };
        let mut below: &[u8] = &[];
        for (level, Level { nodes, joined, .. }) in above.iter_mut().enumerate() {
            let is_joined = |child: &usize| match level {
                0 => !self.large.contains(child),
                _ => below[*child] != 0,
            };
            let children = if level == 0 { leaves } else { below.len() };
            joined.clear();
            joined.extend((0..nodes.len()).map(|node| {
                let lanes = node * LANES..children.min((node + 1) * LANES);
                (lanes.rev()).fold(0, |lanes, child| lanes << 1 | u8::from(is_joined(&child)))
            }));
            below = joined;
        }
    }

    /// Puts what came new, or left its leaf far behind, into leaves at the end until the next sort. True, if there was any.
    fn settle_exiles(&mut self, items: &impl Arrangement) -> bool {
        let any = !self.order.exiles.is_empty();
        if any {
            self.strays += self.order.exiles.len();
            let first = self.order.settle_exiles(items) / LANES;
            self.make_room();
            for residence in &mut self.residences[first..] {
                residence.waiting = 0xFF;
            }
            self.fill_leaves::<true>(first, items);
            self.find_joined();
        }
        any
    }

    /// Fits the tree to single boxes.
    fn fit_stale(&mut self, items: &impl Arrangement) {
        let stale = std::mem::take(&mut self.stale);
        for place in stale.iter() {
            let spot = self.order.spots[place as usize];
            if spot != ABSENT {
                self.fit(spot as usize, limits(&items.aabb(place as usize)));
            }
        }
        self.stale = stale;
    }

    fn fit(&mut self, spot: usize, limits: Limits) {
        let (leaf, lane) = (spot / LANES, spot % LANES);
        let residence = &mut self.residences[leaf];
        let is_home = residence.home.has(limits);
        if !is_home && residence.waiting >> lane & 1 == 0 {
            residence.waiting |= 1 << lane;
            self.strays += 1;
        }
        let bounds = self.levels[0].bounds[leaf].min(limits);
        if size_of(bounds) > residence.largest && !is_home && limits != NOTHING {
            self.order.exile(spot);
            self.set(spot, NOTHING);
        } else {
            self.set(spot, limits);
        }
    }

    /// Puts a box into the tree.
    fn set(&mut self, mut spot: usize, mut limits: Limits) {
        for Level { nodes, bounds, .. } in &mut self.levels {
            let node = spot / LANES;
            nodes[node].set(spot % LANES, limits);
            limits = nodes[node].bounds();
            if bounds[node] == limits {
                break;
            }
            bounds[node] = limits;
            spot = node;
        }
    }

    /// Tells all nodes what is marked below them.
    fn spread_marks(&mut self) {
        let Some((leaves, above)) = self.levels.split_first_mut() else {
            return;
        };
        // What was sorted has spots like its places. That what was exiled since seems to be there does no harm.
        let sorted_leaves = self.order.tail / LANES;
        leaves.active.clear();
        leaves
            .active
            .extend((0..sorted_leaves).map(|leaf| self.active.group(leaf)));
        let tail = self.order.places.get(self.order.tail..).unwrap_or_default();
        leaves.active.extend(
            tail.iter()
                .step_by(LANES)
                .map(|&place| u8::from(self.active.contains(place))),
        );
        let mut below = &leaves.active;
        for level in above {
            level.active.clear();
            level.active.extend(below.chunks(LANES).map(|children| {
                let bits = children.iter().rev();
                bits.fold(0, |lanes, &child| lanes << 1 | u8::from(child != 0))
            }));
            below = &level.active;
        }
    }

    /// Visits the places below a node whose boxes are within `reach`.
    fn descend(&self, level: usize, node: usize, reach: Vec4, visit: &mut impl FnMut(u32)) {
        for lane in lanes(self.levels[level].nodes[node].within(reach)) {
            let child = node * LANES + lane;
            if level > 0 {
                self.descend(level - 1, child, reach, visit);
            } else {
                visit(self.order.places[child]);
            }
        }
    }
}
