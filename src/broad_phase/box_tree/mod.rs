//! The broad phase that measured best.

mod curve;
mod join;
mod node;
mod order;
mod seek;

use std::ops::Range;

use bevy::math::{Vec2, Vec4, bounding::Aabb2d};

use super::{Arrangement, BroadPhase, EMPTY, Former, PairTask, PairWork, grown, is_present};
use curve::size;
pub(crate) use join::PairSearch;
use node::{Home, LANES, Limits, NOTHING, Node, lanes, limits, reach, size_of};
use order::{ABSENT, Order, Origin};

/// How far a box may be from its home, relative to the home's size, before it gets a new one.
const STRAY: f32 = 0.15;
/// New homes are found when more than one in so many boxes needs one.
const STRAYS_PER_SORT: usize = 8;
/// What strayed from a leaf has to leave it at once when the leaf becomes so much larger.
const GROWTH: f32 = 4.0;
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
    /// Around the middles of each leaf's boxes when they were sorted, and somewhat more.
    homes: Vec<Home>,
    /// How large each leaf may become before what strayed from it has to leave it.
    largest: Vec<f32>,
    /// For each leaf the lanes that wait to be sorted in or dropped: they came, left, or strayed from their homes.
    waiting: Vec<u8>,
    /// How many those are.
    strays: usize,
    /// The leaves of boxes that are much larger than most. Those are compared one by one: eight of them together may be
    /// everywhere.
    large: Range<usize>,
    /// The places whose boxes are not up to date.
    stale: Marks,
    /// The places that were marked.
    active: Marks,
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

/// A set of places; the bits of those of a leaf are side by side.
#[derive(Default)]
struct Marks(Vec<u8>);

impl Marks {
    #[inline]
    fn insert(&mut self, place: u32) {
        let (byte, bit) = (place as usize / LANES, place as usize % LANES);
        if byte >= self.0.len() {
            self.0.resize(byte + 1, 0);
        }
        self.0[byte] |= 1 << bit;
    }

    fn contains(&self, place: u32) -> bool {
        self.lanes(place as usize / LANES) >> (place as usize % LANES) & 1 == 1
    }

    /// Those of the places that are a leaf after a sort.
    fn lanes(&self, leaf: usize) -> u8 {
        self.0.get(leaf).copied().unwrap_or_default()
    }

    /// What was at the place that `order[i]` says is at `i` now. `spare` lends its memory.
    fn rearrange(&mut self, order: &[Former], spare: &mut Self) {
        spare.0.clear();
        spare.0.extend(order.chunks(LANES).map(|former| {
            let bits = former.iter().rev();
            bits.fold(0, |lanes, former| {
                lanes << 1 | u8::from(self.contains(former.place() as u32))
            })
        }));
        std::mem::swap(self, spare);
    }

    fn count(&self) -> usize {
        self.0.iter().map(|lanes| lanes.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.0).flat_map(|(leaf, &bits)| {
            lanes(bits.into()).map(move |lane| leaf * LANES as u32 + lane as u32)
        })
    }
}

impl BroadPhase for BoxTree {
    type Search = PairSearch;

    #[inline]
    fn mark(&mut self, place: u32) {
        self.stale.insert(place);
        self.active.insert(place);
    }

    fn unmark_all(&mut self) {
        self.active.0.fill(0);
    }

    fn refresh(&mut self, items: &mut impl Arrangement) {
        if self.stale.0.is_empty() {
            return self.spread_marks();
        }
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
        self.stale.0.clear();
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
}

impl BoxTree {
    /// Makes as many nodes as are needed, on all levels.
    fn make_room(&mut self) {
        let mut nodes = self.order.places.len().div_ceil(LANES);
        self.homes.resize(nodes, Home::default());
        self.largest.resize(nodes, 0.0);
        self.waiting.resize(nodes, 0);
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
        self.order.sort(items, &self.waiting);
        self.active.rearrange(self.order.former(), &mut self.stale);
        self.make_room();
        self.waiting.fill(0);
        self.strays = 0;
        // What is behind the last one is to be dropped.
        let count = self.order.places.len();
        if let Some(last) = self.waiting.last_mut() {
            *last = (0xFE << ((count - 1) % LANES)) as u8;
        }
        self.fill_leaves::<true>(0, items);
        self.fill_above();
        self.large = self.order.first_large() / LANES..self.order.tail / LANES;
        self.find_joined();
    }

    /// Finds the nodes that are to be joined with each other.
    fn find_joined(&mut self) {
        let leaves = self.homes.len();
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
            self.waiting[first..].fill(0xFF);
            self.fill_leaves::<true>(first, items);
            self.find_joined();
        }
        any
    }

    /// Puts the boxes into the leaves from one on, and looks which are not near their homes any more. Leaves that were just sorted get
    /// their homes first.
    fn fill_leaves<const SORTED: bool>(&mut self, first: usize, items: &impl Arrangement) {
        for leaf in first..self.homes.len() {
            let spots = leaf * LANES..self.order.places.len().min((leaf + 1) * LANES);
            let mut rows = [NOTHING; LANES];
            for (row, &place) in rows.iter_mut().zip(&self.order.places[spots.clone()]) {
                if place != ABSENT {
                    *row = limits(&items.aabb(place as usize));
                }
            }
            let (node, bounds) = Node::of(&rows);
            self.levels[0].nodes[leaf] = node;
            self.levels[0].bounds[leaf] = bounds;
            if SORTED {
                let is_there = |(place, _): &(&u32, _)| **place != ABSENT;
                let origins = (self.order.places[spots.clone()].iter())
                    .zip(&self.order.origins[spots])
                    .take_while(is_there)
                    .map(|(_, origin)| origin);
                self.homes[leaf] = home_of(origins, size_of(rows[0]));
                self.largest[leaf] = GROWTH * size_of(bounds);
            }
            self.find_strays(leaf);
        }
    }

    /// Notes which boxes of a leaf are not near its home any more. If they make it much larger they have to leave.
    fn find_strays(&mut self, leaf: usize) {
        let Level { nodes, bounds, .. } = &mut self.levels[0];
        let node = &mut nodes[leaf];
        // What is not there is away, too.
        let away = node.away_from(&self.homes[leaf]);
        let waiting = &mut self.waiting[leaf];
        self.strays += (away & !u32::from(*waiting)).count_ones() as usize;
        *waiting |= away as u8;
        if size_of(bounds[leaf]) > self.largest[leaf] {
            for lane in lanes(away) {
                if node.get(lane) != NOTHING {
                    self.order.exile(leaf * LANES + lane);
                    node.set(lane, NOTHING);
                }
            }
            bounds[leaf] = node.bounds();
        }
    }

    /// Fits the nodes above the leaves.
    fn fill_above(&mut self) {
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let Level { nodes, bounds, .. } = &mut above[0];
            let children = below[level - 1].bounds.chunks(LANES);
            for (children, (node, bounds)) in children.zip(nodes.iter_mut().zip(bounds)) {
                let mut rows = [NOTHING; LANES];
                rows[..children.len()].copy_from_slice(children);
                (*node, *bounds) = Node::of(&rows);
            }
        }
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
        let is_home = self.homes[leaf].has(limits);
        if !is_home && self.waiting[leaf] >> lane & 1 == 0 {
            self.waiting[leaf] |= 1 << lane;
            self.strays += 1;
        }
        let bounds = self.levels[0].bounds[leaf].min(limits);
        if size_of(bounds) > self.largest[leaf] && !is_home && limits != NOTHING {
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
            .extend((0..sorted_leaves).map(|leaf| self.active.lanes(leaf)));
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

/// A home for boxes that were sorted in there, the first of which is so large.
fn home_of<'a>(origins: impl Iterator<Item = &'a Origin>, size_of_first: f32) -> Home {
    let around = origins.fold(EMPTY, |around, origin| Aabb2d {
        min: Vec2::min(around.min, origin.middle),
        max: Vec2::max(around.max, origin.middle),
    });
    Home::around(&grown(&around, STRAY * (size(&around) + size_of_first)))
}
