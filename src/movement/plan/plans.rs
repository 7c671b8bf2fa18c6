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

use super::{plan_world::PlanWorld, planner::Planner, pushing::Pushing, swaps::Swaps};
use crate::{
    components::{EntityOrder, Mover, Pushable, StableKey, Walker},
    events::{Ground, MoverHit, MoverHits},
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex, Parents, Registration, TransformHierarchy, Waypoint},
    movement::{
        body::{CrushSite, Crusher, MovePlan, PlanNumbers, WalkRules},
        crowd::Crowd,
        support::{Rider, Riders, WalkPlan},
        surroundings::MoverStart,
        tolerances::{MAX_SWAP_ROUNDS, PLAN_CHUNKS_PER_THREAD, WORK_PER_MOVER},
        world::{Floors, UpdateWorld},
    },
    parallel,
    schedule::OnMainThread,
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
    /// The plans whose paths end earlier than was planned.
    shortened: Vec<u32>,
    /// The walkers on movers, each after how many movers are below it.
    climbers: Vec<(usize, Entity)>,
    crowd: Crowd,
    /// What crushed movers in the last update, one mover after another.
    crushers: Vec<Crusher>,
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
        self.crushers.clear();
        self.invalid.swap(0, 1);
        self.invalid[0].clear();
    }

    /// Completes the plans of all movers, of which each has what it wants so far.
    fn complete(&mut self, movers: &Movers, world: &UpdateWorld) {
        let crushers = std::mem::take(&mut self.crushers);
        let world = &UpdateWorld {
            crushers: &crushers,
            ..*world
        };
        self.sort();
        self.find_riders();
        self.plan_all(world);
        self.refuse_infinite_ends(movers);
        self.record_crush_sites();
        self.end_at_swaps(world);
        self.hand_on_pushes(world);
        self.ride_movers(world);
        self.separate(world);
        // What pushed a floor carries whoever stands on it.
        self.ride_movers(world);
        self.complete_walks(world);
        let Self { hits, numbers, .. } = self;
        // Those of shortened paths are at the end.
        if !hits.is_sorted_by_key(|hit| numbers.get(hit.entity)) {
            hits.sort_by_key(|hit| numbers.get(hit.entity));
        }
        self.crushers = crushers;
    }

    /// Sorts the plans, and those of walkers in the same order.
    fn sort(&mut self) {
        self.plans.sort_unstable_by_key(|plan| plan.order);
        self.walks.sort_unstable_by_key(|walk| walk.order);
        let walkers = self.plans.iter_mut().filter_map(|plan| plan.walk.as_mut());
        for (number, walk) in walkers.enumerate() {
            *walk = number;
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
        Some((&walk.walk.rules, &walk.ground))
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
            let start = MoverStart {
                shape: start,
                ..MoverStart::of_plan(plan, walker)
            };
            start.drops_through && !start.is_outside(wall)
        })
    }

    pub fn of(&self, mover: Entity) -> Option<&MovePlan> {
        Some(&self.plans[self.numbers.get(mover)? as usize])
    }

    /// Finds the walkers that stand on floors that carry them, and those on movers from the lowest
    /// of a stack upward.
    fn find_riders(&mut self) {
        let Self {
            plans,
            walks,
            riders,
            climbers,
            ..
        } = self;
        riders.set(plans.iter().filter_map(|plan| {
            Some(Rider {
                walker: plan.entity,
                floor: walks[plan.walk?].floor?,
            })
        }));
        climbers.clear();
        if riders.any_on_mover() {
            climbers.extend(plans.iter().filter_map(|plan| {
                let height = riders.movers_below(plan.entity).count();
                (height > 0).then_some((height, plan.entity))
            }));
            climbers.sort_unstable();
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
        let world = PlanWorld {
            update: *world,
            riders,
        };
        let work = plans.len() * WORK_PER_MOVER;
        let chunks = parallel::threads_for(work) * PLAN_CHUNKS_PER_THREAD;
        planners.resize_with(chunks, Planner::default);
        let size = plans.len().div_ceil(chunks).max(1);
        let mut walks = walks.as_mut_slice();
        let pieces = plans.chunks_mut(size).zip(planners.iter_mut());
        let pieces = pieces.map(|(plans, planner)| {
            let walkers = plans.iter().filter(|plan| plan.walk.is_some()).count();
            let own = walks.split_off_mut(..walkers).unwrap_or_default();
            (plans, own, planner)
        });
        parallel::for_each(work, pieces, |(plans, walks, planner)| {
            planner.clear();
            let mut walks = walks.iter_mut();
            for plan in plans {
                let walk = plan.walk.and_then(|_| walks.next());
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

    /// Ends the paths of fast movers that would swap places at the point where they collide.
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
                let world = PlanWorld {
                    update: *world,
                    riders,
                };
                let walk = plan.walk.map(|walk| &mut walks[walk]);
                planner.plan(&world, plan, walk);
                plan.path_range = paths.len()..paths.len() + planner.paths.len();
                paths.extend_from_slice(&planner.paths);
                hits.extend_from_slice(&planner.hits);
            }
            swaps.find_again(plans, paths, world.index, is_shortened);
        }
    }

    /// Hands on the motion of movers to the pushable ones that they press against.
    fn hand_on_pushes(&mut self, world: &UpdateWorld) {
        let Self {
            plans,
            numbers,
            planners,
            paths,
            hits,
            walks,
            riders,
            ..
        } = self;
        let is_any_pushable = plans.iter().any(|plan| plan.is_pushable);
        let Some(planner) = planners.first_mut().filter(|_| is_any_pushable) else {
            return;
        };
        let world = PlanWorld {
            update: *world,
            riders,
        };
        let mut pushing = Pushing {
            world,
            plans,
            numbers,
            walks,
            planner,
            paths,
        };
        pushing.run(hits);
    }

    /// Hands on to the walkers that stand on movers what these moved since the last call, from the
    /// lowest of a stack upward.
    fn ride_movers(&mut self, world: &UpdateWorld) {
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
        let Some(planner) = planners.first_mut() else {
            return;
        };
        let number_of = |mover| numbers.get(mover).map(|number| number as usize);
        for &(_, climber) in climbers.iter() {
            let Some((number, walk)) =
                number_of(climber).and_then(|number| Some((number, plans[number].walk?)))
            else {
                continue;
            };
            let Some(floor) = &mut walks[walk].floor else {
                continue;
            };
            let below = floor.mover.and_then(number_of);
            let displacement = below.map_or(Vec2::ZERO, |below| plans[below].displacement);
            let since = displacement - std::mem::replace(&mut floor.handed_on, displacement);
            let displacement = walks[walk].ride(&mut plans[number], since, world.seconds);
            let world = PlanWorld {
                update: *world,
                riders,
            };
            let floor = walks[walk].floor;
            let plan = &mut plans[number];
            let carried = planner.ride(&world, plan, floor.as_ref(), displacement, paths);
            if let Some(floor) = &mut walks[walk].floor {
                floor.carried += carried;
            }
        }
    }

    /// Moves apart the movers whose plans end in each other.
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
            let Some(walk) = plan.walk else {
                continue;
            };
            let plan_of = |mover| Some(&plans[numbers.get(mover)? as usize]);
            let kept = walks[walk].complete(world, plan, plan_of);
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
        Option<&'static MoverHits>,
        Has<Pushable>,
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
    let world = UpdateWorld {
        index,
        floors: &floors,
        parents: &parents,
        hierarchy: &hierarchy,
        crushers: &[],
        seconds,
    };
    for (name, mover, transform, registration, parent, key, walker, hits, is_pushable) in &movers {
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
        let mut plan = MovePlan::new(order, mover, slot, start, to_parent, seconds);
        if let Some(hits) = hits.filter(|hits| hits.is_crushed()) {
            let first = plans.crushers.len();
            let crushers = hits.iter().map(|hit| Crusher::of(hit));
            plans.crushers.extend(crushers);
            plan.crusher_range = first..plans.crushers.len();
        }
        plan.is_pushable = is_pushable;
        plan.crush_site = plans.crush_sites.get(&name.entity).copied();
        if let Some((walker, ground)) = walker {
            let parent = parent.map(ChildOf::parent);
            let walk = WalkPlan::new(&world, walker, ground, parent, &mut plan);
            plan.walk = Some(plans.walks.len());
            plans.walks.push(walk);
        }
        plans.plans.push(plan);
    }
    plans.complete(&movers, &world);
}
