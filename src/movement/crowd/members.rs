//! The members of crowds: the bodies of movers, and the solid colliders that these carry.

use std::iter::once;

use bevy::prelude::*;

use super::jacobi::{Body, Floor, Pair};
use crate::{
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex},
    movement::{
        body::{MovePlan, PlanNumbers, WalkRules, size_of},
        support::WalkPlan,
        world::UpdateWorld,
    },
};

/// A collider that is a mover, or that a mover carries.
pub(crate) struct Member {
    /// The number of the plan of its mover.
    pub plan: usize,
    pub slot: u32,
    /// Whether it is the whole body of a mover. Single colliders give way to nothing.
    pub is_mover: bool,
    pub is_solid: bool,
    /// How it walks, if it is a walker.
    pub walk_rules: Option<WalkRules>,
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
            entry.is_some_and(|entry| entry.role.is_solid() || is_mixed(plan, &entry, world))
        };
        if !plans.iter().any(is_solid) && world.index.carried_solids().next().is_none() {
            return;
        }
        let all = || {
            let numbered = plans.iter().enumerate();
            numbered.filter_map(|(number, plan)| Some((number, plan, plan.entry(world.index)?)))
        };
        for (number, plan, entry) in all() {
            let shape = plan.shape(&entry);
            let walk = plan.input.walk_number.map(|walk| &walks[walk as usize]);
            let mut member = Member::new(&entry, number, shape);
            member.is_mover = true;
            member.is_solid &= !is_mixed(plan, &entry, world);
            member.walk_rules = walk.map(|walk| walk.start.rules);
            self.list.push(member);
            let mut body = Body::new(shape.translated(plan.course().displacement));
            body.floor = walk.and_then(floor_of);
            self.bodies.push(body);
        }
        let movers = self.list.len();
        let carried = world.index.carried_solids();
        self.list.extend(carried.filter_map(|entry| {
            let number = numbers.get(entry.mover()?)?;
            Some(Member::new(&entry, number as usize, entry.shape))
        }));
        let mixed = all().filter(|(_, plan, entry)| is_mixed(plan, entry, world));
        for (number, plan, entry) in mixed {
            let colliders = once(entry).chain(world.index.parts_of(plan.entity()));
            let solid = colliders.filter(|collider| collider.role.is_solid());
            let solid = solid.map(|collider| Member::new(&collider, number, collider.shape));
            self.list.extend(solid);
        }
        let carried = &mut self.list[movers..];
        carried.sort_by_key(|member| member.entry(world.index).map(|entry| entry.order()));
        let bodies = carried.iter().filter_map(|member| {
            let shape = member.entry(world.index)?.shape;
            let displacement = plans[member.plan].course().displacement;
            Some(Body::new(shape.translated(displacement)))
        });
        self.bodies.extend(bodies);
    }
}

/// Whether only some of the colliders of a body are solid: it gives way with all of them, but
/// others give way to those only.
fn is_mixed(plan: &MovePlan, entry: &ColliderEntry, world: &UpdateWorld) -> bool {
    let is_solid = entry.role.is_solid();
    let mut parts = (plan.input.compound.iter()).flat_map(|_| world.index.parts_of(entry.entity));
    parts.any(|part| part.role.is_solid() != is_solid)
}

impl Member {
    fn new(entry: &ColliderEntry, plan: usize, shape: &Shape) -> Self {
        Self {
            plan,
            slot: entry.slot,
            is_mover: false,
            is_solid: entry.role.is_solid(),
            walk_rules: None,
            is_crowded: false,
            presses: false,
            size: size_of(shape),
            clearance: 0.0,
        }
    }

    /// Whether it stands on a surface with this outward normal.
    pub fn stands_on(&self, normal: Vec2) -> bool {
        (self.walk_rules).is_some_and(|rules| rules.is_floor(normal))
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
