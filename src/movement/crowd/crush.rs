//! Movers that others crush.

use bevy::prelude::*;

use super::members::Members;
use crate::{
    events::{BlockingHit, MoverHit},
    geometry::{Shape, separation, touching_slop},
    index::ColliderEntry,
    movement::{
        body::{Crusher, MovePlan, deep_overlap},
        tolerances::MIN_CRUSHED_SHARE,
        world::UpdateWorld,
    },
};

/// Finds the movers that are crushed: still deep in others after all gave way, and not coming apart
/// from them. `hits` receives what crushes them.
pub(crate) fn find_crushed(
    world: &UpdateWorld,
    members: &Members,
    plans: &mut [MovePlan],
    hits: &mut Vec<MoverHit>,
) {
    for pair in &members.pairs {
        let [Some(p), Some(q)] = pair.bodies.map(|number| members.list.get(number as usize)) else {
            // A wall.
            continue;
        };
        let ends = pair
            .bodies
            .map(|number| &members.bodies[number as usize].shape);
        let Some((depth, normal)) = deep_overlap(ends[0], ends[1]) else {
            continue;
        };
        let (Some(a), Some(b)) = (p.entry(world.index), q.entry(world.index)) else {
            continue;
        };
        let starts = [(p, &a), (q, &b)].map(|(member, entry)| match member.is_mover {
            true => plans[member.plan].shape(entry),
            false => entry.shape,
        });
        // What rests below a walker is crushed as well, although it does not give way.
        let is_stack = p.stands_on(-normal) || q.stands_on(normal);
        let slop = touching_slop(ends[0], ends[1]);
        let comes_apart =
            deep_overlap(starts[0], starts[1]).is_some_and(|(start, _)| depth + slop < start);
        let [first, second] = ends;
        let sides = [
            (p, &b, -normal, [first, second]),
            (q, &a, normal, [second, first]),
        ];
        for ((member, other, out, shapes), share) in sides.into_iter().zip(pair.shares) {
            let plan = &mut plans[member.plan];
            let known = Crusher::normal_of(world.crushers_of(&plan.input), other.entity);
            let is_below = is_stack && plan.walls.wants_to_stay;
            let is_new = !comes_apart && (share >= MIN_CRUSHED_SHARE || is_below);
            if member.is_mover && (known.is_some() || is_new) {
                plan.bodies.course.crushed_by.get_or_insert(other.entity);
                let hit = crushing_hit(world, other, known.unwrap_or(out), shapes);
                let entity = plan.entity();
                hits.push(MoverHit { entity, hit });
            }
        }
    }
}

/// The hit of a mover by what crushes it, at the end of the update. The mover's shape is first.
fn crushing_hit(
    world: &UpdateWorld,
    by: &ColliderEntry,
    normal: Vec2,
    [mover, other]: [&Shape; 2],
) -> BlockingHit {
    let point = separation(mover, other).point_b;
    BlockingHit {
        fraction: 1.0,
        ..BlockingHit::at(world.index, by.entity, by.slot, point, normal)
    }
}
