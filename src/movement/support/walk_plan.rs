//! The plan of one walker for one update, before and after its move.

use bevy::{math::Affine2, prelude::*};

use super::floors::{ParentFrame, conveyor_displacement, is_mirrored, mover_below, ridden_floor};
use crate::{
    components::{EntityOrder, KeptVelocity, MoverResponse, Walker},
    events::{FloorAnchor, Ground, SurfaceContact, TouchedSurfaces},
    movement::{
        body::{Footing, MoveInput, MovePlan, RiddenFloor, Velocity, Walk, component_along},
        world::UpdateWorld,
    },
};

/// The input and the outcome of a walker's plan.
pub(crate) struct WalkPlan {
    /// The sort order of the walker, and of its plan.
    pub order: EntityOrder,
    /// How it walks, from how it stands when the update begins.
    pub start: Walk,
    frame: ParentFrame,
    /// The floor on which it stood when the update began, if the floor carries it.
    pub floor: Option<RiddenFloor>,
    kept_velocity: KeptVelocity,
    time_scale: f32,
    /// What it touches where it ends.
    pub footing: Footing,
    /// The ground before the update; after it, once the plan is complete.
    pub ground: Ground,
}

impl WalkPlan {
    /// Prepares the plan of a walker. If its floor falls away faster than the walker falls, the
    /// walker keeps the velocity of the floor, and is in the air.
    pub fn new(
        world: &UpdateWorld,
        walker: &Walker,
        ground: &Ground,
        parent: Option<Entity>,
        input: &mut MoveInput,
    ) -> Self {
        let frame = ParentFrame {
            parent,
            pose: parent.and_then(|parent| world.pose(parent)),
        };
        let start = Walk::new(walker, ground);
        input.floor = start.floor;
        input.drops_through = start.drops_through && input.response == MoverResponse::Slide;
        let mut walk = Self {
            order: input.order,
            start,
            frame,
            floor: None,
            kept_velocity: walker.kept_velocity,
            time_scale: input.time_scale,
            footing: Footing::NONE,
            ground: ground.clone(),
        };
        let Some(floor) = ridden_floor(world, walker, ground, &frame, input) else {
            return walk;
        };
        if floor.mover.is_none() && walk.falls_away(input, floor.displacement, world.seconds) {
            walk.start.stood = false;
            let kept = walk.kept(ground.floor_velocity());
            input.desired.per_second += kept;
            input.desired.per_update += kept * world.seconds;
        } else {
            walk.start.conveyor = conveyor_displacement(world, floor.entity);
            walk.floor = Some(floor);
        }
        walk
    }

    /// Ends the walker's move among walls, after they pushed it and its floor carried it by
    /// `before`. Returns the displacement that it desires there, relative to its floor.
    pub fn end(&mut self, desired: Velocity, footing: Footing, before: Vec2) -> Vec2 {
        if let Some(floor) = &mut self.floor {
            floor.carried = component_along(floor.displacement, before);
        }
        self.footing = footing;
        self.start.rules.wanted(desired.per_update, &footing)
    }

    /// How the walker walks on from where its plan ends.
    pub fn walk_on(&self) -> Walk {
        Walk {
            stood: self.footing.surfaces.floor.is_some(),
            drops_through: self.footing.drops_through,
            conveyor: Vec2::ZERO,
            ..self.start
        }
    }

    /// Whether the floor moves down so much faster than the walker, which falls from the floor's
    /// last velocity, that the walker cannot snap to it.
    fn falls_away(&self, input: &MoveInput, displacement: Vec2, seconds: f32) -> bool {
        let up = self.start.rules.up;
        let fall = -input.desired.per_update.dot(up);
        let known_descent = (-self.ground.floor_velocity().dot(up) * seconds).max(0.0);
        let is_known = self.ground.anchor().is_some_and(|anchor| !anchor.is_new);
        is_known
            && fall >= 0.0
            && -displacement.dot(up) > known_descent + fall + self.start.rules.max_descent()
    }

    /// The part of a floor's velocity that the walker keeps when it leaves the floor, in the time
    /// of the walker: a lift throws nobody farther in slow motion. One that drops through a floor
    /// that rises does not rise with it.
    fn kept(&self, velocity: Vec2) -> Vec2 {
        let up = self.start.rules.up;
        let rising = velocity.dot(up).max(0.0);
        let velocity = match self.start.drops_through {
            true => velocity - up * rising,
            false => velocity,
        };
        let velocity = velocity * self.time_scale;
        match self.kept_velocity {
            KeptVelocity::All => velocity,
            KeptVelocity::Upward => velocity - up * velocity.dot(up).min(0.0),
            KeptVelocity::Nothing => Vec2::ZERO,
        }
    }

    /// Returns by how much a walker is to follow the mover below it, which moves by `displacement`.
    /// It leaves the mover, with the velocity that it keeps, if that falls away, and without if it
    /// has stepped onto another floor.
    pub fn follow_or_leave(
        &mut self,
        plan: &mut MovePlan,
        displacement: Vec2,
        seconds: f32,
    ) -> Vec2 {
        let Some(floor) = self.floor else {
            return Vec2::ZERO;
        };
        if self.footing.surfaces.floor.is_some() && self.footing.floor_mover != floor.mover {
            self.floor = None;
            return Vec2::ZERO;
        }
        let known = self.ground.floor_velocity();
        if !self.falls_away(&plan.input, displacement, seconds) {
            return displacement;
        }
        let kept = self.kept(known);
        plan.bodies.course.velocity += kept;
        self.floor = None;
        self.footing.surfaces.floor = None;
        kept * seconds
    }

    /// Completes the plan: sets the ground on which the walker ends. Returns the velocity that it
    /// keeps of a floor that it leaves.
    pub fn complete<'a>(
        &mut self,
        world: &UpdateWorld,
        plan: &MovePlan,
        plan_of: impl Fn(Entity) -> Option<&'a MovePlan>,
    ) -> Vec2 {
        self.follow_surfaces(world, &plan_of);
        let surfaces = self.footing.surfaces;
        let is_conveyor_blocked = match (surfaces.floor, self.ground.anchor()) {
            (None, Some(anchor)) => anchor.is_conveyor_blocked,
            _ => self.footing.is_conveyor_blocked,
        };
        let carried = self.floor.map_or(Vec2::ZERO, |floor| {
            let conveyor = self.start.conveyor_along(floor.normal);
            floor.carried
                + if is_conveyor_blocked {
                    Vec2::ZERO
                } else {
                    conveyor
                }
        });
        let velocity = match self.floor {
            Some(floor) if floor.is_teleported => self.ground.floor_velocity(),
            _ => carried / world.seconds,
        };
        let (anchor, floor_velocity, kept) = match surfaces.floor {
            None if plan.course().crushed_by.is_some() => (None, Vec2::ZERO, Vec2::ZERO),
            Some(floor) => {
                let anchor = self.anchor(world, plan, floor.entity, &plan_of);
                (anchor, velocity, Vec2::ZERO)
            }
            None => (None, Vec2::ZERO, self.kept(velocity)),
        };
        let drops_through = self.footing.drops_through;
        self.ground = (self.ground).after(
            surfaces,
            anchor,
            floor_velocity,
            drops_through,
            self.time_scale * world.seconds,
        );
        if (plan.course().velocity + kept).is_finite() {
            kept
        } else {
            Vec2::ZERO
        }
    }

    /// Moves the points of touched surfaces along with the movers that these belong to.
    fn follow_surfaces<'a>(
        &mut self,
        world: &UpdateWorld,
        plan_of: impl Fn(Entity) -> Option<&'a MovePlan>,
    ) {
        let TouchedSurfaces {
            floor,
            wall,
            ceiling,
        } = &mut self.footing.surfaces;
        let mover_of = |contact: &SurfaceContact| world.entry(contact.entity)?.mover();
        let floor_mover = self.footing.floor_mover;
        let of_others = [wall, ceiling].into_iter().flatten();
        let of_others = of_others.map(|contact| (mover_of(contact), contact));
        let of_floor = floor.iter_mut().map(|contact| (floor_mover, contact));
        for (mover, contact) in of_floor.chain(of_others) {
            let Some(plan) = mover.and_then(&plan_of) else {
                continue;
            };
            if let Some(turn) = world.turn_of(plan) {
                contact.point = turn.transform_point2(contact.point);
            }
            contact.point += plan.course().displacement;
        }
    }

    /// The anchor on a floor, with its pose after this update.
    fn anchor<'a>(
        &self,
        world: &UpdateWorld,
        plan: &MovePlan,
        floor: Entity,
        plan_of: impl Fn(Entity) -> Option<&'a MovePlan>,
    ) -> Option<FloorAnchor> {
        let entry = world.entry(floor)?;
        let mut pose = world.pose(floor)?;
        if let Some(below) = mover_below(world, plan.entity(), &entry).and_then(&plan_of) {
            pose = world.turn_of(below).map_or(pose, |turn| turn * pose);
            pose.translation += below.course().displacement;
        }
        let translation_of = |mover| match plan_of(mover) {
            Some(plan) => Some(plan.end()),
            None => world.hierarchy.translation(mover),
        };
        let end = plan.entry(world.index)?.shape.center() + plan.course().displacement;
        let point = Affine2::from_translation(end + self.footing.anchor);
        Some(FloorAnchor {
            point: self.frame.seen_from(point).translation,
            pose: self.frame.seen_from(pose),
            is_mirrored: is_mirrored(&pose),
            translation: plan.end(),
            mover_translation: entry.mover().and_then(translation_of),
            parent: self.frame.parent,
            is_conveyor_blocked: self.footing.is_conveyor_blocked,
            is_new: self.floor.is_none_or(|ridden| ridden.entity != floor),
        })
    }
}
