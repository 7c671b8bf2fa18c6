//! Parting movers that moved into each other.

use std::cmp::Ordering;

use bevy::{math::bounding::Aabb2d, prelude::*};

use super::{
    nearby_walls::NearbyWalls,
    neighbors::Neighbors,
    one_way,
    plan::MovePlan,
    relax::{Body, Pair, part},
    trace::{Motion, Tracer},
    world_order::{by_world, sort_key},
};
use crate::{
    aabb::grow,
    broad_phase::NumberedBox,
    components::MoverResponse,
    geometry::{Shape, penetration_within},
    index::{ColliderIndex, Parents, are_related},
};

/// In how many steps overlaps are parted within one run. What is left is for the next one.
const STEPS: usize = 16;
/// How far a mover leans against those in its way, as a part of its size. Without that a crowd never gets through a door: in it
/// each waits for the others. With more of it they are pressed into each other.
const LEAN: f32 = 0.015;
/// How far from each other pairs are sought, as a part of the size: others come near only when much is moved.
const PAIR_REACH: f32 = 0.05;
/// How far around a mover walls are sought, as a part of its size.
const WALL_REACH: f32 = 0.15;

/// The movers at the places where they want to go. It keeps its buffers.
#[derive(Default)]
pub(super) struct Crowd {
    members: Vec<Member>,
    /// Those of the members, by their numbers; behind them those of walls.
    bodies: Vec<Body>,
    pairs: Vec<Pair>,
    /// Around solid members, by their numbers.
    boxes: Vec<NumberedBox>,
    neighbors: Neighbors,
    /// The pairs of members, each with a key by which they are sorted.
    keyed_pairs: Vec<(u64, Pair)>,
    /// The numbers of the members: mostly, what is near comes soon.
    order: Vec<u32>,
    walls: NearbyWalls,
}

/// A mover that has a collider.
struct Member {
    /// The number of its plan.
    plan: usize,
    is_solid: bool,
    /// Whether anybody is near.
    is_crowded: bool,
    /// Whether somebody is in its way who yields.
    leans: bool,
    /// The shorter side of the box around it.
    size: f32,
    /// How far it can be moved without a look at walls.
    clearance: f32,
}

/// Moves apart the movers whose plans end in each other, each by its share. None is moved into a wall.
pub(super) fn separate(
    plans: &mut [MovePlan],
    crowd: &mut Crowd,
    tracer: &mut Tracer,
    index: &ColliderIndex,
    parents: &Parents,
) {
    crowd.gather(plans, index);
    crowd.find_pairs(plans, index, parents);
    crowd.lean(plans);
    crowd.find_walls(plans, index, parents);
    part(&mut crowd.bodies, &crowd.pairs, STEPS);
    crowd.apply(plans, index, parents, tracer);
}

/// The shorter side of the box around a shape.
pub(super) fn size_of(shape: &Shape) -> f32 {
    let Aabb2d { min, max } = shape.aabb();
    (max - min).min_element()
}

impl Crowd {
    /// Takes in the movers that have a collider.
    fn gather(&mut self, plans: &[MovePlan], index: &ColliderIndex) {
        self.members.clear();
        self.bodies.clear();
        self.pairs.clear();
        for (number, plan) in plans.iter().enumerate() {
            if let Some(entry) = plan.entry(index) {
                self.members.push(Member {
                    plan: number,
                    is_solid: entry.role.is_solid(),
                    is_crowded: false,
                    leans: false,
                    size: size_of(entry.shape),
                    clearance: 0.0,
                });
                self.bodies
                    .push(Body::new(entry.shape.translated(plan.displacement)));
            }
        }
    }

    /// Finds the pairs of members that are near each other and do not let each other through.
    ///
    /// Sums of pushes depend on the order of the pairs by their rounding, and a crowd amplifies
    /// that. So neither which of two is the first nor the order of the pairs may depend on how the
    /// index lists them.
    fn find_pairs(&mut self, plans: &[MovePlan], index: &ColliderIndex, parents: &Parents) {
        let Self {
            members,
            bodies,
            boxes,
            neighbors,
            keyed_pairs,
            ..
        } = self;
        let all = || (0..).zip(members.iter().zip(bodies.iter()));
        boxes.clear();
        boxes.extend(
            all()
                .filter(|(_, (member, _))| member.is_solid)
                .map(|(number, (_, body))| box_near(number, &body.shape)),
        );
        neighbors.find(boxes);
        for (i, (_, body)) in all().filter(|(_, (member, _))| !member.is_solid) {
            neighbors.add_overlapping(i, &body.shape.aabb());
        }
        let shape_of = |number: u32| &bodies[number as usize].shape;
        keyed_pairs.clear();
        for &(i, j) in neighbors.found() {
            let [i, j] = if order(bodies, [i, j]).is_gt() {
                [j, i]
            } else {
                [i, j]
            };
            let [p, q] = [i, j].map(shape_of);
            let [first, second] = [i, j].map(|number| &members[number as usize]);
            let reach = PAIR_REACH * (first.size + second.size);
            let Some((lacking, normal)) = penetration_within(p, q, reach) else {
                continue;
            };
            let both = [i, j].map(|number| &plans[members[number as usize].plan]);
            let [Some(a), Some(b)] = both.map(|plan| plan.entry(index)) else {
                continue;
            };
            let yields = [a.is_blocked_by(&b), b.is_blocked_by(&a)];
            if yields == [false; 2] || are_related(&a, &b, parents) {
                continue;
            }
            let pair = Pair {
                bodies: [i, j],
                shares: shares_of(both, yields),
                gap: 0.0,
            };
            let touch = 2.0 * a.effective_skin().max(b.effective_skin());
            let touches = reach - lacking <= touch;
            let leans = pair.leans(both.map(MovePlan::urge), normal);
            for (number, leans) in [i, j].into_iter().zip(leans) {
                let member = &mut members[number as usize];
                member.is_crowded = true;
                member.leans |= touches && leans;
            }
            let [high, low] = [p, q].map(|shape| u64::from(sort_key(shape.center().x)));
            keyed_pairs.push((high << 32 | low, pair));
        }
        // The key tells most pairs apart, and saves a look at the bodies.
        keyed_pairs.sort_unstable_by(|(p_key, p), (q_key, q)| {
            let [firsts, seconds] = [0, 1].map(|side| [p.bodies[side], q.bodies[side]]);
            (p_key.cmp(q_key))
                .then_with(|| order(bodies, firsts))
                .then_with(|| order(bodies, seconds))
        });
        self.pairs
            .extend(keyed_pairs.drain(..).map(|(_, pair)| pair));
    }

    /// Lets members lean against what is in their way.
    fn lean(&mut self, plans: &[MovePlan]) {
        for (member, body) in self.members.iter().zip(&mut self.bodies) {
            if member.leans {
                let urge = plans[member.plan].urge();
                body.shift(urge.clamp_length_max(LEAN * member.size));
            }
        }
    }

    /// Finds the walls near members that have somebody near.
    fn find_walls(&mut self, plans: &[MovePlan], index: &ColliderIndex, parents: &Parents) {
        let Self {
            members,
            bodies,
            pairs,
            neighbors,
            order,
            walls,
            ..
        } = self;
        walls.begin_run();
        let others = (0..)
            .zip(members.iter())
            .filter(|(_, member)| !member.is_solid);
        order.clear();
        order.extend(neighbors.in_order().chain(others.map(|(number, _)| number)));
        for &number in order.iter() {
            let member = &mut members[number as usize];
            let entry = plans[member.plan].entry(index);
            let Some(entry) = entry.filter(|_| member.is_crowded) else {
                continue;
            };
            member.clearance = WALL_REACH * member.size;
            // It leans already, by a part of that way.
            let reach = member.clearance + LEAN * member.size + entry.effective_skin();
            let area = grow(&bodies[number as usize].shape.aabb(), reach);
            let first = pairs.len();
            for wall in walls.overlapping(area, index) {
                if !entry.is_blocked_by(&wall) || are_related(&entry, &wall, parents) {
                    continue;
                }
                let one_way = index.one_way_wall(&wall);
                wall.shape.visit_convex_pieces(&area, |part| {
                    member.clearance = 0.0;
                    if one_way.is_none_or(|way| one_way::bars(way, part, entry.shape)) {
                        pairs.push(Pair {
                            bodies: [number, bodies.len() as u32],
                            shares: [1.0, 0.0],
                            gap: entry.effective_skin(),
                        });
                        bodies.push(Body::new(part.clone()));
                    }
                });
            }
            let shape_of = |pair: &Pair| &bodies[pair.bodies[1] as usize].shape;
            pairs[first..].sort_unstable_by(|p, q| by_world(shape_of(p), shape_of(q)));
        }
    }

    /// Moves the movers as their bodies were moved, stopped by walls.
    fn apply(
        &self,
        plans: &mut [MovePlan],
        index: &ColliderIndex,
        parents: &Parents,
        tracer: &mut Tracer,
    ) {
        for (member, body) in self.members.iter().zip(&self.bodies) {
            let plan = &mut plans[member.plan];
            if body.moved == Vec2::ZERO {
                continue;
            }
            if body.moved.length() < member.clearance {
                plan.displacement += body.moved;
            } else if let Some(entry) = plan.entry(index) {
                let motion = Motion {
                    shape: &entry.shape.translated(plan.displacement),
                    displacement: body.moved,
                    velocity: Vec2::ZERO,
                    until: 1.0,
                    response: MoverResponse::Slide,
                    restitution: 0.0,
                    skin: entry.effective_skin(),
                    seconds: 1.0,
                    is_after_walls: true,
                };
                tracer.trace(index, &motion, |other| {
                    other.role.is_wall()
                        && entry.is_blocked_by(other)
                        && !are_related(&entry, other, parents)
                });
                plan.displacement += tracer.end();
            }
        }
    }
}

/// The order of two members by what the world says of them.
fn order(bodies: &[Body], [p, q]: [u32; 2]) -> Ordering {
    let [p_shape, q_shape] = [p, q].map(|number| &bodies[number as usize].shape);
    by_world(p_shape, q_shape).then(p.cmp(&q))
}

/// The box in which others count as near.
fn box_near(number: u32, shape: &Shape) -> NumberedBox {
    NumberedBox {
        number,
        aabb: grow(&shape.aabb(), PAIR_REACH * size_of(shape)),
    }
}

/// The parts of an overlap by which two movers yield to each other. One that rests is not pushed.
fn shares_of([a, b]: [&MovePlan; 2], yields: [bool; 2]) -> [f32; 2] {
    // In double precision no sum is infinite.
    let weights = [a, b].map(|plan| f64::from(plan.weight));
    let total = weights[0] + weights[1];
    match yields {
        [true, false] => [1.0, 0.0],
        [false, true] => [0.0, 1.0],
        _ if a.rests() && !b.rests() => [0.0, 1.0],
        _ if b.rests() && !a.rests() => [1.0, 0.0],
        _ if total > 0.0 => [weights[1], weights[0]].map(|other| (other / total) as f32),
        _ => [0.5; 2],
    }
}
