//! Planning the move of one mover.

use std::ops::Range;

use bevy::prelude::*;

use crate::{
    events::{BlockingHit, MoverHit},
    geometry::{Shape, separation, touching_slop},
    index::{ColliderEntry, Waypoint},
    movement::{
        body::{
            AmongBodies, Course, CrushSite, Motion, MoveEnd, MoveInput, MovePlan, RiddenFloor,
            Trajectory, Velocity, component_along,
        },
        escape::{Push, PushBuffers, Turn, push, turn},
        move_and_slide::move_and_slide,
        obstacles::Blockers,
        slide::SlideBuffers,
        support::WalkPlan,
        tolerances::SLOP_SKINS,
        world::UpdateWorld,
    },
};

/// Plans some of the movers. Keeps its buffers.
#[derive(Default)]
pub(crate) struct Planner {
    push_buffers: PushBuffers,
    slide_buffers: SlideBuffers,
    /// The path of the current mover while it was pushed, and then carried.
    push_path: Vec<Vec2>,
    /// What pushed it.
    push_hits: Vec<BlockingHit>,
    /// Its trajectory when its floor carried it, or when it was swept again.
    carry_trajectory: Trajectory,
    /// The trajectory of its own motion after that, and what crushed it while it was pushed.
    trajectory: Trajectory,
    /// The paths of all movers that were planned.
    pub paths: Vec<Waypoint>,
    pub hits: Vec<MoverHit>,
    /// Where movers are crushed, as far as that is known.
    pub crush_sites: Vec<(Entity, CrushSite)>,
    /// The movers that would not end at finite coordinates.
    pub rejected: Vec<Entity>,
}

impl Planner {
    /// Clears what was planned.
    pub fn clear(&mut self) {
        self.paths.clear();
        self.hits.clear();
        self.crush_sites.clear();
        self.rejected.clear();
    }

    /// Moves one mover among walls: they push it, then its floor carries it, then it moves by
    /// itself. A mover without a collider only moves, and nothing blocks it.
    ///
    /// A move that ends early, because of other bodies, turns as it did before. The plan of a mover
    /// that would not end at finite coordinates stays as it is.
    pub fn plan(&mut self, world: &UpdateWorld, plan: &mut MovePlan, walk: Option<&mut WalkPlan>) {
        let MovePlan {
            input,
            walls,
            bodies:
                AmongBodies {
                    max_fraction,
                    course,
                    ..
                },
        } = plan;
        let Some(entry) = input.entry(world.index) else {
            if !input.ends_finite(course.displacement, None) {
                self.rejected.push(input.entity());
            }
            return;
        };
        let ends_early = *max_fraction < 1.0;
        if !ends_early {
            (walls.turned, walls.turn) = self.turn(world, input, &entry);
        }
        let shape = walls.shape(input, &entry);
        let mut motion = world.motion(input, &entry, shape, walk.as_ref().map(|walk| walk.start));
        if ends_early {
            motion.max_fraction = walls.own_fraction(*max_fraction);
        }
        let is_held = world.is_held(input, &entry, shape);
        if is_held {
            motion.desired = Velocity::ZERO;
        }
        let blocks = |other: &ColliderEntry| world.blocks(&entry, shape, other);
        let blockers = world.blockers(input, &entry, shape, &blocks);
        let floor = walk.as_ref().and_then(|walk| walk.floor);
        let (push, carry) = self.push_and_carry(world, &blockers, &motion, floor.as_ref());
        let before = push.displacement + carry;
        let by_floor = floor.map_or(Vec2::ZERO, |floor| floor.displacement);
        if let Some(velocity) = push.bounced {
            motion.desired = motion.desired.changed_to(velocity, world.seconds);
        }
        let motion = motion.after_push(before - by_floor);
        let end = self.move_after_push(&blockers, &motion, push, before);
        let entity = input.entity();
        if !input.ends_finite(before + end.displacement, Some(shape)) {
            self.rejected.push(entity);
            return;
        }
        if let Some(walk) = walk {
            let own = walk.end(motion.desired, end.footing, before);
            course.wanted = before + own;
            walls.wants_to_stay = own == Vec2::ZERO;
        } else if is_held {
            course.wanted = before;
        }
        if !ends_early {
            walls.push_fraction = self.push_fraction();
        }
        walls.pushed = push.displacement;
        course.displacement = before + end.displacement;
        course.velocity = end.velocity;
        // Crushers that moved come first.
        let crushing = self.trajectory.hits.first().filter(|_| end.is_crushed);
        course.crushed_by = crushing.map(|hit| hit.blocker);
        course.path_range = self.add_path_and_hits(entity, walls.push_fraction, before);
        (self.crush_sites).extend(end.crush_site.map(|site| (entity, site)));
    }

    /// Turns a mover. Returns its shape, if it wants to turn, and by how much it turns.
    fn turn(
        &mut self,
        world: &UpdateWorld,
        input: &MoveInput,
        entry: &ColliderEntry,
    ) -> (Option<Shape>, f32) {
        if input.turn == 0.0 {
            return (None, 0.0);
        }
        let pivot = world.pose(input.entity()).map(|pose| pose.translation);
        let shape = input.shape(entry);
        let blocks = |other: &ColliderEntry| world.blocks(entry, shape, other);
        let blockers = world.blockers(input, entry, shape, &blocks);
        let motion = world.motion(input, entry, shape, None);
        let wanted = Turn {
            pivot: pivot.unwrap_or(entry.shape.center()),
            angle: input.turn,
        };
        let SlideBuffers {
            obstacles,
            intervals,
            ..
        } = &mut self.slide_buffers;
        obstacles.clear();
        let (shape, angle) = turn(&blockers, &motion, wanted, obstacles, intervals);
        (Some(shape), angle)
    }

    /// Pushes a mover by walls that moved, then carries a walker along with its floor. Returns the
    /// push, and the displacement of the carry.
    fn push_and_carry(
        &mut self,
        world: &UpdateWorld,
        blockers: &Blockers,
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
    fn push(&mut self, blockers: &Blockers, motion: &Motion, floor: Option<Entity>) -> Push {
        self.push_path.clear();
        self.push_hits.clear();
        if !blockers.index.has_moving_walls() {
            return Push::default();
        }
        let blocks = |wall: &ColliderEntry| floor != Some(wall.entity) && (blockers.blocks)(wall);
        push(
            &Blockers {
                blocks: &blocks,
                ..*blockers
            },
            motion,
            &mut self.push_buffers,
            &mut self.push_path,
            &mut self.push_hits,
        )
    }

    /// Carries a walker along with its floor, minus the push by walls in the same direction.
    /// Returns the displacement.
    fn carry_after_push(
        &mut self,
        world: &UpdateWorld,
        blockers: &Blockers,
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
        world: &UpdateWorld,
        blockers: &Blockers,
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
        let blocks = |other: &ColliderEntry| {
            (blockers.blocks)(other) && !rides_with(other) && !overlaps(other)
        };
        let blockers = Blockers {
            blocks: &blocks,
            ..*blockers
        };
        let trajectory = &mut self.carry_trajectory;
        move_and_slide(&blockers, motion, &mut self.slide_buffers, trajectory).displacement
    }

    /// Moves a mover after its push and its carry, which end at `before`. A mover that the push
    /// crushed stays there.
    fn move_after_push(
        &mut self,
        blockers: &Blockers,
        motion: &Motion,
        push: Push,
        before: Vec2,
    ) -> MoveEnd {
        if push.is_crushed {
            std::mem::swap(&mut self.trajectory.hits, &mut self.push_hits);
            self.push_hits.clear();
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
        world: &UpdateWorld,
        plan: &mut MovePlan,
        floor: Option<&RiddenFloor>,
        displacement: Vec2,
        paths: &mut Vec<Waypoint>,
    ) -> Vec2 {
        let Some(entry) = plan
            .entry(world.index)
            .filter(|_| displacement != Vec2::ZERO)
        else {
            return Vec2::ZERO;
        };
        let start = plan.shape(&entry);
        let shape = start.translated(plan.course().displacement);
        let blocks = |other: &ColliderEntry| world.blocks(&entry, start, other);
        let blockers = world.blockers(&plan.input, &entry, start, &blocks);
        let motion = Motion::slide(&shape, displacement, entry.effective_skin());
        let carried = self.carry(world, &blockers, &motion, floor);
        let course = &mut plan.bodies.course;
        self.extend_path(course, carried, paths);
        course.wanted += displacement;
        carried
    }

    /// Sweeps a planned mover from an offset to its start, and returns its displacement. Only
    /// blockers that `may_block` accepts block it. A standing walker walks.
    pub fn sweep_from(
        &mut self,
        world: &UpdateWorld,
        plan: &MovePlan,
        walk: Option<&WalkPlan>,
        [offset, displacement]: [Vec2; 2],
        may_block: impl Fn(&ColliderEntry) -> bool,
    ) -> Vec2 {
        let Some(entry) = plan.entry(world.index) else {
            return Vec2::ZERO;
        };
        let start = plan.shape(&entry);
        let shape = start.translated(offset);
        let blocks = |other: &ColliderEntry| world.blocks(&entry, start, other) && may_block(other);
        let blockers = world.blockers(&plan.input, &entry, start, &blocks);
        let motion = Motion {
            walk: walk.map(WalkPlan::walk_on),
            ..Motion::slide(&shape, displacement, entry.effective_skin())
        };
        let trajectory = &mut self.carry_trajectory;
        move_and_slide(&blockers, &motion, &mut self.slide_buffers, trajectory).displacement
    }

    /// The first hit of the last [`sweep_from`](Self::sweep_from).
    pub fn first_hit(&self) -> Option<BlockingHit> {
        self.carry_trajectory.hits.first().copied()
    }

    /// Extends a course by the last carry or sweep, whose displacement was `moved`. Appends its new
    /// path to `paths`. Times are proportional to the lengths.
    pub fn extend_path(&self, course: &mut Course, moved: Vec2, paths: &mut Vec<Waypoint>) {
        let own = path_length(course.path(paths).iter().map(|waypoint| waypoint.offset));
        let own_fraction = own / (own + moved.length()).max(f32::MIN_POSITIVE);
        let start = paths.len() as u32;
        for number in course.path_range.clone() {
            let waypoint = paths[number as usize];
            paths.push(Waypoint {
                fraction: waypoint.fraction * own_fraction,
                ..waypoint
            });
        }
        let ride = self.carry_trajectory.path.iter();
        paths.extend(ride.map(|waypoint| Waypoint {
            fraction: own_fraction + (1.0 - own_fraction) * waypoint.fraction,
            offset: course.displacement + waypoint.offset,
        }));
        course.path_range = start..paths.len() as u32;
        course.displacement += moved;
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
    /// lengths; and its hits. Returns the range of its waypoints.
    fn add_path_and_hits(
        &mut self,
        entity: Entity,
        push_fraction: f32,
        before: Vec2,
    ) -> Range<u32> {
        let of_update = |fraction: f32| push_fraction + (1.0 - push_fraction) * fraction;
        let start = self.paths.len() as u32;
        if push_fraction > 0.0 {
            let turns = self.push_path.len() as f32;
            let numbered = (1u16..).zip(&self.push_path);
            let turns = numbered.map(|(number, &offset)| Waypoint {
                fraction: push_fraction * f32::from(number) / turns,
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
            fraction: of_update(waypoint.fraction),
            offset: before + waypoint.offset,
        }));
        let own_hits = &self.trajectory.hits;
        let is_hit = |by: &BlockingHit| own_hits.iter().any(|hit| hit.blocker == by.blocker);
        let pushed = (self.push_hits.iter()).filter(|hit| !is_hit(hit));
        let pushed = pushed.map(|hit| (push_fraction * hit.fraction, hit));
        let own = own_hits.iter().map(|hit| (of_update(hit.fraction), hit));
        self.hits
            .extend(pushed.chain(own).map(|(fraction, hit)| MoverHit {
                entity,
                hit: BlockingHit { fraction, ..*hit },
            }));
        start..self.paths.len() as u32
    }
}

/// The length of a path from the origin, in world units: finite, so that fractions of it are not
/// NaN.
fn path_length(points: impl Iterator<Item = Vec2>) -> f32 {
    let mut last = Vec2::ZERO;
    let lengths = points.map(|point| point.distance(std::mem::replace(&mut last, point)));
    lengths.sum::<f32>().min(f32::MAX)
}
