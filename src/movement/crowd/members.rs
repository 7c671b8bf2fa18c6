//! The members of crowds: movers, and the solid colliders that they carry.

use bevy::prelude::*;

use super::jacobi::{Body, Floor, Pair};
use crate::{
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex, MoverRelation},
    movement::{
        body::{MovePlan, PlanNumbers, size_of},
        support::WalkPlan,
        world::UpdateWorld,
    },
};

/// A collider that is a mover, or that a mover carries.
pub(crate) struct Member {
    /// The number of the plan of its mover.
    pub plan: usize,
    pub slot: u32,
    /// Whether it is the mover's own collider. Colliders that a mover carries give way to nothing.
    pub is_mover: bool,
    pub is_solid: bool,
    /// Whether it makes a pair with any other member.
    pub is_crowded: bool,
    /// Whether it presses against another member that gives way.
    pub presses: bool,
    /// The shorter side of the box around it, in world units.
    pub size: f32,
    /// How far it can be moved without sweeping it against walls, in world units.
    pub clearance: f32,
}

/// The members with their bodies.
#[derive(Default)]
pub(crate) struct Members {
    pub list: Vec<Member>,
    /// The bodies of the members, in their order, then those of walls.
    pub bodies: Vec<Body>,
    pub pairs: Vec<Pair>,
}

impl Members {
    /// Replaces the members by the movers of these plans and the solid colliders that they carry.
    /// There are no members if none is solid.
    pub fn gather(
        &mut self,
        world: &UpdateWorld,
        plans: &[MovePlan],
        walks: &[WalkPlan],
        numbers: &PlanNumbers,
    ) {
        self.list.clear();
        self.bodies.clear();
        self.pairs.clear();
        let is_solid = |plan: &MovePlan| {
            let entry = plan.entry(world.index);
            entry.is_some_and(|entry| entry.role.is_solid())
        };
        if !plans.iter().any(is_solid) && world.index.carried_solids().next().is_none() {
            return;
        }
        for (number, plan) in plans.iter().enumerate() {
            if let Some(entry) = plan.entry(world.index) {
                let mut body = Body::new(plan.shape(&entry).translated(plan.course().displacement));
                body.floor = plan
                    .input
                    .walk_number
                    .and_then(|walk| floor_of(&walks[walk]));
                self.list
                    .push(Member::new(&entry, number, plan.shape(&entry)));
                self.bodies.push(body);
            }
        }
        let movers = self.list.len();
        let carried = world.index.carried_solids();
        self.list.extend(carried.filter_map(|entry| {
            let number = numbers.get(entry.mover()?)?;
            Some(Member::new(&entry, number as usize, entry.shape))
        }));
        let carried = &mut self.list[movers..];
        carried.sort_by_key(|member| member.entry(world.index).map(|entry| entry.order()));
        let bodies = carried.iter().filter_map(|member| {
            let shape = member.entry(world.index)?.shape;
            Some(Body::new(
                shape.translated(plans[member.plan].course().displacement),
            ))
        });
        self.bodies.extend(bodies);
    }
}

impl Member {
    fn new(entry: &ColliderEntry, plan: usize, shape: &Shape) -> Self {
        Self {
            plan,
            slot: entry.slot,
            is_mover: entry.role.moved_by == MoverRelation::Itself,
            is_solid: entry.role.is_solid(),
            is_crowded: false,
            presses: false,
            size: size_of(shape),
            clearance: 0.0,
        }
    }

    pub fn entry<'a>(&self, index: &'a ColliderIndex) -> Option<ColliderEntry<'a>> {
        index.at(self.slot)
    }
}

/// The floor that a walker stands on at the end of its plan.
pub(crate) fn floor_of(walk: &WalkPlan) -> Option<Floor> {
    Some(Floor {
        normal: walk.footing.surfaces.floor?.normal,
        min_cosine: walk.start.rules.min_floor_cosine,
    })
}
