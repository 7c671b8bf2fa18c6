//! Plans the moves of all movers, each on the same snapshot.

use std::ops::Range;

use bevy::{
    ecs::entity::{EntityHashMap, EntityHashSet},
    prelude::*,
};
use log::warn;

use super::{
    compounds::Compounds,
    handing_on::{HandingOn, Pusher},
    plan_world::PlanWorld,
    planner::Planner,
    swaps::Swaps,
};
use crate::{
    events::{Ground, MoverHit},
    geometry::Shape,
    index::{ColliderEntry, OneWayWall, Waypoint},
    movement::{
        body::{CrushSite, Crusher, MovePlan, PlanNumbers, WalkRules},
        crowd::Crowd,
        obstacles::MoverStart,
        support::{Rider, Riders, WalkPlan},
        tolerances::{MAX_SWAP_ROUNDS, PLAN_CHUNKS_PER_THREAD, WORK_PER_MOVER},
        world::UpdateWorld,
    },
    parallel,
};

/// The plans of all movers in this update.
#[derive(Resource, Default)]
pub(crate) struct MovePlans {
    /// Sorted by entity and its key.
    pub plans: Vec<MovePlan>,
    pub numbers: PlanNumbers,
    /// The movers that do not move in this update.
    pub resting: Vec<Entity>,
    /// The paths of all movers, one after another.
    pub paths: Vec<Waypoint>,
    /// What blocked each mover, one after another.
    pub hits: Vec<MoverHit>,
    /// The plans of walkers, in the same order.
    pub walks: Vec<WalkPlan>,
    riders: Riders,
    /// One for each chunk of movers.
    planners: Vec<Planner>,
    swaps: Swaps,
    /// The numbers of plans whose paths have to end earlier than planned.
    shortened: Vec<u32>,
    /// The walkers on movers, sorted by the number of movers below them.
    riders_by_height: Vec<(usize, Entity)>,
    crowd: Crowd,
    compounds: Compounds,
    pushers: Vec<Pusher>,
    /// What crushed movers in the last update, one mover after another.
    pub(super) crushers: Vec<Crusher>,
    /// Where movers were crushed in the last update.
    pub(super) crush_sites: EntityHashMap<CrushSite>,
    /// The movers with a motion or an end that is not finite: in this update, and in the one
    /// before.
    pub(super) invalid: [EntityHashSet; 2],
}

impl MovePlans {
    pub(super) fn begin_update(&mut self) {
        self.plans.clear();
        self.resting.clear();
        self.paths.clear();
        self.hits.clear();
        self.walks.clear();
        self.crushers.clear();
        self.invalid.swap(0, 1);
        self.invalid[0].clear();
    }

    /// Completes the plans of all movers, which so far hold only the desired motions.
    pub(super) fn complete(&mut self, world: &UpdateWorld) {
        let crushers = std::mem::take(&mut self.crushers);
        let world = &UpdateWorld {
            crushers: &crushers,
            ..*world
        };
        self.sort();
        (self.compounds).unite(world, &mut self.plans, &self.numbers);
        self.find_riders();
        self.plan_all(world);
        self.reject_infinite_ends(world);
        self.record_crush_sites();
        self.end_at_swaps(world);
        self.hand_on_pushes(world);
        self.ride_movers(world);
        self.separate(world);
        // Walkers ride along with movers that were separated.
        self.ride_movers(world);
        self.complete_walks(world);
        let Self { hits, numbers, .. } = self;
        // Those of shortened paths and of the crowd are at the end.
        if !hits.is_sorted_by_key(|hit| numbers.get(hit.entity)) {
            hits.sort_by_key(|hit| numbers.get(hit.entity));
        }
        self.crushers = crushers;
    }

    /// Sorts the plans, and those of walkers in the same order, and numbers them.
    fn sort(&mut self) {
        self.plans.sort_unstable_by_key(|plan| plan.order);
        self.walks.sort_unstable_by_key(|walk| walk.order);
        let walkers = self
            .plans
            .iter_mut()
            .filter_map(|plan| plan.walk_number.as_mut());
        for (number, walk) in walkers.enumerate() {
            *walk = number;
        }
        (self.numbers).set(self.plans.iter().map(|plan| plan.entity));
    }

    fn record_crush_sites(&mut self) {
        let plans = self.plans.iter();
        self.crush_sites.clear();
        self.crush_sites
            .extend(plans.filter_map(|plan| Some((plan.entity, plan.crush_site?))));
    }

    /// Leaves a mover where it is because `not_finite` is not finite. Warns when that begins.
    pub(super) fn reject(&mut self, mover: Entity, world: &UpdateWorld, not_finite: &str) {
        self.resting.push(mover);
        self.invalid[0].insert(mover);
        if !self.invalid[1].contains(&mover)
            && let Ok(name) = world.names.get(mover)
        {
            warn!("{name} does not move: {not_finite} is not a finite number");
        }
    }

    /// Leaves movers where they are if their ends are not finite. Renumbers the other plans.
    fn reject_infinite_ends(&mut self, world: &UpdateWorld) {
        let mut plans = std::mem::take(&mut self.plans);
        plans.retain(|plan| {
            if !plan.is_finite {
                self.reject(plan.entity, world, "the position at which it would end");
            }
            plan.is_finite
        });
        self.plans = plans;
        (self.numbers).set(self.plans.iter().map(|plan| plan.entity));
    }

    /// The rules of a walker and what it touches since the last update, or `None` if it did not
    /// move or is not a walker.
    pub fn walk_of(&self, walker: Entity) -> Option<(&WalkRules, &Ground)> {
        let walk = &self.walks[self.of(walker)?.walk_number?];
        Some((&walk.start.rules, &walk.ground))
    }

    /// Whether a mover carried a walker in the last update, directly or on top of other walkers.
    pub fn carries(&self, mover: Entity, walker: Entity) -> bool {
        self.riders.is_above(walker, mover)
    }

    /// Whether a walker that began the last update with the shape `start` dropped through a one-way
    /// wall of the shape `whole`.
    pub fn drops_through(
        &self,
        walker: &ColliderEntry,
        start: &Shape,
        wall: &OneWayWall,
        whole: &Shape,
    ) -> bool {
        self.of(walker.entity).is_some_and(|plan| {
            let start = MoverStart {
                shape: start,
                ..MoverStart::of_plan(plan, walker)
            };
            start.drops_through && !start.is_outside(wall, whole)
        })
    }

    pub fn of(&self, mover: Entity) -> Option<&MovePlan> {
        Some(&self.plans[self.numbers.get(mover)? as usize])
    }

    /// Finds the walkers on floors that carry them, and lists those on movers, the lowest first.
    fn find_riders(&mut self) {
        let Self {
            plans,
            walks,
            riders,
            riders_by_height,
            ..
        } = self;
        riders.set(plans.iter().filter_map(|plan| {
            Some(Rider {
                walker: plan.entity,
                floor: walks[plan.walk_number?].floor?,
            })
        }));
        riders_by_height.clear();
        if riders.any_on_mover() {
            riders_by_height.extend(plans.iter().filter_map(|plan| {
                let height = riders.movers_below(plan.entity).count();
                (height > 0).then_some((height, plan.entity))
            }));
            riders_by_height.sort_unstable();
        }
    }

    /// Plans all movers, in parallel.
    fn plan_all(&mut self, world: &UpdateWorld) {
        let Self {
            plans,
            planners,
            paths,
            hits,
            walks,
            riders,
            ..
        } = self;
        let world = PlanWorld::new(world, riders);
        let work = plans.len() * WORK_PER_MOVER;
        let chunks = parallel::threads_for(work) * PLAN_CHUNKS_PER_THREAD;
        planners.resize_with(chunks, Planner::default);
        let size = plans.len().div_ceil(chunks).max(1);
        let mut walks = walks.as_mut_slice();
        let pieces = plans.chunks_mut(size).zip(planners.iter_mut());
        let pieces = pieces.map(|(plans, planner)| {
            let walkers = plans
                .iter()
                .filter(|plan| plan.walk_number.is_some())
                .count();
            let own = walks.split_off_mut(..walkers).unwrap_or_default();
            (plans, own, planner)
        });
        parallel::for_each(work, pieces, |(plans, walks, planner)| {
            planner.clear();
            let mut walks = walks.iter_mut();
            for plan in plans {
                let walk = plan.walk_number.and_then(|_| walks.next());
                planner.plan(&world, plan, walk);
            }
        });
        for (plans, planner) in plans.chunks_mut(size).zip(planners) {
            for plan in plans {
                let Range { start, end } = plan.path_range;
                plan.path_range = paths.len() + start..paths.len() + end;
            }
            paths.extend_from_slice(&planner.paths);
            hits.extend_from_slice(&planner.hits);
        }
    }

    /// Ends the paths of fast movers that would swap places where they collide.
    fn end_at_swaps(&mut self, world: &UpdateWorld) {
        let Self {
            plans,
            numbers,
            planners,
            paths,
            hits,
            walks,
            riders,
            swaps,
            shortened,
            ..
        } = self;
        let Some(planner) = planners.first_mut() else {
            return;
        };
        swaps.find(world, plans, paths, riders);
        for _ in 0..MAX_SWAP_ROUNDS {
            swaps.shorten_paths(plans, shortened);
            if shortened.is_empty() {
                return;
            }
            let is_shortened = |plan: u32| shortened.binary_search(&plan).is_ok();
            hits.retain(|hit| {
                let plan = numbers.get(hit.entity);
                plan.is_none_or(|plan| !is_shortened(plan))
            });
            for &number in shortened.iter() {
                let plan = &mut plans[number as usize];
                planner.clear();
                let world = PlanWorld::new(world, riders);
                let walk = plan.walk_number.map(|walk| &mut walks[walk]);
                planner.plan(&world, plan, walk);
                plan.path_range = paths.len()..paths.len() + planner.paths.len();
                paths.extend_from_slice(&planner.paths);
                hits.extend_from_slice(&planner.hits);
            }
            swaps.find_again(plans, paths, world.index, is_shortened);
        }
    }

    /// Propagates the motion of movers to the pushable ones that they press against.
    fn hand_on_pushes(&mut self, world: &UpdateWorld) {
        if self.plans.iter().any(|plan| plan.is_pushable) {
            let hits = std::mem::take(&mut self.hits);
            self.handing_on(world).push_all(&hits);
            self.hits = hits;
        }
    }

    /// Moves the walkers on movers along by what these moved since the last call, the lowest first.
    fn ride_movers(&mut self, world: &UpdateWorld) {
        let riders_by_height = std::mem::take(&mut self.riders_by_height);
        for &(_, rider) in &riders_by_height {
            self.handing_on(world).ride(rider);
        }
        self.riders_by_height = riders_by_height;
    }

    /// The plans, with what passing motion on needs.
    fn handing_on<'a>(&'a mut self, world: &UpdateWorld<'a>) -> HandingOn<'a> {
        HandingOn {
            world: PlanWorld::new(world, &self.riders),
            plans: &mut self.plans,
            numbers: &self.numbers,
            walks: &mut self.walks,
            planner: &mut self.planners[0],
            paths: &mut self.paths,
            pushers: &mut self.pushers,
        }
    }

    /// Separates the movers whose plans end in each other.
    fn separate(&mut self, world: &UpdateWorld) {
        let Self {
            plans,
            numbers,
            hits,
            walks,
            crowd,
            ..
        } = self;
        crowd.separate(world, plans, walks, numbers, hits);
    }

    /// Completes the plans of walkers.
    fn complete_walks(&mut self, world: &UpdateWorld) {
        let Self {
            plans,
            numbers,
            walks,
            ..
        } = self;
        for number in 0..plans.len() {
            let plan = &plans[number];
            let Some(walk) = plan.walk_number else {
                continue;
            };
            let plan_of = |mover| Some(&plans[numbers.get(mover)? as usize]);
            let kept = walks[walk].complete(world, plan, plan_of);
            plans[number].velocity += kept;
        }
    }
}
