//! The way of one mover among the colliders that block it.

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{
    MoveHit, Mover, MoverResponse,
    first_impact::{FirstImpact, Leg},
    recover::Start,
};
use crate::{
    broad_phase::{grown, merged},
    geometry::{Impact, Shape, bounce_off, distance, slide_along},
    index::{ColliderEntry, ColliderIndex, Waypoint, effective_skin},
};

/// How often a mover may be blocked within one run before it waits for the next.
const MAX_HITS: usize = 32;
/// Motion that comes less than this part of the skin nearer than the skin, or rounding, is not blocked: it is what rounding
/// leaves of a motion along a wall, where a side begins that is flush with the one before, or where it ends.
pub(super) const CREEP: f32 = 0.01;

/// A shape and where it wants to go.
pub(crate) struct Motion<'a> {
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
    /// How long the motion takes.
    pub seconds: f32,
}

impl<'a> Motion<'a> {
    /// That of a mover in so many seconds.
    pub fn of(mover: &Mover, shape: &'a Shape, seconds: f32) -> Self {
        Self {
            shape,
            displacement: mover.velocity * seconds + mover.displacement,
            velocity: mover.velocity,
            until: 1.0,
            response: mover.response,
            restitution: mover.valid_restitution(),
            skin: effective_skin(mover.valid_skin(), shape),
            seconds,
        }
    }
}

/// Traces ways. It keeps its buffers, so that tracing many allocates nothing.
#[derive(Default)]
pub(crate) struct Tracer {
    /// Where the mover was, relative to its start.
    pub way: Vec<Waypoint>,
    pub hits: Vec<MoveHit>,
    /// The slots of the blockers around.
    candidates: Vec<u32>,
    /// The area in which `candidates` are all blockers.
    searched: Option<Aabb2d>,
    /// What blocks the leg that is asked about.
    pub(super) impacts: Vec<FirstImpact>,
    /// The normals of what blocked the mover where it is now.
    normals: Vec<Vec2>,
    /// The parts of a way that lead through walls.
    pub(super) spans: Vec<[f32; 2]>,
    /// Whether the mover is in walls that it cannot leave.
    pub is_crushed: bool,
}

/// The box around everywhere that a shape is on its way.
pub(super) fn swept(shape: &Shape, displacement: Vec2) -> Aabb2d {
    let start = shape.aabb();
    let end = Aabb2d {
        min: start.min + displacement,
        max: start.max + displacement,
    };
    merged(&start, &end)
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
        // Once for all that is asked of a mover that nothing turns aside.
        let way = swept(motion.shape, motion.displacement);
        self.search(index, &way, motion.skin);
        let start = self.recover(index, motion, &blocks);
        self.is_crushed = matches!(start, Start::Crushed);
        let Start::Free(mut position) = start else {
            self.add_crushing(index, motion, &blocks);
            return Vec2::ZERO;
        };
        let (mut time, until) = (0.0, f64::from(motion.until));
        // Where it heads, as the displacement of a whole run, and its velocity.
        let wanted = [motion.displacement, motion.velocity];
        let mut course = wanted;
        self.add_waypoint(0.0, position);
        while self.hits.len() < MAX_HITS {
            let remaining = (course[0].as_dvec2() * (until - time)).as_vec2();
            if remaining == Vec2::ZERO {
                break;
            }
            let shape = motion.shape.translated(position);
            let leg = Leg {
                shape: &shape,
                displacement: remaining,
                heading: course[0],
            };
            let Some(first) = self.first_impact(index, motion, &leg, &blocks) else {
                position += remaining;
                break;
            };
            let Impact {
                time: part, normal, ..
            } = first.impact;
            let step = (remaining.as_dvec2() * part).as_vec2();
            position += step;
            time += (until - time) * part;
            self.add_waypoint(time as f32, position);
            let shape = motion.shape.translated(position);
            let speed = -course[0].dot(normal) / motion.seconds;
            self.add_hit(index, &first, &shape, time as f32, speed);
            if step.length() > CREEP * motion.skin {
                self.normals.clear();
            }
            self.normals.push(normal);
            course = match motion.response {
                // What was wanted, not what is left of it: so a mover rests in a corner, and does not climb one side of it.
                MoverResponse::Slide => wanted.map(|vector| slide_along(vector, &self.normals)),
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

    /// Where the mover ends, relative to its start.
    pub fn end(&self) -> Vec2 {
        self.way.last().map_or(Vec2::ZERO, |end| end.offset)
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
        speed: f32,
    ) {
        if let Some(blocker) = index.at(first.slot) {
            self.hits.push(MoveHit {
                blocker: blocker.entity,
                normal: first.impact.normal,
                point: distance(shape, blocker.shape).point_b,
                fraction,
                speed,
            });
        }
    }

    /// Makes sure that `candidates` holds everything that is nearer to `area` than `reach`; looks a little further, to serve the next
    /// question too.
    pub(super) fn search(&mut self, index: &ColliderIndex, area: &Aabb2d, reach: f32) {
        let area = grown(area, reach);
        let covers = |searched: &Aabb2d| {
            searched.min.cmple(area.min).all() && area.max.cmple(searched.max).all()
        };
        if self.searched.as_ref().is_some_and(covers) {
            return;
        }
        let area = grown(&area, reach);
        self.candidates.clear();
        let candidates = &mut self.candidates;
        index.visit_overlapping(&area, |entry| {
            if entry.role.is_solid() {
                candidates.push(entry.slot);
            }
        });
        self.searched = Some(area);
    }

    pub(super) fn blockers<'a>(
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
