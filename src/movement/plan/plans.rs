//! Plans the moves of all movers, each on the same snapshot.

use bevy::{
    ecs::entity::{EntityHashMap, EntityHashSet},
    prelude::*,
};
use log::warn;

use super::{
    compounds::Compounds,
    handing_on::{HandingOn, Pusher},
    planner::Planner,
    swaps::Swaps,
};
use crate::{
    events::{Ground, MoverHit},
    geometry::Shape,
    index::{ColliderEntry, Waypoint},
    movement::{
        body::{CrushSite, Crusher, MoveInput, MovePlan, PlanNumbers, Riders, WalkRules},
        crowd::Crowd,
        obstacles::MoverStart,
        support::WalkPlan,
        tolerances::{MAX_SWAP_ROUNDS, PLAN_CHUNKS_PER_THREAD, WORK_PER_MOVER},
        world::UpdateWorld,
    },
    parallel,
};

/// The plans of all movers in this update.
#[derive(Resource, Default)]
pub(crate) struct MovePlans {
    /// Sorted by entity and its key, as are the lists after it.
    pub plans: Vec<MovePlan>,
    numbers: PlanNumbers,
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
    /// Where movers are crushed: in this update, and in the one before.
    crush_sites: [EntityHashMap<CrushSite>; 2],
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
        self.crush_sites.swap(0, 1);
        self.crush_sites[0].clear();
        self.invalid.swap(0, 1);
        self.invalid[0].clear();
    }

    /// Plans the moves of all movers, which are unblocked so far.
    pub(super) fn complete(&mut self, world: &UpdateWorld) {
        self.sort();
        (self.compounds).unite(world, &mut self.plans, &self.numbers);
        self.find_riders();
        let crushers = std::mem::take(&mut self.crushers);
        let riders = std::mem::take(&mut self.riders);
        let crush_sites = std::mem::take(&mut self.crush_sites[1]);
        let world = &UpdateWorld {
            crushers: &crushers,
            crush_sites: &crush_sites,
            riders: &riders,
            ..*world
        };
        self.move_among_walls(world);
        self.end_at_swaps(world);
        self.hand_on_pushes(world);
        self.ride_movers(world);
        self.separate(world);
        // Walkers ride along with movers that were separated.
        self.ride_movers(world);
        self.complete_walks(world);
        self.record_surface_velocities(world);
        let Self { hits, numbers, .. } = self;
        // Those of shortened paths and of the crowd are at the end.
        if !hits.is_sorted_by_key(|hit| numbers.get(hit.entity)) {
            hits.sort_by_key(|hit| numbers.get(hit.entity));
        }
        (self.crushers, self.riders) = (crushers, riders);
        self.crush_sites[1] = crush_sites;
    }

    /// Sorts the plans, and those of walkers in the same order, and numbers them.
    fn sort(&mut self) {
        self.plans.sort_unstable_by_key(|plan| plan.input.order);
        self.walks.sort_unstable_by_key(|walk| walk.order);
        let walkers = (self.plans.iter_mut()).filter_map(|plan| plan.input.walk_number.as_mut());
        for (number, walk) in (0..).zip(walkers) {
            *walk = number;
        }
        (self.numbers).set(self.plans.iter().map(MovePlan::entity));
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

    /// The rules of a walker and what it touches since the last update, or `None` if it did not
    /// move or is not a walker.
    pub fn walk_of(&self, walker: Entity) -> Option<(&WalkRules, &Ground)> {
        let walk = &self.walks[self.of(walker)?.input.walk_number? as usize];
        Some((&walk.start.rules, &walk.ground))
    }

    /// Whether a mover carried a walker in the last update, directly or on top of other walkers.
    pub fn carries(&self, mover: Entity, walker: Entity) -> bool {
        self.riders.is_above(walker, mover)
    }

    /// A mover that began the last update with this shape.
    pub fn start_of<'a>(&self, mover: &ColliderEntry, shape: &'a Shape) -> MoverStart<'a> {
        let input = self.of(mover.entity).map(|plan| &plan.input);
        MoverStart {
            shape,
            skin: mover.effective_skin(),
            floor: input.and_then(|input| input.floor),
            drops_through: input.is_some_and(|input| input.drops_through),
        }
    }

    pub fn of(&self, mover: Entity) -> Option<&MovePlan> {
        Some(&self.plans[self.numbers.get(mover)? as usize])
    }

    /// Finds the walkers on floors that carry them, and lists those on movers, the lowest first.
    fn find_riders(&mut self) {
        let inputs = || self.plans.iter().map(|plan| &plan.input);
        let floor_of = |input: &MoveInput| self.walks[input.walk_number? as usize].floor;
        (self.riders).set(inputs().filter_map(|input| Some((input.entity(), floor_of(input)?))));
        self.riders_by_height.clear();
        if self.riders.any_on_mover() {
            self.riders_by_height.extend(inputs().filter_map(|input| {
                let height = self.riders.movers_below(input.entity()).count();
                (height > 0).then_some((height, input.entity()))
            }));
            self.riders_by_height.sort_unstable();
        }
    }

    /// Moves all movers among walls, in parallel.
    fn move_among_walls(&mut self, world: &UpdateWorld) {
        let work = self.plans.len() * WORK_PER_MOVER;
        let chunks = parallel::threads_for(work) * PLAN_CHUNKS_PER_THREAD;
        self.planners.resize_with(chunks, Planner::default);
        self.planners.iter_mut().for_each(Planner::clear);
        let size = self.plans.len().div_ceil(chunks).max(1);
        let mut walks = self.walks.as_mut_slice();
        let pieces = self.plans.chunks_mut(size).zip(&mut self.planners);
        let pieces = pieces.map(|(plans, planner)| {
            let walkers = (plans.iter()).filter(|plan| plan.input.walk_number.is_some());
            let own = walks.split_off_mut(..walkers.count()).unwrap_or_default();
            (plans, own, planner)
        });
        parallel::for_each(work, pieces, |(plans, walks, planner)| {
            let mut walks = walks.iter_mut();
            for plan in plans {
                let walk = plan.input.walk_number.and_then(|_| walks.next());
                planner.plan(world, plan, walk);
            }
        });
        self.collect(world, size);
    }

    /// Collects what the planners planned, each for `size` movers. Leaves those where they are that
    /// would not end at finite coordinates.
    fn collect(&mut self, world: &UpdateWorld, size: usize) {
        let mut planners = std::mem::take(&mut self.planners);
        for (plans, planner) in self.plans.chunks_mut(size).zip(&planners) {
            let first = self.paths.len() as u32;
            for plan in plans {
                plan.bodies.course.shift_path(first);
            }
            self.paths.extend_from_slice(&planner.paths);
            self.hits.extend_from_slice(&planner.hits);
            self.crush_sites[0].extend(planner.crush_sites.iter().copied());
        }
        for mover in planners
            .iter_mut()
            .flat_map(|planner| planner.rejected.drain(..))
        {
            self.reject(mover, world, "the position at which it would end");
            self.plans.retain(|plan| plan.entity() != mover);
        }
        self.planners = planners;
        if self.plans.len() < self.numbers.len() {
            (self.numbers).set(self.plans.iter().map(MovePlan::entity));
        }
    }

    /// Ends the paths of fast movers that would swap places where they collide.
    fn end_at_swaps(&mut self, world: &UpdateWorld) {
        self.swaps.find(world, &self.plans, &self.paths);
        for _ in 0..MAX_SWAP_ROUNDS {
            (self.swaps).shorten_paths(&mut self.plans, &mut self.shortened);
            if self.shortened.is_empty() {
                return;
            }
            let is_shortened = |plan: u32| self.shortened.binary_search(&plan).is_ok();
            (self.hits).retain(|hit| !self.numbers.get(hit.entity).is_some_and(is_shortened));
            let planner = &mut self.planners[0];
            for &number in &self.shortened {
                let plan = &mut self.plans[number as usize];
                let walk = walk_of(plan, &mut self.walks);
                planner.clear();
                planner.plan(world, plan, walk);
                if planner.rejected.is_empty() {
                    plan.bodies.course.shift_path(self.paths.len() as u32);
                }
                self.paths.extend_from_slice(&planner.paths);
                self.hits.extend_from_slice(&planner.hits);
            }
            (self.swaps).find_again(&self.plans, &self.paths, world.index, is_shortened);
        }
    }

    /// Propagates the motion of movers to the pushable ones that they press against, and to walkers
    /// whose feet they hit.
    fn hand_on_pushes(&mut self, world: &UpdateWorld) {
        let any_gives_way =
            !self.walks.is_empty() || (self.plans.iter()).any(|plan| plan.input.is_pushable);
        if any_gives_way {
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
    fn handing_on<'a>(&'a mut self, world: &'a UpdateWorld<'a>) -> HandingOn<'a> {
        HandingOn {
            world,
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
        let (walks, numbers) = (&self.walks, &self.numbers);
        (self.crowd).separate(world, &mut self.plans, walks, numbers, &mut self.hits);
    }

    /// Completes the plans of walkers.
    fn complete_walks(&mut self, world: &UpdateWorld) {
        for number in 0..self.plans.len() {
            let plan = &self.plans[number];
            let Some(walk) = walk_of(plan, &mut self.walks) else {
                continue;
            };
            let plan_of = |mover| Some(&self.plans[self.numbers.get(mover)? as usize]);
            let kept = walk.complete(world, plan, plan_of);
            self.plans[number].bodies.course.velocity += kept;
        }
    }
}

/// The walk of a mover, if it is a walker.
fn walk_of<'a>(plan: &MovePlan, walks: &'a mut [WalkPlan]) -> Option<&'a mut WalkPlan> {
    Some(&mut walks[plan.input.walk_number? as usize])
}
