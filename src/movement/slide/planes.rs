//! The contact planes that constrain a slide. Where planes meet in a seam (an internal edge, the
//! cause of ghost collisions), the mover slides along one of them; in a corner, they stop it.

use bevy::math::Vec2;

use super::sweep::{ContactPlane, ShapeSweep, SweepHit};
use crate::{
    aabb::grow,
    components::MoverResponse,
    geometry::{SurfacePoint, slide_along, surface_point},
    movement::{
        body::{Motion, Velocity},
        obstacles::{
            Blockers, MoverPose, Obstacles, SlideState, covered_until, near_interval_from,
        },
        tolerances::{SEAM_PROBE_SKINS, SLOP_SKINS},
        world_order::by_world,
    },
};

/// A cache of whether slides from one position along planes are open. A mover that several planes
/// block probes the same planes after each hit.
#[derive(Default)]
pub(crate) struct SeamProbes {
    /// Relative to the start of the mover.
    position: Vec2,
    /// By the normal of the plane and the center of its shape.
    known: Vec<([Vec2; 2], bool)>,
}

impl SeamProbes {
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Clears the cache if the position differs.
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

/// The contact planes that constrain a mover at its position. Keeps its buffers.
#[derive(Default)]
pub(crate) struct ContactPlanes {
    pub held: Vec<ContactPlane>,
    /// The planes that the last sweep hit together with the first obstacle.
    pub simultaneous: Vec<ContactPlane>,
    /// The last plane along which the mover slid.
    last: Option<ContactPlane>,
    probes: SeamProbes,
}

impl ContactPlanes {
    pub fn clear(&mut self) {
        self.held.clear();
        self.last = None;
        self.probes.clear();
    }

    /// Collects the planes of a hit. Drops earlier planes if the mover has advanced by more than
    /// rounding since (`distance`, in world units). Only slides need planes.
    pub fn collect(
        &mut self,
        blockers: &Blockers,
        motion: &Motion,
        position: Vec2,
        hit: &SweepHit,
        distance: f32,
        obstacles: &mut Obstacles,
    ) {
        if distance > SLOP_SKINS * motion.skin {
            self.held.clear();
        }
        if motion.response == MoverResponse::Slide {
            self.held.push(ContactPlane::of(hit, obstacles));
            self.resolve_seams(blockers, motion, position, obstacles);
            self.last = self.held.last().cloned();
        }
    }

    /// The velocity at the end of a slide, along the surface there. A round surface has turned
    /// since the plane was collected, by how much depends on rounding.
    pub fn end_velocity(
        &self,
        blockers: &Blockers,
        motion: &Motion,
        state: &SlideState,
        obstacles: &mut Obstacles,
    ) -> Velocity {
        let pose = MoverPose::new(motion, state.position);
        let in_contact = pose.contact_distance + pose.slop;
        let surface = (self.last.as_ref().filter(|_| self.held.len() < 2))
            .and_then(|plane| surface_point(&pose.shape, &plane.shape))
            .filter(|surface| surface.distance <= in_contact);
        match surface {
            Some(surface)
                if surface.is_edge || !is_in_seam(blockers, &pose, &surface, obstacles) =>
            {
                (motion.desired).map(|velocity| slide_along(velocity, [surface.normal]))
            }
            _ => state.velocity,
        }
    }

    /// Adds the simultaneous planes. In a seam, keeps only the one along which the slide is open.
    fn resolve_seams(
        &mut self,
        blockers: &Blockers,
        motion: &Motion,
        position: Vec2,
        obstacles: &mut Obstacles,
    ) {
        let Self {
            held,
            simultaneous: candidates,
            probes,
            ..
        } = self;
        let desired = motion.desired.per_update;
        let is_blocked = || slide_along(desired, normals(held)) == Vec2::ZERO;
        if candidates.is_empty() && (held.len() == 1 || !is_blocked()) {
            return;
        }
        let pose = MoverPose::new(motion, position);
        let around = grow(&pose.shape.aabb(), SEAM_PROBE_SKINS * motion.skin);
        obstacles.select_near(blockers, &pose, &around);
        probes.set_position(position);
        candidates.extend(held.iter().cloned());
        candidates.rotate_right(held.len());
        let gain = |plane: &ContactPlane| slide_along(desired, [plane.normal]).length_squared();
        candidates.sort_unstable_by(|p, q| {
            (gain(q).total_cmp(&gain(p)))
                .then(p.normal.x.total_cmp(&q.normal.x))
                .then(p.normal.y.total_cmp(&q.normal.y))
                .then_with(|| by_world(&p.shape, &q.shape))
        });
        let mut by_gain = candidates.drain(..);
        if let Some(open) = by_gain.find(|plane| is_open(motion, &pose, plane, probes, obstacles)) {
            held.clear();
            held.push(open);
        }
    }
}

/// Whether a vertex that a mover touches belongs to an edge of another obstacle.
fn is_in_seam(
    blockers: &Blockers,
    pose: &MoverPose,
    vertex: &SurfacePoint,
    obstacles: &mut Obstacles,
) -> bool {
    let distance = vertex.distance + pose.slop;
    obstacles.select_near(blockers, pose, &grow(&pose.shape.aabb(), distance));
    (obstacles.near()).any(|near| near.surface.is_edge && near.surface.distance <= distance)
}

/// The outward normals of planes.
pub(crate) fn normals(planes: &[ContactPlane]) -> impl Iterator<Item = Vec2> + Clone {
    planes.iter().map(|plane| plane.normal)
}

/// Whether a mover that slides along a plane is not blocked at once.
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
    let displacement = along * SEAM_PROBE_SKINS * motion.skin;
    let probe = || ShapeSweep::new(motion, pose, displacement, Some(plane), obstacles);
    let is_open = along != Vec2::ZERO && !probe().is_blocked(motion, obstacles);
    probes.insert(plane, is_open);
    is_open
}

/// The fraction of a slide along planes at which the mover loses contact with the obstacles near
/// it, because they curve away or end: 0 if it has just lost contact, 1 if it keeps contact, has
/// none, or has no planes. `intervals` is a buffer.
pub(crate) fn contact_end_fraction(
    slide: &ShapeSweep,
    planes: &[ContactPlane],
    obstacles: &Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> f64 {
    if planes.is_empty() {
        return 1.0;
    }
    let MoverPose {
        contact_distance,
        slop,
        ..
    } = slide.pose;
    intervals.clear();
    intervals.extend(obstacles.near().filter_map(|near| {
        near_interval_from(
            near.surface,
            near.piece(slide.pose),
            slide.displacement,
            &near.obstacle.shape,
            *contact_distance,
        )
    }));
    let end = covered_until(intervals);
    // The sweep before may have ended just where contact does.
    let was_in_contact =
        || (obstacles.near()).any(|near| near.surface.distance <= contact_distance + slop);
    if end > 0.0 || was_in_contact() {
        end.into()
    } else {
        1.0
    }
}
