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
    planner::Planner,
    swaps::Swaps,
};
use crate::{
    events::{Ground, MoverHit},
    geometry::Shape,
    index::{ColliderEntry, Waypoint},
    movement::{
        body::{
            CrushSite, Crusher, MoveInput, MovePlan, MoveResult, PlanNumbers, Riders, WalkRules,
        },
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
    /// What movers want. Sorted by entity and its key, as are the lists after it.
    pub(super) inputs: Vec<MoveInput>,
    plans: Vec<MovePlan>,
    pub results: Vec<MoveResult>,
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
    /// Where movers were crushed in the last update.
    pub(super) crush_sites: EntityHashMap<CrushSite>,
    /// The movers with a motion or an end that is not finite: in this update, and in the one
    /// before.
    pub(super) invalid: [EntityHashSet; 2],
}

impl MovePlans {
    pub(super) fn begin_update(&mut self) {
        self.inputs.clear();
        self.plans.clear();
        self.results.clear();
        self.resting.clear();
        self.paths.clear();
        self.hits.clear();
        self.walks.clear();
        self.crushers.clear();
        self.invalid.swap(0, 1);
        self.invalid[0].clear();
    }

    /// Plans the moves of all movers, of which the inputs are known.
    pub(super) fn complete(&mut self, world: &UpdateWorld) {
        self.sort();
        (self.compounds).unite(world, &mut self.inputs, &self.numbers);
        self.find_riders();
        let crushers = std::mem::take(&mut self.crushers);
        let riders = std::mem::take(&mut self.riders);
        let world = &UpdateWorld {
            crushers: &crushers,
            riders: &riders,
            ..*world
        };
        self.move_among_walls(world);
        self.make_plans(world);
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
        (self.crushers, self.riders) = (crushers, riders);
    }

    /// Sorts the inputs, and the plans of walkers in the same order, and numbers them.
    fn sort(&mut self) {
        self.inputs.sort_unstable_by_key(|input| input.order);
        self.walks.sort_unstable_by_key(|walk| walk.order);
        let walkers = (self.inputs.iter_mut()).filter_map(|input| input.walk_number.as_mut());
        for (number, walk) in walkers.enumerate() {
            *walk = number;
        }
        (self.numbers).set(self.inputs.iter().map(MoveInput::entity));
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
        let walk = &self.walks[self.of(walker)?.walk_number?];
        Some((&walk.start.rules, &walk.ground))
    }

    /// Whether a mover carried a walker in the last update, directly or on top of other walkers.
    pub fn carries(&self, mover: Entity, walker: Entity) -> bool {
        self.riders.is_above(walker, mover)
    }

    /// A mover that began the last update with this shape.
    pub fn start_of<'a>(&self, mover: &ColliderEntry, shape: &'a Shape) -> MoverStart<'a> {
        let number = self.numbers.get(mover.entity);
        let input = number.map(|number| &self.plans[number as usize].input);
        MoverStart {
            shape,
            skin: mover.effective_skin(),
            floor: input.and_then(|input| input.floor),
            drops_through: input.is_some_and(|input| input.drops_through),
        }
    }

    pub fn of(&self, mover: Entity) -> Option<&MoveResult> {
        Some(&self.results[self.numbers.get(mover)? as usize])
    }

    /// Finds the walkers on floors that carry them, and lists those on movers, the lowest first.
    fn find_riders(&mut self) {
        let inputs = || self.inputs.iter();
        let floor_of = |input: &MoveInput| self.walks[input.walk_number?].floor;
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
        let work = self.inputs.len() * WORK_PER_MOVER;
        let chunks = parallel::threads_for(work) * PLAN_CHUNKS_PER_THREAD;
        self.planners.resize_with(chunks, Planner::default);
        self.planners.iter_mut().for_each(Planner::clear);
        let size = self.inputs.len().div_ceil(chunks).max(1);
        let mut walks = self.walks.as_mut_slice();
        let pieces = self.inputs.chunks(size).zip(self.planners.iter_mut());
        let pieces = pieces.map(|(inputs, planner)| {
            let walkers = (inputs.iter()).filter(|input| input.walk_number.is_some());
            let own = walks.split_off_mut(..walkers.count()).unwrap_or_default();
            (inputs, own, planner)
        });
        parallel::for_each(work, pieces, |(inputs, walks, planner)| {
            let mut walks = walks.iter_mut();
            for input in inputs {
                let walk = input.walk_number.and_then(|_| walks.next());
                let walls = planner.plan(world, input, walk, None);
                planner.moves.push(walls);
            }
        });
    }

    /// Makes the plans of movers from what walls made of them. Leaves movers where they are that
    /// would not end at finite coordinates.
    fn make_plans(&mut self, world: &UpdateWorld) {
        let mut inputs = std::mem::take(&mut self.inputs);
        let mut planners = std::mem::take(&mut self.planners);
        let mut left = inputs.drain(..);
        self.crush_sites.clear();
        for planner in &mut planners {
            let first = self.paths.len();
            for (walls, input) in planner.moves.drain(..).zip(&mut left) {
                let Some(mut walls) = walls else {
                    let end = "the position at which it would end";
                    self.reject(input.entity(), world, end);
                    continue;
                };
                let Range { start, end } = walls.course.path_range;
                walls.course.path_range = first + start..first + end;
                let site = walls.crush_site.map(|site| (input.entity(), site));
                self.crush_sites.extend(site);
                self.plans.push(MovePlan::new(input, walls));
            }
            self.paths.extend_from_slice(&planner.paths);
            self.hits.extend_from_slice(&planner.hits);
        }
        drop(left);
        (self.inputs, self.planners) = (inputs, planners);
        (self.numbers).set(self.plans.iter().map(MovePlan::entity));
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
                let walk = plan.input.walk_number.map(|walk| &mut self.walks[walk]);
                let shortened = Some((&plan.walls, plan.bodies.max_fraction));
                planner.clear();
                let Some(mut walls) = planner.plan(world, &plan.input, walk, shortened) else {
                    continue;
                };
                walls.course.path_range = self.paths.len()..self.paths.len() + planner.paths.len();
                plan.bodies.course = walls.course.clone();
                plan.walls = walls;
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

    /// Completes the plans of walkers, and makes the results.
    fn complete_walks(&mut self, world: &UpdateWorld) {
        let plan_of = |mover| Some(&self.plans[self.numbers.get(mover)? as usize]);
        self.results.extend(self.plans.iter().map(|plan| {
            let walk = plan.input.walk_number.map(|walk| &mut self.walks[walk]);
            let kept = walk.map(|walk| walk.complete(world, plan, plan_of));
            plan.result(kept.unwrap_or_default())
        }));
    }
}
