//! Pairs by a self-join: the tree is traversed against itself, level by level, from pairs of nodes
//! to pairs of their children. (A bounding volume test tree.)
//!
//! Which of eight boxes overlap another is unpredictable, also for the processor. So all eight are
//! written to a list without a branch, and only the overlapping ones are counted.

use bevy::math::{Vec4, Vec4Swizzles};

use super::{
    super::interface::{PairTask, PairWork},
    node::{LANES, Node, lanes, overlap_bound},
    tree::BoxTree,
};

/// The height of the nodes of a task: some 500 boxes each.
const TASK_LEVEL: usize = 2;

/// The self-join is replaced by a query for each moved box if less than one in this many has moved.
const BOXES_PER_MOVED: usize = 24;
/// The number of leaves of large boxes per region.
const LARGE_LEAVES_PER_REGION: u32 = 4;

/// Memory for the work on a task, reused.
#[derive(Default)]
pub(crate) struct PairSearch {
    nodes: NodePairs,
    children: NodePairs,
    leaves: Vec<u32>,
    candidates: NodePairs,
    hits: Vec<LaneHits>,
}

/// The lanes of a node that overlap a box, or the pairs of its lanes that overlap each other.
#[derive(Clone, Copy, Default)]
struct LaneHits {
    item: u32,
    node: u32,
    lanes: u32,
}

/// Pairs of node indices or leaf indices.
#[derive(Default)]
struct NodePairs {
    first: Vec<u32>,
    second: Vec<u32>,
    count: usize,
}

impl NodePairs {
    fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a pair of each of a node's lanes with `other`.
    #[inline]
    fn push_lanes(&mut self, node: u32, lanes: u32, other: u32) {
        if self.first.len() < self.count + LANES {
            let more = 2 * self.count + 64 * LANES;
            self.first.resize(more, 0);
            self.second.resize(more, 0);
        }
        let (list, count) = &LANE_LISTS[lanes as usize & 0xFF];
        let first = &mut self.first[self.count..][..LANES];
        for (first, lane) in first.iter_mut().zip(list) {
            *first = node * LANES as u32 + u32::from(*lane);
        }
        self.second[self.count..][..LANES].fill(other);
        self.count += *count as usize;
    }

    fn push(&mut self, first: u32, second: u32) {
        self.push_lanes(first / LANES as u32, 1 << (first % LANES as u32), second);
    }

    fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let (first, second) = (self.first.iter(), self.second.iter());
        first.copied().zip(second.copied()).take(self.count)
    }
}

/// For each set of lanes, their indices followed by padding, and their count.
static LANE_LISTS: [([u8; LANES], u64); 256] = lane_lists();

const fn lane_lists() -> [([u8; LANES], u64); 256] {
    let mut lists = [([0; LANES], 0); 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if bits >> lane & 1 == 1 {
                lists[bits].0[count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        lists[bits].1 = count as u64;
        bits += 1;
    }
    lists
}

/// Adds an entry to a list that has room for it if `counts` is true, without a branch.
#[inline]
fn push_if<T>(list: &mut [T], count: &mut usize, entry: T, counts: bool) {
    list[*count] = entry;
    *count += usize::from(counts);
}

impl BoxTree {
    /// Splits the search into tasks, sorted by region. Tasks of large boxes come first: their
    /// number seldom changes. If few boxes have moved, only these search for pairs.
    pub(super) fn split_pairs(&self, search: &mut PairSearch, tasks: &mut Vec<PairTask>) {
        let few_moved = self.moved.count() * BOXES_PER_MOVED < self.order.item_indices.len();
        let large = (0..).zip(self.large.clone());
        let large = large.filter(|(_, leaf)| !few_moved || self.levels[0].moved[*leaf] != 0);
        tasks.extend(large.map(|(number, leaf)| PairTask {
            region: number / LARGE_LEAVES_PER_REGION,
            work: if few_moved {
                PairWork::QueryMovedLarge(leaf as u32)
            } else {
                PairWork::QueryLarge(leaf as u32)
            },
        }));
        let regions = self.large_regions();
        if few_moved {
            self.split_moved(regions, tasks);
        } else {
            self.split_nodes(regions, search, tasks);
        }
    }

    /// The region of the tasks for the boxes of a leaf.
    pub(super) fn region_of_leaf(&self, leaf: u32) -> u32 {
        if self.large.contains(&(leaf as usize)) {
            (leaf - self.large.start as u32) / LARGE_LEAVES_PER_REGION
        } else {
            self.large_regions() + leaf / LANES.pow(self.task_level() as u32) as u32
        }
    }

    /// The number of regions of large boxes, which come first.
    fn large_regions(&self) -> u32 {
        (self.large.len() as u32).div_ceil(LARGE_LEAVES_PER_REGION)
    }

    /// Adds tasks for the moved boxes, one for each node at the [level of tasks](Self::task_level).
    fn split_moved(&self, first_region: u32, tasks: &mut Vec<PairTask>) {
        let leaves = self.leaf_states.len();
        let size = LANES.pow(self.task_level() as u32);
        let nodes = (0..).zip(&self.levels[self.task_level()].moved);
        let moved = nodes.filter(|(_, moved)| **moved != 0);
        tasks.extend(moved.map(|(node, _)| {
            let start = node as usize * size;
            PairTask {
                region: first_region + node,
                work: PairWork::QueryMoved([start as u32, leaves.min(start + size) as u32]),
            }
        }));
    }

    /// Adds tasks for the pairs of overlapping nodes at the [level of tasks](Self::task_level). At
    /// least one node of each pair has moved boxes.
    fn split_nodes(&self, first_region: u32, search: &mut PairSearch, tasks: &mut Vec<PairTask>) {
        let root = self.levels.len() - 1;
        search.nodes.clear();
        search.nodes.push(0, 0);
        for level in (self.task_level() + 1..=root).rev() {
            self.descend_pairs(level, search);
        }
        let first = tasks.len();
        tasks.extend(search.nodes.iter().map(|(a, b)| PairTask {
            region: first_region + a,
            work: PairWork::SelfJoin([a, b]),
        }));
        tasks[first..].sort_unstable_by_key(|task| task.region);
    }

    /// The level of the nodes of tasks.
    fn task_level(&self) -> usize {
        TASK_LEVEL.min(self.levels.len() - 1)
    }

    /// Lists the pairs of items below a pair of nodes.
    pub(super) fn list_pairs_below(
        &self,
        [a, b]: [u32; 2],
        search: &mut PairSearch,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        search.nodes.clear();
        search.leaves.clear();
        if self.levels.len() == 1 {
            search
                .leaves
                .extend((!self.large.contains(&0)).then_some(0));
        } else {
            search.nodes.push(a, b);
        }
        for level in (1..=self.task_level()).rev() {
            self.descend_pairs(level, search);
        }
        self.compare_within_leaves(search, pairs);
        self.compare_leaves(search, pairs);
    }

    /// Replaces pairs of nodes by pairs of their children. A leaf is not paired with itself, but
    /// added to `leaves`.
    fn descend_pairs(&self, level: usize, search: &mut PairSearch) {
        let above = &self.levels[level];
        let below = &self.levels[level - 1];
        search.children.clear();
        for (a, b) in search.nodes.iter() {
            let [a_node, b_node] = [&above.nodes[a as usize], &above.nodes[b as usize]];
            let a_moved = u32::from(above.moved[a as usize]);
            let b_moved = u32::from(above.moved[b as usize]);
            let (a_has_small, b_has_small) =
                (above.has_small[a as usize], above.has_small[b as usize]);
            let near = a_node.overlap_mask(overlap_bound(above.bounds[b as usize]))
                & u32::from(a_has_small);
            for lane in lanes(near) {
                let child = a * LANES as u32 + lane as u32;
                let mut others = b_node.overlap_mask(overlap_bound(below.bounds[child as usize]))
                    & u32::from(b_has_small);
                if a_moved >> lane & 1 == 0 {
                    others &= b_moved;
                }
                if a == b {
                    // Each pair once.
                    if level > 1 {
                        others &= 0xFF << lane;
                    } else {
                        others &= 0xFE << lane;
                        search.leaves.push(child);
                    }
                }
                search.children.push_lanes(b, others, child);
            }
        }
        std::mem::swap(&mut search.nodes, &mut search.children);
    }

    fn compare_leaves(&self, search: &mut PairSearch, pairs: &mut Vec<(u32, u32)>) {
        let leaves = &self.levels[0];
        let PairSearch {
            nodes,
            candidates,
            hits,
            ..
        } = search;
        candidates.clear();
        for (a, b) in nodes.iter() {
            let near =
                leaves.nodes[a as usize].overlap_mask(overlap_bound(leaves.bounds[b as usize]));
            candidates.push_lanes(a, near, b);
        }
        if hits.len() < candidates.count + 1 {
            hits.resize(candidates.count + 1, LaneHits::default());
        }
        let mut count = 0;
        for (leaf_index, b) in candidates.iter() {
            let (a, lane) = (leaf_index as usize / LANES, leaf_index as usize % LANES);
            let others =
                leaves.nodes[b as usize].overlap_mask(overlap_bound(leaves.nodes[a].get(lane)));
            let is_moved = u32::from(leaves.moved[a]) >> lane & 1;
            let lanes = others & (u32::from(leaves.moved[b as usize]) | is_moved.wrapping_neg());
            let entry = LaneHits {
                item: leaf_index,
                node: b,
                lanes,
            };
            push_if(hits, &mut count, entry, lanes != 0);
        }
        for hits in &hits[..count] {
            let index = self.order.item_indices[hits.item as usize];
            let item_indices = &self.order.item_indices[hits.node as usize * LANES..];
            for lane in lanes(hits.lanes) {
                pairs.push((index, item_indices[lane]));
            }
        }
    }

    fn compare_within_leaves(&self, search: &mut PairSearch, pairs: &mut Vec<(u32, u32)>) {
        let level = &self.levels[0];
        let PairSearch { leaves, hits, .. } = search;
        if hits.len() < leaves.len() + 1 {
            hits.resize(leaves.len() + 1, LaneHits::default());
        }
        let mut count = 0;
        for &node in leaves.iter() {
            let moved = level.moved[node as usize];
            let lanes = level.nodes[node as usize].pairs() & PAIRS_OF[moved as usize];
            let entry = LaneHits {
                item: node,
                node,
                lanes,
            };
            push_if(hits, &mut count, entry, lanes != 0);
        }
        for hits in &hits[..count] {
            let item_indices = &self.order.item_indices[hits.node as usize * LANES..];
            for pair in lanes(hits.lanes) {
                let [a, b] = PAIRS[pair];
                pairs.push((item_indices[usize::from(a)], item_indices[usize::from(b)]));
            }
        }
    }
}

/// The pairs of lanes in the order of the bits of [`Node::pairs`].
static PAIRS: [[u8; 2]; 32] = pairs_of_lanes();

const fn pairs_of_lanes() -> [[u8; 2]; 32] {
    let mut pairs = [[0; 2]; 32];
    let mut pair = 0;
    while pair < 32 {
        let lane = pair as u8 % 4;
        let turn = pair as u8 / 4;
        pairs[pair] = match turn {
            0..4 => [lane, 4 + (lane + turn) % 4],
            4 | 5 => [lane, (lane + turn - 3) % 4],
            _ => [4 + lane, 4 + (lane + turn - 5) % 4],
        };
        pair += 1;
    }
    pairs
}

/// For each set of moved lanes, the pairs that contain at least one of them.
static PAIRS_OF: [u32; 256] = pairs_of_moved();

const fn pairs_of_moved() -> [u32; 256] {
    let mut pairs_of = [0; 256];
    let mut moved = 0;
    while moved < 256 {
        let mut pair = 0;
        while pair < 32 {
            let [a, b] = PAIRS[pair];
            // Pairs within a half that is rotated by two occur twice.
            let again = (pair / 4 == 5 || pair / 4 == 7) && pair % 4 >= 2;
            if (moved >> a | moved >> b) & 1 == 1 && !again {
                pairs_of[moved] |= 1 << pair;
            }
            pair += 1;
        }
        moved += 1;
    }
    pairs_of
}

impl Node {
    /// Returns which lanes overlap each other, as bits of [`PAIRS`].
    ///
    /// Compares the halves of the lanes in all four rotations, and each with itself in two.
    #[inline]
    fn pairs(&self) -> u32 {
        let low = [0, 1, 2, 3].map(|limit| self.half(limit, 0));
        let high = [0, 1, 2, 3].map(|limit| self.half(limit, 1));
        let compare = |a: [Vec4; 4], b: [Vec4; 4]| {
            (a[0].cmple(-b[2]) & a[1].cmple(-b[3]) & b[0].cmple(-a[2]) & b[1].cmple(-a[3]))
                .bitmask()
        };
        let once = |lanes: [Vec4; 4]| lanes.map(|lanes| lanes.yzwx());
        let twice = |lanes: [Vec4; 4]| lanes.map(|lanes| lanes.zwxy());
        let thrice = |lanes: [Vec4; 4]| lanes.map(|lanes| lanes.wxyz());
        compare(low, high)
            | compare(low, once(high)) << 4
            | compare(low, twice(high)) << 8
            | compare(low, thrice(high)) << 12
            | compare(low, once(low)) << 16
            | compare(low, twice(low)) << 20
            | compare(high, once(high)) << 24
            | compare(high, twice(high)) << 28
    }
}
