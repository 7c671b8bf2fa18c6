//! Steps that a walker climbs and descends.

use bevy::math::{Affine2, Mat2, Vec2, ops};

use crate::{
    geometry::{Shape, closest_points, farthest_points},
    movement::{
        body::WalkRules,
        slide::{ContactPlane, Slide},
        tolerances::WITHIN_SLOPE,
    },
};

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
pub(crate) struct Step {
    /// The points where it turns: above its start, above its end, and its end. Relative to the
    /// start of the walker.
    pub turns: [Vec2; 3],
    /// Along the horizon, in world units.
    pub distance: f32,
    pub floor: ContactPlane,
}

impl Step {
    fn end(&self) -> Vec2 {
        let [_, _, end] = self.turns;
        end
    }

    /// The points at which the walker and the floor touch where the step ends.
    fn contact(&self, walker: &Shape) -> [Vec2; 2] {
        let walker = walker.translated(self.end());
        closest_points(&walker, &self.floor.shape, -self.floor.normal).into()
    }
}

/// The outermost coordinates of a shape along the axes of a walker, in world units.
pub(super) struct WalkExtents {
    pub back: f32,
    pub front: f32,
    pub foot: f32,
    pub head: f32,
}

/// Returns the step that a standing walker can climb ahead: up by the step height, forward, and
/// down. `None` if there is none, or no room on it.
pub(crate) fn find_step_up(rules: &WalkRules, slide: &mut Slide) -> Option<Step> {
    let remaining = slide.state.remaining_displacement(&slide.motion);
    let forward = step_direction(rules, remaining).filter(|_| rules.step_height > 0.0)?;
    let pose = slide.pose();
    let extents = extents_of(forward, rules.up, &pose.shape);
    let start = slide.state.position;
    let up = rules.up * (rules.step_height + slide.motion.skin);
    let raised = start + up * slide.free_fraction(start, up);
    // Far enough to be above the edge of the step.
    let least = slide.motion.skin + pose.contact_distance;
    let climb = Climb {
        raised,
        forward,
        down: start - raised,
        room: rules.step_width.max(least),
    };
    // As far as the update goes, or only just onto a step that is narrower.
    let far = remaining.length().max(least);
    let mut step =
        (land(slide, rules, &climb, far)).or_else(|| land(slide, rules, &climb, least))?;
    if !rules.is_floor(step.floor.normal) {
        // A round foot or a chamfer has to get farther over the edge of the step, until it touches
        // that as it would the steepest floor.
        let sine = WITHIN_SLOPE * rules.max_slope_sine();
        let aside = -step.floor.normal.dot(forward) - sine;
        if aside <= 0.0 {
            return None;
        }
        let [touching, _] = step.contact(slide.motion.shape);
        let steepest = forward * sine - rules.up * ops::sqrt(1.0 - sine * sine);
        let foot = slide.motion.shape.translated(step.end());
        let foot = farthest_points(&foot, steepest).map(|point| point.dot(forward));
        let further = touching.dot(forward) - foot[0].min(foot[1]) + slide.motion.skin * aside;
        step = land(slide, rules, &climb, step.distance + further)?;
    }
    let [_, point] = step.contact(slide.motion.shape);
    let height = point.dot(rules.up) - (extents.foot - slide.motion.skin);
    let is_step = rules.is_floor(step.floor.normal) && height <= rules.step_height + pose.slop;
    is_step.then_some(step)
}

/// Returns the step that leads forward by a distance (world units) and down onto what is there, or
/// `None` if there is no room.
fn land(slide: &mut Slide, rules: &WalkRules, climb: &Climb, distance: f32) -> Option<Step> {
    let &Climb {
        raised,
        forward,
        down,
        room,
    } = climb;
    let free = free_distance(slide, raised, forward, distance.max(room));
    if free < room {
        return None;
    }
    let distance = distance.min(free);
    let above = raised + forward * distance;
    let landing = slide.cast(above, down, |normal| rules.is_floor(normal))?;
    Some(Step {
        turns: [raised, above, above + down * landing.fraction],
        distance,
        floor: landing.plane,
    })
}

/// Returns the step that leads forward, until the edge is no longer below the walker, and down onto
/// a floor.
pub(crate) fn find_step_down(
    rules: &WalkRules,
    slide: &mut Slide,
    edge: &ContactPlane,
) -> Option<Step> {
    let forward = step_direction(rules, slide.motion.desired.per_update)?;
    if edge.normal.dot(forward) <= 0.0 {
        return None;
    }
    let pose = slide.pose();
    let (_, point) = closest_points(&pose.shape, &edge.shape, -edge.normal);
    let back = extents_of(forward, rules.up, &pose.shape).back;
    let distance = point.dot(forward) - back + pose.contact_distance;
    let start = slide.state.position;
    if free_distance(slide, start, forward, distance) < distance {
        return None;
    }
    let above = start + forward * distance;
    let down = -rules.up * (rules.max_descent() + pose.contact_distance);
    let landing = slide.cast(above, down, |normal| rules.is_floor(normal))?;
    rules.is_floor(landing.plane.normal).then_some(Step {
        turns: [start, above, above + down * landing.fraction],
        distance,
        floor: landing.plane,
    })
}

/// How far the shape can move from a position in a direction, up to `distance`, in world units.
fn free_distance(slide: &mut Slide, position: Vec2, direction: Vec2, distance: f32) -> f32 {
    distance * slide.free_fraction(position, direction * distance)
}

/// The direction of a walker along the horizon, or `None` if it does not move along it.
fn step_direction(rules: &WalkRules, displacement: Vec2) -> Option<Vec2> {
    let speed = displacement.dot(rules.right());
    (speed != 0.0).then(|| rules.right() * speed.signum())
}

/// Returns the extents of a shape forward and backward, up and down. `forward` is along the
/// horizon.
pub(super) fn extents_of(forward: Vec2, up: Vec2, shape: &Shape) -> WalkExtents {
    let to_walker = Mat2::from_cols(Vec2::new(forward.x, up.x), Vec2::new(forward.y, up.y));
    let aabb = shape.transformed(&Affine2::from_mat2(to_walker)).aabb();
    WalkExtents {
        back: aabb.min.x,
        front: aabb.max.x,
        foot: aabb.min.y,
        head: aabb.max.y,
    }
}
