//! Moving apart the movers whose plans end in each other.

use std::cmp::Ordering;

use bevy::prelude::*;

use super::{
    super::{
        motion::{Motion, Trajectory, Velocity},
        move_and_slide::move_and_slide,
        move_plan::MovePlan,
        obstacles::Blockers,
        one_way::{OneWayObstacle, blocks_from, pass_through},
        ride::WalkPlan,
        slide::SlideBuffers,
        tolerances::{
            COINCIDENT_OFFSET_SIZES, CROWD_ITERATIONS, CROWD_MARGIN_SIZES, GOLDEN_ANGLE,
            PRESSURE_BIAS_SIZES, WALL_MARGIN_SIZES,
        },
        world_order::{by_world, sort_key},
    },
    jacobi::{Body, Floor, Pair, separate_jacobi},
    neighbors::Neighbors,
    walls::WallCache,
};
use crate::{
    aabb::{Aabb2d, grow},
    broad_phase::NumberedBox,
    components::MoverResponse,
    geometry::{Shape, penetration_within, unit_vector},
    index::{ColliderEntry, ColliderIndex, Parents, are_related},
};

/// The movers at the ends of their plans. Keeps its buffers.
#[derive(Default)]
pub(in crate::movement) struct Crowd {
    members: Vec<Member>,
    /// The bodies of the members, in their order, followed by those of walls.
    bodies: Vec<Body>,
    pairs: Vec<Pair>,
    /// Around solid members, by their numbers.
    boxes: Vec<NumberedBox>,
    neighbors: Neighbors,
    /// The numbers of members that are at the center of another one.
    coincident: Vec<u32>,
    /// The pairs of members, each with a key by which they are sorted.
    keyed_pairs: Vec<(u64, Pair)>,
    /// The numbers of the members in an order in which neighbors are mostly near each other.
    order: Vec<u32>,
    walls: WallCache,
    slide_buffers: SlideBuffers,
    trajectory: Trajectory,
}

/// A mover that has a collider.
struct Member {
    /// The number of its plan.
    plan: usize,
    is_solid: bool,
    /// Whether it makes a pair with any other member.
    is_crowded: bool,
    /// Whether it presses against another member that gives way.
    presses: bool,
    /// The shorter side of the box around it.
    size: f32,
    /// How far it can be moved without sweeping it against walls.
    clearance: f32,
}

/// Moves apart the movers whose plans end in each other, each by its share, in Jacobi iterations.
/// None is moved into a wall.
pub(in crate::movement) fn separate(
    plans: &mut [MovePlan],
    walks: &[WalkPlan],
    crowd: &mut Crowd,
    index: &ColliderIndex,
    parents: &Parents,
) {
    crowd.gather_members(plans, walks, index);
    crowd.find_pairs(plans, index, parents);
    crowd.spread_coincident(plans);
    crowd.apply_pressure_bias(plans);
    crowd.find_walls(plans, index, parents);
    separate_jacobi(&mut crowd.bodies, &crowd.pairs, CROWD_ITERATIONS);
    crowd.apply(plans, index, parents);
}

/// The shorter side of the box around a shape.
pub(in crate::movement) fn size_of(shape: &Shape) -> f32 {
    let Aabb2d { min, max } = shape.aabb();
    (max - min).min_element()
}

impl Crowd {
    /// Adds the movers that have a collider.
    fn gather_members(&mut self, plans: &[MovePlan], walks: &[WalkPlan], index: &ColliderIndex) {
        self.members.clear();
        self.bodies.clear();
        self.pairs.clear();
        for (number, plan) in plans.iter().enumerate() {
            if let Some(entry) = plan.entry(index) {
                self.members.push(Member {
                    plan: number,
                    is_solid: entry.role.is_solid(),
                    is_crowded: false,
                    presses: false,
                    size: size_of(entry.shape),
                    clearance: 0.0,
                });
                let shape = entry.shape.translated(plan.displacement);
                let mut body = Body::new(shape);
                body.floor = plan.walk.and_then(|walk| floor_of(&walks[walk]));
                self.bodies.push(body);
            }
        }
    }

    /// Finds the pairs of members that are near each other and of which one blocks the other.
    ///
    /// Sums of corrections depend on the order of the pairs by their rounding, and a crowd
    /// amplifies that. So neither which of two is the first nor the order of the pairs may depend
    /// on how the index lists them.
    fn find_pairs(&mut self, plans: &[MovePlan], index: &ColliderIndex, parents: &Parents) {
        self.find_neighbors();
        let Self {
            members,
            bodies,
            neighbors,
            coincident,
            keyed_pairs,
            ..
        } = self;
        coincident.clear();
        keyed_pairs.clear();
        for &(i, j) in neighbors.found() {
            let [i, j] = if order(bodies, [i, j]).is_gt() {
                [j, i]
            } else {
                [i, j]
            };
            let [p, q] = [i, j].map(|number| &bodies[number as usize].shape);
            let [first, second] = [i, j].map(|number| &members[number as usize]);
            let margin = CROWD_MARGIN_SIZES * (first.size + second.size);
            let Some((depth, normal)) = penetration_within(p, q, margin) else {
                continue;
            };
            let both = [first, second].map(|member| &plans[member.plan]);
            let [Some(a), Some(b)] = both.map(|plan| plan.entry(index)) else {
                continue;
            };
            let gives_way = [a.is_blocked_by(&b), b.is_blocked_by(&a)];
            if gives_way == [false; 2]
                || are_related(&a, &b, parents)
                || pass_through([(&a, both[0]), (&b, both[1])], index)
            {
                continue;
            }
            let pair = Pair {
                bodies: [i, j],
                shares: shares_of(both, gives_way),
                margin: 0.0,
            };
            if p.center() == q.center() {
                let yields = [i, j].into_iter().zip(pair.shares);
                coincident.extend(
                    yields
                        .filter(|(_, share)| *share > 0.0)
                        .map(|(member, _)| member),
                );
            }
            let touch = margin - depth <= 2.0 * a.effective_skin().max(b.effective_skin());
            let presses = pair.presses(both.map(MovePlan::remaining_displacement), normal);
            for (number, presses) in [i, j].into_iter().zip(presses) {
                let member = &mut members[number as usize];
                member.is_crowded = true;
                member.presses |= touch && presses;
            }
            let [high, low] = [p, q].map(|shape| u64::from(sort_key(shape.center().x)));
            keyed_pairs.push((high << 32 | low, pair));
        }
        // The key distinguishes most pairs, and saves a look at the bodies.
        keyed_pairs.sort_unstable_by(|(p_key, p), (q_key, q)| {
            let [firsts, seconds] = [0, 1].map(|side| [p.bodies[side], q.bodies[side]]);
            (p_key.cmp(q_key))
                .then_with(|| order(bodies, firsts))
                .then_with(|| order(bodies, seconds))
        });
        let sorted = keyed_pairs.drain(..).map(|(_, pair)| pair);
        self.pairs.extend(sorted);
    }

    /// Finds the members whose boxes are near each other.
    fn find_neighbors(&mut self) {
        let Self {
            members,
            bodies,
            boxes,
            neighbors,
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
    }

    /// Moves members off the center that they share with others, each in another direction: from
    /// there all would be separated along one line.
    fn spread_coincident(&mut self, plans: &[MovePlan]) {
        let Self {
            members,
            bodies,
            coincident,
            ..
        } = self;
        // Not by the order of spawning, unless they are the same.
        let of_motion = |number: u32| {
            let MovePlan {
                weight, desired, ..
            } = &plans[members[number as usize].plan];
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
            let size = members[number as usize].size;
            let direction = unit_vector(GOLDEN_ANGLE * rank as f32);
            body.translate(direction * (COINCIDENT_OFFSET_SIZES * size));
        }
    }

    /// Moves members a little toward those that they press against.
    fn apply_pressure_bias(&mut self, plans: &[MovePlan]) {
        for (member, body) in self.members.iter().zip(&mut self.bodies) {
            if member.presses {
                let remaining = plans[member.plan].remaining_displacement();
                body.translate(remaining.clamp_length_max(PRESSURE_BIAS_SIZES * member.size));
            }
        }
    }

    /// Finds the walls near crowded members.
    fn find_walls(&mut self, plans: &[MovePlan], index: &ColliderIndex, parents: &Parents) {
        self.order_members();
        let Self {
            members,
            bodies,
            pairs,
            order,
            walls,
            ..
        } = self;
        walls.clear();
        for &number in order.iter() {
            let member = &mut members[number as usize];
            let plan = &plans[member.plan];
            let Some(entry) = plan.entry(index).filter(|_| member.is_crowded) else {
                continue;
            };
            let start = plan.mover_start(&entry);
            member.clearance = WALL_MARGIN_SIZES * member.size;
            // The pressure bias took a part of the clearance.
            let bias = PRESSURE_BIAS_SIZES * member.size;
            let margin = member.clearance + bias + entry.effective_skin();
            let area = grow(&bodies[number as usize].shape.aabb(), margin);
            let first = pairs.len();
            for wall in walls.overlapping(area, index) {
                if !entry.is_blocked_by(&wall) || are_related(&entry, &wall, parents) {
                    continue;
                }
                let one_way = OneWayObstacle::of(&wall, index);
                wall.shape.visit_convex_pieces(&area, |piece| {
                    member.clearance = 0.0;
                    if (one_way.as_ref()).is_none_or(|wall| blocks_from(wall, piece, &start)) {
                        pairs.push(Pair {
                            bodies: [number, bodies.len() as u32],
                            shares: [1.0, 0.0],
                            margin: entry.effective_skin(),
                        });
                        bodies.push(Body::new(piece.clone()));
                    }
                });
            }
            let shape_of = |pair: &Pair| &bodies[pair.bodies[1] as usize].shape;
            pairs[first..].sort_unstable_by(|p, q| by_world(shape_of(p), shape_of(q)));
        }
    }

    /// Orders the members so that those near each other mostly follow each other.
    fn order_members(&mut self) {
        let others = (0..)
            .zip(self.members.iter())
            .filter(|(_, member)| !member.is_solid);
        self.order.clear();
        self.order.extend(self.neighbors.in_order());
        self.order.extend(others.map(|(number, _)| number));
    }

    /// Moves the movers as their bodies were moved, swept against walls.
    fn apply(&mut self, plans: &mut [MovePlan], index: &ColliderIndex, parents: &Parents) {
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
                    desired: Velocity {
                        per_update: body.moved,
                        per_second: Vec2::ZERO,
                    },
                    max_fraction: 1.0,
                    response: MoverResponse::Slide,
                    restitution: 0.0,
                    skin: entry.effective_skin(),
                    seconds: 1.0,
                    is_after_walls: true,
                    carry: Vec2::ZERO,
                    walk: None,
                    crush_site: None,
                };
                let walls = Blockers::new(index, |other: &ColliderEntry| {
                    other.role.is_wall()
                        && entry.is_blocked_by(other)
                        && !are_related(&entry, other, parents)
                });
                let buffers = &mut self.slide_buffers;
                let end = move_and_slide(&walls, &motion, buffers, &mut self.trajectory);
                plan.displacement += end.displacement;
            }
        }
    }
}

/// The floor that a walker stands on at the end of its plan.
fn floor_of(walk: &WalkPlan) -> Option<Floor> {
    Some(Floor {
        normal: walk.footing.surfaces.floor?.normal,
        min_cosine: walk.rules.min_floor_cosine,
    })
}

/// The order of two members by their shapes in the world, then by their numbers.
fn order(bodies: &[Body], [p, q]: [u32; 2]) -> Ordering {
    let [p_shape, q_shape] = [p, q].map(|number| &bodies[number as usize].shape);
    by_world(p_shape, q_shape).then(p.cmp(&q))
}

/// The box in which others count as near.
fn box_near(number: u32, shape: &Shape) -> NumberedBox {
    NumberedBox {
        number,
        aabb: grow(&shape.aabb(), CROWD_MARGIN_SIZES * size_of(shape)),
    }
}

/// The fractions of an overlap by which two movers give way to each other, given whether each does
/// at all. One that rests is not pushed.
fn shares_of([a, b]: [&MovePlan; 2], gives_way: [bool; 2]) -> [f32; 2] {
    // In double precision no sum is infinite.
    let weights = [a, b].map(|plan| f64::from(plan.weight));
    let total = weights[0] + weights[1];
    match gives_way {
        [true, false] => [1.0, 0.0],
        [false, true] => [0.0, 1.0],
        _ if a.rests && !b.rests => [0.0, 1.0],
        _ if b.rests && !a.rests => [1.0, 0.0],
        _ if total > 0.0 => [weights[1], weights[0]].map(|other| (other / total) as f32),
        _ => [0.5; 2],
    }
}
