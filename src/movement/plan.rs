//! Planning the moves of all movers, each on the same snapshot.

use std::ops::Range;

use bevy::{
    ecs::{
        entity::{EntityHashMap, EntityHashSet},
        name::NameOrEntity,
    },
    math::Mat2,
    prelude::*,
};
use log::warn;

use super::{
    crowd::{Crowd, separate},
    motion::{CrushSite, MoverStart},
    move_plan::MovePlan,
    plan_numbers::PlanNumbers,
    planner::{PlanWorld, Planner, UpdateWorld},
    ride::{Floors, WalkPlan, WalkerWorld},
    riders::{Rider, Riders},
    swaps::Swaps,
    tolerances::{MAX_SWAP_ROUNDS, PLAN_CHUNKS_PER_THREAD, WORK_PER_MOVER},
    walk_rules::WalkRules,
};
use crate::{
    components::{EntityOrder, Mover, StableKey, Walker},
    events::{Ground, MoverHit},
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex, Parents, Registration, TransformHierarchy, Waypoint},
    parallel,
    schedule::OnMainThread,
};

/// The plans of all movers in this update.
#[derive(Resource, Default)]
pub(crate) struct MovePlans {
    /// Sorted by entity and its key.
    pub(super) plans: Vec<MovePlan>,
    pub(super) numbers: PlanNumbers,
    /// The movers that do not move in this update.
    pub(super) resting: Vec<Entity>,
    /// The paths of all movers, one after another.
    pub(super) paths: Vec<Waypoint>,
    /// What blocked each mover, one after another.
    pub(super) hits: Vec<MoverHit>,
    /// The plans of walkers, in no order.
    pub(super) walks: Vec<WalkPlan>,
    riders: Riders,
    /// One for each chunk of movers.
    planners: Vec<Planner>,
    swaps: Swaps,
    /// The plans whose paths end earlier than was planned.
    shortened: Vec<u32>,
    /// The plans of walkers on movers, by how many movers are below them.
    climbers: Vec<(usize, usize)>,
    crowd: Crowd,
    /// Where movers were crushed in the last update.
    crush_sites: EntityHashMap<CrushSite>,
    /// The movers with a motion or an end that is not finite: in this update, and in the one
    /// before.
    invalid: [EntityHashSet; 2],
}

impl MovePlans {
    fn begin_update(&mut self) {
        self.plans.clear();
        self.resting.clear();
        self.paths.clear();
        self.hits.clear();
        self.walks.clear();
        self.invalid.swap(0, 1);
        self.invalid[0].clear();
    }

    /// Completes the plans of all movers, of which each has what it wants so far.
    fn complete(&mut self, movers: &Movers, world: &WalkerWorld) {
        let &WalkerWorld {
            index,
            parents,
            seconds,
            ..
        } = world;
        let update = UpdateWorld {
            index,
            parents,
            seconds,
        };
        self.plans.sort_unstable_by_key(|plan| plan.order);
        self.find_riders();
        self.plan_all(update);
        self.refuse_infinite_ends(movers);
        self.record_crush_sites();
        self.end_at_swaps(update);
        self.ride_movers(update);
        separate(
            &mut self.plans,
            &self.walks,
            &mut self.crowd,
            index,
            parents,
        );
        self.complete_walks(world);
        let Self { hits, numbers, .. } = self;
        // Those of shortened paths are at the end.
        if !hits.is_sorted_by_key(|hit| numbers.get(hit.entity)) {
            hits.sort_by_key(|hit| numbers.get(hit.entity));
        }
    }

    fn record_crush_sites(&mut self) {
        let plans = self.plans.iter();
        self.crush_sites.clear();
        self.crush_sites
            .extend(plans.filter_map(|plan| Some((plan.entity, plan.crush_site?))));
    }

    /// Leaves a mover where it is because of a number that is not finite. Warns once.
    fn refuse(&mut self, mover: Entity, movers: &Movers, not_finite: &str) {
        self.resting.push(mover);
        self.invalid[0].insert(mover);
        if !self.invalid[1].contains(&mover)
            && let Ok((name, ..)) = movers.get(mover)
        {
            warn!("{name} does not move: {not_finite} is not a finite number");
        }
    }

    /// Leaves those movers where they are that would end at coordinates that are not finite, and
    /// numbers the plans of the others.
    fn refuse_infinite_ends(&mut self, movers: &Movers) {
        let mut plans = std::mem::take(&mut self.plans);
        plans.retain(|plan| {
            if !plan.is_finite {
                self.refuse(plan.entity, movers, "the position at which it would end");
            }
            plan.is_finite
        });
        self.plans = plans;
        (self.numbers).set(self.plans.iter().map(|plan| plan.entity));
    }

    /// How a walker walked in the last update, and what it touches since; `None` if it did not
    /// move, or is no walker.
    pub fn walk_of(&self, walker: Entity) -> Option<(&WalkRules, &Ground)> {
        let walk = &self.walks[self.of(walker)?.walk?];
        Some((&walk.rules, &walk.ground))
    }

    /// Whether a mover carried another one in the last update: a walker that stands on it, or on
    /// another one that does.
    pub fn carries(&self, mover: Entity, walker: Entity) -> bool {
        self.riders.is_above(walker, mover)
    }

    /// Whether a walker, which began the last update as `start`, dropped through a one-way wall,
    /// which was `wall` then.
    pub fn drops_through(&self, walker: &ColliderEntry, start: &Shape, wall: &Shape) -> bool {
        self.of(walker.entity).is_some_and(|plan| {
            let shape = start;
            let start = MoverStart {
                shape,
                ..plan.mover_start(walker)
            };
            start.drops_through && !start.is_outside(wall)
        })
    }

    pub(super) fn of(&self, mover: Entity) -> Option<&MovePlan> {
        Some(&self.plans[self.numbers.get(mover)? as usize])
    }

    fn find_riders(&mut self) {
        let Self {
            plans,
            walks,
            riders,
            ..
        } = self;
        riders.set(plans.iter().filter_map(|plan| {
            Some(Rider {
                walker: plan.entity,
                floor: walks[plan.walk?].floor?,
            })
        }));
    }

    /// Plans all movers, in parallel.
    fn plan_all(&mut self, update: UpdateWorld) {
        let Self {
            plans,
            planners,
            paths,
            hits,
            walks,
            riders,
            ..
        } = self;
        let world = PlanWorld::new(update, walks, riders);
        let work = plans.len() * WORK_PER_MOVER;
        let chunks = parallel::threads_for(work) * PLAN_CHUNKS_PER_THREAD;
        planners.resize_with(chunks, Planner::default);
        let size = plans.len().div_ceil(chunks).max(1);
        let pieces = plans.chunks_mut(size).zip(planners.iter_mut());
        parallel::for_each(work, pieces, |(plans, planner)| {
            planner.clear();
            for plan in plans {
                planner.plan(&world, plan);
            }
        });
        for (plans, planner) in plans.chunks_mut(size).zip(planners) {
            for plan in plans {
                let Range { start, end } = plan.path_range;
                plan.path_range = paths.len() + start..paths.len() + end;
            }
            paths.extend_from_slice(&planner.paths);
            hits.extend_from_slice(&planner.hits);
            planner.store_footings(walks);
        }
    }

    /// Ends the paths of fast movers that would swap places at the point where they collide.
    fn end_at_swaps(&mut self, update: UpdateWorld) {
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
        swaps.find(plans, paths, update.index, (update.parents, riders));
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
                let world = PlanWorld::new(update, walks, riders);
                planner.plan(&world, plan);
                plan.path_range = paths.len()..paths.len() + planner.paths.len();
                paths.extend_from_slice(&planner.paths);
                hits.extend_from_slice(&planner.hits);
                planner.store_footings(walks);
            }
            swaps.find_again(plans, paths, update.index, is_shortened);
        }
    }

    /// Carries the walkers that stand on movers along with them, from the lowest of a stack upward.
    fn ride_movers(&mut self, update: UpdateWorld) {
        let Self {
            plans,
            numbers,
            planners,
            paths,
            walks,
            riders,
            climbers,
            ..
        } = self;
        let Some(planner) = planners.first_mut().filter(|_| riders.any_on_mover()) else {
            return;
        };
        climbers.clear();
        climbers.extend(plans.iter().enumerate().filter_map(|(number, plan)| {
            let height = riders.movers_below(plan.entity).count();
            (height > 0).then_some((height, number))
        }));
        climbers.sort_unstable();
        for &(_, number) in climbers.iter() {
            let Some(walk) = plans[number].walk else {
                continue;
            };
            let mover = walks[walk].floor.and_then(|floor| floor.mover);
            let plan = mover.and_then(|mover| numbers.get(mover));
            let displacement = plan.map_or(Vec2::ZERO, |plan| plans[plan as usize].displacement);
            let displacement = walks[walk].ride(&mut plans[number], displacement, update.seconds);
            let world = PlanWorld::new(update, walks, riders);
            let carried = planner.ride(&world, &mut plans[number], displacement, paths);
            if let Some(floor) = &mut walks[walk].floor {
                floor.carried += carried;
            }
        }
    }

    /// Completes the plans of walkers.
    fn complete_walks(&mut self, world: &WalkerWorld) {
        let Self {
            plans,
            numbers,
            walks,
            ..
        } = self;
        for number in 0..plans.len() {
            let plan = &plans[number];
            let Some(walk) = plan.walk else {
                continue;
            };
            let displacement_of = |mover| {
                let plan = numbers.get(mover);
                plan.map_or(Vec2::ZERO, |plan| plans[plan as usize].displacement)
            };
            let kept = walks[walk].complete(world, plan, displacement_of);
            plans[number].velocity += kept;
        }
    }
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
        Option<&'static StableKey>,
        Option<(&'static Walker, &'static Ground)>,
    ),
>;

/// Plans where every mover goes in this update. Moves none.
pub(crate) fn plan_moves(
    mut plans: ResMut<MovePlans>,
    mut index: ResMut<ColliderIndex>,
    time: Option<Res<Time>>,
    movers: Movers,
    parents: Parents,
    hierarchy: TransformHierarchy,
    floors: Floors,
    _: OnMainThread,
) {
    plans.begin_update();
    index.begin_moves();
    let index = &*index;
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    let walker_world = WalkerWorld {
        index,
        floors: &floors,
        parents: &parents,
        hierarchy: &hierarchy,
        seconds,
    };
    for (name, mover, transform, registration, parent, key, walker) in &movers {
        let to_parent = parent.map_or(Mat2::IDENTITY, |parent| {
            hierarchy.world_to_local(parent.parent())
        });
        if !(mover.velocity.is_finite() && mover.displacement.is_finite()) {
            plans.refuse(name.entity, &movers, "its velocity or displacement");
            continue;
        }
        if seconds <= 0.0 || to_parent == Mat2::ZERO {
            plans.resting.push(name.entity);
            continue;
        }
        let slot = registration.map(|registration| registration.slot);
        let start = transform.translation.truncate();
        let order = EntityOrder::of(name.entity, key);
        let mut plan = MovePlan::new((order, mover), slot, (start, to_parent), seconds);
        plan.crush_site = plans.crush_sites.get(&name.entity).copied();
        if let Some(walker) = walker {
            let parent = parent.map(ChildOf::parent);
            let walk = WalkPlan::new(&walker_world, walker, parent, &mut plan);
            plan.walk = Some(plans.walks.len());
            plans.walks.push(walk);
        }
        plans.plans.push(plan);
    }
    plans.complete(&movers, &walker_world);
}
