//! The broad phase that measured best so far.

mod curve;
mod node;

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{BroadPhase, EMPTY, PairTask, grown, is_present};
use curve::{Curve, middle, size};
use node::{LANES, Node, lanes, without_infinity};

/// Tasks are about pairs of nodes that are so many levels above the leaves: some 500 boxes each.
const TASK_LEVEL: usize = 2;
/// How far a box may be from its home, relative to the home's size, before it gets a new one.
const STRAY: f32 = 0.15;
/// New homes are found when more than one in so many boxes needs one.
const STRAYS_PER_SORT: usize = 24;

/// A tree of boxes that keeps its order from run to run.
///
/// The boxes are sorted along a space-filling curve, large ones apart from small ones, and each run of [`LANES`] of them makes
/// a leaf, each run of leaves a node, and so on up to one; nothing but boxes is stored. When the boxes move, the tree is fitted
/// to them, which is one pass, and only those that left the place of their leaf are sorted in again.
///
/// The order is that of Kamel and Faloutsos, "On Packing R-trees" (1993).
#[derive(Default)]
pub(crate) struct BoxTree {
    /// The boxes in their order.
    items: Vec<Item>,
    /// Where in `items` each number is.
    places: Vec<u32>,
    /// From the leaves to the root.
    levels: Vec<Level>,
    /// Around the middles of each leaf's boxes when they were sorted, and somewhat more.
    homes: Vec<Aabb2d>,
    curve: Curve,
    /// How many items wait to be sorted in or dropped: they came, left, or strayed from their homes.
    strays: usize,
    strayed: Vec<Item>,
    sorted: Vec<Item>,
}

/// A box in the order of the tree.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// Its place on the curve, when it was sorted in.
    key: u64,
    number: u32,
    /// Its middle at that time.
    origin: Vec2,
}

impl Item {
    /// Notes it, if the item is not near its home any more. True, if that was not known.
    fn stray_from(&mut self, home: &Aabb2d, aabb: &Aabb2d) -> bool {
        let strays = self.key != STRAYED && !contains(home, middle(aabb));
        if strays {
            self.key = STRAYED;
        }
        strays
    }

    /// The order of the tree. The number makes it the same whatever was before.
    fn order(&self) -> (u64, u32) {
        (self.key, self.number)
    }
}

#[derive(Default)]
struct Level {
    nodes: Vec<Node>,
    /// For each node the lanes that hold something active.
    active: Vec<u8>,
}

/// The key of what needs a new place: it is gone, or strayed from its home.
const STRAYED: u64 = u64::MAX;
/// The place of what is not in the tree.
const ABSENT: u32 = u32::MAX;

impl BroadPhase for BoxTree {
    fn refresh(&mut self, boxes: &[Aabb2d], changed: &[u32]) {
        self.places.resize(boxes.len(), ABSENT);
        let height = self.levels.len();
        for &number in changed {
            self.welcome(number, &boxes[number as usize]);
        }
        self.make_room();
        let most_changed = changed.len() * 4 > self.items.len();
        if most_changed {
            self.find_strays(boxes);
        } else {
            for &number in changed {
                self.find_stray(number, &boxes[number as usize]);
            }
        }
        if !self.curve.suits(self.items.len()) {
            self.sort_all(boxes);
        } else if self.strays * STRAYS_PER_SORT > self.items.len() {
            self.sort_strays(boxes);
        } else if most_changed || self.levels.len() != height {
            self.fill_leaves(boxes);
            self.fit_above_leaves();
        } else {
            for &number in changed {
                self.fit(self.places[number as usize], &boxes[number as usize]);
            }
        }
    }

    fn clear(&mut self) {
        self.items.clear();
        self.places.clear();
        self.levels.clear();
        self.curve = Curve::default();
        self.strays = 0;
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        if !self.items.is_empty() && is_present(area) {
            let root = self.levels.len() - 1;
            self.descend(root, 0, &without_infinity(area), &mut visit);
        }
    }

    fn activate(&mut self, numbers: &[u32]) {
        for level in &mut self.levels {
            level.active.clear();
            level.active.resize(level.nodes.len(), 0);
        }
        for &number in numbers {
            let mut place = self.places[number as usize] as usize;
            if place == ABSENT as usize {
                continue;
            }
            for level in &mut self.levels {
                let lanes = &mut level.active[place / LANES];
                let was_active = *lanes != 0;
                *lanes |= 1 << (place % LANES);
                if was_active {
                    break;
                }
                place /= LANES;
            }
        }
    }

    fn split(&self, tasks: &mut Vec<PairTask>) {
        if !self.items.is_empty() {
            let root = self.levels.len() - 1;
            let whole = PairTask {
                groups: [0, 0],
                bounds: self.levels[root].nodes[0].bounds(),
            };
            self.split_below(root, &whole, tasks);
        }
    }

    fn visit_pairs(&self, task: &PairTask, mut visit: impl FnMut(u32, u32)) {
        self.join(self.task_level(), task, &mut visit);
    }
}

impl BoxTree {
    /// Puts a box that is new at the end, where it waits for the next sorting.
    fn welcome(&mut self, number: u32, aabb: &Aabb2d) {
        let place = &mut self.places[number as usize];
        if *place == ABSENT && is_present(aabb) {
            *place = self.items.len() as u32;
            self.items.push(Item {
                key: STRAYED,
                number,
                origin: middle(aabb),
            });
            self.strays += 1;
        }
    }

    /// Looks which of all items are not near their homes any more.
    fn find_strays(&mut self, boxes: &[Aabb2d]) {
        for (items, home) in self.items.chunks_mut(LANES).zip(&self.homes) {
            for item in items {
                let strayed = item.stray_from(home, &boxes[item.number as usize]);
                self.strays += usize::from(strayed);
            }
        }
    }

    /// The same for one item.
    fn find_stray(&mut self, number: u32, aabb: &Aabb2d) {
        let place = self.places[number as usize] as usize;
        if let Some(item) = self.items.get_mut(place) {
            let strayed = item.stray_from(&self.homes[place / LANES], aabb);
            self.strays += usize::from(strayed);
        }
    }

    /// Adds nodes on all levels, for as many items as there are.
    fn make_room(&mut self) {
        let mut nodes = self.items.len().div_ceil(LANES);
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Level::default());
            }
            self.levels[level].nodes.resize(nodes, Node::EMPTY);
            if nodes <= 1 {
                self.levels.truncate(level + 1);
                break;
            }
            nodes = nodes.div_ceil(LANES);
        }
        let leaves = self.levels[0].nodes.len();
        self.homes.resize(leaves, EMPTY);
    }

    /// Sorts everything, along a new curve.
    fn sort_all(&mut self, boxes: &[Aabb2d]) {
        self.curve = Curve::through(boxes);
        for item in &mut self.items {
            item.key = STRAYED;
        }
        self.sort_strays(boxes);
    }

    /// Gives a new place to what needs one, and drops what is gone.
    fn sort_strays(&mut self, boxes: &[Aabb2d]) {
        let Self {
            items,
            places,
            curve,
            sorted,
            strayed,
            ..
        } = self;
        strayed.clear();
        for &Item { number, .. } in items.iter().filter(|item| item.key == STRAYED) {
            let aabb = &boxes[number as usize];
            if is_present(aabb) {
                strayed.push(Item {
                    key: curve.key(aabb),
                    number,
                    origin: middle(aabb),
                });
            } else {
                places[number as usize] = ABSENT;
            }
        }
        if strayed.iter().any(|stray| !curve.reaches(stray.origin)) {
            return self.sort_all(boxes);
        }
        strayed.sort_unstable_by_key(Item::order);
        sorted.clear();
        let mut upcoming = strayed.iter().copied().peekable();
        for item in items.iter().filter(|item| item.key != STRAYED) {
            while let Some(before) = upcoming.next_if(|stray| stray.order() < item.order()) {
                sorted.push(before);
            }
            sorted.push(*item);
        }
        sorted.extend(upcoming);
        std::mem::swap(items, sorted);
        for (place, item) in (0..).zip(items.iter()) {
            places[item.number as usize] = place;
        }
        self.strays = 0;
        for level in &mut self.levels {
            level.nodes.clear();
        }
        self.make_room();
        self.fill_leaves(boxes);
        self.find_homes();
        self.fit_above_leaves();
    }

    /// Puts all boxes into the leaves.
    fn fill_leaves(&mut self, boxes: &[Aabb2d]) {
        let leaves = &mut self.levels[0].nodes;
        for (items, leaf) in self.items.chunks(LANES).zip(leaves) {
            for (lane, item) in items.iter().enumerate() {
                leaf.set(lane, &boxes[item.number as usize]);
            }
        }
    }

    /// Gives each leaf a home, around the middles that its boxes were sorted by.
    fn find_homes(&mut self) {
        self.homes.clear();
        let leaves = &self.levels[0].nodes;
        let homes = self.items.chunks(LANES).zip(leaves).map(|(items, leaf)| {
            let origins = items.iter().fold(EMPTY, |around, item| Aabb2d {
                min: around.min.min(item.origin),
                max: around.max.max(item.origin),
            });
            grown(&origins, STRAY * (size(&origins) + size(&leaf.get(0))))
        });
        self.homes.extend(homes);
    }

    /// Fits all levels above the leaves.
    fn fit_above_leaves(&mut self) {
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let children = below[level - 1].nodes.chunks(LANES);
            for (node, children) in above[0].nodes.iter_mut().zip(children) {
                for (lane, child) in children.iter().enumerate() {
                    node.set(lane, &child.bounds());
                }
            }
        }
    }

    /// Fits the tree to one item.
    fn fit(&mut self, place: u32, aabb: &Aabb2d) {
        let (mut node, lane) = (place as usize / LANES, place as usize % LANES);
        if let Some(leaf) = self.levels[0].nodes.get_mut(node) {
            leaf.set(lane, aabb);
        }
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let Some(child) = below[level - 1].nodes.get(node) else {
                return;
            };
            above[0].nodes[node / LANES].set(node % LANES, &child.bounds());
            node /= LANES;
        }
    }

    /// Visits the items below a node whose boxes overlap `area`.
    fn descend(&self, level: usize, node: usize, area: &Aabb2d, visit: &mut impl FnMut(u32)) {
        for lane in lanes(self.levels[level].nodes[node].overlapping(area)) {
            let child = node * LANES + lane;
            if level > 0 {
                self.descend(level - 1, child, area, visit);
            } else {
                visit(self.items[child].number);
            }
        }
    }

    /// The level of the nodes that tasks are about.
    fn task_level(&self) -> usize {
        TASK_LEVEL.min(self.levels.len() - 1)
    }

    fn split_below(&self, level: usize, task: &PairTask, tasks: &mut Vec<PairTask>) {
        if level == self.task_level() {
            tasks.push(*task);
        } else {
            self.visit_child_pairs(level, task, |children| {
                self.split_below(level - 1, &self.task(level - 1, children), tasks);
            });
        }
    }

    /// Visits the pairs of items below two nodes.
    fn join(&self, level: usize, task: &PairTask, visit: &mut impl FnMut(u32, u32)) {
        if level > 0 {
            self.visit_child_pairs(level, task, |children| {
                self.join(level - 1, &self.task(level - 1, children), visit);
            });
        } else {
            self.visit_child_pairs(0, task, |[a, b]| {
                visit(self.items[a].number, self.items[b].number);
            });
        }
    }

    fn task(&self, level: usize, [a, b]: [usize; 2]) -> PairTask {
        PairTask {
            groups: [a as u32, b as u32],
            bounds: self.levels[level + 1].nodes[b / LANES].get(b % LANES),
        }
    }

    /// Visits the pairs of children of two nodes, or of one, that overlap and of which one is active.
    #[inline]
    fn visit_child_pairs(&self, level: usize, task: &PairTask, mut visit: impl FnMut([usize; 2])) {
        let Level { nodes, active } = &self.levels[level];
        let [a, b] = task.groups.map(|node| node as usize);
        let (a_boxes, b_boxes) = (&nodes[a], &nodes[b]);
        let (a_active, b_active) = (u32::from(active[a]), u32::from(active[b]));
        for lane in lanes(a_boxes.overlapping(&task.bounds)) {
            let mut others = b_boxes.overlapping(&a_boxes.get(lane));
            if a_active >> lane & 1 == 0 {
                others &= b_active;
            }
            if a == b {
                // Each pair once. Above the leaves a node is paired with itself, too.
                let own = u32::from(level == 0);
                others &= u32::MAX << (lane as u32 + own);
            }
            for other_lane in lanes(others) {
                visit([a * LANES + lane, b * LANES + other_lane]);
            }
        }
    }
}

fn contains(aabb: &Aabb2d, point: Vec2) -> bool {
    aabb.min.cmple(point).all() && point.cmple(aabb.max).all()
}
