use bevy::math::bounding::Aabb2d;

use super::{Arrangement, BroadPhase, PairTask, PairWork, is_present, marks::Marks, overlap};

/// Tests every box: the reference for the others. It leaves the order as it is.
#[derive(Default)]
pub(crate) struct BruteForce {
    boxes: Vec<Aabb2d>,
    stale: Marks,
    active: Marks,
}

impl BroadPhase for BruteForce {
    type Search = ();

    fn marks(&mut self) -> &mut Marks {
        &mut self.stale
    }

    fn unmark_all(&mut self) {
        self.active.clear();
    }

    fn is_marked(&self, place: u32) -> bool {
        self.active.contains(place)
    }

    fn refresh(&mut self, items: &mut impl Arrangement) {
        self.active.merge(&self.stale);
        self.stale.clear();
        self.boxes.clear();
        self.boxes
            .extend((0..items.len()).map(|place| items.aabb(place)));
    }

    fn clear(&mut self) {
        *self = Self::default();
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
        for (i, a) in (0..).zip(&self.boxes) {
            for (j, b) in (0..i).zip(&self.boxes) {
                let both = is_present(a) && is_present(b);
                if both && overlap(a, b) && (self.is_marked(i) || self.is_marked(j)) {
                    pairs.push((j, i));
                }
            }
        }
    }
}
