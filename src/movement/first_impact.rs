//! Where a mover is blocked first.

use std::cmp::Ordering;

use bevy::{ecs::entity::Entity, math::Vec2};

use super::{
    one_way,
    seams::Surface,
    spot::Spot,
    surroundings::{Blocker, Surroundings},
    trace::{Motion, Tracer},
    world_order::by_world,
};
use crate::{
    geometry::{CastOutput, Shape, SurfacePoint, cast_from, cast_with_margin},
    index::faces,
};

/// Surfaces whose normals have at least this dot product are one: they are less than a tenth of a degree apart.
const SAME_NORMAL: f32 = 1.0 - 1e-6;

/// A straight part of a mover's way.
pub(super) struct Leg<'a> {
    /// Where it starts.
    pub spot: &'a Spot,
    /// To where it ends if nothing is in the way, in world units.
    pub displacement: Vec2,
    /// The same, had it gone on for the whole run.
    pub heading: Vec2,
    /// How much nearer than its skin the mover is to what blocks it.
    pub lacking: f32,
    /// Out of the surface that the mover slides along: what does not rise above the mover's skin by more than rounding, so far, does not
    /// block it. That are seams.
    pub lift: Vec2,
}

/// What a leg runs into.
#[derive(Clone, Copy)]
pub(super) struct FirstImpact {
    /// The number of the blocker.
    pub blocker: usize,
    pub entity: Entity,
    pub impact: CastOutput,
}

impl FirstImpact {
    /// Where a mover is that is this far from a blocker.
    pub fn at_rest(blocker: usize, surroundings: &Surroundings, gap: &SurfacePoint) -> Self {
        Self {
            blocker,
            entity: surroundings.blockers[blocker].entity,
            impact: CastOutput {
                fraction: 0.0,
                normal: gap.normal,
                is_edge: gap.is_edge,
            },
        }
    }

    /// The earlier one first; of two at the same time, always the same one, whatever their slots are.
    fn order(&self, other: &Self, surroundings: &Surroundings) -> Ordering {
        let (p, q) = (&self.impact, &other.impact);
        let shape = |first: &Self| &surroundings.blockers[first.blocker].shape;
        (p.fraction.total_cmp(&q.fraction))
            .then(p.normal.x.total_cmp(&q.normal.x))
            .then(p.normal.y.total_cmp(&q.normal.y))
            .then_with(|| by_world(shape(self), shape(other)))
            .then(self.entity.cmp(&other.entity))
    }
}

impl Leg<'_> {
    /// The first part of it.
    pub fn shortened(&self, part: f64) -> Self {
        Self {
            displacement: (self.displacement.as_dvec2() * part).as_vec2(),
            ..*self
        }
    }

    /// How far the mover would go into a surface after some part of the leg.
    fn inward(&self, normal: Vec2, part: f64) -> f32 {
        -normal.dot(self.displacement) * part as f32
    }

    /// When the mover comes nearer to a shape than `distance`, which it is apart from where the leg starts.
    fn impact_at(&self, distance: f32, blocker: &Shape, gap: &SurfacePoint) -> Option<CastOutput> {
        cast_from(gap, &self.spot.shape, self.displacement, blocker, distance)
    }

    /// Where a collider blocks the leg, if it does.
    fn impact_with(
        &self,
        motion: &Motion,
        blocker: &Blocker,
        gap: &SurfacePoint,
    ) -> Option<CastOutput> {
        let (creep, one_way) = (self.spot.creep, blocker.one_way.as_ref());
        // A convex blocker lies behind the line through its nearest point: this is the nearest that the mover may come to it.
        let nearest = gap.distance - self.inward(gap.normal, 1.0).max(0.0);
        if nearest >= motion.skin - creep && self.spot.shape.is_convex() {
            return None;
        }
        let blocker = &blocker.shape;
        let met = self.impact_at(motion.skin, blocker, gap)?;
        let is_lifted = self.lift != Vec2::ZERO;
        if !is_lifted && self.inward(met.normal, 1.0 - met.fraction) <= creep {
            return None;
        }
        let behind = self.impact_at(motion.skin - self.leeway(met.is_edge), blocker, gap)?;
        if is_lifted {
            let lifted = self.spot.shape.translated(self.lift);
            cast_with_margin(&lifted, self.displacement, blocker, motion.skin)?;
        }
        let surface = if behind.is_edge { behind } else { met };
        if let Some(wall) = one_way
            && !(faces(wall, surface.normal)
                && one_way::opposes(wall, blocker, motion, self.heading))
        {
            return None;
        }
        Some(CastOutput {
            fraction: met.fraction,
            ..surface
        })
    }

    /// How much nearer than its skin the mover may come to what does not block it. A corner may be flush with the side on which the mover
    /// is, however near that is.
    fn leeway(&self, is_edge: bool) -> f32 {
        if is_edge {
            self.spot.creep
        } else {
            self.spot.creep + self.lacking
        }
    }

    /// Whether a collider blocks the leg, which is all that has to be known of a probe.
    fn is_blocked_by(&self, motion: &Motion, blocker: &Blocker, gap: &SurfacePoint) -> bool {
        let circles =
            [&self.spot.shape, &blocker.shape].map(|shape| matches!(shape, Shape::Circle { .. }));
        if circles != [true; 2] || blocker.one_way.is_some() || self.lift == Vec2::ZERO {
            return self.impact_with(motion, blocker, gap).is_some();
        }
        // Two circles have no sides, of which more would have to be known.
        let level = motion.skin - self.leeway(false);
        let lifted = self.spot.shape.translated(self.lift);
        self.impact_at(level, &blocker.shape, gap).is_some()
            && cast_with_margin(&lifted, self.displacement, &blocker.shape, motion.skin).is_some()
    }

    /// Whether another surface is met together with the first one, but for rounding.
    fn is_tie(&self, first: &FirstImpact, other: &FirstImpact) -> bool {
        let CastOutput {
            fraction, normal, ..
        } = other.impact;
        normal.dot(first.impact.normal) < SAME_NORMAL
            && (other.impact.is_edge || !first.impact.is_edge)
            && self.inward(normal, fraction - first.impact.fraction) <= self.spot.creep
    }

    /// A side that is met together with a corner, but for rounding. It decides: the corner may be flush with it.
    fn side_at_corner(
        &self,
        corner: &FirstImpact,
        impacts: &[FirstImpact],
        surroundings: &Surroundings,
    ) -> Option<FirstImpact> {
        if corner.impact.is_edge {
            return None;
        }
        let fraction = corner.impact.fraction;
        let is_met = |other: &&FirstImpact| {
            let CastOutput { normal, .. } = other.impact;
            other.impact.is_edge
                && self.inward(normal, other.impact.fraction - fraction) <= self.spot.creep
        };
        let side = (impacts.iter())
            .filter(is_met)
            .min_by(|p, q| p.order(q, surroundings))?;
        Some(FirstImpact {
            impact: CastOutput {
                fraction,
                ..side.impact
            },
            ..*side
        })
    }
}

impl Tracer {
    /// Whether anything blocks a leg.
    pub(super) fn is_blocked(&self, motion: &Motion, leg: &Leg) -> bool {
        self.near.iter().any(|(number, gap)| {
            leg.is_blocked_by(motion, &self.surroundings.blockers[*number], gap)
        })
    }

    /// The number of the blocker that a hit names: of those that are met at once with one normal, a
    /// part of the one with the least entity.
    pub(super) fn named(&self, first: &FirstImpact) -> usize {
        let is_same = |other: &&FirstImpact| {
            let (p, q) = (&first.impact, &other.impact);
            p.fraction == q.fraction && p.normal == q.normal
        };
        (self.impacts.iter().filter(is_same).chain([first]))
            .min_by(|p, q| (p.entity.cmp(&q.entity)).then_with(|| p.order(q, &self.surroundings)))
            .map_or(first.blocker, |named| named.blocker)
    }

    /// Where a leg is blocked first.
    pub(super) fn first_impact(&mut self, motion: &Motion, leg: &Leg) -> Option<FirstImpact> {
        let Self {
            surroundings,
            near,
            impacts,
            ties,
            ..
        } = self;
        impacts.clear();
        impacts.extend(near.iter().filter_map(|(number, gap)| {
            let blocker = &surroundings.blockers[*number];
            Some(FirstImpact {
                blocker: *number,
                entity: blocker.entity,
                impact: leg.impact_with(motion, blocker, gap)?,
            })
        }));
        let first = impacts
            .iter()
            .min_by(|p, q| p.order(q, surroundings))
            .map(|first| {
                let side = leg.side_at_corner(first, impacts, surroundings);
                side.unwrap_or(*first)
            });
        ties.clear();
        if let Some(first) = &first {
            let tied = impacts.iter().filter(|other| leg.is_tie(first, other));
            ties.extend(tied.map(|tie| Surface::of(tie, surroundings)));
        }
        first
    }
}
