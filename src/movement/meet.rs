//! Solid movers that are so fast that they would change places within one run.

use bevy::{math::bounding::Aabb2d, prelude::*};

use super::{neighbors::Neighbors, plan::MovePlan, separate::size_of, world_order::by_world};
use crate::{
    aabb::merge,
    broad_phase::NumberedBox,
    geometry::{Shape, separation},
    index::{
        ColliderEntry, ColliderIndex, Parents, Traveler, Waypoint, are_related, first_meeting,
    },
};

/// Overlaps of movers that are slower than this part of their size are parted on the right side anyway.
const FAST: f32 = 0.4;
/// Overlaps deeper than this part of the size may be parted on the wrong side, where others push, too.
const DEEP: f32 = 0.6;

/// Finds movers that meet on their ways. It keeps its buffers.
#[derive(Default)]
pub(super) struct Meetings {
    /// Around the ways of solid movers, by the numbers of their plans.
    boxes: Vec<NumberedBox>,
    neighbors: Neighbors,
    /// The plans whose ways may lead through each other.
    pairs: Vec<[u32; 2]>,
    passings: Vec<Passing>,
}

/// Two movers that run through each other.
#[derive(Clone, Copy)]
struct Passing {
    /// When they meet, as a fraction of the run.
    time: f32,
    /// The numbers of their plans.
    pair: [u32; 2],
    /// When the ways ended on which they do so.
    untils: [f32; 2],
}

impl Meetings {
    /// Finds all that run through each other.
    pub fn find(
        &mut self,
        plans: &[MovePlan],
        ways: &[Waypoint],
        index: &ColliderIndex,
        parents: &Parents,
    ) {
        self.pairs.clear();
        self.passings.clear();
        if plans.iter().any(|plan| is_fast(plan, ways, index)) {
            self.find_pairs(plans, ways, index, parents);
            self.find_again(plans, ways, index, |_| true);
        }
    }

    fn find_pairs(
        &mut self,
        plans: &[MovePlan],
        ways: &[Waypoint],
        index: &ColliderIndex,
        parents: &Parents,
    ) {
        self.boxes.clear();
        for (number, plan) in (0..).zip(plans) {
            if let Some(entry) = plan.entry(index).filter(|entry| entry.role.is_solid()) {
                let aabb = swept_box(entry.shape, plan.way(ways));
                self.boxes.push(NumberedBox { number, aabb });
            }
        }
        self.neighbors.find(&self.boxes);
        // Which of two is the first one makes a difference by rounding.
        let found = (self.neighbors.found().iter()).map(|&(i, j)| {
            let shapes = [i, j].map(|number| plans[number as usize].entry(index));
            match shapes.map(|entry| entry.map(|entry| entry.shape)) {
                [Some(p), Some(q)] if by_world(p, q).then(i.cmp(&j)).is_gt() => [j, i],
                _ => [i, j],
            }
        });
        self.pairs.extend(found.filter(|pair| {
            let both = pair.map(|number| &plans[number as usize]);
            both.into_iter().any(|plan| is_fast(plan, ways, index))
                && stop_each_other(both, index, parents).unwrap_or(false)
        }));
    }

    /// Finds again those that run through each other, among the pairs of which one `was_planned_again`.
    pub fn find_again(
        &mut self,
        plans: &[MovePlan],
        ways: &[Waypoint],
        index: &ColliderIndex,
        was_planned_again: impl Fn(u32) -> bool,
    ) {
        self.passings.clear();
        let pairs = self.pairs.iter().copied();
        let pairs = pairs.filter(|pair| pair.iter().any(|&number| was_planned_again(number)));
        self.passings.extend(pairs.filter_map(|pair| {
            let both = pair.map(|number| &plans[number as usize]);
            Some(Passing {
                time: time_of_passing(both, ways, index)?,
                pair,
                untils: both.map(|plan| plan.until),
            })
        }));
    }

    /// Ends the ways of those that run through each other where they meet, the earliest first. Gives the plans whose ways are to be
    /// planned again.
    pub fn limit(&mut self, plans: &mut [MovePlan], again: &mut Vec<u32>) {
        again.clear();
        self.passings
            .sort_unstable_by(|p, q| p.time.total_cmp(&q.time).then(p.pair.cmp(&q.pair)));
        for passing in &self.passings {
            if passing.is_over(plans) {
                continue;
            }
            for number in passing.pair {
                let plan = &mut plans[number as usize];
                if passing.time < plan.until {
                    plan.until = passing.time;
                    again.push(number);
                }
            }
        }
        again.sort_unstable();
        again.dedup();
    }
}

impl Passing {
    /// Whether one of the two has been stopped before.
    fn is_over(&self, plans: &[MovePlan]) -> bool {
        let both = self.pair.into_iter().zip(self.untils);
        both.into_iter().any(|(number, until)| {
            let plan = &plans[number as usize];
            plan.until < until && plan.until < self.time
        })
    }
}

/// Whether a solid mover gets far from its start, compared with its size.
fn is_fast(plan: &MovePlan, ways: &[Waypoint], index: &ColliderIndex) -> bool {
    let solid = plan.entry(index).filter(|entry| entry.role.is_solid());
    solid.is_some_and(|entry| {
        let far = FAST * size_of(entry.shape);
        let mut way = plan.way(ways).iter();
        way.any(|waypoint| waypoint.offset.length() > far)
    })
}

/// The box around everywhere that a shape is on its way.
fn swept_box(shape: &Shape, way: &[Waypoint]) -> Aabb2d {
    way.iter().fold(shape.aabb(), |aabb, waypoint| {
        merge(&aabb, &shape.translated(waypoint.offset).aabb())
    })
}

/// Whether two movers do not let each other through. Those that touch at the start do not get through each other anyway.
fn stop_each_other(
    [p, q]: [&MovePlan; 2],
    index: &ColliderIndex,
    parents: &Parents,
) -> Option<bool> {
    let (a, b) = (p.entry(index)?, q.entry(index)?);
    let are_blocked = a.is_blocked_by(&b) && b.is_blocked_by(&a);
    let touching = 2.0 * skin_between(&a, &b);
    Some(
        are_blocked
            && !are_related(&a, &b, parents)
            && separation(a.shape, b.shape).distance > touching,
    )
}

/// When two movers meet that are past each other in the end, or nearly.
fn time_of_passing(
    [p, q]: [&MovePlan; 2],
    ways: &[Waypoint],
    index: &ColliderIndex,
) -> Option<f32> {
    let (a, b) = (p.entry(index)?, q.entry(index)?);
    let travelers = [(a, p), (b, q)].map(|(collider, plan)| Traveler {
        collider,
        way: plan.way(ways),
    });
    let skin = skin_between(&a, &b);
    let meeting = first_meeting(travelers[0], travelers[1], skin)?;
    let ends = [(a, p), (b, q)].map(|(entry, plan)| entry.shape.translated(plan.displacement));
    let end = separation(&ends[0], &ends[1]);
    let shallow = -DEEP * size_of(a.shape).min(size_of(b.shape));
    let stays_before = (shallow..skin).contains(&end.distance)
        && (ends[1].center() - ends[0].center()).dot(meeting.contact.normal) > 0.0;
    (!stays_before).then_some(meeting.time)
}

fn skin_between(a: &ColliderEntry, b: &ColliderEntry) -> f32 {
    a.effective_skin().max(b.effective_skin())
}
