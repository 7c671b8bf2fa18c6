//! Planning the moves of all movers, each on the same snapshot.

use std::ops::Range;

use bevy::{
    ecs::{entity::EntityHashSet, name::NameOrEntity},
    math::Mat2,
    prelude::*,
};
use log::warn;

use super::{
    crowd::{Crowd, separate},
    motion::{Motion, MoveEnd, Trajectory},
    move_and_slide::{SlideBuffers, move_and_slide},
    move_plan::MovePlan,
    obstacles::Blockers,
    push::{Push, PushBuffers, push},
    swaps::Swaps,
    tolerances::{MAX_SWAP_ROUNDS, PLAN_CHUNKS_PER_THREAD, WORK_PER_MOVER},
};
use crate::{
    components::Mover,
    events::{BlockingHit, MoverHit},
    index::{
        ColliderEntry, ColliderIndex, Parents, Registration, TransformHierarchy, Waypoint,
        are_related,
    },
    parallel,
    schedule::OnMainThread,
};

/// The plans of all movers in this update.
#[derive(Resource, Default)]
pub(crate) struct MovePlans {
    /// Sorted by entity.
    pub(super) plans: Vec<MovePlan>,
    /// The movers that do not move in this update.
    pub(super) resting: Vec<Entity>,
    /// The paths of all movers, one after another.
    pub(super) paths: Vec<Waypoint>,
    /// What blocked each mover, one after another.
    pub(super) hits: Vec<MoverHit>,
    /// One for each chunk of movers.
    planners: Vec<Planner>,
    swaps: Swaps,
    /// The plans whose paths end earlier than was planned.
    shortened: Vec<u32>,
    crowd: Crowd,
    /// The movers with a motion or an end that is not finite: in this update, and in the one
    /// before.
    invalid: [EntityHashSet; 2],
}

/// Plans some of the movers. Keeps its buffers.
#[derive(Default)]
struct Planner {
    push_buffers: PushBuffers,
    slide_buffers: SlideBuffers,
    /// Where the mover that is planned was pushed.
    push_path: Vec<Vec2>,
    /// Its own motion after that.
    trajectory: Trajectory,
    /// The paths of all movers that were planned.
    paths: Vec<Waypoint>,
    hits: Vec<MoverHit>,
}

impl MovePlans {
    fn begin_update(&mut self) {
        self.plans.clear();
        self.resting.clear();
        self.paths.clear();
        self.hits.clear();
        self.invalid.swap(0, 1);
        self.invalid[0].clear();
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

    /// Leaves those movers where they are that would end at coordinates that are not finite.
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

    /// Plans all movers, in parallel.
    fn plan_all(&mut self, index: &ColliderIndex, parents: &Parents, seconds: f32) {
        let Self {
            plans,
            planners,
            paths,
            hits,
            ..
        } = self;
        let work = plans.len() * WORK_PER_MOVER;
        let chunks = parallel::threads_for(work) * PLAN_CHUNKS_PER_THREAD;
        planners.resize_with(chunks, Planner::default);
        let size = plans.len().div_ceil(chunks).max(1);
        let pieces = plans.chunks_mut(size).zip(planners.iter_mut());
        parallel::for_each(work, pieces, |(plans, planner)| {
            planner.paths.clear();
            planner.hits.clear();
            for plan in plans {
                planner.plan(index, plan, parents, seconds);
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
    fn end_at_swaps(&mut self, index: &ColliderIndex, parents: &Parents, seconds: f32) {
        let Self {
            plans,
            planners,
            paths,
            hits,
            swaps,
            shortened,
            ..
        } = self;
        let Some(planner) = planners.first_mut() else {
            return;
        };
        swaps.find(plans, paths, index, parents);
        for _ in 0..MAX_SWAP_ROUNDS {
            swaps.shorten_paths(plans, shortened);
            if shortened.is_empty() {
                return;
            }
            let is_shortened = |plan: u32| shortened.binary_search(&plan).is_ok();
            hits.retain(|hit| {
                let plan = plans.partition_point(|plan| plan.entity < hit.entity);
                !is_shortened(plan as u32)
            });
            for &number in shortened.iter() {
                let plan = &mut plans[number as usize];
                planner.paths.clear();
                planner.hits.clear();
                planner.plan(index, plan, parents, seconds);
                plan.path_range = paths.len()..paths.len() + planner.paths.len();
                paths.extend_from_slice(&planner.paths);
                hits.extend_from_slice(&planner.hits);
            }
            swaps.find_again(plans, paths, index, is_shortened);
        }
    }
}

impl Planner {
    /// Plans one mover, which colliders may block if it has one itself.
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
            desired: plan.desired,
            max_fraction: plan.own_max_fraction(),
            response: plan.response,
            restitution: plan.restitution,
            skin: entry.effective_skin(),
            seconds,
            is_after_walls: false,
        };
        let blockers = Blockers::new(index, |other: &ColliderEntry| {
            entry.is_blocked_by(other) && !are_related(&entry, other, parents)
        });
        let push = self.push(&blockers, &entry, &motion);
        let end = self.move_after_push(&blockers, &motion, push);
        plan.velocity = end.velocity;
        plan.displacement = push.displacement + end.displacement;
        plan.is_finite = plan.ends_finite(Some(entry.shape));
        if !plan.is_finite {
            return;
        }
        plan.is_crushed = end.is_crushed;
        // A path that is shortened keeps the fraction of the first plan.
        if plan.max_fraction == 1.0 {
            plan.push_fraction = self.push_fraction();
        }
        plan.path_range = self.add_path(plan, push.displacement);
        let hits = self.trajectory.hits.iter();
        self.hits.extend(hits.map(|hit| MoverHit {
            entity: plan.entity,
            hit: BlockingHit {
                fraction: plan.update_fraction(hit.fraction),
                ..*hit
            },
        }));
    }

    /// Pushes a mover by walls that moved, except those that are carried together with it.
    fn push(
        &mut self,
        blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
        entry: &ColliderEntry,
        motion: &Motion,
    ) -> Push {
        self.push_path.clear();
        if !blockers.index.has_moving_walls() {
            return Push::default();
        }
        let root = entry.role.has_parent.then(|| entry.root());
        let pushers = Blockers::new(blockers.index, |wall: &ColliderEntry| {
            (blockers.blocks)(wall) && root != Some(wall.root())
        });
        push(
            &pushers,
            motion,
            &mut self.push_buffers,
            &mut self.push_path,
            &mut self.trajectory.hits,
        )
    }

    /// Moves a mover after its push. One that the push crushed stays there.
    fn move_after_push(
        &mut self,
        blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
        motion: &Motion,
        push: Push,
    ) -> MoveEnd {
        if push.is_crushed {
            self.trajectory.stay();
            return MoveEnd::CRUSHED;
        }
        let shape = motion.shape.translated(push.displacement);
        let motion = motion.after_push(&shape, push.displacement);
        let Self {
            slide_buffers,
            trajectory,
            ..
        } = self;
        move_and_slide(blockers, &motion, slide_buffers, trajectory)
    }

    /// The fraction of its whole path on which a mover is pushed.
    fn push_fraction(&self) -> f32 {
        let pushed = path_length(self.push_path.iter().copied());
        let own = path_length(self.trajectory.path.iter().map(|waypoint| waypoint.offset));
        if pushed > 0.0 {
            pushed / (pushed + own)
        } else {
            0.0
        }
    }

    /// Adds the path of a mover: that of the push, then its own, each in a time proportional to its
    /// length. Returns the range of its waypoints.
    fn add_path(&mut self, plan: &MovePlan, pushed: Vec2) -> Range<usize> {
        let start = self.paths.len();
        if plan.push_fraction > 0.0 {
            let turns = self.push_path.len() as f32;
            let numbered = (1u16..).zip(&self.push_path);
            let turns = numbered.map(|(number, &offset)| Waypoint {
                fraction: plan.push_fraction * f32::from(number) / turns,
                offset,
            });
            self.paths.push(Waypoint {
                fraction: 0.0,
                offset: Vec2::ZERO,
            });
            self.paths.extend(turns);
        }
        let own = self.trajectory.path.iter();
        self.paths.extend(own.map(|waypoint| Waypoint {
            fraction: plan.update_fraction(waypoint.fraction),
            offset: pushed + waypoint.offset,
        }));
        start..self.paths.len()
    }
}

/// The length of a path from the origin.
fn path_length(points: impl Iterator<Item = Vec2>) -> f32 {
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

/// Plans where every mover goes in this update. Moves none.
pub(crate) fn plan_moves(
    mut plans: ResMut<MovePlans>,
    mut index: ResMut<ColliderIndex>,
    time: Option<Res<Time>>,
    movers: Movers,
    parents: Parents,
    hierarchy: TransformHierarchy,
    _: OnMainThread,
) {
    plans.begin_update();
    index.begin_moves();
    let index = &*index;
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    for (name, mover, transform, registration, parent) in &movers {
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
        let plan = MovePlan::new((name.entity, mover), slot, (start, to_parent), seconds);
        plans.plans.push(plan);
    }
    plans.plans.sort_unstable_by_key(|plan| plan.entity);
    plans.plan_all(index, &parents, seconds);
    plans.refuse_infinite_ends(&movers);
    plans.end_at_swaps(index, &parents, seconds);
    let MovePlans {
        plans, crowd, hits, ..
    } = &mut *plans;
    separate(plans, crowd, index, &parents);
    // Those of shortened paths are at the end.
    if !hits.is_sorted_by_key(|hit| hit.entity) {
        hits.sort_by_key(|hit| hit.entity);
    }
}
