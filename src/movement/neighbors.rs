//! Which of some boxes are near each other.

use bevy::math::bounding::Aabb2d;

use crate::broad_phase::{BoxTree, BroadPhase, NumberedBox, PairSearch, PairTask};

/// Finds pairs of boxes that overlap. It keeps its buffers.
#[derive(Default)]
pub(super) struct Neighbors {
    broad_phase: BoxTree,
    search: PairSearch,
    tasks: Vec<PairTask>,
    found: Vec<(u32, u32)>,
}

impl Neighbors {
    /// Finds the boxes that overlap or touch each other. Rearranges the boxes.
    pub fn find(&mut self, boxes: &mut Vec<NumberedBox>) {
        let Self {
            broad_phase,
            search,
            tasks,
            found,
        } = self;
        broad_phase.clear();
        let places = 0..boxes.len() as u32;
        places.for_each(|place| broad_phase.marks().insert(place));
        broad_phase.refresh(boxes);
        tasks.clear();
        found.clear();
        broad_phase.split(search, tasks);
        for task in tasks.iter() {
            broad_phase.list_pairs(task, boxes, search, found);
        }
        let number = |place: u32| boxes[place as usize].number;
        for (i, j) in found.iter_mut() {
            (*i, *j) = (number(*i), number(*j));
        }
    }

    /// Adds the pairs of something with the boxes that overlap `area`, of those that were searched last.
    pub fn add_overlapping(&mut self, number: u32, area: &Aabb2d, boxes: &[NumberedBox]) {
        let found = &mut self.found;
        self.broad_phase.visit_overlapping(area, |place| {
            found.push((number, boxes[place as usize].number));
        });
    }

    /// What was found, by numbers.
    pub fn found(&self) -> &[(u32, u32)] {
        &self.found
    }
}
