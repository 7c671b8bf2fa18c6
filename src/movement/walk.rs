//! How a walker moves: along the floor that it stands on, down where that falls away, and through
//! the air.

use bevy::math::Vec2;

use super::{
    footing::{best_floor, surfaces_at},
    hits::record_floor,
    motion::Velocity,
    planes::normals,
    slide::Slide,
    sweep::ContactPlane,
    walk_rules::{Footing, WalkRules},
};
use crate::{geometry::slide_along, index::ColliderEntry};

impl<B: Fn(&ColliderEntry) -> bool> Slide<'_, B> {
    /// Lets a walker that stood, and does not rise, stand on the floor below it.
    pub fn find_first_floor(&mut self) {
        let Some(walk) = self.motion.walk.filter(|walk| walk.stood) else {
            return;
        };
        let pose = self.pose();
        if self.gait.air_velocity.per_update.dot(walk.up) > pose.slop {
            return;
        }
        self.gait.is_standing = true;
        let obstacles = &mut self.buffers.obstacles;
        obstacles.select_near(self.blockers, &pose, &pose.shape.aabb());
        let floor = best_floor(&walk, &pose, obstacles).map(|near| ContactPlane {
            shape: near.obstacle.shape.clone(),
            normal: near.surface.normal,
        });
        match floor {
            Some(plane) => self.stand_on(&walk, plane),
            None if self.follow_floor() => (),
            None => self.state.velocity = self.motion.desired,
        }
    }

    /// Lets a walker stand on a floor, and go on along it.
    pub fn stand_on(&mut self, walk: &WalkRules, plane: ContactPlane) {
        let normal = plane.normal;
        if !self.gait.is_standing {
            self.gait.is_standing = true;
            self.gait.landing_speed = -self.state.velocity.per_second.dot(normal);
        }
        let along = |velocity| walk.along_floor(velocity, normal);
        let mut desired = self.gait.air_velocity.map(along);
        desired.per_update += walk.conveyor_along(normal);
        self.motion.desired = desired;
        self.state.velocity = desired;
        self.buffers.planes.held.clear();
        self.buffers.planes.held.push(plane);
    }

    /// Responds to what blocks a walker.
    pub fn respond_walking(&mut self, walk: &WalkRules) {
        let planes = &self.buffers.planes.held;
        let forward = walk.right() * self.gait.air_velocity.per_update.dot(walk.right());
        let floor = (planes.iter())
            .filter(|plane| walk.is_floor(plane.normal))
            .min_by(|p, q| (p.normal.dot(forward)).total_cmp(&q.normal.dot(forward)))
            .cloned();
        let along = floor.as_ref().map_or(forward, |floor| {
            let own = walk.along_floor(self.gait.air_velocity.per_update, floor.normal);
            own + walk.conveyor_along(floor.normal)
        });
        let is_wall =
            |plane: &&ContactPlane| !walk.is_floor(plane.normal) && plane.normal.dot(along) < 0.0;
        let wall = planes.iter().find(is_wall).cloned();
        if floor.is_none() && !self.gait.is_standing {
            self.slide_in_air(walk);
            return;
        }
        let is_blocked = wall.is_some() || floor.is_none();
        if let Some(floor) = floor {
            self.stand_on(walk, floor);
        }
        if is_blocked && !self.step_up(walk) {
            self.buffers.planes.held.extend(wall);
            self.state.velocity = Velocity::ZERO;
        }
    }

    /// Slides along planes that are no floors. A steep slope does not turn motion along the horizon
    /// into motion upward.
    fn slide_in_air(&mut self, walk: &WalkRules) {
        let right = walk.right();
        let planes = &self.buffers.planes.held;
        for normal in normals(planes).filter(|&normal| walk.is_steep_slope(normal)) {
            self.gait.air_velocity = self.gait.air_velocity.map(|velocity| {
                let speed = velocity.dot(right);
                let is_inward = speed * normal.dot(right) < 0.0;
                velocity - right * if is_inward { speed } else { 0.0 }
            });
        }
        self.motion.desired = self.gait.air_velocity;
        let along = |velocity| slide_along(velocity, normals(planes));
        self.state.velocity = self.motion.desired.map(along);
    }

    /// Follows the floor of a walker that stands where it falls away, down to its snap distance.
    /// Returns whether it still stands; if not, it is in the air now.
    pub fn follow_floor(&mut self) -> bool {
        let Some(walk) = self.motion.walk.filter(|_| self.gait.is_standing) else {
            return false;
        };
        let pose = self.pose();
        let down = -walk.up * (walk.max_descent() + pose.contact_distance);
        if let Some(below) = self.cast(pose.position, down, |normal| walk.is_floor(normal)) {
            if walk.is_floor(below.plane.normal) {
                self.state.position += down * below.fraction;
                self.stand_on(&walk, below.plane);
                return true;
            }
            if self.step_down(&walk, below.plane.normal) {
                return true;
            }
        }
        self.gait.is_standing = false;
        self.motion.desired = self.gait.air_velocity;
        false
    }

    /// What a walker touches where its move ends. Sets its velocity if it stands there.
    pub fn end_walk(&mut self) -> Footing {
        let Some(walk) = self.motion.walk else {
            return Footing::NONE;
        };
        let mut footing = self.footing(&walk);
        if footing.surfaces.floor.is_none() && self.follow_floor() {
            footing = self.footing(&walk);
        }
        let Some(floor) = &footing.surfaces.floor else {
            return footing;
        };
        let presses = self.gait.air_velocity.per_update / self.motion.seconds;
        let hits = &mut self.trajectory.hits;
        record_floor(hits, floor, self.state.fraction(), presses);
        let own_velocity = if self.gait.is_standing {
            self.gait.air_velocity
        } else {
            footing.landing_speed = -self.state.velocity.per_second.dot(floor.normal);
            self.state.velocity
        };
        // Not that of an update, which a conveyor may just balance.
        let is_blocked = self.state.velocity.per_second == Vec2::ZERO;
        let is_at_rest = is_blocked && self.state.velocity.per_update == Vec2::ZERO;
        footing.is_conveyor_blocked = is_at_rest && walk.conveyor != Vec2::ZERO;
        let right = walk.right();
        self.state.velocity = if is_blocked {
            Velocity::ZERO
        } else {
            own_velocity.map(|velocity| right * velocity.dot(right))
        };
        footing
    }

    /// What a walker touches where it is.
    fn footing(&mut self, walk: &WalkRules) -> Footing {
        let pose = self.pose();
        let obstacles = &mut self.buffers.obstacles;
        obstacles.select_near(self.blockers, &pose, &pose.shape.aabb());
        let rises =
            !self.gait.is_standing && self.state.velocity.per_update.dot(walk.up) > pose.slop;
        let mut footing = surfaces_at(walk, &self.motion, &pose, obstacles, self.blockers.index);
        let is_floor_lost = rises || !(self.gait.is_standing || footing.is_on_edge);
        if is_floor_lost {
            footing.surfaces.floor = None;
        }
        footing.landing_speed = self.gait.landing_speed;
        footing
    }
}
