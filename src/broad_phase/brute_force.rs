use bevy::math::bounding::Aabb2d;

use super::{Arrangement, BroadPhase, PairTask, PairWork, is_present, overlap};

/// Tests every box: the reference for the others. It leaves the order as it is.
#[derive(Default)]
pub(crate) struct BruteForce {
    boxes: Vec<Aabb2d>,
    marked: Vec<u32>,
}

impl BroadPhase for BruteForce {
    type Search = ();

    fn mark(&mut self, place: u32) {
        self.marked.push(place);
    }

    fn unmark_all(&mut self) {
        self.marked.clear();
    }

    fn refresh(&mut self, items: &mut impl Arrangement) {
        self.boxes.clear();
        self.boxes
            .extend((0..items.len()).map(|place| items.aabb(place)));
    }

    fn clear(&mut self) {
        self.boxes.clear();
        self.marked.clear();
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        for (i, aabb) in (0..).zip(&self.boxes) {
            if is_present(aabb) && is_present(area) && overlap(aabb, area) {
                visit(i);
            }
        }
    }

    fn split(&self, _search: &mut (), tasks: &mut Vec<PairTask>) {
        tasks.push(PairTask {
            region: 0,
            work: PairWork::Join([0, 0]),
        });
    }

    fn list_pairs(
        &self,
        _task: &PairTask,
        _items: &impl Arrangement,
        _search: &mut (),
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let is_marked = |place| self.marked.contains(&place);
        for (i, a) in (0..).zip(&self.boxes) {
            for (j, b) in (0..i).zip(&self.boxes) {
                let both = is_present(a) && is_present(b);
                if both && overlap(a, b) && (is_marked(i) || is_marked(j)) {
                    pairs.push((j, i));
                }
            }
        }
    }
}
