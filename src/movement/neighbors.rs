//! Which of some boxes are near each other.

use bevy::math::bounding::Aabb2d;

use crate::broad_phase::{
    BoxTree, BroadPhase, NumberedBox, NumberedBoxes, PairSearch, PairTask, is_present,
};

/// Finds pairs of boxes that overlap. As long as it is asked about the same numbers, it goes on from where the boxes were.
#[derive(Default)]
pub(super) struct Neighbors {
    /// In the order of the broad phase.
    boxes: NumberedBoxes,
    /// Where in that order each of the boxes is that it was asked about.
    places: Vec<u32>,
    /// The number of each of them.
    numbers: Vec<u32>,
    broad_phase: BoxTree,
    search: PairSearch,
    tasks: Vec<PairTask>,
    found: Vec<(u32, u32)>,
}

impl Neighbors {
    /// Finds the boxes that overlap or touch each other. Those of NaN, which the broad phase drops,
    /// are left out.
    pub fn find(&mut self, boxes: &[NumberedBox]) {
        let present = || boxes.iter().filter(|known| is_present(&known.aabb));
        if (self.numbers.iter()).eq(present().map(|known| &known.number)) {
            for (&place, new) in self.places.iter().zip(present()) {
                self.boxes.list[place as usize].aabb = new.aabb;
            }
        } else {
            self.take_in_others(present());
        }
        self.broad_phase.clear_moved();
        let dirty = self.broad_phase.dirty();
        (0..self.numbers.len() as u32).for_each(|place| dirty.insert(place));
        self.broad_phase.refresh(&mut self.boxes);
        for (place, known) in (0..).zip(&self.boxes.list) {
            self.places[known.number as usize] = place;
        }
        self.list_pairs();
    }

    /// Begins anew with other boxes. In the tree each has its place in the list as its number.
    fn take_in_others<'a>(&mut self, boxes: impl Iterator<Item = &'a NumberedBox> + Clone) {
        self.numbers.clear();
        (self.numbers).extend(boxes.clone().map(|known| known.number));
        self.places.clear();
        self.places.resize(self.numbers.len(), 0);
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
        let number = |place: u32| numbers[boxes.list[place as usize].number as usize];
        for (i, j) in found.iter_mut() {
            (*i, *j) = (number(*i), number(*j));
        }
    }

    /// Adds the pairs of something with the boxes that overlap `area`, of those that were searched last.
    pub fn add_overlapping(&mut self, number: u32, area: &Aabb2d) {
        let Self {
            boxes,
            numbers,
            broad_phase,
            found,
            ..
        } = self;
        broad_phase.visit_overlapping(area, |place| {
            let other = boxes.list[place as usize].number;
            found.push((number, numbers[other as usize]));
        });
    }

    /// The numbers of the boxes that were searched last: mostly, what is near comes soon.
    pub fn in_order(&self) -> impl Iterator<Item = u32> {
        let numbers = &self.numbers;
        (self.boxes.list.iter()).map(|known| numbers[known.number as usize])
    }

    /// What was found, by numbers.
    pub fn found(&self) -> &[(u32, u32)] {
        &self.found
    }
}
