use bevy::math::{DVec2, Vec2, bounding::Aabb2d};

use super::{Arrangement, BroadPhase, PairTask, PairWork, Sweep, is_present, marks::Marks};
use crate::aabb::intersects;

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

    fn visit_near(&self, point: Vec2, reach: f32, visit: impl FnMut(u32, &mut f32)) {
        if point.is_finite() && reach >= 0.0 {
            self.visit_within(reach, |aabb| Some(point_distance(point, aabb)), visit);
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
                if both && intersects(a, b) && (self.is_marked(i) || self.is_marked(j)) {
                    pairs.push((j, i));
                }
            }
        }
    }
}

impl BruteForce {
    /// Visits all places of which the distance, if there is one, is within a reach.
    fn visit_within(
        &self,
        mut reach: f32,
        distance: impl Fn(&Aabb2d) -> Option<f64>,
        mut visit: impl FnMut(u32, &mut f32),
    ) {
        for (i, aabb) in (0..).zip(&self.boxes) {
            let distance = distance(aabb).filter(|_| is_present(aabb));
            if distance.is_some_and(|distance| distance <= reach.into()) {
                visit(i, &mut reach);
            }
        }
    }
}

/// How far a sweep goes until it meets a box, in multiples of its direction, worked out axis by axis without rounding.
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

/// How far a point is from a box.
pub(super) fn point_distance(point: Vec2, aabb: &Aabb2d) -> f64 {
    let (point, min, max) = (point.as_dvec2(), aabb.min.as_dvec2(), aabb.max.as_dvec2());
    (min - point).max(point - max).max(DVec2::ZERO).length()
}
