//! How a walker moves: along its floor, down where the floor falls away, and through the air.

use bevy::math::Vec2;

use super::{
    corners::find_corner,
    steps::{Step, find_step_down, find_step_up},
    surfaces::{best_floor, surfaces_at},
};
use crate::{
    geometry::slide_along,
    movement::{
        body::{Footing, Motion, Velocity, Walk},
        slide::{ContactPlane, Response, Slide, SlideAlong, SweepHit, normals, record_floor},
        tolerances::PARALLEL_SINE,
    },
};

/// The response of a walker.
pub(crate) struct Walking {
    walk: Walk,
    /// Its desired velocity in the air.
    air_velocity: Velocity,
    is_standing: bool,
    /// The speed at which it landed, in world units per second.
    landing_speed: f32,
}

impl Walking {
    pub fn new(walk: Walk, motion: &Motion) -> Self {
        Self {
            walk,
            air_velocity: motion.desired,
            is_standing: false,
            landing_speed: 0.0,
        }
    }
}

impl Response for Walking {
    fn velocity_after(&self, slide: &Slide, hit: &SweepHit) -> Velocity {
        SlideAlong.velocity_after(slide, hit)
    }

    /// Lets a walker that stood and does not rise stand on the floor below it.
    fn begin(&mut self, slide: &mut Slide) {
        let pose = slide.pose();
        let rises = self.air_velocity.per_update.dot(self.walk.rules.up) > pose.slop;
        if !self.walk.stood || rises {
            return;
        }
        self.is_standing = true;
        let obstacles = &mut slide.buffers.obstacles;
        obstacles.select_near(slide.blockers, &pose, &pose.shape.aabb());
        let drops_through = self.walk.drops_through;
        let floor = best_floor(&self.walk.rules, drops_through, &pose, obstacles);
        let plane = floor.map(|near| ContactPlane {
            shape: near.obstacle.shape.clone(),
            normal: near.surface.normal,
        });
        match plane {
            Some(plane) => self.stand_on(slide, plane),
            None if self.snap_to_floor(slide) => (),
            None => slide.state.velocity = slide.motion.desired,
        }
    }

    fn respond(&mut self, slide: &mut Slide, _: &SweepHit) {
        let rules = self.walk.rules;
        let planes = &slide.buffers.planes.held;
        let forward = rules.right() * self.air_velocity.per_update.dot(rules.right());
        let floor = (planes.iter())
            .filter(|plane| rules.is_floor(plane.normal))
            .min_by(|p, q| (p.normal.dot(forward)).total_cmp(&q.normal.dot(forward)))
            .cloned();
        let along = floor.as_ref().map_or(forward, |floor| {
            let own = rules.along_floor(self.air_velocity.per_update, floor.normal);
            own + self.walk.conveyor_along(floor.normal)
        });
        let is_wall =
            |plane: &&ContactPlane| !rules.is_floor(plane.normal) && plane.normal.dot(along) < 0.0;
        let wall = planes.iter().find(is_wall).cloned();
        if floor.is_none() && !self.is_standing {
            if !self.correct_corner(slide) {
                self.slide_in_air(slide);
            }
            return;
        }
        let is_blocked = wall.is_some() || floor.is_none();
        if let Some(floor) = floor {
            self.stand_on(slide, floor);
        }
        if is_blocked {
            match find_step_up(&rules, slide) {
                Some(step) => self.take_step(slide, step),
                None => {
                    slide.buffers.planes.held.extend(wall);
                    slide.state.velocity = Velocity::ZERO;
                }
            }
        }
    }

    fn lose_contact(&mut self, slide: &mut Slide) {
        if !self.snap_to_floor(slide) {
            slide.turn_back();
        }
    }

    /// Returns what the walker touches where its move ends. If it stands there, sets its velocity.
    fn end(&mut self, slide: &mut Slide) -> Footing {
        let mut footing = self.footing(slide);
        if footing.surfaces.floor.is_none() && self.snap_to_floor(slide) {
            footing = self.footing(slide);
        }
        let Some(floor) = &footing.surfaces.floor else {
            slide.turn_along_last_surface();
            return footing;
        };
        let fall = self.air_velocity.per_update / slide.motion.seconds;
        let hits = &mut slide.trajectory.hits;
        record_floor(hits, floor, slide.state.fraction(), fall);
        let own_velocity = if self.is_standing {
            self.air_velocity
        } else {
            footing.landing_speed = -slide.state.velocity.per_second.dot(floor.normal);
            slide.state.velocity
        };
        // Not the velocity per update, which a conveyor may cancel out.
        let is_blocked = slide.state.velocity.per_second == Vec2::ZERO;
        let is_at_rest = is_blocked && slide.state.velocity.per_update == Vec2::ZERO;
        footing.is_conveyor_blocked = is_at_rest && self.walk.conveyor != Vec2::ZERO;
        let right = self.walk.rules.right();
        slide.state.velocity = if is_blocked {
            Velocity::ZERO
        } else {
            own_velocity.map(|velocity| right * velocity.dot(right))
        };
        footing
    }
}

impl Walking {
    /// Lets the walker stand on a floor, and continue along it.
    fn stand_on(&mut self, slide: &mut Slide, plane: ContactPlane) {
        let normal = plane.normal;
        if !self.is_standing {
            self.is_standing = true;
            self.landing_speed = -slide.state.velocity.per_second.dot(normal);
        }
        let along = |velocity| self.walk.rules.along_floor(velocity, normal);
        let mut desired = self.air_velocity.map(along);
        desired.per_update += self.walk.conveyor_along(normal);
        slide.motion.desired = desired;
        slide.state.velocity = desired;
        slide.buffers.planes.held.clear();
        slide.buffers.planes.held.push(plane);
    }

    /// Takes a step, in the time that its horizontal distance takes.
    fn take_step(&mut self, slide: &mut Slide, step: Step) {
        let [raised, above, end] = step.turns;
        slide.trajectory.push(slide.state.fraction(), raised);
        (slide.state).step_to(end, step.distance, &slide.motion);
        slide.trajectory.push(slide.state.fraction(), above);
        self.stand_on(slide, step.floor);
    }

    /// Shifts a walker that rises past the edge of what it hits overhead. Returns whether it did.
    fn correct_corner(&mut self, slide: &mut Slide) -> bool {
        let desired = self.air_velocity.per_update;
        let up = self.walk.rules.up;
        let is_overhead = |normal: Vec2| normal.dot(up) < -PARALLEL_SINE;
        if self.walk.rules.corner_correction == 0.0
            || desired.dot(up) <= 0.0
            || !normals(&slide.buffers.planes.held).any(is_overhead)
        {
            return false;
        }
        let forward = desired.dot(self.walk.rules.right());
        let Some(correction) = find_corner(&self.walk.rules, slide, forward) else {
            return false;
        };
        let fraction = slide.state.fraction();
        // It does not block the walker after all.
        let hits = &mut slide.trajectory.hits;
        hits.pop_if(|last| last.fraction == fraction && is_overhead(last.normal));
        (slide.trajectory).push(fraction, slide.state.position);
        slide.state.position += correction;
        slide.turn_back();
        true
    }

    /// Slides along planes that are not floors. Steep slopes do not turn horizontal motion upward.
    fn slide_in_air(&mut self, slide: &mut Slide) {
        let right = self.walk.rules.right();
        let planes = &slide.buffers.planes.held;
        let is_steep = |normal: &Vec2| self.walk.rules.is_steep_slope(*normal);
        for normal in normals(planes).filter(is_steep) {
            self.air_velocity = self.air_velocity.map(|velocity| {
                let speed = velocity.dot(right);
                let is_inward = speed * normal.dot(right) < 0.0;
                velocity - right * if is_inward { speed } else { 0.0 }
            });
        }
        slide.motion.desired = self.air_velocity;
        let along = |velocity| slide_along(velocity, normals(planes));
        slide.state.velocity = slide.motion.desired.map(along);
    }

    /// Follows a floor that falls away, down to the snap distance or the step height. Returns
    /// whether the walker still stands; otherwise it is in the air.
    fn snap_to_floor(&mut self, slide: &mut Slide) -> bool {
        if !self.is_standing {
            return false;
        }
        let rules = self.walk.rules;
        let pose = slide.pose();
        let down = -rules.up * (rules.max_descent() + pose.contact_distance);
        if let Some(below) = slide.cast(pose.position, down, |normal| rules.is_floor(normal)) {
            if rules.is_floor(below.plane.normal) {
                slide.state.position += down * below.fraction;
                self.stand_on(slide, below.plane);
                return true;
            }
            if let Some(step) = find_step_down(&rules, slide, &below.plane) {
                self.take_step(slide, step);
                return true;
            }
        }
        self.is_standing = false;
        slide.motion.desired = self.air_velocity;
        false
    }

    /// Returns what the walker touches at its current position.
    fn footing(&self, slide: &mut Slide) -> Footing {
        let pose = slide.pose();
        let obstacles = &mut slide.buffers.obstacles;
        obstacles.select_near(slide.blockers, &pose, &pose.shape.aabb());
        let rises = !self.is_standing
            && slide.state.velocity.per_update.dot(self.walk.rules.up) > pose.slop;
        let index = slide.blockers.index;
        let mut footing = surfaces_at(&self.walk, &pose, obstacles, index);
        let is_floor_lost = rises || !(self.is_standing || footing.is_on_edge);
        if is_floor_lost {
            footing.surfaces.floor = None;
        }
        footing.landing_speed = self.landing_speed;
        footing
    }
}
