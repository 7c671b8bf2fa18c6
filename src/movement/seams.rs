//! Telling seams, over which a slide goes on, from corners, which hold it.

use bevy::math::Vec2;

use super::{
    first_impact::FirstImpact,
    spot::Spot,
    surroundings::Surroundings,
    trace::{Motion, Tracer},
    world_order::by_world,
};
use crate::{
    aabb::grow,
    geometry::{Shape, slide_along},
    index::{ColliderEntry, ColliderIndex},
};

/// How many skins a mover has to get on past a seam. In a corner of more than half a degree it does not get so far.
pub(super) const PROBE: f32 = 10.0;

/// What blocks a mover where it is.
#[derive(Clone)]
pub(super) struct Surface {
    /// That of the blocker.
    pub shape: Shape,
    pub normal: Vec2,
}

/// Whether slides from one place along some surfaces get on. A mover that is held by several asks again after each of them.
#[derive(Default)]
pub(super) struct Probes {
    /// Where the mover was, relative to its start.
    position: Vec2,
    /// By the normal of the surface and the middle of its shape.
    known: Vec<([Vec2; 2], bool)>,
}

impl Probes {
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Forgets what was known, if that was at another place.
    fn set_position(&mut self, position: Vec2) {
        if self.position != position {
            self.position = position;
            self.clear();
        }
    }

    fn get(&self, surface: &Surface) -> Option<bool> {
        let key = [surface.normal, surface.shape.center()];
        let mut known = self.known.iter();
        known.find(|known| known.0 == key).map(|known| known.1)
    }

    fn note(&mut self, surface: &Surface, is_open: bool) {
        let key = [surface.normal, surface.shape.center()];
        self.known.push((key, is_open));
    }
}

impl Surface {
    /// What was run into.
    pub fn of(first: &FirstImpact, surroundings: &Surroundings) -> Self {
        Self {
            shape: surroundings.blockers[first.blocker].shape.clone(),
            normal: first.impact.normal,
        }
    }
}

impl Tracer {
    /// Adds what a slide runs into to the surfaces that hold it. Of those that meet in a seam only the one along which it gets on
    /// counts.
    pub(super) fn note_surfaces(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        position: Vec2,
        first: &FirstImpact,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) {
        self.surfaces.push(Surface::of(first, &self.surroundings));
        let known = self.surfaces.len();
        self.surfaces.append(&mut self.ties);
        let is_held = || slide_along(motion.displacement, self.normals()) == Vec2::ZERO;
        if known == self.surfaces.len() && (known == 1 || !is_held()) {
            return;
        }
        let candidates = std::mem::take(&mut self.surfaces);
        let mut by_gain = std::mem::take(&mut self.ties);
        let slide = |surface: &Surface| slide_along(motion.displacement, [surface.normal]);
        by_gain.extend(candidates.iter().cloned());
        by_gain.sort_unstable_by(|p, q| {
            let [p_gain, q_gain] = [p, q].map(|surface| slide(surface).length_squared());
            (q_gain.total_cmp(&p_gain))
                .then(p.normal.x.total_cmp(&q.normal.x))
                .then(p.normal.y.total_cmp(&q.normal.y))
                .then_with(|| by_world(&p.shape, &q.shape))
        });
        let spot = Spot::of(motion, position);
        let around = grow(&spot.shape.aabb(), PROBE * motion.skin);
        self.look_along(index, &spot, &around, blocks);
        self.probes.set_position(position);
        let open = (by_gain.iter())
            .find(|surface| self.is_open(motion, &spot, surface))
            .cloned();
        self.surfaces = candidates;
        self.surfaces.truncate(known);
        if let Some(open) = open {
            self.surfaces.clear();
            self.surfaces.push(open);
        }
        by_gain.clear();
        self.ties = by_gain;
    }

    /// Whether a mover that slides along one surface gets on.
    fn is_open(&mut self, motion: &Motion, spot: &Spot, surface: &Surface) -> bool {
        if let Some(known) = self.probes.get(surface) {
            return known;
        }
        let along = slide_along(motion.displacement, [surface.normal]).normalize_or_zero();
        let way = [along * PROBE * motion.skin, along];
        let is_open = along != Vec2::ZERO
            && !self.is_blocked(motion, &self.leg(motion, spot, way, Some(surface)));
        self.probes.note(surface, is_open);
        is_open
    }

    /// Out of the surfaces that hold the mover.
    pub(super) fn normals(&self) -> impl Iterator<Item = Vec2> + Clone {
        self.surfaces.iter().map(|surface| surface.normal)
    }
}
