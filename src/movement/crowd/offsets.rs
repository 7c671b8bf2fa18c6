//! Offsets of members before the first iteration: away from a shared center, and slightly into
//! those that they press against.

use bevy::prelude::*;
use std::cmp::Ordering;

use super::members::Members;
use crate::{
    geometry::unit_vector,
    movement::{
        body::{MoveInput, MovePlan},
        tolerances::{COINCIDENT_OFFSET_SIZES, GOLDEN_ANGLE, PRESSURE_BIAS_SIZES},
        world_order::by_world,
    },
};

/// Moves members off the center that they share with others, each in another direction. Otherwise
/// all would be separated along one line. Sorts their numbers.
pub(crate) fn spread_coincident(
    members: &mut Members,
    coincident: &mut Vec<u32>,
    plans: &[MovePlan],
) {
    let Members { list, bodies, .. } = members;
    // Not by the order of spawning, unless all else is equal.
    let of_motion = |number: u32| {
        let MoveInput {
            weight, desired, ..
        } = &plans[list[number as usize].plan].input;
        [*weight, desired.per_second.x, desired.per_second.y]
    };
    coincident.sort_unstable_by(|&p, &q| {
        let [first, second] = [p, q].map(of_motion);
        let by_motion = first.iter().zip(&second).map(|(p, q)| p.total_cmp(q));
        let [p_shape, q_shape] = [p, q].map(|number| &bodies[number as usize].shape);
        (by_world(p_shape, q_shape))
            .then(by_motion.fold(Ordering::Equal, Ordering::then))
            .then(p.cmp(&q))
    });
    coincident.dedup();
    let mut last = None;
    let mut rank = 0;
    for &number in coincident.iter() {
        let body = &mut bodies[number as usize];
        let center = body.shape.center();
        rank = if last == Some(center) { rank + 1 } else { 0 };
        last = Some(center);
        let size = list[number as usize].size;
        let direction = unit_vector(GOLDEN_ANGLE * rank as f32);
        body.translate(direction * (COINCIDENT_OFFSET_SIZES * size));
    }
}

/// Moves members a little toward those that they press against.
pub(crate) fn apply_pressure_bias(members: &mut Members, plans: &[MovePlan]) {
    for (member, body) in members.list.iter().zip(&mut members.bodies) {
        if member.presses {
            let remaining = plans[member.plan].remaining_displacement();
            body.translate(remaining.clamp_length_max(PRESSURE_BIAS_SIZES * member.size));
        }
    }
}
