//! Giving boxes their places along the curve.

use bevy::math::bounding::Aabb2d;

use super::{
    super::{Arrangement, EMPTY, grown, is_present},
    BoxTree, Curve, LANES, Marks, Node, Origin,
    curve::{middle, size},
};

/// How far a box may be from its home, relative to the home's size, before it gets a new one.
const STRAY: f32 = 0.15;

/// Lists that are filled anew in each sort.
#[derive(Default)]
pub(super) struct Sorter {
    /// What needs a new place, with the place where it is.
    strayed: Vec<(Origin, u32)>,
    /// Where what will be at each place is now.
    order: Vec<u32>,
    origins: Vec<Origin>,
    marks: Vec<Marks>,
}

impl BoxTree {
    /// Sorts everything, along a new curve.
    pub(super) fn sort_all(&mut self, items: &mut impl Arrangement) {
        self.curve = Curve::through((0..items.len()).map(|place| items.aabb(place)));
        self.origins.fill(Origin::STRAYED);
        self.sort_strays(items);
    }

    /// Gives a new place to what needs one, and drops what is gone.
    pub(super) fn sort_strays(&mut self, items: &mut impl Arrangement) {
        if !self.find_keys(items) {
            return self.sort_all(items);
        }
        self.merge();
        let Self { sorter, levels, .. } = self;
        items.rearrange(&sorter.order);
        std::mem::swap(&mut self.origins, &mut sorter.origins);
        self.strays = 0;
        let leaves = &mut levels[0];
        rearrange_marks(&mut leaves.marks, &sorter.order, &mut sorter.marks);
        for level in levels.iter_mut() {
            level.nodes.clear();
        }
        self.resize_levels();
        self.fill_leaves(items);
        self.find_homes();
        self.refresh_nodes();
    }

    /// Finds where on the curve the strays belong. False, if it does not reach them.
    fn find_keys(&mut self, items: &impl Arrangement) -> bool {
        let strayed = &mut self.sorter.strayed;
        strayed.clear();
        for (place, origin) in self.origins.iter().enumerate() {
            if !origin.has_strayed() {
                continue;
            }
            let aabb = items.aabb(place);
            if !is_present(&aabb) {
                continue;
            }
            let middle = middle(&aabb);
            if !self.curve.reaches(middle) {
                return false;
            }
            let key = self.curve.key(&aabb);
            strayed.push((Origin { key, middle }, place as u32));
        }
        strayed.sort_unstable_by_key(|(origin, place)| (origin.key, *place));
        true
    }

    /// Merges the strays with what keeps its key.
    fn merge(&mut self) {
        let Sorter {
            strayed,
            order,
            origins,
            ..
        } = &mut self.sorter;
        order.clear();
        origins.clear();
        let mut upcoming = strayed.iter().peekable();
        for (place, origin) in (0..).zip(&self.origins) {
            if origin.has_strayed() {
                continue;
            }
            while let Some((stray, from)) = upcoming.next_if(|(stray, _)| stray.key < origin.key) {
                order.push(*from);
                origins.push(*stray);
            }
            order.push(place);
            origins.push(*origin);
        }
        order.extend(upcoming.clone().map(|(_, from)| from));
        origins.extend(upcoming.map(|(stray, _)| stray));
    }

    /// Puts all boxes into the leaves.
    fn fill_leaves(&mut self, items: &impl Arrangement) {
        for (leaf, node) in self.levels[0].nodes.iter_mut().enumerate() {
            let end = items.len().min((leaf + 1) * LANES);
            for (lane, place) in (leaf * LANES..end).enumerate() {
                node.set(lane, &items.aabb(place));
            }
        }
    }

    /// Gives each leaf a home, around the middles that its boxes were sorted by.
    fn find_homes(&mut self) {
        self.homes.clear();
        let leaves = &self.levels[0].nodes;
        let homes = self.origins.chunks(LANES).zip(leaves).map(home);
        self.homes.extend(homes);
    }
}

/// What the boxes of a leaf may wander in.
fn home((origins, leaf): (&[Origin], &Node)) -> Aabb2d {
    let around = origins.iter().fold(EMPTY, |around, origin| Aabb2d {
        min: around.min.min(origin.middle),
        max: around.max.max(origin.middle),
    });
    grown(&around, STRAY * (size(&around) + size(&leaf.get(0))))
}

/// Lets the marks of leaves go where their boxes go.
fn rearrange_marks(marks: &mut Vec<Marks>, order: &[u32], spare: &mut Vec<Marks>) {
    let is_active =
        |place: u32| marks[place as usize / LANES].active >> (place as usize % LANES) & 1;
    spare.clear();
    spare.extend(order.chunks(LANES).map(|places| Marks {
        stale: 0,
        active: (0..).zip(places).fold(0, |active, (lane, &place)| {
            active | is_active(place) << lane
        }),
    }));
    std::mem::swap(marks, spare);
}
