//! Tests every box: the reference for the tests.

use bevy::math::{DVec2, Vec2};

use super::{
    dirty_set::DirtySet,
    interface::{BroadPhase, PairTask, PairWork},
    items::{BroadPhaseItems, is_present},
    sweep::Sweep,
};
use crate::aabb::{Aabb2d, intersects};

/// Tests every box. It does not permute the items.
#[derive(Default)]
pub(crate) struct BruteForce {
    boxes: Vec<Aabb2d>,
    dirty: DirtySet,
    moved: DirtySet,
}

impl BroadPhase for BruteForce {
    type Search = ();

    fn dirty(&mut self) -> &mut DirtySet {
        &mut self.dirty
    }

    fn clear_moved(&mut self) {
        self.moved.clear();
    }

    fn moved(&self) -> &DirtySet {
        &self.moved
    }

    fn refresh(&mut self, items: &mut impl BroadPhaseItems) -> u64 {
        self.moved.merge(&self.dirty);
        self.dirty.clear();
        self.boxes.clear();
        self.boxes
            .extend((0..items.len()).map(|index| items.aabb(index)));
        0
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        for (i, aabb) in (0..).zip(&self.boxes) {
            if is_present(aabb) && is_present(area) && intersects(aabb, area) {
                visit(i);
            }
        }
    }

    fn visit_along(&self, sweep: &Sweep, visit: impl FnMut(u32, &mut f32)) {
        if sweep.is_valid() {
            self.visit_within(sweep.length, |aabb| sweep_entry(sweep, aabb), visit);
        }
    }

    fn visit_near(&self, point: Vec2, max_distance: f32, visit: impl FnMut(u32, &mut f32)) {
        if point.is_finite() && max_distance >= 0.0 {
            self.visit_within(
                max_distance,
                |aabb| Some(point_distance(point, aabb)),
                visit,
            );
        }
    }

    fn split(&self, _search: &mut (), tasks: &mut Vec<PairTask>) {
        tasks.push(PairTask {
            region: 0,
            work: PairWork::SelfJoin([0, 0]),
        });
    }

    fn region(&self, _index: u32) -> u32 {
        0
    }

    fn list_pairs(
        &self,
        _task: &PairTask,
        _items: &impl BroadPhaseItems,
        _search: &mut (),
        pairs: &mut Vec<(u32, u32)>,
    ) {
        for (i, a) in (0..).zip(&self.boxes) {
            for (j, b) in (0..i).zip(&self.boxes) {
                let both = is_present(a) && is_present(b);
                if both && intersects(a, b) && (self.moved.contains(i) || self.moved.contains(j)) {
                    pairs.push((j, i));
                }
            }
        }
    }
}

impl BruteForce {
    /// Visits all boxes within `max_distance`, as `distance` measures it.
    fn visit_within(
        &self,
        mut max_distance: f32,
        distance: impl Fn(&Aabb2d) -> Option<f64>,
        mut visit: impl FnMut(u32, &mut f32),
    ) {
        for (i, aabb) in (0..).zip(&self.boxes) {
            let distance = distance(aabb).filter(|_| is_present(aabb));
            if distance.is_some_and(|distance| distance <= max_distance.into()) {
                visit(i, &mut max_distance);
            }
        }
    }
}

/// The distance at which a sweep enters a box, in multiples of its direction, or `None` if it
/// misses the box. Computed axis by axis in double precision.
pub(super) fn sweep_entry(sweep: &Sweep, aabb: &Aabb2d) -> Option<f64> {
    let Sweep {
        start, direction, ..
    } = sweep;
    let (mut enter, mut leave) = (0f64, f64::INFINITY);
    for axis in 0..2 {
        let gap = f64::from(aabb.min[axis]) - f64::from(start.max[axis]);
        let overhang = f64::from(aabb.max[axis]) - f64::from(start.min[axis]);
        match f64::from(direction[axis]) {
            0.0 if gap > 0.0 || overhang < 0.0 => return None,
            0.0 => {}
            along => {
                let (p, q) = (gap / along, overhang / along);
                (enter, leave) = (enter.max(p.min(q)), leave.min(p.max(q)));
            }
        }
    }
    (enter <= leave).then_some(enter)
}

/// The distance of a point from a box.
pub(super) fn point_distance(point: Vec2, aabb: &Aabb2d) -> f64 {
    let (point, min, max) = (point.as_dvec2(), aabb.min.as_dvec2(), aabb.max.as_dvec2());
    (min - point).max(point - max).max(DVec2::ZERO).length()
}
