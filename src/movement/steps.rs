//! Steps that a walker climbs and descends.

use bevy::math::Vec2;

use super::{
    slide::{CastPlane, Slide},
    walk_rules::WalkRules,
};
use crate::{geometry::closest_points, index::ColliderEntry};

/// A round walker that climbs a step stops where the normal at the edge of the step is a floor's:
/// at this fraction of the greatest distance at which it is.
const WITHIN_SLOPE: f32 = 0.98;

impl<B: Fn(&ColliderEntry) -> bool> Slide<'_, B> {
    /// Climbs the step ahead of a walker that stands: up by its height, forward, and down onto it.
    /// Returns whether there is a step and room on it.
    pub fn step_up(&mut self, walk: &WalkRules) -> bool {
        let remaining = self.state.remaining_displacement(&self.motion);
        let speed = remaining.dot(walk.right());
        if walk.step_height == 0.0 || speed == 0.0 {
            return false;
        }
        let forward = walk.right() * speed.signum();
        let pose = self.pose();
        let extents = walk.extents(&pose.shape);
        let start = self.state.position;
        let up = walk.up * (walk.step_height + self.motion.skin);
        let raised = start + up * self.free_fraction(start, up);
        // Enough to get above the edge of the step.
        let least = self.motion.skin + pose.contact_distance;
        let mut distance = remaining.length().max(least);
        for _ in 0..2 {
            let free = self.free_distance(raised, forward, distance.max(walk.step_width));
            if free < walk.step_width.max(least) {
                return false;
            }
            distance = distance.min(free);
            let above = raised + forward * distance;
            let down = -walk.up * (raised - start).dot(walk.up);
            let landing = self.cast(above, down, |normal| walk.is_floor(normal));
            let Some(CastPlane { fraction, plane }) = landing else {
                return false;
            };
            if walk.is_floor(plane.normal) {
                let end = above + down * fraction;
                let shape = self.motion.shape.translated(end);
                let (_, point) = closest_points(&shape, &plane.shape, -plane.normal);
                let floor = extents.foot - self.motion.skin;
                if point.dot(walk.up) - floor > walk.step_height + pose.slop {
                    return false;
                }
                self.take_step([raised, above, end], distance);
                self.stand_on(walk, plane);
                return true;
            }
            // Round walkers have to get further over the edge of the step.
            let aside = -plane.normal.dot(forward);
            let wanted = aside - WITHIN_SLOPE * walk.max_slope_sine();
            distance += (extents.half_width + self.motion.skin) * wanted;
            if wanted <= 0.0 {
                return false;
            }
        }
        false
    }

    /// Descends a step over whose edge a round walker rolls, given the normal there: forward, until
    /// the edge is not below the walker any more, and down onto a floor. Returns whether there is
    /// one.
    pub fn step_down(&mut self, walk: &WalkRules, edge: Vec2) -> bool {
        let speed = self.motion.desired.per_update.dot(walk.right());
        let forward = walk.right() * speed.signum();
        let aside = edge.dot(forward);
        if walk.step_height == 0.0 || speed == 0.0 || aside <= 0.0 {
            return false;
        }
        let pose = self.pose();
        let half_width = walk.extents(&pose.shape).half_width;
        let distance = half_width * (1.0 - aside) + pose.contact_distance;
        let start = self.state.position;
        if self.free_distance(start, forward, distance) < distance {
            return false;
        }
        let above = start + forward * distance;
        let down = -walk.up * (walk.max_descent() + pose.contact_distance);
        match self.cast(above, down, |normal| walk.is_floor(normal)) {
            Some(CastPlane { fraction, plane }) if walk.is_floor(plane.normal) => {
                self.take_step([start, above, above + down * fraction], distance);
                self.stand_on(walk, plane);
                true
            }
            _ => false,
        }
    }

    /// How far the shape can move from a position in a direction, up to `distance`.
    fn free_distance(&mut self, position: Vec2, direction: Vec2, distance: f32) -> f32 {
        distance * self.free_fraction(position, direction * distance)
    }

    /// Moves over the corners of a step, in the time that its width takes.
    fn take_step(&mut self, [raised, above, end]: [Vec2; 3], distance: f32) {
        self.trajectory.push(self.state.fraction(), raised);
        self.state.step_to(end, distance, &self.motion);
        self.trajectory.push(self.state.fraction(), above);
    }
}
