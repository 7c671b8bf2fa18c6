//! Planning the move of one mover.

use std::ops::Range;

use bevy::prelude::*;

use super::{
    crowd::deep_overlap,
    motion::{Motion, MoveEnd, Trajectory, Velocity, done_by},
    move_and_slide::move_and_slide,
    move_plan::MovePlan,
    obstacles::Blockers,
    push::{Push, PushBuffers, push},
    ride::{RiddenFloor, WalkPlan},
    riders::Riders,
    slide::SlideBuffers,
    tolerances::SLOP_SKINS,
    walk_rules::Footing,
    world::UpdateWorld,
};
use crate::{
    components::MoverResponse,
    events::{BlockingHit, MoverHit},
    geometry::{Shape, separation, touching_slop},
    index::{ColliderEntry, MoverRelation, Waypoint, are_related},
};

/// Plans some of the movers. Keeps its buffers.
#[derive(Default)]
pub(super) struct Planner {
    push_buffers: PushBuffers,
    slide_buffers: SlideBuffers,
    /// Where the mover that is planned was pushed, and then carried.
    push_path: Vec<Vec2>,
    /// How its floor carried it.
    carry_trajectory: Trajectory,
    /// Its own motion after that.
    trajectory: Trajectory,
    /// The paths of all movers that were planned.
    pub paths: Vec<Waypoint>,
    pub hits: Vec<MoverHit>,
    /// What the walkers touch where they end, and by how much their floors carried them, by the
    /// numbers of their plans as walkers.
    footings: Vec<(usize, Footing, Vec2)>,
}

/// What the plan of a mover depends on.
pub(super) struct PlanWorld<'a> {
    update: UpdateWorld<'a>,
    walks: &'a [WalkPlan],
    riders: &'a Riders,
}

impl<'a> PlanWorld<'a> {
    pub fn new(update: UpdateWorld<'a>, walks: &'a [WalkPlan], riders: &'a Riders) -> Self {
        Self {
            update,
            walks,
            riders,
        }
    }

    /// Whether a collider blocks the mover of a plan. Who stands on it does not.
    fn blocks(&self, plan: &MovePlan, entry: &ColliderEntry, other: &ColliderEntry) -> bool {
        let is_above = |mover| self.riders.is_above(mover, plan.entity);
        let is_in_it = || {
            other.role.body == MoverRelation::Itself
                && deep_overlap(entry.shape, other.shape).is_some()
        };
        entry.is_blocked_by(other)
            && !are_related(entry, other, self.update.parents)
            && !other.mover().is_some_and(is_above)
            && !is_in_it()
    }

    /// Whether a mover that was crushed is still in what moves with another mover: then it stays.
    fn is_held(&self, plan: &MovePlan, entry: &ColliderEntry) -> bool {
        let index = self.update.index;
        let mut is_held = false;
        if !plan.crusher_range.is_empty() {
            index.visit_overlapping(&entry.shape.aabb(), |other| {
                is_held |= !other.role.is_wall()
                    && entry.is_blocked_by(&other)
                    && !are_related(entry, &other, self.update.parents)
                    && deep_overlap(entry.shape, other.shape).is_some();
            });
        }
        is_held
    }

    fn motion<'e>(&self, plan: &MovePlan, entry: &ColliderEntry<'e>) -> Motion<'e>
    where
        'a: 'e,
    {
        Motion {
            shape: entry.shape,
            desired: plan.desired,
            max_fraction: plan.own_max_fraction(),
            response: plan.response,
            restitution: plan.restitution,
            skin: entry.effective_skin(),
            seconds: self.update.seconds,
            is_after_walls: false,
            carry: Vec2::ZERO,
            walk: (plan.walk.filter(|_| plan.response == MoverResponse::Slide))
                .map(|number| self.walks[number].rules),
            crush_site: plan.crush_site,
            crushers: self.update.crushers_of(plan),
        }
    }
}

impl Planner {
    /// Clears what was planned.
    pub fn clear(&mut self) {
        self.paths.clear();
        self.hits.clear();
        self.footings.clear();
    }

    /// Moves the footings of the walkers that were planned to their plans.
    pub fn store_footings(&mut self, walks: &mut [WalkPlan]) {
        for (number, footing, carried) in self.footings.drain(..) {
            walks[number].footing = footing;
            if let Some(floor) = &mut walks[number].floor {
                floor.carried = carried;
            }
        }
    }

    /// Plans one mover, which colliders may block if it has one itself: walls push it, then its
    /// floor carries it, then it moves by itself.
    pub fn plan(&mut self, world: &PlanWorld, plan: &mut MovePlan) {
        let index = world.update.index;
        let Some(entry) = plan.entry(index) else {
            plan.slot = None;
            plan.is_finite = plan.ends_finite(None);
            return;
        };
        let walk = plan.walk.map(|number| &world.walks[number]);
        let mut motion = world.motion(plan, &entry);
        plan.is_held = world.is_held(plan, &entry);
        if plan.is_held {
            motion.desired = Velocity::ZERO;
        }
        let blockers = Blockers::new(index, |other: &ColliderEntry| {
            world.blocks(plan, &entry, other)
        });
        let floor = walk.and_then(|walk| walk.floor);
        let along = (floor.as_ref(), world.riders);
        let (push, carry) = self.push_and_carry(&blockers, &entry, &motion, along);
        let before = push.displacement + carry;
        let by_floor = floor.map_or(Vec2::ZERO, |floor| floor.displacement);
        let motion = Motion {
            carry,
            ..motion.after_push(before - by_floor)
        };
        let end = self.move_after_push(&blockers, &motion, push, before);
        plan.velocity = end.velocity;
        plan.displacement = before + end.displacement;
        if let Some(walk) = walk {
            let own = walk.rules.wanted(motion.desired.per_update, &end.footing);
            plan.wanted = before + own;
            plan.rests = own == Vec2::ZERO;
        }
        plan.is_finite = plan.ends_finite(Some(entry.shape));
        if !plan.is_finite {
            return;
        }
        // Of what crushes it, that which moved comes first.
        let crushing = self.trajectory.hits.first().filter(|_| end.is_crushed);
        plan.crushed_by = crushing.map(|hit| hit.blocker);
        plan.crush_site = end.crush_site;
        // A path that is shortened keeps the fraction of the first plan.
        if plan.max_fraction == 1.0 {
            plan.push_fraction = self.push_fraction();
        }
        plan.path_range = self.add_path(plan, before);
        let carried = done_by(by_floor, before);
        self.footings
            .extend(plan.walk.map(|number| (number, end.footing, carried)));
        let hits = self.trajectory.hits.iter();
        self.hits.extend(hits.map(|hit| MoverHit {
            entity: plan.entity,
            hit: BlockingHit {
                fraction: plan.update_fraction(hit.fraction),
                ..*hit
            },
        }));
    }

    /// Pushes a mover by walls that moved, then carries a walker along with its floor. Returns the
    /// push, and the displacement of the carry.
    fn push_and_carry(
        &mut self,
        blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
        entry: &ColliderEntry,
        motion: &Motion,
        (floor, riders): (Option<&RiddenFloor>, &Riders),
    ) -> (Push, Vec2) {
        let push = self.push(blockers, entry, motion, floor.map(|floor| floor.entity));
        let Some(floor) = floor else {
            return (push, Vec2::ZERO);
        };
        let carry = self.carry_after_push(blockers, motion, push, (floor, riders));
        let missing = floor.displacement - push.displacement - carry;
        if missing.dot(floor.normal) <= SLOP_SKINS * motion.skin {
            return (push, carry);
        }
        // Something is in the way, toward which the floor pushes the walker.
        let push = self.push(blockers, entry, motion, None);
        let carry = self.carry_after_push(blockers, motion, push, (floor, riders));
        (push, carry)
    }

    /// Pushes a mover by walls that moved, except `floor`, and those that move together with it.
    fn push(
        &mut self,
        blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
        entry: &ColliderEntry,
        motion: &Motion,
        floor: Option<Entity>,
    ) -> Push {
        self.push_path.clear();
        if !blockers.index.has_moving_walls() {
            return Push::default();
        }
        let root = entry.role.has_parent.then(|| entry.root());
        let pushers = Blockers::new(blockers.index, |wall: &ColliderEntry| {
            (blockers.blocks)(wall) && root != Some(wall.root()) && floor != Some(wall.entity)
        });
        push(
            &pushers,
            motion,
            &mut self.push_buffers,
            &mut self.push_path,
            &mut self.trajectory.hits,
        )
    }

    /// Carries a walker by what no wall pushed it already. Returns the displacement.
    fn carry_after_push(
        &mut self,
        blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
        motion: &Motion,
        push: Push,
        (floor, riders): (&RiddenFloor, &Riders),
    ) -> Vec2 {
        let carry = floor.displacement - done_by(push.displacement, floor.displacement);
        if push.is_crushed || carry == Vec2::ZERO {
            return Vec2::ZERO;
        }
        let shape = motion.shape.translated(push.displacement);
        let carried = self.carry(blockers, motion, (&shape, carry), (Some(floor), riders));
        let path = self.carry_trajectory.path.iter();
        let path = path.map(|waypoint| push.displacement + waypoint.offset);
        self.push_path.extend(path);
        carried
    }

    /// Sweeps a walker along with its floor. Neither the floor blocks it, nor others that stand on
    /// it, nor what overlaps the walker: walls are at their ends already. Returns the displacement.
    fn carry(
        &mut self,
        blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
        motion: &Motion,
        (shape, displacement): (&Shape, Vec2),
        (floor, riders): (Option<&RiddenFloor>, &Riders),
    ) -> Vec2 {
        let moves_along = |other: &ColliderEntry| {
            floor.is_some_and(|floor| {
                let is_body =
                    |mover| Some(mover) == floor.mover || riders.moves_along(mover, floor);
                other.entity == floor.entity || other.mover().is_some_and(is_body)
            })
        };
        let overlaps = |other: &ColliderEntry| {
            separation(shape, other.shape).distance < -touching_slop(shape, other.shape)
        };
        let blockers = Blockers::new(blockers.index, |other: &ColliderEntry| {
            (blockers.blocks)(other) && !moves_along(other) && !overlaps(other)
        });
        let motion = Motion {
            shape,
            desired: Velocity {
                per_update: displacement,
                per_second: displacement / motion.seconds,
            },
            max_fraction: 1.0,
            response: MoverResponse::Slide,
            is_after_walls: true,
            walk: None,
            ..*motion
        };
        let trajectory = &mut self.carry_trajectory;
        move_and_slide(&blockers, &motion, &mut self.slide_buffers, trajectory).displacement
    }

    /// Moves a mover after its push and its carry, which end at `before`. One that the push crushed
    /// stays there.
    fn move_after_push(
        &mut self,
        blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
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

    /// Carries a planned walker along with its floor, whose mover moves by `displacement`. Appends
    /// its new path to `paths`. Returns by how much it carried the walker.
    pub fn ride(
        &mut self,
        world: &PlanWorld,
        plan: &mut MovePlan,
        displacement: Vec2,
        paths: &mut Vec<Waypoint>,
    ) -> Vec2 {
        let floor = plan.walk.and_then(|number| world.walks[number].floor);
        let Some(entry) = plan
            .entry(world.update.index)
            .filter(|_| displacement != Vec2::ZERO)
        else {
            return Vec2::ZERO;
        };
        let shape = entry.shape.translated(plan.displacement);
        let blockers = Blockers::new(world.update.index, |other: &ColliderEntry| {
            world.blocks(plan, &entry, other)
        });
        let motion = world.motion(plan, &entry);
        let along = (floor.as_ref(), world.riders);
        let carried = self.carry(&blockers, &motion, (&shape, displacement), along);
        self.extend_path(plan, carried, paths);
        plan.displacement += carried;
        plan.wanted += displacement;
        carried
    }

    /// Appends the path of a plan to `paths`, extended by that of its ride, in a time proportional
    /// to the length of each.
    fn extend_path(&self, plan: &mut MovePlan, carried: Vec2, paths: &mut Vec<Waypoint>) {
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

/// The length of a path from the origin, or the greatest number if it is longer: fractions of it
/// are numbers.
fn path_length(points: impl Iterator<Item = Vec2>) -> f32 {
    let mut last = Vec2::ZERO;
    let lengths = points.map(|point| point.distance(std::mem::replace(&mut last, point)));
    lengths.sum::<f32>().min(f32::MAX)
}
