//! Planning the ways of all movers, each from the same snapshot.

use std::ops::Range;

use bevy::{
    ecs::{entity::EntityHashSet, name::NameOrEntity, system::NonSendMarker},
    math::Mat2,
    prelude::*,
};
use log::warn;

use super::{
    meet::Meetings,
    push::Push,
    separate::{Crowd, separate},
    trace::{Motion, Tracer},
};
use crate::{
    components::{Mover, MoverResponse},
    events::{BlockingHit, MoverHit},
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex, Family, Parents, Registration, Waypoint, are_related},
    parallel,
};

/// More parts than threads, for some are done sooner than others.
const PARTS_PER_THREAD: usize = 4;
/// How often the ways of movers are shortened: where one stops it may be in the way of others. It is enough for any chain of them.
const MEETING_ROUNDS: usize = 256;
/// A mover is about as much work as so many colliders.
const WORK_OF_MOVER: usize = 8;

/// What the movers do in this run.
#[derive(Resource, Default)]
pub(crate) struct MovePlans {
    pub(super) plans: Vec<MovePlan>,
    /// The movers that do not move in this run.
    pub(super) resting: Vec<Entity>,
    /// The ways of all movers, one after another.
    pub(super) ways: Vec<Waypoint>,
    /// What blocked each mover, one after another.
    pub(super) hits: Vec<MoverHit>,
    /// For each part of the work.
    planners: Vec<Planner>,
    tracer: Tracer,
    meetings: Meetings,
    /// The plans whose ways end earlier than was planned.
    again: Vec<u32>,
    crowd: Crowd,
    /// The movers that have a motion or an end which is not finite: in this update, and in the one
    /// before.
    invalid: [EntityHashSet; 2],
}

/// What one mover does in this run.
pub(super) struct MovePlan {
    pub entity: Entity,
    /// Where its collider is in the index, if it has one.
    pub slot: Option<u32>,
    pub weight: f32,
    response: MoverResponse,
    restitution: f32,
    /// How it wants to move, in world units and in world units per second.
    wish: [Vec2; 2],
    /// The fraction of the run at which it has to stop.
    pub until: f32,
    /// The fraction of the run in which walls push it, before it goes its own way.
    pushed_until: f32,
    /// What is left of its velocity, in world units per second.
    pub velocity: Vec2,
    /// Where it ends, relative to its start, in world units.
    pub displacement: Vec2,
    /// Where it starts, in the frame of its parent.
    start: Vec2,
    /// From the world's frame to that of its parent.
    pub to_parent: Mat2,
    /// Whether all coordinates at its end are.
    is_finite: bool,
    pub is_crushed: bool,
    way: Range<usize>,
}

impl MovePlan {
    /// The mover's collider.
    pub fn entry<'a>(&self, index: &'a ColliderIndex) -> Option<ColliderEntry<'a>> {
        index.get(self.slot?, self.entity)
    }

    /// Its way, from its start.
    pub fn way<'a>(&self, ways: &'a [Waypoint]) -> &'a [Waypoint] {
        &ways[self.way.clone()]
    }

    /// Stays where it is, whatever was planned.
    pub fn stay(&mut self) {
        self.displacement = Vec2::ZERO;
        self.way = 0..0;
    }

    /// Whether it stays where it is, unless it is in something.
    pub fn rests(&self) -> bool {
        self.wish[0] == Vec2::ZERO
    }

    /// Whether it ends where no coordinate is infinite, its collider with it.
    fn ends_finite(&self, shape: Option<&Shape>) -> bool {
        (self.start + self.to_parent * self.displacement).is_finite()
            && shape.is_none_or(|shape| shape.translated(self.displacement).is_finite())
    }

    /// The fraction of its own way at which it has to stop.
    fn own_until(&self) -> f32 {
        let own_part = 1.0 - self.pushed_until;
        if own_part > 0.0 {
            ((self.until - self.pushed_until) / own_part).max(0.0)
        } else {
            1.0
        }
    }

    /// The fraction of the run at some fraction of its own way.
    fn own_time(&self, fraction: f32) -> f32 {
        self.pushed_until + (1.0 - self.pushed_until) * fraction
    }

    /// What is left of its wish, in world units, if it would go on.
    pub fn urge(&self) -> Vec2 {
        match self.response {
            MoverResponse::Slide => self.wish[0] - self.displacement,
            _ => Vec2::ZERO,
        }
    }
}

/// Plans the ways of some of the movers. It keeps its buffers.
#[derive(Default)]
struct Planner {
    tracer: Tracer,
    ways: Vec<Waypoint>,
    hits: Vec<MoverHit>,
}

impl MovePlans {
    fn begin_run(&mut self) {
        self.plans.clear();
        self.resting.clear();
        self.ways.clear();
        self.hits.clear();
        self.invalid.swap(0, 1);
        self.invalid[0].clear();
    }

    /// Leaves a mover where it is, because of a number that is not finite. That is said once.
    fn refuse(&mut self, mover: Entity, movers: &Movers, not_finite: &str) {
        self.resting.push(mover);
        self.invalid[0].insert(mover);
        if !self.invalid[1].contains(&mover)
            && let Ok((name, ..)) = movers.get(mover)
        {
            warn!("{name} does not move: {not_finite} is not a finite number");
        }
    }

    /// Leaves those where they are that would end beyond all finite numbers.
    fn refuse_infinite_ends(&mut self, movers: &Movers) {
        let mut plans = std::mem::take(&mut self.plans);
        plans.retain(|plan| {
            if !plan.is_finite {
                self.refuse(plan.entity, movers, "the position at which it would end");
            }
            plan.is_finite
        });
        self.plans = plans;
    }

    /// Plans the ways of all movers, in parallel.
    fn plan_all(&mut self, index: &ColliderIndex, parents: &Parents, seconds: f32) {
        let Self {
            plans,
            planners,
            ways,
            hits,
            ..
        } = self;
        let work = plans.len() * WORK_OF_MOVER;
        let parts = parallel::threads_for(work) * PARTS_PER_THREAD;
        planners.resize_with(parts, Planner::default);
        let size = plans.len().div_ceil(parts).max(1);
        let pieces = plans.chunks_mut(size).zip(planners.iter_mut());
        parallel::for_each(work, pieces, |(plans, planner)| {
            planner.ways.clear();
            planner.hits.clear();
            for plan in plans {
                planner.plan(index, plan, parents, seconds);
            }
        });
        for (plans, planner) in plans.chunks_mut(size).zip(planners) {
            for plan in plans {
                plan.way = ways.len() + plan.way.start..ways.len() + plan.way.end;
            }
            ways.extend_from_slice(&planner.ways);
            hits.extend_from_slice(&planner.hits);
        }
    }

    /// Ends the ways of fast movers that run through each other where they meet.
    fn end_at_meetings(&mut self, index: &ColliderIndex, parents: &Parents, seconds: f32) {
        let Self {
            plans,
            planners,
            ways,
            hits,
            meetings,
            again,
            ..
        } = self;
        let Some(planner) = planners.first_mut() else {
            return;
        };
        meetings.find(plans, ways, index, parents);
        for _ in 0..MEETING_ROUNDS {
            meetings.limit(plans, again);
            if again.is_empty() {
                return;
            }
            let is_again = |number: u32| again.binary_search(&number).is_ok();
            hits.retain(|hit| {
                let number = plans.partition_point(|plan| plan.entity < hit.entity);
                !is_again(number as u32)
            });
            for &number in again.iter() {
                let plan = &mut plans[number as usize];
                planner.ways.clear();
                planner.hits.clear();
                planner.plan(index, plan, parents, seconds);
                plan.way = ways.len()..ways.len() + planner.ways.len();
                ways.extend_from_slice(&planner.ways);
                hits.extend_from_slice(&planner.hits);
            }
            meetings.find_again(plans, ways, index, is_again);
        }
    }
}

impl Planner {
    /// Plans the way of a mover, which blocks may stop if it has a collider.
    fn plan(
        &mut self,
        index: &ColliderIndex,
        plan: &mut MovePlan,
        parents: &Parents,
        seconds: f32,
    ) {
        let Some(entry) = plan.entry(index) else {
            plan.slot = None;
            plan.is_finite = plan.ends_finite(None);
            return;
        };
        let motion = Motion {
            shape: entry.shape,
            displacement: plan.wish[0],
            velocity: plan.wish[1],
            until: plan.own_until(),
            response: plan.response,
            restitution: plan.restitution,
            skin: entry.effective_skin(),
            seconds,
            is_after_walls: false,
        };
        let blocks = |other: &ColliderEntry| {
            entry.is_blocked_by(other) && !are_related(&entry, other, parents)
        };
        let push = self.push(index, &entry, &motion, &blocks);
        let shape = entry.shape.translated(push.displacement);
        if push.is_squeezed {
            plan.velocity = Vec2::ZERO;
            plan.displacement = push.displacement;
            self.tracer.stay();
        } else {
            let motion = motion.after_push(&shape, push.displacement);
            plan.velocity = self.tracer.trace(index, &motion, blocks);
            plan.displacement = push.displacement + self.tracer.end();
        }
        plan.is_finite = plan.ends_finite(Some(entry.shape));
        if !plan.is_finite {
            return;
        }
        plan.is_crushed = push.is_squeezed || self.tracer.is_crushed;
        // Where it has to stop it was planned before.
        if plan.until == 1.0 {
            plan.pushed_until = self.pushed_part();
        }
        plan.way = self.add_way(plan, push.displacement);
        let hits = self.tracer.hits.iter();
        self.hits.extend(hits.map(|hit| MoverHit {
            entity: plan.entity,
            hit: BlockingHit {
                fraction: plan.own_time(hit.fraction),
                ..*hit
            },
        }));
    }

    /// The part of its way that a mover is pushed.
    fn pushed_part(&self) -> f32 {
        let Tracer { way, pushed_to, .. } = &self.tracer;
        let pushed = length(pushed_to.iter().copied());
        let own = length(way.iter().map(|waypoint| waypoint.offset));
        if pushed > 0.0 {
            pushed / (pushed + own)
        } else {
            0.0
        }
    }

    /// What walls that went somewhere do to a mover. Those that are carried together with it do not push it.
    fn push(
        &mut self,
        index: &ColliderIndex,
        entry: &ColliderEntry,
        motion: &Motion,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Push {
        self.tracer.pushed_to.clear();
        if !index.has_moving_walls() {
            return Push::default();
        }
        let root = entry.role.has_parent.then(|| entry.root());
        let is_carried_too = |wall: &ColliderEntry| root == Some(wall.root());
        (self.tracer).push(index, motion, &|wall| blocks(wall) && !is_carried_too(wall))
    }

    /// Adds where a mover went: first where it was pushed, then its own way, each in as much of the time as it is long.
    fn add_way(&mut self, plan: &MovePlan, pushed: Vec2) -> Range<usize> {
        let start = self.ways.len();
        let Tracer { way, pushed_to, .. } = &self.tracer;
        if plan.pushed_until > 0.0 {
            let steps = pushed_to.len() as f32;
            let numbered = (1u16..).zip(pushed_to);
            let turns = numbered.map(|(number, &offset)| Waypoint {
                time: plan.pushed_until * f32::from(number) / steps,
                offset,
            });
            self.ways.push(Waypoint {
                time: 0.0,
                offset: Vec2::ZERO,
            });
            self.ways.extend(turns);
        }
        self.ways.extend(way.iter().map(|waypoint| Waypoint {
            time: plan.own_time(waypoint.time),
            offset: pushed + waypoint.offset,
        }));
        start..self.ways.len()
    }
}

/// The length of a way from the origin.
fn length(points: impl Iterator<Item = Vec2>) -> f32 {
    let mut last = Vec2::ZERO;
    points
        .map(|point| point.distance(std::mem::replace(&mut last, point)))
        .sum()
}

/// All movers with what their plans depend on.
type Movers<'w, 's> = Query<
    'w,
    's,
    (
        NameOrEntity,
        &'static Mover,
        &'static Transform,
        Option<&'static Registration>,
        Option<&'static ChildOf>,
    ),
>;

/// Plans where every mover goes in this run. Moves none.
///
/// It runs on the main thread, which otherwise waits while systems run: so one thread more does the work.
pub(crate) fn plan_moves(
    mut plans: ResMut<MovePlans>,
    mut index: ResMut<ColliderIndex>,
    time: Option<Res<Time>>,
    movers: Movers,
    parents: Parents,
    family: Family,
    _on_main_thread: NonSendMarker,
) {
    plans.begin_run();
    index.begin_moves();
    let index = &*index;
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    for (name, mover, transform, registration, parent) in &movers {
        let to_parent = parent.map_or(Mat2::IDENTITY, |parent| {
            family.world_to_local(parent.parent())
        });
        if !(mover.velocity.is_finite() && mover.displacement.is_finite()) {
            plans.refuse(name.entity, &movers, "its velocity or displacement");
            continue;
        }
        if seconds <= 0.0 || to_parent == Mat2::ZERO {
            plans.resting.push(name.entity);
            continue;
        }
        let displacement = mover.velocity * seconds + mover.displacement;
        plans.plans.push(MovePlan {
            entity: name.entity,
            slot: registration.map(|registration| registration.slot),
            weight: mover.valid_weight(),
            response: mover.response,
            restitution: mover.valid_restitution(),
            wish: [displacement, mover.velocity],
            until: 1.0,
            pushed_until: 0.0,
            velocity: mover.velocity,
            displacement,
            start: transform.translation.truncate(),
            to_parent,
            is_finite: true,
            is_crushed: false,
            way: 0..0,
        });
    }
    plans.plans.sort_unstable_by_key(|plan| plan.entity);
    plans.plan_all(index, &parents, seconds);
    plans.refuse_infinite_ends(&movers);
    plans.end_at_meetings(index, &parents, seconds);
    let MovePlans {
        plans,
        crowd,
        tracer,
        hits,
        ..
    } = &mut *plans;
    separate(plans, crowd, tracer, index, &parents);
    // Those that were planned again are at the end.
    if !hits.is_sorted_by_key(|hit| hit.entity) {
        hits.sort_by_key(|hit| hit.entity);
    }
}
