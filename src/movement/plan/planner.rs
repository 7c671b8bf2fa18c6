//! Planning the move of one mover.

use std::ops::Range;

use bevy::prelude::*;

use super::plan_world::PlanWorld;
use crate::{
    events::{BlockingHit, MoverHit},
    geometry::{separation, touching_slop},
    index::{ColliderEntry, Waypoint},
    movement::{
        body::{Motion, MoveEnd, MovePlan, Trajectory, Velocity, component_along},
        escape::{Push, PushBuffers, Turn, push, turn},
        move_and_slide::move_and_slide,
        obstacles::{Blockers, Blocks},
        slide::SlideBuffers,
        support::{RiddenFloor, WalkPlan},
        tolerances::SLOP_SKINS,
    },
};

/// Plans some of the movers. Keeps its buffers.
#[derive(Default)]
pub(crate) struct Planner {
    push_buffers: PushBuffers,
    slide_buffers: SlideBuffers,
    /// The path of the current mover while it was pushed, and then carried.
    push_path: Vec<Vec2>,
    /// Its trajectory when its floor carried it, or when it was swept on from its end.
    carry_trajectory: Trajectory,
    /// The trajectory of its own motion after that, and what crushed it while it was pushed.
    trajectory: Trajectory,
    /// The paths of all movers that were planned.
    pub paths: Vec<Waypoint>,
    pub hits: Vec<MoverHit>,
}

impl Planner {
    /// Clears the paths and hits.
    pub fn clear(&mut self) {
        self.paths.clear();
        self.hits.clear();
    }

    /// Plans one mover: walls push it, then its floor carries it, then it moves by itself. A mover
    /// without a collider only moves, and nothing blocks it.
    pub fn plan(
        &mut self,
        world: &PlanWorld,
        plan: &mut MovePlan,
        mut walk: Option<&mut WalkPlan>,
    ) {
        let index = world.update.index;
        let Some(entry) = plan.entry(index) else {
            plan.slot = None;
            plan.is_finite = plan.ends_finite(None);
            return;
        };
        self.turn(world, plan, &entry);
        let own_shape = plan.own_shape.clone();
        let shape = own_shape.as_ref().unwrap_or(entry.shape);
        let mut motion = world.motion(plan, &entry, shape, walk.as_ref().map(|walk| walk.start));
        let is_held = world.is_held(plan, &entry);
        if is_held {
            motion.desired = Velocity::ZERO;
        }
        let blockers = world.blockers(plan, &entry);
        let floor = walk.as_ref().and_then(|walk| walk.floor);
        let (push, carry) = self.push_and_carry(world, &blockers, &motion, floor.as_ref());
        let before = push.displacement + carry;
        let by_floor = floor.map_or(Vec2::ZERO, |floor| floor.displacement);
        let motion = motion.after_push(before - by_floor);
        let end = self.move_after_push(&blockers, &motion, push, before);
        plan.velocity = end.velocity;
        plan.displacement = before + end.displacement;
        if let Some(walk) = &walk {
            let own = walk
                .start
                .rules
                .wanted(motion.desired.per_update, &end.footing);
            plan.wanted = before + own;
            plan.wants_to_stay = own == Vec2::ZERO;
        } else if is_held {
            plan.wanted = before;
        }
        plan.is_finite = plan.ends_finite(Some(shape));
        if !plan.is_finite {
            return;
        }
        // Crushers that moved come first.
        let crushing = self.trajectory.hits.first().filter(|_| end.is_crushed);
        plan.crushed_by = crushing.map(|hit| hit.blocker);
        plan.crush_site = end.crush_site;
        // A shortened path keeps the fraction of the first plan.
        if plan.max_fraction == 1.0 {
            plan.push_fraction = self.push_fraction();
        }
        plan.path_range = self.add_path(plan, before);
        if let Some(walk) = &mut walk {
            walk.footing = end.footing;
            if let Some(floor) = &mut walk.floor {
                floor.carried = component_along(floor.displacement, before);
            }
        }
        let hits = self.trajectory.hits.iter();
        self.hits.extend(hits.map(|hit| MoverHit {
            entity: plan.entity,
            hit: BlockingHit {
                fraction: plan.update_fraction(hit.fraction),
                ..*hit
            },
        }));
    }

    /// Turns a mover, unless it has turned in an earlier plan of this update.
    fn turn(&mut self, world: &PlanWorld, plan: &mut MovePlan, entry: &ColliderEntry) {
        if plan.turn == 0.0 || std::mem::replace(&mut plan.has_turned, true) {
            return;
        }
        let pivot = world.update.pose(plan.entity).map(|pose| pose.translation);
        let blockers = world.blockers(plan, entry);
        let motion = world.motion(plan, entry, plan.shape(entry), None);
        let wanted = Turn {
            pivot: pivot.unwrap_or(entry.shape.center()),
            angle: plan.turn,
        };
        let SlideBuffers {
            obstacles,
            intervals,
            ..
        } = &mut self.slide_buffers;
        obstacles.clear();
        let (shape, angle) = turn(&blockers, &motion, wanted, obstacles, intervals);
        (plan.own_shape, plan.turn) = (Some(shape), angle);
    }

    /// Pushes a mover by walls that moved, then carries a walker along with its floor. Returns the
    /// push, and the displacement of the carry.
    fn push_and_carry(
        &mut self,
        world: &PlanWorld,
        blockers: &Blockers<impl Blocks>,
        motion: &Motion,
        floor: Option<&RiddenFloor>,
    ) -> (Push, Vec2) {
        let push = self.push(blockers, motion, floor.map(|floor| floor.entity));
        let Some(floor) = floor else {
            return (push, Vec2::ZERO);
        };
        let carry = self.carry_after_push(world, blockers, motion, push, floor);
        let missing = floor.displacement - push.displacement - carry;
        if missing.dot(floor.normal) <= SLOP_SKINS * motion.skin {
            return (push, carry);
        }
        // Something blocks the carry, so the floor pushes the walker against it.
        let push = self.push(blockers, motion, None);
        let carry = self.carry_after_push(world, blockers, motion, push, floor);
        (push, carry)
    }

    /// Pushes a mover by walls that moved, except `floor`.
    fn push(
        &mut self,
        blockers: &Blockers<impl Blocks>,
        motion: &Motion,
        floor: Option<Entity>,
    ) -> Push {
        self.push_path.clear();
        if !blockers.index.has_moving_walls() {
            return Push::default();
        }
        push(
            &blockers.narrowed(|wall: &ColliderEntry| floor != Some(wall.entity)),
            motion,
            &mut self.push_buffers,
            &mut self.push_path,
            &mut self.trajectory.hits,
        )
    }

    /// Carries a walker along with its floor, minus the push by walls in the same direction.
    /// Returns the displacement.
    fn carry_after_push(
        &mut self,
        world: &PlanWorld,
        blockers: &Blockers<impl Blocks>,
        motion: &Motion,
        push: Push,
        floor: &RiddenFloor,
    ) -> Vec2 {
        let carry = floor.displacement - component_along(floor.displacement, push.displacement);
        if push.is_crushed || carry == Vec2::ZERO {
            return Vec2::ZERO;
        }
        let shape = motion.shape.translated(push.displacement);
        let motion = Motion::slide(&shape, carry, motion.skin);
        let carried = self.carry(world, blockers, &motion, Some(floor));
        let path = self.carry_trajectory.path.iter();
        let path = path.map(|waypoint| push.displacement + waypoint.offset);
        self.push_path.extend(path);
        carried
    }

    /// Sweeps a walker along with its floor, and returns the displacement. The floor does not block
    /// it, and neither do others on the floor, nor what overlaps the walker, because walls are at
    /// their ends already.
    fn carry(
        &mut self,
        world: &PlanWorld,
        blockers: &Blockers<impl Blocks>,
        motion: &Motion,
        floor: Option<&RiddenFloor>,
    ) -> Vec2 {
        let rides_with = |other: &ColliderEntry| {
            floor.is_some_and(|floor| {
                let is_body =
                    |mover| Some(mover) == floor.mover || world.riders.rides_with(mover, floor);
                other.entity == floor.entity || other.mover().is_some_and(is_body)
            })
        };
        let overlaps = |other: &ColliderEntry| {
            let shape = motion.shape;
            separation(shape, other.shape).distance < -touching_slop(shape, other.shape)
        };
        let blockers =
            blockers.narrowed(|other: &ColliderEntry| !rides_with(other) && !overlaps(other));
        let trajectory = &mut self.carry_trajectory;
        move_and_slide(&blockers, motion, &mut self.slide_buffers, trajectory).displacement
    }

    /// Moves a mover after its push and its carry, which end at `before`. A mover that the push
    /// crushed stays there.
    fn move_after_push(
        &mut self,
        blockers: &Blockers<impl Blocks>,
        motion: &Motion,
        push: Push,
        before: Vec2,
    ) -> MoveEnd {
        if push.is_crushed {
            self.trajectory.stay();
            return MoveEnd::crushed(None);
        }
        let shape = motion.shape.translated(before);
        let motion = Motion {
            shape: &shape,
            ..*motion
        };
        let Self {
            slide_buffers,
            trajectory,
            ..
        } = self;
        move_and_slide(blockers, &motion, slide_buffers, trajectory)
    }

    /// Carries a planned walker along with its floor, whose mover moves by `displacement`. Returns
    /// the displacement of the walker. Appends its new path to `paths`.
    pub fn carry_on(
        &mut self,
        world: &PlanWorld,
        plan: &mut MovePlan,
        floor: Option<&RiddenFloor>,
        displacement: Vec2,
        paths: &mut Vec<Waypoint>,
    ) -> Vec2 {
        let Some(entry) = plan
            .entry(world.update.index)
            .filter(|_| displacement != Vec2::ZERO)
        else {
            return Vec2::ZERO;
        };
        let shape = plan.shape(&entry).translated(plan.displacement);
        let blockers = world.blockers(plan, &entry);
        let motion = Motion::slide(&shape, displacement, entry.effective_skin());
        let carried = self.carry(world, &blockers, &motion, floor);
        self.extend_path(plan, carried, paths);
        plan.displacement += carried;
        plan.wanted += displacement;
        carried
    }

    /// Sweeps a planned mover on from its end, and returns its displacement. Only blockers that
    /// `may_block` accepts block it. A standing walker walks.
    pub fn sweep_on(
        &mut self,
        world: &PlanWorld,
        plan: &MovePlan,
        walk: Option<&WalkPlan>,
        displacement: Vec2,
        may_block: impl Fn(&ColliderEntry) -> bool,
    ) -> Vec2 {
        let Some(entry) = plan.entry(world.update.index) else {
            return Vec2::ZERO;
        };
        let blockers = world.blockers(plan, &entry);
        let blockers = blockers.narrowed(may_block);
        let shape = plan.shape(&entry).translated(plan.displacement);
        let motion = Motion {
            walk: walk.map(WalkPlan::walk_on),
            ..Motion::slide(&shape, displacement, entry.effective_skin())
        };
        let trajectory = &mut self.carry_trajectory;
        move_and_slide(&blockers, &motion, &mut self.slide_buffers, trajectory).displacement
    }

    /// The first hit of the last [`sweep_on`](Self::sweep_on).
    pub fn first_hit_on(&self) -> Option<BlockingHit> {
        self.carry_trajectory.hits.first().copied()
    }

    /// Appends the path of a plan to `paths`, extended by that of the last carry or sweep. Times
    /// are proportional to the lengths.
    pub fn extend_path(&self, plan: &mut MovePlan, carried: Vec2, paths: &mut Vec<Waypoint>) {
        let own = path_length(plan.path(paths).iter().map(|waypoint| waypoint.offset));
        let own_fraction = own / (own + carried.length()).max(f32::MIN_POSITIVE);
        let start = paths.len();
        for number in plan.path_range.clone() {
            let waypoint = paths[number];
            paths.push(Waypoint {
                fraction: waypoint.fraction * own_fraction,
                ..waypoint
            });
        }
        let ride = self.carry_trajectory.path.iter();
        paths.extend(ride.map(|waypoint| Waypoint {
            fraction: own_fraction + (1.0 - own_fraction) * waypoint.fraction,
            offset: plan.displacement + waypoint.offset,
        }));
        plan.path_range = start..paths.len();
    }

    /// The fraction of its whole path on which the mover was pushed or carried.
    fn push_fraction(&self) -> f32 {
        let pushed = path_length(self.push_path.iter().copied());
        let own = path_length(self.trajectory.path.iter().map(|waypoint| waypoint.offset));
        if pushed > 0.0 {
            pushed / (pushed + own)
        } else {
            0.0
        }
    }

    /// Adds the path of a mover: that of the push, then its own, in times proportional to the
    /// lengths. Returns the range of its waypoints.
    fn add_path(&mut self, plan: &MovePlan, before: Vec2) -> Range<usize> {
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
            offset: before + waypoint.offset,
        }));
        start..self.paths.len()
    }
}

/// The length of a path from the origin, in world units: finite, so that fractions of it are not
/// NaN.
fn path_length(points: impl Iterator<Item = Vec2>) -> f32 {
    let mut last = Vec2::ZERO;
    let lengths = points.map(|point| point.distance(std::mem::replace(&mut last, point)));
    lengths.sum::<f32>().min(f32::MAX)
}
