//! Walkers and the floors that carry them.

use bevy::{ecs::system::SystemParam, math::Affine2, prelude::*};

use super::{
    move_plan::MovePlan,
    walk_rules::{Footing, WalkRules},
};
use crate::{
    components::{Conveyor, KeptVelocity, MoverResponse, Walker},
    events::{FloorAnchor, Ground},
    geometry::world_pose,
    index::{ColliderEntry, ColliderIndex, Parents, Registration, TransformHierarchy, is_ancestor},
};

/// What the plan of a walker depends on, and what comes of it.
pub(super) struct WalkPlan {
    pub rules: WalkRules,
    parent: Option<Entity>,
    /// The pose of its parent when the update began, if it has one.
    parent_pose: Option<Affine2>,
    /// The floor on which it stood when the update began, if that carries it.
    pub floor: Option<RiddenFloor>,
    kept_velocity: KeptVelocity,
    /// What it touches where it ends.
    pub footing: Footing,
    /// Before the update, and after it when the plan is complete.
    pub ground: Ground,
}

/// A floor that carries a walker.
#[derive(Clone, Copy)]
pub(super) struct RiddenFloor {
    pub entity: Entity,
    /// The mover that moves it in this update, and not the walker as well.
    pub mover: Option<Entity>,
    /// Away from its surface, unit length.
    pub normal: Vec2,
    /// Its displacement at the walker since the last update, by `Transform`s, in world units.
    pub displacement: Vec2,
    /// Whether that is no motion, which the walker would keep when it jumps.
    is_teleported: bool,
    /// By how much it carries the walker in this update, its mover included, in world units.
    pub carried: Vec2,
}

/// The entities that may be floors.
#[derive(SystemParam)]
pub(crate) struct Floors<'w, 's> {
    registrations: Query<'w, 's, &'static Registration>,
    conveyors: Query<'w, 's, &'static Conveyor>,
}

/// The world as walkers depend on it.
pub(super) struct WalkerWorld<'a> {
    pub index: &'a ColliderIndex,
    pub floors: &'a Floors<'a, 'a>,
    pub parents: &'a Parents<'a, 'a>,
    pub hierarchy: &'a TransformHierarchy<'a, 'a>,
    /// The duration of the update.
    pub seconds: f32,
}

impl WalkerWorld<'_> {
    /// The pose of an entity, or `None` if it is gone.
    fn pose(&self, entity: Entity) -> Option<Affine2> {
        let pose = world_pose(&self.hierarchy.pose(entity)?);
        pose.is_finite().then_some(pose)
    }

    /// The mover that moves a floor, unless it moves the walker as well.
    fn mover_below(&self, walker: Entity, floor: &ColliderEntry) -> Option<Entity> {
        (floor.mover()).filter(|mover| !is_ancestor(*mover, walker, self.parents))
    }

    /// The floor on which a walker stood, if it is still there and carries it. No floor carries a
    /// walker that was teleported, or got another parent.
    fn ridden_floor(
        &self,
        (walker, ground): (&Walker, &Ground),
        (parent, parent_pose): (Option<Entity>, Option<&Affine2>),
        plan: &MovePlan,
    ) -> Option<RiddenFloor> {
        let (floor, anchor) = (ground.floor()?, ground.anchor()?);
        let slot = self.floors.registrations.get(floor.entity).ok()?.slot;
        let entry = self.index.get(slot, floor.entity)?;
        let mover = plan.entry(self.index)?;
        let carries = walker.carried_by.intersects(entry.role.layers.memberships);
        let slides = plan.response == MoverResponse::Slide;
        let is_blocked = mover.is_blocked_by(&entry);
        let is_moved = plan.start != anchor.translation || parent != anchor.parent;
        if !(slides && carries && is_blocked) || is_moved {
            return None;
        }
        let pose = self.pose(floor.entity)?;
        let was_mirrored = anchor.is_mirrored != is_mirrored(&pose);
        let pose = seen_from(parent_pose, pose);
        let displacement = displacement_of(anchor, &pose, was_mirrored);
        // The translation of a mover is written to teleport it. Less is rounding.
        let is_written = entry.mover() == Some(entry.entity)
            && pose.translation.distance(anchor.pose.translation) > mover.effective_skin();
        Some(RiddenFloor {
            entity: floor.entity,
            mover: self.mover_below(plan.entity, &entry),
            normal: floor.normal,
            displacement: (parent_pose.map(|parent| parent.transform_vector2(displacement)))
                .unwrap_or(displacement),
            is_teleported: is_written || self.index.is_teleported(&entry),
            carried: Vec2::ZERO,
        })
    }

    /// The displacement of the surface of a floor, relative to it.
    fn conveyor_displacement(&self, floor: Entity) -> Vec2 {
        let conveyor = self.floors.conveyors.get(floor).ok();
        let displacement = conveyor.and_then(|conveyor| {
            let matrix = self.pose(floor)?.matrix2;
            let axes = [matrix.x_axis, matrix.y_axis].map(Vec2::normalize_or_zero);
            Some((axes[0] * conveyor.0.x + axes[1] * conveyor.0.y) * self.seconds)
        });
        displacement
            .filter(|displacement| displacement.is_finite())
            .unwrap_or_default()
    }
}

/// A pose seen from the parent of a walker, if it has one.
fn seen_from(parent: Option<&Affine2>, pose: Affine2) -> Affine2 {
    parent.map_or(pose, |parent| parent.inverse() * pose)
}

fn is_mirrored(pose: &Affine2) -> bool {
    pose.matrix2.determinant() < 0.0
}

/// The displacement of an anchor since the floor was where the anchor says. The surface of a floor
/// that was mirrored since only moves along with its origin.
fn displacement_of(anchor: &FloorAnchor, pose: &Affine2, was_mirrored: bool) -> Vec2 {
    if was_mirrored || anchor.pose.matrix2 == pose.matrix2 {
        // Exact, and zero for floors that rest.
        return pose.translation - anchor.pose.translation;
    }
    let displacement =
        pose.transform_point2(anchor.pose.inverse().transform_point2(anchor.point)) - anchor.point;
    // A floor that was scaled to nothing has no inverse.
    if displacement.is_finite() {
        displacement
    } else {
        Vec2::ZERO
    }
}

impl WalkPlan {
    /// Prepares the plan of a walker. Where its floor falls away faster than the walker falls, the
    /// walker keeps the velocity of the floor, and is in the air.
    pub fn new(
        world: &WalkerWorld,
        (walker, ground): (&Walker, &Ground),
        parent: Option<Entity>,
        plan: &mut MovePlan,
    ) -> Self {
        let parent_pose = parent.and_then(|parent| world.pose(parent));
        let rules = WalkRules::new(walker, ground);
        plan.drops_through = rules.drops_through && plan.response == MoverResponse::Slide;
        let mut walk = Self {
            rules,
            parent,
            parent_pose,
            floor: None,
            kept_velocity: walker.kept_velocity,
            footing: Footing::NONE,
            ground: ground.clone(),
        };
        let frame = (parent, parent_pose.as_ref());
        let Some(floor) = world.ridden_floor((walker, ground), frame, plan) else {
            return walk;
        };
        if floor.mover.is_none() && walk.falls_away(plan, floor.displacement, world.seconds) {
            walk.rules.stood = false;
            let kept = walk.kept(ground.floor_velocity());
            plan.desired.per_second += kept;
            plan.desired.per_update += kept * world.seconds;
        } else {
            walk.rules.conveyor = world.conveyor_displacement(floor.entity);
            walk.floor = Some(floor);
        }
        walk
    }

    /// Whether the floor moves down faster than the walker, which falls from the velocity that the
    /// floor had, and farther than the walker snaps.
    fn falls_away(&self, plan: &MovePlan, displacement: Vec2, seconds: f32) -> bool {
        let up = self.rules.up;
        let fall = -plan.desired.per_update.dot(up);
        let known_descent = (-self.ground.floor_velocity().dot(up) * seconds).max(0.0);
        let is_known = self.ground.anchor().is_some_and(|anchor| !anchor.is_new);
        is_known
            && fall >= 0.0
            && -displacement.dot(up) > known_descent + fall + self.rules.max_descent()
    }

    /// What the walker keeps of the velocity of a floor that it leaves.
    fn kept(&self, velocity: Vec2) -> Vec2 {
        let up = self.rules.up;
        match self.kept_velocity {
            KeptVelocity::All => velocity,
            KeptVelocity::Upward => velocity - up * velocity.dot(up).min(0.0),
            KeptVelocity::Nothing => Vec2::ZERO,
        }
    }

    /// The displacement by which a walker rides on a mover that moves by `displacement`. Where the
    /// mover falls away, or the walker has stepped off it onto another floor, it leaves the mover.
    pub fn ride(&mut self, plan: &mut MovePlan, displacement: Vec2, seconds: f32) -> Vec2 {
        let Some(floor) = self.floor else {
            return Vec2::ZERO;
        };
        if self.footing.surfaces.floor.is_some() && self.footing.floor_mover != floor.mover {
            self.floor = None;
            return Vec2::ZERO;
        }
        let known = self.ground.floor_velocity();
        if !self.falls_away(plan, displacement, seconds) {
            return displacement;
        }
        let kept = self.kept(known);
        plan.velocity += kept;
        self.floor = None;
        self.footing.surfaces.floor = None;
        kept * seconds
    }

    /// Completes the plan: sets the ground on which the walker ends. Returns the velocity that it
    /// keeps of a floor that it leaves. `mover_displacement` returns that of a mover in this
    /// update.
    pub fn complete(
        &mut self,
        world: &WalkerWorld,
        plan: &MovePlan,
        mover_displacement: impl Fn(Entity) -> Vec2,
    ) -> Vec2 {
        let surfaces = self.footing.surfaces;
        let is_conveyor_blocked = match (surfaces.floor, self.ground.anchor()) {
            (None, Some(anchor)) => anchor.is_conveyor_blocked,
            _ => self.footing.is_conveyor_blocked,
        };
        let carried = self.floor.map_or(Vec2::ZERO, |floor| {
            let conveyor = self.rules.conveyor_along(floor.normal);
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
        let (state, kept) = match surfaces.floor {
            None if plan.is_crushed => ((None, Vec2::ZERO), Vec2::ZERO),
            Some(floor) => {
                let anchor = self.anchor(world, plan, floor.entity, mover_displacement);
                ((anchor, velocity), Vec2::ZERO)
            }
            None => ((None, Vec2::ZERO), self.kept(velocity)),
        };
        let drops_through = self.footing.drops_through;
        self.ground = (self.ground).after(surfaces, state, drops_through, world.seconds);
        if (plan.velocity + kept).is_finite() {
            kept
        } else {
            Vec2::ZERO
        }
    }

    /// Where the floor will be after this update, with the point that it carries along.
    fn anchor(
        &self,
        world: &WalkerWorld,
        plan: &MovePlan,
        floor: Entity,
        mover_displacement: impl Fn(Entity) -> Vec2,
    ) -> Option<FloorAnchor> {
        let slot = world.floors.registrations.get(floor).ok()?.slot;
        let entry = world.index.get(slot, floor)?;
        let mut pose = world.pose(floor)?;
        let mover = world.mover_below(plan.entity, &entry);
        pose.translation += mover.map_or(Vec2::ZERO, mover_displacement);
        let end = plan.entry(world.index)?.shape.center() + plan.displacement;
        let parent = self.parent_pose.as_ref();
        let point = Affine2::from_translation(end + self.footing.anchor);
        Some(FloorAnchor {
            point: seen_from(parent, point).translation,
            pose: seen_from(parent, pose),
            is_mirrored: is_mirrored(&pose),
            translation: plan.end(),
            parent: self.parent,
            is_conveyor_blocked: self.footing.is_conveyor_blocked,
            is_new: self.floor.is_none_or(|ridden| ridden.entity != floor),
        })
    }
}
