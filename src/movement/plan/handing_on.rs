//! Propagates the motion of movers to walkers on them, and to pushable movers that they press
//! against.
//!
//! A mover pushes a pushable one that blocked it by the rest of its own displacement, as far as it
//! can follow. The pushed one pushes the next in its path. The last one moves first; then each
//! follows.

use std::cmp::Ordering;

use bevy::prelude::*;
use smallvec::SmallVec;

use super::planner::Planner;
use crate::{
    events::{BlockingHit, MoverHit},
    index::{ColliderEntry, Waypoint},
    movement::{
        body::{MovePlan, PlanNumbers},
        support::WalkPlan,
        tolerances::MAX_PUSHED_IN_A_ROW,
        world::UpdateWorld,
        world_order::by_world,
    },
};

/// The movers that push each other, the first pusher first.
type Row = SmallVec<[Entity; MAX_PUSHED_IN_A_ROW + 1]>;

/// The plans, while motion is passed on among them.
pub(super) struct HandingOn<'a> {
    pub world: &'a UpdateWorld<'a>,
    pub plans: &'a mut [MovePlan],
    pub numbers: &'a PlanNumbers,
    pub walks: &'a mut [WalkPlan],
    pub planner: &'a mut Planner,
    pub paths: &'a mut Vec<Waypoint>,
    /// A buffer.
    pub pushers: &'a mut Vec<Pusher>,
}

/// A mover that presses against a pushable one.
pub(super) struct Pusher {
    /// The numbers of the plans of the two.
    pair: [usize; 2],
    /// The displacement to pass on, in world units.
    push: Vec2,
}

impl HandingOn<'_> {
    /// Moves a walker along with the mover below it, by what that moved since the last call.
    pub fn ride(&mut self, walker: Entity) {
        let number_of = |mover| self.numbers.get(mover).map(|number| number as usize);
        let Some(number) = number_of(walker) else {
            return;
        };
        let plan = &self.plans[number];
        let Some(walk) = (plan.input.walk_number).map(|walk| &mut self.walks[walk]) else {
            return;
        };
        let Some(floor) = &mut walk.floor else {
            return;
        };
        let below = floor.mover.and_then(number_of);
        let displacement =
            below.map_or(Vec2::ZERO, |below| self.plans[below].course().displacement);
        let since = displacement - std::mem::replace(&mut floor.handed_on, displacement);
        let plan = &mut self.plans[number];
        let displacement = walk.follow_or_leave(plan, since, self.world.seconds);
        let floor = walk.floor.as_ref();
        let carried = (self.planner).carry_on(self.world, plan, floor, displacement, self.paths);
        if let Some(floor) = &mut walk.floor {
            floor.carried += carried;
        }
    }

    /// Passes on the motion of all movers that pushable ones blocked.
    pub fn push_all(&mut self, hits: &[MoverHit]) {
        let mut pushers = std::mem::take(self.pushers);
        pushers.clear();
        pushers.extend(hits.iter().filter_map(|hit| self.pusher(hit)));
        // Plans are in the order of spawning, which must not matter.
        pushers.sort_unstable_by(|p, q| self.order(p, q));
        for &Pusher {
            pair: [pusher, pushed],
            push,
        } in &pushers
        {
            let entities = [pusher, pushed].map(|number| self.plans[number].entity());
            let mut row = Row::from_slice(&entities);
            let (free, _) = self.sweep(pusher, push, &row);
            let push = completed_part(push, free);
            let done = completed_part(push, self.plans[pushed].bodies.pushed);
            row.pop();
            let follow = done + completed_part(push, self.push(pushed, push - done, &mut row));
            row.push(entities[1]);
            self.displace(pusher, follow, &row);
            let plan = &mut self.plans[pusher];
            plan.bodies.course.velocity += follow / self.world.seconds;
        }
        *self.pushers = pushers;
    }

    /// Returns the push by what this hit left of a mover's displacement, or `None` if it does not
    /// push.
    fn pusher(&self, MoverHit { entity, hit }: &MoverHit) -> Option<Pusher> {
        let number_of = |mover| self.numbers.get(mover).map(|number| number as usize);
        let pushed =
            number_of(hit.blocker).filter(|&number| self.plans[number].input.is_pushable)?;
        let pusher = number_of(*entity).filter(|&number| !self.plans[number].input.is_pushable)?;
        let plan = &self.plans[pusher];
        if let Some(walk) = plan.input.walk_number {
            // A walker pushes neither its floor nor what is above it.
            let rules = &self.walks[walk].start.rules;
            if rules.is_floor(hit.normal) || rules.is_ceiling(hit.normal) {
                return None;
            }
        }
        let into = -plan.remaining_displacement().dot(hit.normal);
        (into > 0.0).then_some(Pusher {
            pair: [pusher, pushed],
            push: hit.normal * -into,
        })
    }

    fn order(&self, p: &Pusher, q: &Pusher) -> Ordering {
        let by_shape = |p: usize, q: usize| {
            let index = self.world.index;
            match [p, q].map(|number| self.plans[number].entry(index)) {
                [Some(p), Some(q)] => by_world(p.shape, q.shape),
                _ => Ordering::Equal,
            }
        };
        by_shape(p.pair[0], q.pair[0])
            .then_with(|| by_shape(p.pair[1], q.pair[1]))
            .then(p.pair.cmp(&q.pair))
    }

    /// Pushes a mover, and what it runs into, past those in the row. Returns its displacement.
    fn push(&mut self, number: usize, push: Vec2, row: &mut Row) -> Vec2 {
        if row.len() >= MAX_PUSHED_IN_A_ROW || push == Vec2::ZERO {
            return Vec2::ZERO;
        }
        row.push(self.plans[number].entity());
        let (free, hit) = self.sweep(number, push, row);
        let mut moved = self.displace(number, free, row);
        if let Some(BlockingHit {
            blocker, normal, ..
        }) = hit
            && let Some(next) = self.numbers.get(blocker).map(|next| next as usize)
            && self.plans[next].input.is_pushable
        {
            let left = push - completed_part(push, moved);
            let handed_on = normal * left.dot(normal).min(0.0);
            let follow = completed_part(left, self.push(next, handed_on, row));
            row.push(blocker);
            moved += self.displace(number, follow, row);
            row.pop();
        }
        row.pop();
        let bodies = &mut self.plans[number].bodies;
        bodies.pushed += moved;
        bodies.course.wanted += moved;
        moved
    }

    /// Sweeps a mover from its end, past those in the row. Returns its displacement and its first
    /// hit.
    fn sweep(&mut self, number: usize, by: Vec2, row: &Row) -> (Vec2, Option<BlockingHit>) {
        let plan = &self.plans[number];
        let walk = plan.input.walk_number.map(|walk| &self.walks[walk]);
        let is_in_row =
            |other: &ColliderEntry| (other.mover()).is_some_and(|mover| row.contains(&mover));
        let end = (self.planner).sweep_on(self.world, plan, walk, by, |other| !is_in_row(other));
        (end, self.planner.first_hit_on())
    }

    /// Moves a mover like [`sweep`](Self::sweep), and returns its displacement.
    fn displace(&mut self, number: usize, by: Vec2, row: &Row) -> Vec2 {
        if by == Vec2::ZERO {
            return by;
        }
        let (moved, _) = self.sweep(number, by, row);
        let course = &mut self.plans[number].bodies.course;
        self.planner.extend_path(course, moved, self.paths);
        moved
    }
}

/// The part of a push that a displacement completes.
fn completed_part(push: Vec2, displacement: Vec2) -> Vec2 {
    let square = push.length_squared().max(f32::MIN_POSITIVE);
    push * (displacement.dot(push) / square).clamp(0.0, 1.0)
}
