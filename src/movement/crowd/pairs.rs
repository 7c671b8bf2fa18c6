//! The pairs of members that may overlap, and how far each gives way.

use bevy::prelude::*;
use std::cmp::Ordering;

use super::{
    jacobi::{Body, Pair},
    members::Members,
};
use crate::{
    aabb::grow,
    broad_phase::NumberedBox,
    geometry::{Shape, penetration_within},
    index::{are_related, effective_skin},
    movement::{
        body::{MovePlan, size_of},
        neighbors::Neighbors,
        obstacles::pass_through,
        tolerances::CROWD_MARGIN_SIZES,
        world::UpdateWorld,
        world_order::{by_world, sort_key},
    },
};

/// Finds the pairs of near members, where at least one blocks the other. Keeps its buffers.
#[derive(Default)]
pub(crate) struct PairFinder {
    /// Around solid members, by their numbers.
    boxes: Vec<NumberedBox>,
    neighbors: Neighbors,
    /// The pairs of members, each with a key by which they are sorted.
    keyed: Vec<(u64, Pair)>,
    /// The numbers of members that give way to another one with the same center.
    pub coincident: Vec<u32>,
}

impl PairFinder {
    /// Finds the pairs.
    ///
    /// The rounding of summed corrections depends on the order of the pairs, and a crowd amplifies
    /// it. So the order of the pairs, and of the two members of each, must not depend on how the
    /// index lists them.
    pub fn find(&mut self, world: &UpdateWorld, members: &mut Members, plans: &[MovePlan]) {
        self.find_neighbors(members);
        self.coincident.clear();
        self.keyed.clear();
        for &(i, j) in self.neighbors.found() {
            let numbers = if order(&members.bodies, [i, j]).is_gt() {
                [j, i]
            } else {
                [i, j]
            };
            let Some(pair) = near_pair(world, members, plans, numbers) else {
                continue;
            };
            let [p, q] = numbers.map(|number| &members.bodies[number as usize].shape);
            if p.center() == q.center() {
                let yields = numbers.into_iter().zip(pair.shares);
                let yields = yields.filter(|(_, share)| *share > 0.0);
                self.coincident.extend(yields.map(|(number, _)| number));
            }
            let [high, low] = [p, q].map(|shape| u64::from(sort_key(shape.center().x)));
            self.keyed.push((high << 32 | low, pair));
        }
        // The key distinguishes most pairs, and saves a look at the bodies.
        let bodies = &members.bodies;
        (self.keyed).sort_unstable_by(|(p_key, p), (q_key, q)| {
            let [firsts, seconds] = [0, 1].map(|side| [p.bodies[side], q.bodies[side]]);
            (p_key.cmp(q_key))
                .then_with(|| order(bodies, firsts))
                .then_with(|| order(bodies, seconds))
        });
        let sorted = self.keyed.drain(..).map(|(_, pair)| pair);
        members.pairs.extend(sorted);
    }

    /// Finds the members whose boxes are near each other.
    fn find_neighbors(&mut self, Members { list, bodies, .. }: &Members) {
        let all = || (0..).zip(list.iter().zip(bodies));
        self.boxes.clear();
        self.boxes.extend(
            all()
                .filter(|(_, (member, _))| member.is_solid)
                .map(|(number, (_, body))| box_near(number, &body.shape)),
        );
        self.neighbors.find(&self.boxes);
        for (i, (_, body)) in all().filter(|(_, (member, _))| !member.is_solid) {
            self.neighbors.add_overlapping(i, &body.shape.aabb());
        }
    }

    /// Lists the numbers of the members in `ordered`: consecutive ones are mostly near each other.
    pub fn list_in_order(&self, members: &Members, ordered: &mut Vec<u32>) {
        let others = (0..)
            .zip(members.list.iter())
            .filter(|(_, member)| !member.is_solid);
        ordered.clear();
        ordered.extend(self.neighbors.in_order());
        ordered.extend(others.map(|(number, _)| number));
    }
}

/// Returns the pair of two members, or `None` if they are not near each other, or neither gives
/// way. Marks the members as crowded and pressing.
fn near_pair(
    world: &UpdateWorld,
    Members { list, bodies, .. }: &mut Members,
    plans: &[MovePlan],
    numbers: [u32; 2],
) -> Option<Pair> {
    let [p, q] = numbers.map(|number| &bodies[number as usize].shape);
    let [first, second] = numbers.map(|number| &list[number as usize]);
    let margin = CROWD_MARGIN_SIZES * (first.size + second.size);
    let (depth, normal) = penetration_within(p, q, margin)?;
    let both = [first, second].map(|member| &plans[member.plan]);
    let (a, b) = (first.entry(world.index)?, second.entry(world.index)?);
    let gives_way = [
        first.is_mover && second.is_solid && a.is_blocked_by(&b),
        second.is_mover && first.is_solid && b.is_blocked_by(&a),
    ];
    if gives_way == [false; 2]
        || are_related(&a, &b, world.parents)
        || pass_through([(&a, both[0]), (&b, both[1])], world)
    {
        return None;
    }
    let skin = a.effective_skin().max(b.effective_skin());
    let passes = world.is_against_normal(&both[0].input, b.entity, -normal)
        || world.is_against_normal(&both[1].input, a.entity, normal);
    let shares = if passes {
        [0.0; 2]
    } else {
        let stands = [first.stands_on(-normal), second.stands_on(normal)];
        shares_of(both, gives_way, stands)
    };
    // The larger skin is kept by its mover alone, when that moves.
    let movers = [(first, &a), (second, &b)].into_iter();
    let skins = movers.filter_map(|(member, entry)| member.is_mover.then_some(entry.skin));
    let smaller = skins.fold(f32::INFINITY, f32::min);
    let pair = Pair {
        bodies: numbers,
        shares,
        margin: effective_skin(smaller, a.shape).max(effective_skin(smaller, b.shape)),
    };
    // Pushes of what is pushable are handed on already.
    let is_pushable = both.iter().any(|plan| plan.input.is_pushable);
    let touch = margin - depth <= 2.0 * skin && !is_pushable;
    let presses = pair.presses(both.map(MovePlan::remaining_displacement), normal);
    for (number, presses) in numbers.into_iter().zip(presses) {
        let member = &mut list[number as usize];
        member.is_crowded = true;
        member.presses |= touch && presses && member.is_mover;
    }
    Some(pair)
}

/// The order of two members by their shapes in the world, then by their numbers.
fn order(bodies: &[Body], [p, q]: [u32; 2]) -> Ordering {
    let [p_shape, q_shape] = [p, q].map(|number| &bodies[number as usize].shape);
    by_world(p_shape, q_shape).then(p.cmp(&q))
}

/// The box within which others count as near.
fn box_near(number: u32, shape: &Shape) -> NumberedBox {
    NumberedBox {
        number,
        aabb: grow(&shape.aabb(), CROWD_MARGIN_SIZES * size_of(shape)),
    }
}

/// The fractions of an overlap by which two movers give way to each other, given whether each does
/// at all, and whether each stands on the other: then it gives way. Otherwise a mover at rest is
/// not pushed by one that moves.
fn shares_of([a, b]: [&MovePlan; 2], gives_way: [bool; 2], stands: [bool; 2]) -> [f32; 2] {
    // In double precision no sum is infinite.
    let weights = [a, b].map(|plan| f64::from(plan.input.weight));
    let total = weights[0] + weights[1];
    match gives_way {
        [true, false] => [1.0, 0.0],
        [false, true] => [0.0, 1.0],
        _ if stands[0] != stands[1] => stands.map(|stands| f32::from(u8::from(stands))),
        _ if a.walls.wants_to_stay && !b.walls.wants_to_stay => [0.0, 1.0],
        _ if b.walls.wants_to_stay && !a.walls.wants_to_stay => [1.0, 0.0],
        _ if total > 0.0 => [weights[1], weights[0]].map(|other| (other / total) as f32),
        _ => [0.5; 2],
    }
}
