use bevy::math::bounding::Aabb2d;

use super::{BroadPhase, EMPTY, PairTask, is_present, overlap};

/// Tests every box: the reference for the others.
#[derive(Default)]
pub(crate) struct BruteForce {
    boxes: Vec<Aabb2d>,
    active: Vec<u32>,
}

impl BroadPhase for BruteForce {
    fn refresh(&mut self, boxes: &[Aabb2d], _changed: &[u32]) {
        self.boxes = boxes.to_vec();
    }

    fn clear(&mut self) {
        self.boxes.clear();
    }

    fn activate(&mut self, numbers: &[u32]) {
        self.active = numbers.to_vec();
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        for (i, aabb) in (0..).zip(&self.boxes) {
            if is_present(aabb) && is_present(area) && overlap(aabb, area) {
                visit(i);
            }
        }
    }

    fn split(&self, tasks: &mut Vec<PairTask>) {
        tasks.push(PairTask {
            groups: [0, 0],
            bounds: EMPTY,
        });
    }

    fn visit_pairs(&self, _task: &PairTask, mut visit: impl FnMut(u32, u32)) {
        let is_active = |number| self.active.contains(&number);
        for (i, a) in (0..).zip(&self.boxes) {
            for (j, b) in (0..i).zip(&self.boxes) {
                let both = is_present(a) && is_present(b);
                if both && overlap(a, b) && (is_active(i) || is_active(j)) {
                    visit(j, i);
                }
            }
        }
    }
}
