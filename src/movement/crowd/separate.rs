//! Separates the movers whose plans end in each other.

use bevy::prelude::*;

use super::{
    crush::find_crushed,
    jacobi::separate_jacobi,
    members::Members,
    offsets::{apply_pressure_bias, spread_coincident},
    pairs::PairFinder,
    walls::{WallCache, add_walls},
};
use crate::{
    events::MoverHit,
    index::{ColliderEntry, are_related},
    movement::{
        body::{Motion, MovePlan, PlanNumbers, Trajectory},
        move_and_slide::move_and_slide,
        obstacles::{Blockers, MoverStart, WHOLE_UPDATE},
        slide::SlideBuffers,
        support::WalkPlan,
        tolerances::CROWD_ITERATIONS,
        world::UpdateWorld,
    },
};

/// The movers at the ends of their plans. Keeps its buffers.
#[derive(Default)]
pub(crate) struct Crowd {
    members: Members,
    pairs: PairFinder,
    /// The numbers of members, in the order in which walls near them are searched.
    order: Vec<u32>,
    walls: WallCache,
    slide_buffers: SlideBuffers,
    trajectory: Trajectory,
}

impl Crowd {
    /// Separates the movers whose plans end in each other. Each moves by its share, but not into a
    /// wall. `hits` receives what crushes movers that have no room. The steps are those of the
    /// [module](super).
    pub fn separate(
        &mut self,
        world: &UpdateWorld,
        plans: &mut [MovePlan],
        walks: &[WalkPlan],
        numbers: &PlanNumbers,
        hits: &mut Vec<MoverHit>,
    ) {
        let Self {
            members,
            pairs,
            order,
            walls,
            ..
        } = self;
        // 1.
        members.gather(world, plans, walks, numbers);
        if members.list.is_empty() {
            return;
        }
        // 2.
        pairs.find(world, members, plans);
        // 3.
        spread_coincident(members, &mut pairs.coincident, plans);
        apply_pressure_bias(members, plans);
        // 4.
        pairs.list_in_order(members, order);
        add_walls(world, members, plans, order, walls);
        // 5.
        separate_jacobi(&mut members.bodies, &members.pairs, CROWD_ITERATIONS);
        self.apply(world, plans);
        // 6.
        find_crushed(world, &self.members, plans, hits);
        // Bodies keep the memory of compounds shared.
        self.members.bodies.clear();
    }

    /// Moves the movers as their bodies were moved, swept against walls.
    fn apply(&mut self, world: &UpdateWorld, plans: &mut [MovePlan]) {
        let index = world.index;
        for (member, body) in self.members.list.iter().zip(&mut self.members.bodies) {
            let plan = &mut plans[member.plan];
            if body.moved == Vec2::ZERO {
                continue;
            }
            if body.moved.length() < member.clearance {
                plan.bodies.course.displacement += body.moved;
            } else if let Some(entry) = plan.entry(index) {
                let shape = plan.shape(&entry).translated(plan.course().displacement);
                let motion = Motion::slide(&shape, body.moved, entry.effective_skin());
                let blocks = |other: &ColliderEntry| {
                    other.role.is_wall()
                        && entry.is_blocked_by(other)
                        && !are_related(&entry, other, world.parents)
                };
                let walls = Blockers {
                    index,
                    observer: Some(world.observer(&entry)),
                    start: MoverStart::of_plan(plan, &entry),
                    during: WHOLE_UPDATE,
                    blocks: &blocks,
                };
                let buffers = &mut self.slide_buffers;
                let end = move_and_slide(&walls, &motion, buffers, &mut self.trajectory);
                plan.bodies.course.displacement += end.displacement;
                body.shape = plan.shape(&entry).translated(plan.course().displacement);
            }
        }
    }
}
