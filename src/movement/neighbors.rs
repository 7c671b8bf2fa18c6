//! The pairs of boxes that overlap.

use crate::{
    aabb::Aabb2d,
    broad_phase::{
        BoxTree, BroadPhase, NumberedBox, NumberedBoxes, PairSearch, PairTask, is_present,
    },
};

/// Finds the pairs of boxes that overlap. Refits its tree if the numbers are those of the last
/// search; otherwise builds a new one.
#[derive(Default)]
pub(crate) struct Neighbors {
    /// In the order of the broad phase.
    boxes: NumberedBoxes,
    /// The index in that order of each of the given boxes.
    indices: Vec<u32>,
    /// The number of each of the given boxes.
    numbers: Vec<u32>,
    broad_phase: BoxTree,
    search: PairSearch,
    tasks: Vec<PairTask>,
    found: Vec<(u32, u32)>,
}

impl Neighbors {
    /// Finds the boxes that overlap or touch. Leaves out NaN boxes, which the broad phase would
    /// drop.
    pub fn find(&mut self, boxes: &[NumberedBox]) {
        let present = || boxes.iter().filter(|known| is_present(&known.aabb));
        if (self.numbers.iter()).eq(present().map(|known| &known.number)) {
            for (&index, new) in self.indices.iter().zip(present()) {
                self.boxes.list[index as usize].aabb = new.aabb;
            }
        } else {
            self.rebuild(present());
        }
        self.broad_phase.clear_moved();
        let dirty = self.broad_phase.dirty();
        (0..self.numbers.len() as u32).for_each(|index| dirty.insert(index));
        self.broad_phase.refresh(&mut self.boxes);
        for (index, known) in (0..).zip(&self.boxes.list) {
            self.indices[known.number as usize] = index;
        }
        self.list_pairs();
    }

    /// Starts over with other boxes. In the tree, each is numbered by its index among the given
    /// ones.
    fn rebuild<'a>(&mut self, boxes: impl Iterator<Item = &'a NumberedBox> + Clone) {
        self.numbers.clear();
        (self.numbers).extend(boxes.clone().map(|known| known.number));
        self.indices.clear();
        self.indices.resize(self.numbers.len(), 0);
        self.boxes.list.clear();
        let aabbs = boxes.map(|known| known.aabb);
        let numbered = (0..).zip(aabbs);
        self.boxes
            .list
            .extend(numbered.map(|(number, aabb)| NumberedBox { number, aabb }));
        self.broad_phase.clear();
    }

    fn list_pairs(&mut self) {
        let Self {
            boxes,
            numbers,
            broad_phase,
            search,
            tasks,
            found,
            ..
        } = self;
        tasks.clear();
        found.clear();
        broad_phase.split(search, tasks);
        for task in tasks.iter() {
            broad_phase.list_pairs(task, boxes, search, found);
        }
        let number = |index: u32| numbers[boxes.list[index as usize].number as usize];
        for (i, j) in found.iter_mut() {
            (*i, *j) = (number(*i), number(*j));
        }
    }

    /// Adds the pairs of `number` with the boxes of the last search that overlap `area`.
    pub fn add_overlapping(&mut self, number: u32, area: &Aabb2d) {
        let Self {
            boxes,
            numbers,
            broad_phase,
            found,
            ..
        } = self;
        broad_phase.visit_overlapping(area, |index| {
            let other = boxes.list[index as usize].number;
            found.push((number, numbers[other as usize]));
        });
    }

    /// The numbers of the boxes of the last search. Consecutive boxes are mostly near each other.
    pub fn in_order(&self) -> impl Iterator<Item = u32> {
        let numbers = &self.numbers;
        (self.boxes.list.iter()).map(|known| numbers[known.number as usize])
    }

    /// The pairs that were found, by numbers.
    pub fn found(&self) -> &[(u32, u32)] {
        &self.found
    }
}
