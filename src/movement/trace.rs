//! The way of one mover among the colliders that block it.

use std::cmp::Ordering;

use bevy::{
    math::{Vec2, bounding::Aabb2d},
    prelude::Entity,
};

use super::MoverResponse;
use crate::{
    broad_phase::{grown, merged, overlap},
    geometry::{Impact, Shape, TOUCHING_SLOP, bounce_off, distance, impact, slide_along},
    index::{ColliderEntry, ColliderIndex, Waypoint},
};

/// How often a mover may be blocked within one run before it waits for the next.
const MAX_HITS: usize = 32;
/// How many steps a mover may take to leave the walls that it starts in.
const MAX_RECOVERY_STEPS: usize = 8;
/// A mover that is nearer to a wall than this part of its skin is moved away from it.
const RECOVER_BELOW: f32 = 0.9;
/// Motion that comes less than this part of the skin nearer than the skin, or rounding, is not blocked: it is what rounding
/// leaves of a motion along a wall, where a side begins that is flush with the one before, or where it ends.
const CREEP: f32 = 0.01;

/// A shape and where it wants to go.
pub(super) struct Motion<'a> {
    pub shape: &'a Shape,
    /// World units.
    pub displacement: Vec2,
    /// World units per second.
    pub velocity: Vec2,
    /// The fraction of the run at which it stops, wherever it is.
    pub until: f32,
    pub response: MoverResponse,
    pub restitution: f32,
    /// The distance to keep, in world units.
    pub skin: f32,
}

/// A stop on a mover's way.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraceHit {
    pub blocker: Entity,
    pub normal: Vec2,
    pub point: Vec2,
    pub fraction: f32,
    /// The part of the displacement that led into the surface, had it gone on for the whole run.
    pub inward: f32,
}

/// Traces ways. It keeps its buffers, so that tracing many allocates nothing.
#[derive(Default)]
pub(super) struct Tracer {
    /// Where the mover was, relative to its start.
    pub way: Vec<Waypoint>,
    pub hits: Vec<TraceHit>,
    /// The slots of the blockers around.
    candidates: Vec<u32>,
    /// The area in which `candidates` are all blockers.
    searched: Option<Aabb2d>,
    /// The normals of what blocked the mover where it is now.
    normals: Vec<Vec2>,
}

struct FirstImpact {
    slot: u32,
    impact: Impact,
}

impl FirstImpact {
    /// The earlier one first; of two at the same time, always the same one, whatever their slots are.
    fn order(&self, other: &Self) -> Ordering {
        let (p, q) = (&self.impact, &other.impact);
        (p.time.total_cmp(&q.time))
            .then(p.normal.x.total_cmp(&q.normal.x))
            .then(p.normal.y.total_cmp(&q.normal.y))
    }
}

/// Whether a shape comes nearer to another than `distance` on its way.
fn comes_within(moving: &Shape, displacement: Vec2, resting: &Shape, distance: f32) -> bool {
    impact(moving, displacement, resting, distance).is_some()
}

impl Tracer {
    /// Finds the way of a mover among the colliders for which `blocks` holds. Afterwards `way` begins at the start (or where the
    /// mover got free of what it started in) and ends where the mover ends. Gives what is left of the velocity.
    pub fn trace(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        blocks: impl Fn(&ColliderEntry) -> bool,
    ) -> Vec2 {
        self.way.clear();
        self.hits.clear();
        self.normals.clear();
        self.searched = None;
        let mut position = self.recover(index, motion, &blocks);
        let (mut time, until) = (0.0, f64::from(motion.until));
        // Where it heads, as the displacement of a whole run, and its velocity: now, and when it came to where it is.
        let mut course = [motion.displacement, motion.velocity];
        let mut incoming = course;
        self.add_waypoint(0.0, position);
        while self.hits.len() < MAX_HITS {
            let remaining = (course[0].as_dvec2() * (until - time)).as_vec2();
            if remaining == Vec2::ZERO {
                break;
            }
            let shape = motion.shape.translated(position);
            let Some(first) = self.first_impact(index, &shape, remaining, motion.skin, &blocks)
            else {
                position += remaining;
                break;
            };
            let Impact { time: part, normal } = first.impact;
            let step = (remaining.as_dvec2() * part).as_vec2();
            position += step;
            time += (until - time) * part;
            self.add_waypoint(time as f32, position);
            let shape = motion.shape.translated(position);
            self.add_hit(index, &first, &shape, time as f32, course[0]);
            if step.length() > CREEP * motion.skin {
                self.normals.clear();
                incoming = course;
            }
            self.normals.push(normal);
            course = match motion.response {
                MoverResponse::Slide => incoming.map(|vector| slide_along(vector, &self.normals)),
                MoverResponse::Bounce => {
                    course.map(|vector| bounce_off(vector, normal, motion.restitution))
                }
                MoverResponse::Stop => [Vec2::ZERO; 2],
                MoverResponse::Pass => course,
            };
        }
        self.add_waypoint(motion.until, position);
        course[1]
    }

    fn add_waypoint(&mut self, time: f32, offset: Vec2) {
        self.way.push(Waypoint { time, offset });
    }

    fn add_hit(
        &mut self,
        index: &ColliderIndex,
        first: &FirstImpact,
        shape: &Shape,
        fraction: f32,
        heading: Vec2,
    ) {
        if let Some(blocker) = index.at(first.slot) {
            self.hits.push(TraceHit {
                blocker: blocker.entity,
                normal: first.impact.normal,
                point: distance(shape, blocker.shape).point_b,
                fraction,
                inward: -heading.dot(first.impact.normal),
            });
        }
    }

    /// Leaves the walls in which the mover starts, one after another by the shortest way, deepest first. Where that does not make
    /// it better the mover stays. Gives the displacement.
    fn recover(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Vec2 {
        let needed = RECOVER_BELOW * motion.skin;
        let walls = |entry: &ColliderEntry| entry.role.is_wall() && blocks(entry);
        let mut position = Vec2::ZERO;
        let mut start_distance = None;
        for _ in 0..MAX_RECOVERY_STEPS {
            let Some((distance, normal)) = self
                .nearest(index, motion, position, &walls)
                .filter(|near| near.0 < needed)
            else {
                return position;
            };
            start_distance.get_or_insert(distance);
            position += normal * (motion.skin - distance);
        }
        let end = self.nearest(index, motion, position, &walls);
        let is_better =
            end.is_none_or(|(distance, _)| start_distance.is_none_or(|start| distance > start));
        if is_better { position } else { Vec2::ZERO }
    }

    /// The distance to the nearest blocker within the skin, and the direction away from it.
    fn nearest(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        position: Vec2,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Option<(f32, Vec2)> {
        let shape = motion.shape.translated(position);
        self.search(index, &grown(&shape.aabb(), motion.skin), motion.skin);
        self.blockers(index, blocks)
            .map(|entry| distance(&shape, entry.shape))
            .map(|separation| (separation.distance, -separation.normal))
            .filter(|(distance, _)| *distance <= motion.skin)
            .min_by(|p, q| p.0.total_cmp(&q.0))
    }

    /// Where a motion is blocked first.
    fn first_impact(
        &mut self,
        index: &ColliderIndex,
        shape: &Shape,
        displacement: Vec2,
        skin: f32,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Option<FirstImpact> {
        let aabb = shape.aabb();
        let end = Aabb2d {
            min: aabb.min + displacement,
            max: aabb.max + displacement,
        };
        let swept = grown(&merged(&aabb, &end), skin);
        self.search(index, &swept, skin);
        let creep = CREEP * skin + TOUCHING_SLOP * shape.largest_coordinate();
        let in_reach =
            |entry: &ColliderEntry| overlap(&swept, &entry.shape.aabb()) && blocks(entry);
        self.blockers(index, &in_reach)
            .filter_map(|entry| {
                let blocker = entry.shape;
                let impact = impact(shape, displacement, blocker, skin)?;
                let inward = -impact.normal.dot(displacement) * (1.0 - impact.time as f32);
                (inward > creep && comes_within(shape, displacement, blocker, skin - creep))
                    .then_some(FirstImpact {
                        slot: entry.slot,
                        impact,
                    })
            })
            .min_by(|p, q| p.order(q))
    }

    /// Makes sure that `candidates` holds everything in `area`; looks a little further, to serve the next question too.
    fn search(&mut self, index: &ColliderIndex, area: &Aabb2d, skin: f32) {
        let covers = |searched: &Aabb2d| {
            searched.min.cmple(area.min).all() && area.max.cmple(searched.max).all()
        };
        if self.searched.as_ref().is_some_and(covers) {
            return;
        }
        let area = grown(area, skin);
        self.candidates.clear();
        let candidates = &mut self.candidates;
        index.visit_overlapping(&area, |entry| {
            if entry.role.solid {
                candidates.push(entry.slot);
            }
        });
        self.searched = Some(area);
    }

    fn blockers<'a>(
        &'a self,
        index: &'a ColliderIndex,
        blocks: &'a impl Fn(&ColliderEntry) -> bool,
    ) -> impl Iterator<Item = ColliderEntry<'a>> {
        self.candidates
            .iter()
            .filter_map(|&slot| index.at(slot))
            .filter(move |entry| blocks(entry))
    }
}
