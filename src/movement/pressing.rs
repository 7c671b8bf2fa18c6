//! Hits of movers whose whole step is shorter than rounding, far from the origin.

use super::{
    first_impact::FirstImpact,
    one_way,
    seams::Surface,
    spot::{CREEP, Spot},
    trace::{Motion, Tracer, Walk},
};
use crate::{
    aabb::grow,
    geometry::{Shape, SurfacePoint},
    index::{ColliderEntry, ColliderIndex, faces},
};

/// The least cosine between the step and the direction into a surface at which the mover presses
/// against the surface. A step along the surface is not pressing, whatever rounding does to the
/// normal.
const PRESSING: f32 = 0.5;

impl Tracer {
    /// Turns the mover at what it touches and presses against, if its step is so short that a sweep
    /// cannot tell it from rounding.
    pub(super) fn turn_where_pressing(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        walk: &mut Walk,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) {
        let length = motion.displacement.length();
        let spot = Spot::of(motion, walk.position);
        let is_short = length > CREEP * motion.skin && PRESSING * length <= spot.creep;
        if !is_short {
            return;
        }
        let around = grow(&spot.shape.aabb(), motion.skin + spot.creep);
        self.look_along(index, &spot, &around, blocks);
        for number in 0..self.near.len() {
            let (blocker, gap) = self.near[number];
            if self.is_pressed(motion, &spot, blocker, &gap) {
                let first = FirstImpact::at_rest(blocker, &self.surroundings, &gap);
                self.add_hit(index, motion, &first, walk);
                self.surfaces.push(Surface::of(&first, &self.surroundings));
                walk.course = self.turned(motion, walk.course, gap.normal);
            }
        }
    }

    fn is_pressed(&self, motion: &Motion, spot: &Spot, blocker: usize, gap: &SurfacePoint) -> bool {
        let blocker = &self.surroundings.blockers[blocker];
        let inward = -motion.displacement.dot(gap.normal);
        let is_free_side = blocker.one_way.is_some_and(|wall| {
            !(faces(&wall, gap.normal)
                && one_way::opposes(&wall, &blocker.shape, motion, motion.displacement))
        });
        // Where a flush edge begins or ends, the normal at its vertex is rounding.
        let is_vertex = !gap.is_edge && !matches!(blocker.shape, Shape::Circle { .. });
        inward >= PRESSING * motion.displacement.length()
            && !is_vertex
            && gap.distance <= motion.skin + spot.creep
            && !is_free_side
    }
}
