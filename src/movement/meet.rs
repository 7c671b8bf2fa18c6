//! Solid movers that are so fast that they would change places within one run.

use bevy::prelude::*;

use super::{neighbors::Neighbors, plan::MovePlan};
use crate::{
    broad_phase::{NumberedBox, merged},
    geometry::{Shape, distance},
    hierarchy::Parents,
    index::{ColliderEntry, ColliderIndex, Traveler, Waypoint, first_meeting},
    movement::are_related,
};

/// Overlaps of movers that are slower than this part of their size are parted on the right side anyway.
const FAST: f32 = 0.4;

/// Finds movers that meet on their ways. It keeps its buffers.
#[derive(Default)]
pub(super) struct Meetings {
    /// Around the ways of solid movers, by the numbers of their plans.
    boxes: Vec<NumberedBox>,
    neighbors: Neighbors,
}

impl Meetings {
    /// Ends the ways of those that run through each other where they meet. Gives the plans whose ways are to be planned again.
    pub fn limit(
        &mut self,
        plans: &mut [MovePlan],
        ways: &[Waypoint],
        index: &ColliderIndex,
        parents: &Parents,
        again: &mut Vec<u32>,
    ) {
        again.clear();
        self.boxes.clear();
        let mut any_fast = false;
        for (number, plan) in (0..).zip(plans.iter()) {
            let entry = plan.entry(index).filter(|entry| entry.role.is_solid());
            if let Some(entry) = entry {
                any_fast |= is_fast(plan.displacement, entry.shape);
                self.boxes
                    .push(swept_box(number, entry.shape, plan.way(ways)));
            }
        }
        if !any_fast {
            return;
        }
        self.neighbors.find(&self.boxes);
        for &(i, j) in self.neighbors.found() {
            let both = [&plans[i as usize], &plans[j as usize]];
            if let Some(time) = time_of_passing(both, ways, index, parents) {
                for number in [i, j] {
                    let plan = &mut plans[number as usize];
                    if time < plan.until {
                        plan.until = time;
                        again.push(number);
                    }
                }
            }
        }
        again.sort_unstable();
        again.dedup();
    }
}

fn is_fast(displacement: Vec2, shape: &Shape) -> bool {
    let aabb = shape.aabb();
    displacement.length() > FAST * (aabb.max - aabb.min).min_element()
}

fn swept_box(number: u32, shape: &Shape, way: &[Waypoint]) -> NumberedBox {
    let aabb = way.iter().fold(shape.aabb(), |aabb, waypoint| {
        merged(&aabb, &shape.translated(waypoint.offset).aabb())
    });
    NumberedBox { number, aabb }
}

/// When two movers meet that are past each other in the end.
fn time_of_passing(
    [p, q]: [&MovePlan; 2],
    ways: &[Waypoint],
    index: &ColliderIndex,
    parents: &Parents,
) -> Option<f32> {
    let (a, b) = (p.entry(index)?, q.entry(index)?);
    let is_fast = is_fast(p.displacement, a.shape) || is_fast(q.displacement, b.shape);
    let is_blocked = a.is_blocked_by(&b) && b.is_blocked_by(&a);
    let skin = a.effective_skin().max(b.effective_skin());
    if !is_fast || !is_blocked || are_related(&a, &b, parents) || are_close(&a, &b, 2.0 * skin) {
        return None;
    }
    let travelers = [(a, p), (b, q)].map(|(collider, plan)| Traveler {
        collider,
        way: plan.way(ways),
    });
    let meeting = first_meeting(travelers[0], travelers[1], skin)?;
    let ends = [(a, p), (b, q)].map(|(entry, plan)| entry.shape.translated(plan.displacement));
    let end = distance(&ends[0], &ends[1]);
    let stays_before = end.distance < skin
        && (ends[1].center() - ends[0].center()).dot(meeting.contact.normal) > 0.0;
    (!stays_before).then_some(meeting.time)
}

fn are_close(a: &ColliderEntry, b: &ColliderEntry, reach: f32) -> bool {
    distance(a.shape, b.shape).distance <= reach
}
