//! Propagates the motion of movers to walkers on them, and to pushable movers that they press
//! against.
//!
//! Where a mover presses against a pushable one, the two meet like clay: along the normal they go
//! on at their common speed, by weight. Who is not pushable counts as infinitely heavy, and so do
//! walls that push. The pushed one pushes the next in its path, and what blocks the last one blocks
//! all: the last one moves first; then each follows.

use std::cmp::Ordering;

use bevy::prelude::*;
use smallvec::SmallVec;

use super::planner::Planner;
use crate::{
    events::{BlockingHit, MoverHit},
    index::{ColliderEntry, Waypoint},
    movement::{
        body::{MoveInput, MovePlan, PlanNumbers},
        crowd::floor_of,
        half_planes::{HalfPlane, HalfPlanes, nearest_within},
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
#[derive(Clone, Copy)]
pub(super) struct Pusher {
    /// The numbers of the plans of the two.
    pair: [usize; 2],
    /// From the pusher to the pushed one, unit length.
    direction: Vec2,
    /// Of two that push from opposite sides, the one of the higher rank pushes: who is not
    /// pushable, then who is solid.
    rank: [bool; 2],
    /// By how much it pushes, in world units.
    distance: f32,
}

impl HandingOn<'_> {
    /// Moves a walker along with the mover below it, by what that moved since the last call.
    pub fn ride(&mut self, walker: Entity) {
        let number_of = |mover| self.numbers.get(mover).map(|number| number as usize);
        let Some(number) = number_of(walker) else {
            return;
        };
        let plan = &self.plans[number];
        let Some(walk) = (plan.input.walk_number).map(|walk| &mut self.walks[walk as usize]) else {
            return;
        };
        let Some(floor) = &mut walk.floor else {
            return;
        };
        let below = floor.mover.and_then(number_of);
        let displacement = below.map_or(Vec2::ZERO, |below| {
            let below = &self.plans[below];
            let turned = (self.world.turn_of(below)).map(|turn| turn.transform_point2(floor.point));
            below.course().displacement + turned.map_or(Vec2::ZERO, |turned| turned - floor.point)
        });
        let since = displacement - std::mem::replace(&mut floor.handed_on, displacement);
        let plan = &mut self.plans[number];
        let displacement = walk.follow_or_leave(plan, since, self.world.seconds);
        let floor = walk.floor.as_ref();
        let carried = (self.planner).carry_on(self.world, plan, floor, displacement, self.paths);
        if let Some(floor) = &mut walk.floor {
            floor.carried += carried;
        }
    }

    /// Passes on the motion of all movers that walls pushed, and that pushable ones blocked.
    pub fn push_all(&mut self, hits: &[MoverHit]) {
        for number in 0..self.plans.len() {
            self.push_before_wall(number);
        }
        let mut pushers = std::mem::take(self.pushers);
        pushers.clear();
        pushers.extend(hits.iter().filter_map(|hit| self.pusher(hit)));
        // Plans are in the order of spawning, which must not matter.
        pushers.sort_unstable_by(|p, q| self.order(p, q, [1, 0]));
        for of_one in pushers.chunk_by_mut(|p, q| p.pair[1] == q.pair[1]) {
            for number in 0..of_one.len() {
                of_one[number].distance = self.push_by(&of_one[number], of_one);
            }
        }
        pushers.retain(|pusher| pusher.distance > 0.0);
        pushers.sort_unstable_by(|p, q| self.order(p, q, [0, 1]));
        for by_one in pushers.chunk_by(|p, q| p.pair[0] == q.pair[0]) {
            self.push_and_follow(by_one);
        }
        *self.pushers = pushers;
    }

    /// Pushes what is in the path of a mover that walls pushed. It is at the end of that path
    /// already.
    fn push_before_wall(&mut self, number: usize) {
        let plan = &self.plans[number];
        let by = plan.walls.pushed;
        if by == Vec2::ZERO {
            return;
        }
        let mut row = Row::from_elem(plan.entity(), 1);
        while let Some(hit) = self.first_pushable_ahead(number, by, &row)
            && let Some(next) = self.number_of(hit.blocker)
            && row.len() < MAX_PUSHED_IN_A_ROW
        {
            let into = by * (1.0 - hit.fraction);
            let push = hit.normal * into.dot(hit.normal).min(0.0);
            self.push(next, push, f64::INFINITY, &mut row);
            row.push(self.plans[next].entity());
        }
    }

    /// The first pushable mover, except those in the row, that a mover hits on its way from its
    /// start.
    fn first_pushable_ahead(&mut self, number: usize, by: Vec2, row: &Row) -> Option<BlockingHit> {
        let Self {
            world,
            plans,
            numbers,
            planner,
            ..
        } = self;
        let is_pushable = |mover| {
            let number = numbers.get(mover);
            number.is_some_and(|number| plans[number as usize].input.is_pushable)
        };
        let is_ahead = |other: &ColliderEntry| {
            let mover = other.mover().filter(|mover| !row.contains(mover));
            other.role.moved_by.is_body() && mover.is_some_and(is_pushable)
        };
        let plan = &plans[number];
        planner.sweep_from(world, plan, None, [Vec2::ZERO, by], is_ahead);
        planner.first_hit()
    }

    /// Pushes all that a mover presses against, as far as it can follow, and lets it follow.
    fn push_and_follow(&mut self, pushers: &[Pusher]) {
        let first = pushers[0].pair[0];
        let entity = self.plans[first].entity();
        let pushed = pushers.iter().map(|pusher| pusher.pair[1]);
        let pushed = pushed.map(|number| self.plans[number].entity());
        let row: Row = std::iter::once(entity).chain(pushed).collect();
        let wanted = pushers.iter().map(|pusher| HalfPlane {
            normal: pusher.direction,
            max_distance: pusher.distance,
        });
        let wanted = least_beyond(wanted);
        let (free, _) = self.sweep(first, self.along_floor(first, wanted), &row);
        let achieved = pushers.iter().map(|pusher| HalfPlane {
            normal: pusher.direction,
            max_distance: self.push_as_far(pusher, free.dot(pusher.direction)),
        });
        let achieved: HalfPlanes = achieved.collect();
        self.give_back_velocity(first, &achieved);
        let follow = nearest_within(wanted, &achieved);
        self.displace(first, self.along_floor(first, follow), &row);
    }

    /// Gives a mover back the velocity that it lost at what gives way: none that it lost to walls,
    /// and none that came from a displacement. That of a standing walker is horizontal.
    fn give_back_velocity(&mut self, number: usize, achieved: &[HalfPlane]) {
        let plan = &self.plans[number];
        let desired = plan.input.desired.per_second;
        let before = plan.course().velocity;
        let walk = plan
            .input
            .walk_number
            .map(|walk| &self.walks[walk as usize]);
        let standing = walk.filter(|walk| walk.footing.surfaces.floor.is_some());
        let right = standing.map(|walk| walk.start.rules.right());
        let lost = achieved.iter().map(|plane| {
            let forward = right.map(|right| right * plane.normal.dot(right).signum());
            let normal = forward.unwrap_or(plane.normal);
            HalfPlane {
                normal,
                max_distance: (desired - before).dot(normal).max(0.0),
            }
        });
        let kept = lost.clone().zip(achieved).map(|(lost, achieved)| {
            let fraction = achieved.max_distance / self.pressing(number, achieved.normal);
            HalfPlane {
                max_distance: lost.max_distance * fraction,
                ..lost
            }
        });
        let kept = nearest_within(least_beyond(lost), &kept.collect::<HalfPlanes>());
        let fastest = desired.length().max(before.length());
        let velocity = (before + kept).clamp_length_max(fastest);
        self.plans[number].bodies.course.velocity = velocity;
    }

    /// Pushes by no more than `max_distance`. Returns how far what is pushed gives way. Both are in
    /// world units.
    fn push_as_far(&mut self, pusher: &Pusher, max_distance: f32) -> f32 {
        let [first, second] = pusher.pair;
        let push = pusher.direction * pusher.distance.min(max_distance).max(0.0);
        let done = completed_part(push, self.plans[second].bodies.pushed);
        let mut row = Row::from_elem(self.plans[first].entity(), 1);
        let moved = self.push(second, push - done, self.weight(first), &mut row);
        (done + completed_part(push, moved)).dot(pusher.direction)
    }

    /// Returns how this hit pushes, or `None` if it does not.
    fn pusher(&self, MoverHit { entity, hit }: &MoverHit) -> Option<Pusher> {
        let second = self.pushed_by(hit)?;
        let first = self.numbers.get(*entity)? as usize;
        let plan = &self.plans[first];
        if let Some(walk) = plan.input.walk_number {
            // A walker pushes neither its floor nor what is above it.
            let rules = &self.walks[walk as usize].start.rules;
            if rules.is_floor(hit.normal) || rules.is_ceiling(hit.normal) {
                return None;
            }
        }
        let is_solid = (plan.entry(self.world.index)).is_some_and(|entry| entry.role.is_solid());
        let pusher = Pusher {
            pair: [first, second],
            direction: self.sideways(first, -hit.normal),
            rank: [!plan.input.is_pushable, is_solid],
            distance: 0.0,
        };
        (self.pressing(first, pusher.direction) > 0.0).then_some(pusher)
    }

    /// The number of the plan of what a mover hits, if that gives way: it is pushable, or a walker
    /// whose feet are hit from below.
    fn pushed_by(&self, hit: &BlockingHit) -> Option<usize> {
        let number = self.number_of(hit.blocker)?;
        let MoveInput {
            is_pushable,
            walk_number,
            ..
        } = self.plans[number].input;
        let has_feet_there =
            |walk: u32| self.walks[walk as usize].start.rules.is_floor(-hit.normal);
        (is_pushable || walk_number.is_some_and(has_feet_there)).then_some(number)
    }

    /// The number of the plan of a mover, by the entity of its collider or of a part.
    fn number_of(&self, collider: Entity) -> Option<usize> {
        let of_part = || {
            self.world.index.movers_with_parts().next()?;
            let entry = self.world.entry(collider)?;
            let mover = entry.mover().filter(|_| entry.role.moved_by.is_body())?;
            self.numbers.get(mover)
        };
        let number = self.numbers.get(collider).or_else(of_part);
        number.map(|number| number as usize)
    }

    /// How much of its displacement a mover has left in a direction, in world units.
    fn pressing(&self, number: usize, direction: Vec2) -> f32 {
        self.plans[number].remaining_displacement().dot(direction)
    }

    /// What resists a push, by weight.
    fn weight(&self, number: usize) -> f64 {
        let input = &self.plans[number].input;
        if input.is_pushable {
            input.weight.into()
        } else {
            f64::INFINITY
        }
    }

    /// By how much a pusher and what it pushes go on together, in world units: the mean of what
    /// both want, by weight.
    fn common_push(&self, pusher: &Pusher) -> f32 {
        let [first, second] = pusher.pair;
        let own = self.pressing(first, pusher.direction);
        let back = self.pressing(second, -pusher.direction).max(0.0);
        let share = share_of(self.weight(first), self.weight(second));
        own * share - back * (1.0 - share)
    }

    /// By how much a pusher pushes, in world units, against others that push the same mover.
    fn push_by(&self, pusher: &Pusher, others: &[Pusher]) -> f32 {
        let opposed = others.iter().filter(|other| other.rank >= pusher.rank);
        let opposed = opposed.map(|other| {
            let against = -other.direction.dot(pusher.direction);
            match against > 0.0 && other.rank > pusher.rank {
                true => f32::INFINITY,
                false => against * self.common_push(other),
            }
        });
        self.common_push(pusher) - opposed.fold(0.0, f32::max)
    }

    /// The order of two pushes, by the movers on these sides of their pairs.
    fn order(&self, p: &Pusher, q: &Pusher, sides: [usize; 2]) -> Ordering {
        let by_mover = |side: usize| {
            let [p, q] = [p, q].map(|pusher| pusher.pair[side]);
            let index = self.world.index;
            let by_shape = match [p, q].map(|number| self.plans[number].entry(index)) {
                [Some(p), Some(q)] => by_world(p.shape, q.shape),
                _ => Ordering::Equal,
            };
            by_shape.then(p.cmp(&q))
        };
        by_mover(sides[0]).then_with(|| by_mover(sides[1]))
    }

    /// Pushes a mover, and what it runs into, past those in the row, which weigh `weight`. Returns
    /// its displacement.
    fn push(&mut self, number: usize, push: Vec2, weight: f64, row: &mut Row) -> Vec2 {
        if row.len() >= MAX_PUSHED_IN_A_ROW || push == Vec2::ZERO {
            return Vec2::ZERO;
        }
        row.push(self.plans[number].entity());
        let (free, hit) = self.sweep(number, self.along_floor(number, push), row);
        let mut moved = self.displace(number, free, row);
        if let Some(hit) = hit
            && let Some(next) = self.pushed_by(&hit)
        {
            let weight = weight + self.weight(number);
            let left = self.along_floor(number, push - completed_part(push, moved));
            let direction = self.sideways(number, -hit.normal);
            let into = left.dot(direction).max(0.0) * share_of(weight, self.weight(next));
            let follow = self.push(next, direction * into, weight, row);
            let follow = self.along_floor(number, completed_part(left, follow));
            row.push(self.plans[next].entity());
            moved += self.displace(number, follow, row);
            row.pop();
        }
        row.pop();
        let bodies = &mut self.plans[number].bodies;
        bodies.pushed += moved;
        bodies.course.wanted += moved;
        moved
    }

    /// A push of a walker along its floor, as far in its direction.
    fn along_floor(&self, number: usize, push: Vec2) -> Vec2 {
        let walk = self.plans[number].input.walk_number;
        let floor = walk.and_then(|walk| floor_of(&self.walks[walk as usize]));
        match (floor, push.try_normalize()) {
            (Some(floor), Some(direction)) => floor.along(direction) * push.length(),
            _ => push,
        }
    }

    /// The direction in which a mover pushes what is ahead in this direction: a walker along its
    /// floor.
    fn sideways(&self, number: usize, direction: Vec2) -> Vec2 {
        let along = self.along_floor(number, direction);
        if along == direction {
            direction
        } else {
            along.normalize_or_zero()
        }
    }

    /// Sweeps a mover from its end, past those in the row. Returns its displacement and its first
    /// hit.
    fn sweep(&mut self, number: usize, by: Vec2, row: &Row) -> (Vec2, Option<BlockingHit>) {
        let plan = &self.plans[number];
        let walk = plan
            .input
            .walk_number
            .map(|walk| &self.walks[walk as usize]);
        let is_in_row =
            |other: &ColliderEntry| (other.mover()).is_some_and(|mover| row.contains(&mover));
        let path = [plan.course().displacement, by];
        let moved = (self.planner).sweep_from(self.world, plan, walk, path, |it| !is_in_row(it));
        (moved, self.planner.first_hit())
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

/// The shortest vector that reaches the boundaries of all half-planes.
fn least_beyond(half_planes: impl Iterator<Item = HalfPlane>) -> Vec2 {
    let beyond = half_planes.map(|plane| HalfPlane {
        normal: -plane.normal,
        max_distance: -plane.max_distance,
    });
    nearest_within(Vec2::ZERO, &beyond.collect::<HalfPlanes>())
}

/// The share of a weight in itself and another one: half of no weight.
fn share_of(weight: f64, other: f64) -> f32 {
    let total = weight + other;
    if weight.is_infinite() {
        1.0
    } else if total > 0.0 {
        (weight / total) as f32
    } else {
        0.5
    }
}
