//! Telling seams, over which a slide goes on, from corners, which hold it.

use bevy::math::Vec2;

use super::{
    first_impact::FirstImpact,
    surroundings::Surroundings,
    trace::{Motion, Tracer},
};
use crate::{
    geometry::{Shape, slide_along},
    index::{ColliderEntry, ColliderIndex},
};

/// How many skins a mover has to get on past a seam. In a corner of more than half a degree it does not get so far.
const PROBE: f32 = 10.0;

/// What blocks a mover where it is.
#[derive(Clone)]
pub(super) struct Surface {
    /// That of the blocker.
    pub shape: Shape,
    pub normal: Vec2,
}

impl Surface {
    /// What was run into.
    pub fn of(FirstImpact { blocker, impact }: &FirstImpact, surroundings: &Surroundings) -> Self {
        Self {
            shape: surroundings.blockers[*blocker].shape.clone(),
            normal: impact.normal,
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
                .then(p.shape.center().x.total_cmp(&q.shape.center().x))
                .then(p.shape.center().y.total_cmp(&q.shape.center().y))
        });
        let open = (by_gain.iter())
            .find(|surface| self.is_open(index, motion, (position, surface), blocks))
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
    fn is_open(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        (position, surface): (Vec2, &Surface),
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> bool {
        let along = slide_along(motion.displacement, [surface.normal]).normalize_or_zero();
        if along == Vec2::ZERO {
            return false;
        }
        let way = [along * PROBE * motion.skin, along];
        let shape = motion.shape.translated(position);
        let leg = self.leg(
            index,
            motion,
            (&shape, position),
            way,
            Some(surface),
            blocks,
        );
        !self.is_blocked(motion, &leg)
    }

    /// Out of the surfaces that hold the mover.
    pub(super) fn normals(&self) -> impl Iterator<Item = Vec2> + Clone {
        self.surfaces.iter().map(|surface| surface.normal)
    }
}
