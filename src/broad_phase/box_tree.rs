use bevy::math::{Vec2, Vec4, bounding::Aabb2d};

use super::{BroadPhase, EMPTY, grown, is_present};

/// How many boxes one node of the tree holds.
const LANES: usize = 8;
/// The bits of a place on the curve that each axis gets; those above tell the size class.
const AXIS_BITS: u32 = 30;
/// Coordinates beyond this do not make the curve coarser: what is out there shares its last cells.
const FARTHEST: f32 = 1e7;
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

/// Boxes side by side, to be compared all at once.
#[derive(Clone, Copy)]
struct Node {
    min_x: [Vec4; 2],
    min_y: [Vec4; 2],
    max_x: [Vec4; 2],
    max_y: [Vec4; 2],
}

impl Node {
    const EMPTY: Self = Self {
        min_x: [Vec4::INFINITY; 2],
        min_y: [Vec4::INFINITY; 2],
        max_x: [Vec4::NEG_INFINITY; 2],
        max_y: [Vec4::NEG_INFINITY; 2],
    };

    fn set(&mut self, lane: usize, aabb: &Aabb2d) {
        let (half, lane) = (lane / 4, lane % 4);
        self.min_x[half][lane] = aabb.min.x;
        self.min_y[half][lane] = aabb.min.y;
        self.max_x[half][lane] = aabb.max.x;
        self.max_y[half][lane] = aabb.max.y;
    }

    fn get(&self, lane: usize) -> Aabb2d {
        let (half, lane) = (lane / 4, lane % 4);
        Aabb2d {
            min: Vec2::new(self.min_x[half][lane], self.min_y[half][lane]),
            max: Vec2::new(self.max_x[half][lane], self.max_y[half][lane]),
        }
    }

    /// The lanes whose boxes overlap `area`, as bits.
    fn overlapping(&self, area: &Aabb2d) -> u32 {
        let half = |half: usize| {
            (self.min_x[half].cmple(Vec4::splat(area.max.x))
                & self.min_y[half].cmple(Vec4::splat(area.max.y))
                & self.max_x[half].cmpge(Vec4::splat(area.min.x))
                & self.max_y[half].cmpge(Vec4::splat(area.min.y)))
            .bitmask()
        };
        half(0) | half(1) << 4
    }

    /// The box around all.
    fn bounds(&self) -> Aabb2d {
        let least = |lanes: [Vec4; 2]| lanes[0].min(lanes[1]).min_element();
        let greatest = |lanes: [Vec4; 2]| lanes[0].max(lanes[1]).max_element();
        Aabb2d {
            min: Vec2::new(least(self.min_x), least(self.min_y)),
            max: Vec2::new(greatest(self.max_x), greatest(self.max_y)),
        }
    }
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

    fn visit_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        if !self.items.is_empty() {
            let root = self.levels.len() - 1;
            let bounds = self.levels[root].nodes[0].bounds();
            self.join(root, 0, 0, &bounds, &mut visit);
        }
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
                let is_stray = !contains(home, middle(&boxes[item.number as usize]));
                if is_stray && item.key != STRAYED {
                    item.key = STRAYED;
                    self.strays += 1;
                }
            }
        }
    }

    /// The same for one item.
    fn find_stray(&mut self, number: u32, aabb: &Aabb2d) {
        let place = self.places[number as usize] as usize;
        if let Some(item) = self.items.get_mut(place)
            && item.key != STRAYED
            && !contains(&self.homes[place / LANES], middle(aabb))
        {
            item.key = STRAYED;
            self.strays += 1;
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
                leaf.set(lane, &filling(&boxes[item.number as usize]));
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
            leaf.set(lane, &filling(aabb));
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

    /// Visits the pairs of items of which one is below the node `a` and the other one below `b`, whose box is `b_bounds`.
    fn join(
        &self,
        level: usize,
        a: usize,
        b: usize,
        b_bounds: &Aabb2d,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let Level { nodes, active } = &self.levels[level];
        let (a_boxes, b_boxes) = (&nodes[a], &nodes[b]);
        for lane in lanes(a_boxes.overlapping(b_bounds)) {
            let mut others = b_boxes.overlapping(&a_boxes.get(lane));
            if active[a] >> lane & 1 == 0 {
                others &= u32::from(active[b]);
            }
            if a == b {
                // Each pair once. Above the leaves a node is paired with itself, too.
                let own = u32::from(level == 0);
                others &= u32::MAX << (lane as u32 + own);
            }
            let child = a * LANES + lane;
            for other_lane in lanes(others) {
                let other = b * LANES + other_lane;
                if level > 0 {
                    self.join(level - 1, child, other, &b_boxes.get(other_lane), visit);
                } else {
                    visit(self.items[child].number, self.items[other].number);
                }
            }
        }
    }
}

/// The numbers of the bits that are set.
fn lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}

fn contains(aabb: &Aabb2d, point: Vec2) -> bool {
    aabb.min.cmple(point).all() && point.cmple(aabb.max).all()
}

/// Places on a space-filling curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Curve {
    /// Cells per world unit.
    resolution: f32,
    /// Boxes up to this size (world units) are of the smallest class; each further class is 8 times larger.
    small: f32,
    /// The number of boxes that this was chosen for.
    count: usize,
}

impl Curve {
    /// A curve that tells these boxes apart.
    fn through(boxes: &[Aabb2d]) -> Self {
        let (mut farthest, mut exponents, mut count) = (1.0f32, 0i64, 0);
        for aabb in boxes.iter().filter(|aabb| is_present(aabb)) {
            farthest = farthest.max(middle(aabb).abs().max_element().min(FARTHEST));
            exponents += i64::from(exponent(size(aabb)));
            count += 1;
        }
        let mean_exponent = exponents.checked_div(count).unwrap_or(0) as i32;
        let half_cells = (1u32 << (AXIS_BITS - 1)) as f32;
        Self {
            resolution: half_cells / (2.0 * farthest),
            small: (4.0 * 2f32.powi(mean_exponent.clamp(-100, 100))),
            count: count as usize,
        }
    }

    /// Whether the curve still fits so many boxes.
    fn suits(&self, count: usize) -> bool {
        count <= 2 * self.count && 4 * count >= self.count
    }

    fn key(&self, aabb: &Aabb2d) -> u64 {
        let class = (exponent(size(aabb) / self.small) + 3).clamp(0, 45) / 3;
        let cell = middle(aabb) * self.resolution;
        // The conversion saturates.
        let limit = 1i32 << (AXIS_BITS - 1);
        let coordinate = |cell: f32| ((cell as i32).clamp(-limit, limit - 1) + limit) as u32;
        (class as u64) << (2 * AXIS_BITS) | hilbert(coordinate(cell.x), coordinate(cell.y))
    }
}

/// What stands in the tree for a box; nothing, for one that is not there.
fn filling(aabb: &Aabb2d) -> Aabb2d {
    if is_present(aabb) {
        without_infinity(aabb)
    } else {
        EMPTY
    }
}

/// The part of a box with finite coordinates, which no empty lane overlaps.
fn without_infinity(aabb: &Aabb2d) -> Aabb2d {
    Aabb2d {
        min: aabb.min.max(Vec2::MIN),
        max: aabb.max.min(Vec2::MAX),
    }
}

fn middle(aabb: &Aabb2d) -> Vec2 {
    aabb.min * 0.5 + aabb.max * 0.5
}

fn size(aabb: &Aabb2d) -> f32 {
    (aabb.max - aabb.min).max_element()
}

/// The power of two that a number begins with; the least of all for zero.
fn exponent(number: f32) -> i32 {
    (number.to_bits() >> 23 & 0xFF) as i32 - 127
}

/// The place of a cell on Hilbert's curve (1891). Neighbours on it are neighbours in the plane, so that no leaf is torn apart.
///
/// Quadrant by quadrant, from the largest; each one's part of the curve may be mirrored at a diagonal and turned around.
fn hilbert(x: u32, y: u32) -> u64 {
    let (mut swap, mut flip, mut place) = (0u32, 0u32, 0u64);
    for bit in (0..AXIS_BITS).rev() {
        let (x, y): (u32, u32) = (x >> bit & 1, y >> bit & 1);
        let exchange = (x ^ y) & swap;
        let (x, y) = (x ^ exchange ^ flip, y ^ exchange ^ flip);
        place = place << 2 | u64::from((3 * x) ^ y);
        flip ^= x & !y;
        swap ^= !y & 1;
    }
    place
}
