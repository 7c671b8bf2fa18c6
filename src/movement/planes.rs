//! The contact planes that hold a slide. Where several meet in a seam (an internal edge, known for
//! ghost collisions) the mover slides on along one of them; where they make a corner they hold it.

use bevy::math::Vec2;

use super::{
    motion::{Motion, MoverPose},
    obstacles::{Blockers, Obstacles},
    sweep::{ContactPlane, ShapeSweep, covered_until, near_interval_from},
    tolerances::SEAM_PROBE_SKINS,
    world_order::by_world,
};
use crate::{aabb::grown, geometry::slide_along, index::ColliderEntry};

/// Whether slides from one position along planes are open. A mover that several planes hold asks
/// again after each of them.
#[derive(Default)]
pub(super) struct SeamProbes {
    /// Relative to the start of the mover.
    position: Vec2,
    /// By the normal of the plane and the center of its shape.
    known: Vec<([Vec2; 2], bool)>,
}

impl SeamProbes {
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Clears what is known of another position.
    fn set_position(&mut self, position: Vec2) {
        if self.position != position {
            self.position = position;
            self.clear();
        }
    }

    fn get(&self, plane: &ContactPlane) -> Option<bool> {
        let key = [plane.normal, plane.shape.center()];
        let mut known = self.known.iter();
        known.find(|known| known.0 == key).map(|known| known.1)
    }

    fn insert(&mut self, plane: &ContactPlane, is_open: bool) {
        let key = [plane.normal, plane.shape.center()];
        self.known.push((key, is_open));
    }
}

/// The outward normals of planes.
pub(super) fn normals(planes: &[ContactPlane]) -> impl Iterator<Item = Vec2> + Clone {
    planes.iter().map(|plane| plane.normal)
}

/// Resolves seams, after the last of `planes` was hit together with `simultaneous`, of which this
/// takes all: of planes that meet in a seam only the one along which the slide is open remains.
pub(super) fn resolve_seams(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    position: Vec2,
    (planes, simultaneous): (&mut Vec<ContactPlane>, &mut Vec<ContactPlane>),
    probes: &mut SeamProbes,
    obstacles: &mut Obstacles,
) {
    let desired = motion.desired.per_update;
    let is_held = || slide_along(desired, normals(planes)) == Vec2::ZERO;
    if simultaneous.is_empty() && (planes.len() == 1 || !is_held()) {
        return;
    }
    let pose = MoverPose::new(motion, position);
    let around = grown(&pose.shape.aabb(), SEAM_PROBE_SKINS * motion.skin);
    obstacles.select_near(blockers, &pose, &around);
    probes.set_position(position);
    let candidates = simultaneous;
    candidates.extend(planes.iter().cloned());
    candidates.rotate_right(planes.len());
    let gain = |plane: &ContactPlane| slide_along(desired, [plane.normal]).length_squared();
    candidates.sort_unstable_by(|p, q| {
        (gain(q).total_cmp(&gain(p)))
            .then(p.normal.x.total_cmp(&q.normal.x))
            .then(p.normal.y.total_cmp(&q.normal.y))
            .then_with(|| by_world(&p.shape, &q.shape))
    });
    let open = (candidates.iter()).find(|plane| is_open(motion, &pose, plane, probes, obstacles));
    if let Some(open) = open {
        planes.clear();
        planes.push(open.clone());
    }
    candidates.clear();
}

/// Whether a mover that slides along a plane gets on.
fn is_open(
    motion: &Motion,
    pose: &MoverPose,
    plane: &ContactPlane,
    probes: &mut SeamProbes,
    obstacles: &Obstacles,
) -> bool {
    if let Some(known) = probes.get(plane) {
        return known;
    }
    let along = slide_along(motion.desired.per_update, [plane.normal]).normalize_or_zero();
    let displacements = [along * SEAM_PROBE_SKINS * motion.skin, along];
    let probe = || ShapeSweep::new(motion, pose, displacements, Some(plane), obstacles);
    let is_open = along != Vec2::ZERO && !probe().is_blocked(motion, obstacles);
    probes.insert(plane, is_open);
    is_open
}

/// The fraction of a slide at which the mover loses contact with the obstacles near it, because
/// they curve away or end; 1 if it keeps contact, or has none at the start. `intervals` is a buffer.
pub(super) fn contact_end_fraction(
    slide: &ShapeSweep,
    obstacles: &Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> f64 {
    let MoverPose {
        shape,
        contact_distance,
        ..
    } = slide.pose;
    intervals.clear();
    intervals.extend(obstacles.near().filter_map(|near| {
        let wall = &near.obstacle.shape;
        near_interval_from(near.gap, shape, slide.displacement, wall, *contact_distance)
    }));
    let end = covered_until(intervals);
    if end > 0.0 { end.into() } else { 1.0 }
}
