use bevy::math::bounding::Aabb2d;

use super::{BroadPhase, overlap};

/// Tests every box: the reference for the others.
#[derive(Default)]
pub(crate) struct BruteForce {
    boxes: Vec<Aabb2d>,
}

impl BroadPhase for BruteForce {
    fn rebuild(&mut self, boxes: &[Aabb2d]) {
        self.boxes = boxes.to_vec();
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        for (i, aabb) in (0..).zip(&self.boxes) {
            if overlap(aabb, area) {
                visit(i);
            }
        }
    }

    fn visit_pairs(&self, active: impl Fn(u32) -> bool, mut visit: impl FnMut(u32, u32)) {
        for (i, a) in (0..).zip(&self.boxes) {
            for (j, b) in (0..i).zip(&self.boxes) {
                if overlap(a, b) && (active(i) || active(j)) {
                    visit(j, i);
                }
            }
        }
    }
}
