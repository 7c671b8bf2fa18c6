//! The way of one mover among the colliders that block it.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    first_impact::FirstImpact,
    lookahead::{Lookahead, stretch_box},
    push::Pusher,
    recover::Start,
    seams::{PROBE, Probes, Surface},
    spot::{CREEP, Spot},
    surroundings::Surroundings,
};
use crate::{
    aabb::grow,
    components::{Mover, MoverResponse},
    events::BlockingHit,
    geometry::{Shape, SurfacePoint, bounce_off, closest_points, separation, slide_along},
    index::{ColliderEntry, ColliderIndex, OneWayWall, Waypoint, effective_skin},
};

/// How often a mover that slides may turn without getting on by more than its skin before it waits
/// for the next update. One that gets on goes on.
const MAX_TURNS: usize = 128;
/// How often a mover may bounce within one update before it waits for the next.
const MAX_BOUNCES: usize = 1024;
/// How many skins around a way is searched, which [`Surroundings::search`] doubles. It is no less than what a leg asks for, see
/// [`Spot::reach`], unless walls pushed the mover far; and without a surface nothing is asked but what is in the way.
const REACH: f32 = 1.5;

/// A mover that slides along a collider which is not convex hits another side of it where the normals have a dot product below this.
const SAME_SIDE: f32 = 0.7;

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
    /// Whether walls that went somewhere in this run were there before the motion begins.
    pub is_after_walls: bool,
}

impl<'a> Motion<'a> {
    /// Where it wants to go in a whole run, and its velocity.
    fn wish(&self) -> [Vec2; 2] {
        [self.displacement, self.velocity]
    }

    /// The box around everywhere that it may get, given that around its straight way; of what is far aside only some.
    fn area(&self, way: &Aabb2d) -> Aabb2d {
        let length = self.displacement.length();
        let aside = match self.response {
            // What is left of a vector along a surface ends on the circle that has the vector as a diameter (Thales).
            MoverResponse::Slide => (length - self.displacement.abs()) / 2.0,
            MoverResponse::Bounce => Vec2::splat(length),
            MoverResponse::Stop | MoverResponse::Pass => Vec2::ZERO,
        };
        let size = self.shape.aabb().half_size().min_element();
        // Where several surfaces hold a slide it is asked what is around. Tiny numbers have squares of zero.
        let least = Vec2::splat(PROBE * self.skin);
        let aside = aside.min(Vec2::splat(size)).max(least);
        Aabb2d {
            min: way.min - aside,
            max: way.max + aside,
        }
    }

    /// How often it may turn without getting on.
    fn max_turns(&self) -> usize {
        match self.response {
            MoverResponse::Bounce => MAX_BOUNCES,
            _ => MAX_TURNS,
        }
    }

    /// Whether a mover that turned after so long a way may turn as often as before.
    fn gets_on(&self, distance: f32) -> bool {
        self.response == MoverResponse::Slide && distance > self.skin
    }

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
            is_after_walls: false,
        }
    }

    /// How far a wall goes meanwhile, in world units.
    pub(super) fn step_of(&self, wall: &OneWayWall) -> Vec2 {
        if self.is_after_walls {
            Vec2::ZERO
        } else {
            wall.step
        }
    }
}

/// Traces ways. It keeps its buffers, so that tracing many allocates nothing.
#[derive(Default)]
pub(crate) struct Tracer {
    /// Where the mover was, relative to its start.
    pub way: Vec<Waypoint>,
    pub hits: Vec<BlockingHit>,
    pub(super) surroundings: Surroundings,
    /// The blockers near the leg that is asked about, by their numbers, with the gaps at its start.
    pub(super) near: Vec<(usize, SurfacePoint)>,
    /// What blocks the leg that is asked about.
    pub(super) impacts: Vec<FirstImpact>,
    /// What blocked the mover where it is now.
    pub(super) surfaces: Vec<Surface>,
    /// What blocks the leg that is asked about at the same time as what does first.
    pub(super) ties: Vec<Surface>,
    /// Whether slides along surfaces get on, from where that was asked last.
    pub(super) probes: Probes,
    /// The walls that a mover touches while it is pushed.
    pub(super) pushers: Vec<Pusher>,
    /// Where a mover that was pushed turned, and where it ended, relative to its start.
    pub(super) pushed_to: Vec<Vec2>,
    /// The parts of a way on which something is near.
    pub(super) spans: Vec<[f32; 2]>,
    /// Whether the mover is in walls that it cannot leave.
    pub is_crushed: bool,
}

/// How far a mover has come.
pub(super) struct Walk {
    /// Relative to its start, in world units.
    pub position: Vec2,
    /// The fraction of the run.
    time: f64,
    /// Where it heads, as the displacement of a whole run, and its velocity.
    pub course: [Vec2; 2],
    /// How far ahead obstacles are searched.
    pub lookahead: Lookahead,
}

impl Walk {
    fn from(position: Vec2, motion: &Motion) -> Self {
        Self {
            position,
            time: 0.0,
            course: motion.wish(),
            lookahead: Lookahead::of(motion.shape),
        }
    }

    /// What is still to go, if nothing is in the way.
    pub fn remaining(&self, motion: &Motion) -> Vec2 {
        let time = f64::from(motion.until) - self.time;
        (self.course[0].as_dvec2() * time).as_vec2()
    }

    /// Goes a part of that.
    fn advance(&mut self, part: f64, motion: &Motion) {
        self.position += (self.remaining(motion).as_dvec2() * part).as_vec2();
        self.time += (f64::from(motion.until) - self.time) * part;
    }
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
        self.surfaces.clear();
        self.probes.clear();
        self.surroundings.clear();
        let mut walk = Walk::from(Vec2::ZERO, motion);
        // Once for all that is asked, unless the mover is fast.
        let end = (walk.lookahead).end_of_stretch(motion.displacement, 0.0);
        let way = stretch_box(motion.shape, motion.displacement, [0.0, end]);
        let reach = REACH * motion.skin;
        (self.surroundings).search(index, &motion.area(&way), reach, &blocks);
        // Most movers have nothing near their straight way, of which that area holds all, and then there is nothing to ask.
        let around = grow(&way, 2.0 * reach);
        let is_clear = end == 1.0 && self.surroundings.overlapping(around).next().is_none();
        if is_clear || motion.response == MoverResponse::Pass {
            return self.go_straight(motion, walk);
        }
        let start = self.recover(index, motion, &blocks);
        self.is_crushed = matches!(start, Start::Crushed);
        let Start::Free(position) = start else {
            self.add_crushing(index, motion);
            return Vec2::ZERO;
        };
        walk.position = position;
        self.add_waypoint(0.0, position);
        self.turn_where_pressing(index, motion, &mut walk, &blocks);
        let mut turns = 0;
        while turns < motion.max_turns() {
            let start = walk.position;
            if !self.walk_leg(index, motion, &mut walk, &blocks) {
                break;
            }
            self.add_waypoint(walk.time as f32, walk.position);
            let gets_on = motion.gets_on(walk.position.distance(start));
            turns = if gets_on { 0 } else { turns + 1 };
        }
        self.add_waypoint(motion.until, walk.position);
        walk.course[1]
    }

    /// The way of a mover that nothing blocks. Gives its velocity.
    fn go_straight(&mut self, motion: &Motion, mut walk: Walk) -> Vec2 {
        self.is_crushed = false;
        self.add_waypoint(0.0, walk.position);
        walk.advance(1.0, motion);
        self.add_waypoint(motion.until, walk.position);
        walk.course[1]
    }

    /// Goes straight on, and turns where something is in the way or a slide leaves the surface.
    /// False, if there is no more to go.
    fn walk_leg(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        walk: &mut Walk,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> bool {
        if walk.remaining(motion) == Vec2::ZERO {
            return false;
        }
        let spot = Spot::of(motion, walk.position);
        let (leg, first, end) = self.look_ahead(index, motion, (walk, &spot), blocks);
        let part = first.map_or(end, |first| first.impact.fraction);
        if !self.surfaces.is_empty() {
            let at_surface = self.part_at_surface(&leg.shortened(part));
            if at_surface < 1.0 {
                walk.advance(part * at_surface, motion);
                walk.course = motion.wish();
                self.surfaces.clear();
                return true;
            }
        }
        walk.advance(part, motion);
        if let Some(first) = first {
            self.add_hit(index, motion, &first, walk);
            if leg.displacement.length() * part as f32 > CREEP * motion.skin {
                self.surfaces.clear();
            }
            if motion.response == MoverResponse::Slide {
                self.note_surfaces(index, motion, walk.position, &first, blocks);
            }
            walk.course = self.turned(motion, walk.course, first.impact.normal);
        }
        first.is_some() || part < 1.0
    }

    /// Where a mover heads that ran into a surface.
    pub(super) fn turned(&self, motion: &Motion, course: [Vec2; 2], normal: Vec2) -> [Vec2; 2] {
        match motion.response {
            // What was wanted, not what is left of it: so a mover rests in a corner, and does not climb one side of it.
            MoverResponse::Slide => {
                (motion.wish()).map(|vector| slide_along(vector, self.normals()))
            }
            MoverResponse::Bounce => {
                course.map(|vector| bounce_off(vector, normal, motion.restitution))
            }
            MoverResponse::Stop => [Vec2::ZERO; 2],
            MoverResponse::Pass => course,
        }
    }

    /// The way of a mover that goes nowhere.
    pub(super) fn stay(&mut self) {
        self.way.clear();
        self.add_waypoint(0.0, Vec2::ZERO);
        self.add_waypoint(1.0, Vec2::ZERO);
    }

    /// Where the mover ends, relative to its start.
    pub fn end(&self) -> Vec2 {
        self.way.last().map_or(Vec2::ZERO, |end| end.offset)
    }

    fn add_waypoint(&mut self, time: f32, offset: Vec2) {
        self.way.push(Waypoint { time, offset });
    }

    /// Notes a hit. One that slides along a collider, or around it, hits it once; if it is not convex, each of its sides.
    pub(super) fn add_hit(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        first: &FirstImpact,
        walk: &Walk,
    ) {
        let blocker = &self.surroundings.blockers[self.named(first)];
        let normal = first.impact.normal;
        let is_known = |last: &BlockingHit| {
            let is_other_side = blocker.is_part && last.normal.dot(normal) < SAME_SIDE;
            last.blocker == blocker.entity && !is_other_side
        };
        if motion.response == MoverResponse::Slide && self.hits.last().is_some_and(is_known) {
            return;
        }
        let shape = motion.shape.translated(walk.position);
        let point = if shape.is_convex() {
            closest_points(&shape, &blocker.shape, -normal).1
        } else {
            separation(&shape, &blocker.shape).point_b
        };
        self.hits.push(BlockingHit {
            fraction: walk.time as f32,
            speed: -walk.course[0].dot(normal) / motion.seconds,
            ..BlockingHit::at(index, (blocker.entity, blocker.slot), point, normal)
        });
    }
}
