//! Steps that a walker climbs and descends.

use bevy::math::Vec2;

use super::{slide::Slide, sweep::ContactPlane, walk_rules::WalkRules};
use crate::{geometry::closest_points, index::ColliderEntry};

/// A round walker that climbs a step stops where the normal at the edge of the step is a floor's:
/// at this fraction of the greatest distance at which it is.
const WITHIN_SLOPE: f32 = 0.98;

/// A walker raised above a step.
struct Climb {
    /// Relative to the start of the walker.
    raised: Vec2,
    /// Along the horizon, unit length.
    forward: Vec2,
    /// Back to the height from which it was raised.
    down: Vec2,
    /// The free distance that it needs ahead, in world units.
    room: f32,
}

/// A step that a walker takes.
struct Step {
    /// Where it turns: above its start, above its end, and its end; relative to the start of the
    /// walker.
    turns: [Vec2; 3],
    /// Along the horizon, in world units.
    distance: f32,
    floor: ContactPlane,
}

impl<B: Fn(&ColliderEntry) -> bool> Slide<'_, B> {
    /// Climbs the step ahead of a walker that stands. Returns whether there is a step and room on
    /// it.
    pub fn step_up(&mut self, walk: &WalkRules) -> bool {
        let step = self.find_step_up(walk);
        self.take_step(walk, step)
    }

    /// Descends a step over whose edge a round walker rolls, given the normal there. Returns
    /// whether there is one.
    pub fn step_down(&mut self, walk: &WalkRules, edge: Vec2) -> bool {
        let step = self.find_step_down(walk, edge);
        self.take_step(walk, step)
    }

    /// Up by the step height, forward, and down onto the step.
    fn find_step_up(&mut self, walk: &WalkRules) -> Option<Step> {
        let remaining = self.state.remaining_displacement(&self.motion);
        let forward = step_direction(walk, remaining).filter(|_| walk.step_height > 0.0)?;
        let pose = self.pose();
        let extents = walk.extents(&pose.shape);
        let start = self.state.position;
        let up = walk.up * (walk.step_height + self.motion.skin);
        let raised = start + up * self.free_fraction(start, up);
        // Enough to get above the edge of the step.
        let least = self.motion.skin + pose.contact_distance;
        let climb = Climb {
            raised,
            forward,
            down: start - raised,
            room: walk.step_width.max(least),
        };
        // A step that is narrower than an update takes is not passed.
        let far = remaining.length().max(least);
        let mut step = (self.land(walk, &climb, far)).or_else(|| self.land(walk, &climb, least))?;
        if !walk.is_floor(step.floor.normal) {
            // A round walker has to get further over the edge of the step.
            let aside = -step.floor.normal.dot(forward) - WITHIN_SLOPE * walk.max_slope_sine();
            if aside <= 0.0 {
                return None;
            }
            let further = (extents.half_width + self.motion.skin) * aside;
            step = self.land(walk, &climb, step.distance + further)?;
        }
        let [_, _, end] = step.turns;
        let shape = self.motion.shape.translated(end);
        let (_, point) = closest_points(&shape, &step.floor.shape, -step.floor.normal);
        let height = point.dot(walk.up) - (extents.foot - self.motion.skin);
        let is_step = walk.is_floor(step.floor.normal) && height <= walk.step_height + pose.slop;
        is_step.then_some(step)
    }

    /// Forward by a distance, and down onto whatever is there, or `None` without room for that.
    fn land(&mut self, walk: &WalkRules, climb: &Climb, distance: f32) -> Option<Step> {
        let &Climb {
            raised,
            forward,
            down,
            room,
        } = climb;
        let free = self.free_distance(raised, forward, distance.max(room));
        if free < room {
            return None;
        }
        let distance = distance.min(free);
        let above = raised + forward * distance;
        let landing = self.cast(above, down, |normal| walk.is_floor(normal))?;
        Some(Step {
            turns: [raised, above, above + down * landing.fraction],
            distance,
            floor: landing.plane,
        })
    }

    /// Forward, until the edge is not below the walker any more, and down onto a floor.
    fn find_step_down(&mut self, walk: &WalkRules, edge: Vec2) -> Option<Step> {
        let forward = step_direction(walk, self.motion.desired.per_update)?;
        let aside = edge.dot(forward);
        if aside <= 0.0 {
            return None;
        }
        let pose = self.pose();
        let half_width = walk.extents(&pose.shape).half_width;
        let distance = half_width * (1.0 - aside) + pose.contact_distance;
        let start = self.state.position;
        if self.free_distance(start, forward, distance) < distance {
            return None;
        }
        let above = start + forward * distance;
        let down = -walk.up * (walk.max_descent() + pose.contact_distance);
        let landing = self.cast(above, down, |normal| walk.is_floor(normal))?;
        walk.is_floor(landing.plane.normal).then_some(Step {
            turns: [start, above, above + down * landing.fraction],
            distance,
            floor: landing.plane,
        })
    }

    /// How far the shape can move from a position in a direction, up to `distance`.
    fn free_distance(&mut self, position: Vec2, direction: Vec2, distance: f32) -> f32 {
        distance * self.free_fraction(position, direction * distance)
    }

    /// Takes a step, if there is one, in the time that its distance takes. Returns whether there
    /// is.
    fn take_step(&mut self, walk: &WalkRules, step: Option<Step>) -> bool {
        let Some(step) = step else {
            return false;
        };
        let [raised, above, end] = step.turns;
        self.trajectory.push(self.state.fraction(), raised);
        self.state.step_to(end, step.distance, &self.motion);
        self.trajectory.push(self.state.fraction(), above);
        self.stand_on(walk, step.floor);
        true
    }
}

/// The direction of a walker along the horizon, or `None` if it does not move along it.
fn step_direction(walk: &WalkRules, displacement: Vec2) -> Option<Vec2> {
    let speed = displacement.dot(walk.right());
    (speed != 0.0).then(|| walk.right() * speed.signum())
}
