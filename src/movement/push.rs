//! Walls that push movers before them on their way, however fast they are.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::{
    lookahead::{Lookahead, stretch_box},
    spans::span_near,
    spot::Spot,
    surroundings::Blocker,
    trace::{Motion, Tracer},
    world_order::by_world,
};
use crate::{
    events::BlockingHit,
    geometry::{Shape, cast_with_margin, separation, surface_point, touching_slop},
    index::{ColliderEntry, ColliderIndex, faces},
};

/// How often it may change where a mover is pushed to within one run.
const MAX_TURNS: usize = 256;
/// What is lacking by this part of a step, or of the skin, is rounding.
const ROUNDING: f32 = 1e-5;
/// Two walls that close on a mover make it at most so many times as fast as they are. Where they are as parallel as that they crush it.
const MAX_SQUEEZE: f32 = 30.0;

/// A wall that a mover touches while it is pushed.
#[derive(Clone)]
pub(super) struct Pusher {
    entity: Entity,
    slot: u32,
    /// Where it is when the run ends.
    shape: Shape,
    /// How far it goes in a whole run, in world units.
    step: Vec2,
    /// Out of the wall, unit length.
    normal: Vec2,
}

/// What walls that come make of a mover.
#[derive(Clone, Copy, Default)]
pub(super) struct Push {
    /// In world units.
    pub displacement: Vec2,
    /// Whether they leave it no room.
    pub is_squeezed: bool,
}

/// A mover while it is pushed.
struct Pushed<'a> {
    spot: &'a Spot,
    /// How much of the run is left.
    left: f32,
    /// Where it is pushed to, had it a whole run for that.
    step: Vec2,
}

impl Tracer {
    /// How far walls that went somewhere since the last run push a mover before it goes anywhere itself, between other walls. It goes where
    /// it has to, and no further: from one wall that comes or holds it to the next. What it is in does not push it.
    ///
    /// Afterwards `pushed_to` has the places where it turned, and `hits` what squeezes it.
    pub(super) fn push(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Push {
        let mut push = Push::default();
        let (mut left, mut step) = (1.0, Vec2::ZERO);
        self.pushed_to.clear();
        self.hits.clear();
        self.pushers.clear();
        self.surroundings.clear();
        let mut lookahead = Lookahead::of(motion.shape);
        for _ in 0..MAX_TURNS {
            let spot = Spot::of(motion, push.displacement);
            let way = step * left;
            let now = Pushed {
                spot: &spot,
                left,
                step,
            };
            let end = lookahead.end_of_stretch(way, 0.0);
            let area = stretch_box(&spot.shape, way, [0.0, end]);
            (self.surroundings).search(index, &area, motion.skin, blocks);
            if step == Vec2::ZERO
                && self
                    .surroundings
                    .walls()
                    .all(|wall| wall.step == Vec2::ZERO)
            {
                break;
            }
            let leaves = (self.pushers.iter())
                .map(|pusher| now.part_at(pusher))
                .fold(1.0, f32::min);
            let met =
                self.first_met_ahead(index, motion, (&now, leaves), (&mut lookahead, end), blocks);
            let part = (met.as_ref()).map_or(leaves, |(part, _)| part.min(leaves));
            if way != Vec2::ZERO {
                push.displacement += way * part;
                self.pushed_to.push(push.displacement);
            }
            left -= left * part;
            if part >= 1.0 {
                break;
            }
            if way.length() * part > ROUNDING * motion.skin || leaves <= part {
                self.pushers.clear();
            }
            let met = met.filter(|(met, _)| *met <= part);
            self.pushers.extend(met.map(|(_, pusher)| pusher));
            let Some(next) = least_step(&self.pushers) else {
                push.is_squeezed = true;
                self.add_squeezing(index, &spot.shape);
                break;
            };
            step = next;
        }
        push
    }

    /// The wall that a pushed mover meets first. Its way was searched up to some fraction; it is
    /// searched on if nothing is met there.
    fn first_met_ahead(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        (now, until): (&Pushed, f32),
        (lookahead, mut end): (&mut Lookahead, f64),
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Option<(f32, Pusher)> {
        let way = now.step * now.left;
        loop {
            let met = now.first_met(motion, self.surroundings.walls());
            let met = met.filter(|(part, _)| f64::from(*part) <= end);
            let free_way = met.as_ref().map(|(part, _)| way.length() * part);
            lookahead.adapt(self.surroundings.blockers.len(), free_way);
            if met.is_some() || end >= until.into() {
                return met;
            }
            let start = end;
            end = lookahead.end_of_stretch(way, start);
            let area = stretch_box(&now.spot.shape, way, [start, end]);
            (self.surroundings).search(index, &area, motion.skin, blocks);
        }
    }

    /// Notes the walls that leave a mover no room.
    fn add_squeezing(&mut self, index: &ColliderIndex, shape: &Shape) {
        for pusher in &self.pushers {
            if self.hits.iter().any(|hit| hit.blocker == pusher.entity) {
                continue;
            }
            let blocker = (pusher.entity, pusher.slot);
            let point = separation(shape, &pusher.shape).point_b;
            (self.hits).push(BlockingHit::at(index, blocker, point, pusher.normal));
        }
    }
}

impl Pusher {
    /// How far it goes along its normal.
    fn advance(&self) -> f32 {
        self.step.dot(self.normal)
    }

    /// Whether a mover that goes by `step` in a whole run goes into the wall.
    fn is_entered(&self, step: Vec2) -> bool {
        step.dot(self.normal) < self.advance() - ROUNDING * (self.step.length() + step.length())
    }
}

impl<'a> Motion<'a> {
    /// That of the same mover when walls have pushed it. What it wanted to go in that direction it has gone.
    pub(super) fn after_push(&self, shape: &'a Shape, pushed: Vec2) -> Self {
        let length = pushed.length();
        let forward = pushed / length.max(f32::MIN_POSITIVE);
        // Not `clamp`, which panics where a number is NaN.
        let gone = self.displacement.dot(forward).max(0.0).min(length);
        Self {
            shape,
            displacement: self.displacement - forward * gone,
            ..*self
        }
    }
}

impl Pushed<'_> {
    /// The part of what is left until the mover is at the end of a wall that it touches.
    fn part_at(&self, pusher: &Pusher) -> f32 {
        let there = pusher.shape.translated(-pusher.step * self.left);
        let way = (pusher.step - self.step) * self.left;
        let Spot { shape, reach, .. } = self.spot;
        span_near(&there, way, shape, *reach).map_or(0.0, |[_, end]| end)
    }

    /// The wall that the mover meets first, with the part of what is left until then.
    fn first_met<'a>(
        &self,
        motion: &Motion,
        walls: impl Iterator<Item = &'a Blocker>,
    ) -> Option<(f32, Pusher)> {
        walls
            .filter_map(|wall| self.meeting(motion, wall))
            .min_by(|(p_part, p), (q_part, q)| {
                (p_part.total_cmp(q_part))
                    .then(p.normal.x.total_cmp(&q.normal.x))
                    .then(p.normal.y.total_cmp(&q.normal.y))
                    .then(p.step.x.total_cmp(&q.step.x))
                    .then(p.step.y.total_cmp(&q.step.y))
                    .then_with(|| by_world(&p.shape, &q.shape))
                    .then(p.entity.cmp(&q.entity))
            })
    }

    fn meeting(&self, motion: &Motion, wall: &Blocker) -> Option<(f32, Pusher)> {
        let Self { spot, left, step } = *self;
        if wall.step == Vec2::ZERO && step == Vec2::ZERO {
            return None;
        }
        let start = wall.shape.translated(-wall.step);
        let gap = surface_point(motion.shape, &start)?;
        if gap.distance < -touching_slop(motion.shape, &start) {
            return None;
        }
        let there = wall.shape.translated(-wall.step * left);
        let met = cast_with_margin(&there, (wall.step - step) * left, &spot.shape, motion.skin)?;
        let pusher = Pusher {
            entity: wall.entity,
            slot: wall.slot,
            shape: wall.shape.clone(),
            step: wall.step,
            normal: -met.normal,
        };
        let holds = (wall.one_way.as_ref()).is_none_or(|wall| faces(wall, pusher.normal));
        (holds && pusher.is_entered(step)).then_some((met.fraction as f32, pusher))
    }
}

/// The shortest step that enters none of the walls; none, if there is no room between them.
fn least_step(pushers: &[Pusher]) -> Option<Vec2> {
    let alone = (pushers.iter()).map(|pusher| pusher.normal * pusher.advance());
    let between = pushers.iter().enumerate().flat_map(|(number, p)| {
        pushers[..number].iter().map(move |q| {
            let along = q.normal * p.advance() - p.normal * q.advance();
            -along.perp() / p.normal.perp_dot(q.normal)
        })
    });
    let fastest = pushers
        .iter()
        .map(|pusher| pusher.step.length())
        .fold(0.0, f32::max);
    let is_possible = |step: &Vec2| {
        step.length() <= MAX_SQUEEZE * fastest
            && !pushers.iter().any(|pusher| pusher.is_entered(*step))
    };
    std::iter::once(Vec2::ZERO)
        .chain(alone)
        .chain(between)
        .filter(is_possible)
        .min_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))
}
