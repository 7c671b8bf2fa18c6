//! Parting movers that moved into each other.

use bevy::prelude::*;

use super::{
    MoverResponse,
    plan::MovePlan,
    trace::{Motion, Tracer},
};
use crate::{
    broad_phase::{BoxTree, BroadPhase, NumberedBox},
    geometry::{Shape, distance},
    hierarchy::Parents,
    index::{ColliderEntry, ColliderIndex},
    movement::are_related,
};

/// How often all overlaps are looked at within one run. What is left is for the next one.
const ITERATIONS: usize = 4;

/// The movers at the places where they want to go. It keeps its buffers.
#[derive(Default)]
pub(super) struct Crowd {
    /// The number of each member's plan, with its shape.
    members: Vec<(usize, Shape)>,
    /// Those of solid members, by their numbers.
    boxes: Vec<NumberedBox>,
    broad_phase: BoxTree,
    corrections: Vec<Vec2>,
}

/// Moves apart the movers whose plans end in each other, each by its share. No correction leads into a wall.
pub(super) fn separate(
    plans: &mut [MovePlan],
    crowd: &mut Crowd,
    tracer: &mut Tracer,
    index: &ColliderIndex,
    parents: &Parents,
) {
    crowd.gather(plans, index);
    for _ in 0..ITERATIONS {
        if !crowd.find_corrections(plans, index, parents) {
            return;
        }
        crowd.apply_corrections(plans, index, tracer);
    }
}

fn entry_of<'a>(plan: &MovePlan, index: &'a ColliderIndex) -> Option<ColliderEntry<'a>> {
    index.get(plan.slot?, plan.entity)
}

impl Crowd {
    /// Takes in the movers that are blocked by something or solid.
    fn gather(&mut self, plans: &[MovePlan], index: &ColliderIndex) {
        self.members.clear();
        for (number, plan) in plans.iter().enumerate() {
            if let Some(entry) = entry_of(plan, index) {
                self.members
                    .push((number, entry.shape.translated(plan.displacement)));
            }
        }
    }

    /// Adds up for each member how far it has to yield. False, if none has to.
    fn find_corrections(
        &mut self,
        plans: &[MovePlan],
        index: &ColliderIndex,
        parents: &Parents,
    ) -> bool {
        let Self {
            members,
            boxes,
            broad_phase,
            corrections,
        } = self;
        boxes.clear();
        boxes.extend(
            (0..)
                .zip(members.iter())
                .filter(|(_, (number, _))| {
                    entry_of(&plans[*number], index).is_some_and(|entry| entry.role.is_solid())
                })
                .map(|(number, (_, shape))| NumberedBox {
                    number,
                    aabb: shape.aabb(),
                }),
        );
        broad_phase.clear();
        (0..boxes.len() as u32).for_each(|place| broad_phase.marks().insert(place));
        broad_phase.refresh(boxes);
        corrections.clear();
        corrections.resize(members.len(), Vec2::ZERO);
        let mut any = false;
        for (i, (number, shape)) in members.iter().enumerate() {
            let plan = &plans[*number];
            let Some(entry) = entry_of(plan, index) else {
                continue;
            };
            broad_phase.visit_overlapping(&shape.aabb(), |place| {
                let other_member = boxes[place as usize].number;
                let (other_number, other_shape) = &members[other_member as usize];
                let other_plan = &plans[*other_number];
                let Some(other) = entry_of(other_plan, index) else {
                    return;
                };
                if !entry.is_blocked_by(&other) || are_related(&entry, &other, parents) {
                    return;
                }
                let separation = distance(shape, other_shape);
                if separation.distance < 0.0 {
                    let share = share_of(plan, other_plan, other.is_blocked_by(&entry));
                    corrections[i] += separation.normal * separation.distance * share;
                    any = true;
                }
            });
        }
        any
    }

    /// Moves the members by their corrections, stopped by walls.
    fn apply_corrections(
        &mut self,
        plans: &mut [MovePlan],
        index: &ColliderIndex,
        tracer: &mut Tracer,
    ) {
        for ((number, shape), correction) in self.members.iter_mut().zip(&self.corrections) {
            let plan = &mut plans[*number];
            let Some(entry) = entry_of(plan, index).filter(|_| *correction != Vec2::ZERO) else {
                continue;
            };
            let motion = Motion {
                shape,
                displacement: *correction,
                velocity: Vec2::ZERO,
                response: MoverResponse::Slide,
                restitution: 0.0,
                skin: entry.effective_skin(),
                seconds: 1.0,
            };
            tracer.trace(index, &motion, |other| {
                other.role.is_wall() && entry.is_blocked_by(other)
            });
            let moved = tracer.end();
            *shape = shape.translated(moved);
            plan.displacement += moved;
        }
    }
}

/// The part of an overlap by which a mover yields to another.
fn share_of(plan: &MovePlan, other: &MovePlan, other_yields: bool) -> f32 {
    let total = plan.weight + other.weight;
    if !other_yields {
        1.0
    } else if total > 0.0 {
        other.weight / total
    } else {
        0.5
    }
}
