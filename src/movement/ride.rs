//! Walkers and the floors that carry them.

use bevy::{math::Affine2, prelude::*};

use super::{
    move_plan::MovePlan,
    walk_rules::{Footing, WalkRules},
    world::UpdateWorld,
};
use crate::{
    aabb::grow,
    components::{KeptVelocity, MoverResponse, Walker},
    events::{FloorAnchor, Ground, SurfaceContact, TouchedSurfaces},
    geometry::separation,
    index::{ColliderEntry, is_ancestor},
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
    /// By how much its mover moved as far as that was handed on to the walker, in world units.
    pub handed_on: Vec2,
    /// By how much it carries the walker in this update, its mover included, in world units.
    pub carried: Vec2,
}

impl UpdateWorld<'_> {
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
        let entry = self.entry(floor.entity)?;
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
        let translation = entry
            .mover()
            .and_then(|mover| self.hierarchy.translation(mover));
        let is_written = (translation.zip(anchor.mover_translation))
            .is_some_and(|(now, before)| now.distance(before) > mover.effective_skin());
        Some(RiddenFloor {
            entity: floor.entity,
            mover: self.mover_below(plan.entity, &entry),
            normal: floor.normal,
            displacement: (parent_pose.map(|parent| parent.transform_vector2(displacement)))
                .unwrap_or(displacement),
            is_teleported: is_written || self.index.is_teleported(&entry),
            handed_on: Vec2::ZERO,
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
        world: &UpdateWorld,
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
    /// keeps of a floor that it leaves. `plan_of` returns the plan of a mover.
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
            None if plan.crushed_by.is_some() => ((None, Vec2::ZERO), Vec2::ZERO),
            Some(floor) => {
                let anchor = self.anchor(world, plan, floor.entity, &plan_of);
                ((anchor, velocity), Vec2::ZERO)
            }
            None => ((None, Vec2::ZERO), self.kept(velocity)),
        };
        let drops_through = self.footing.drops_through
            || self.rules.drops_through && touches_moved_one_way(world, plan, &plan_of);
        self.ground = (self.ground).after(surfaces, state, drops_through, world.seconds);
        if (plan.velocity + kept).is_finite() {
            kept
        } else {
            Vec2::ZERO
        }
    }

    /// Moves the points of the surfaces that it touches along with the movers that these belong to.
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
            let plan = mover.and_then(&plan_of);
            contact.point += plan.map_or(Vec2::ZERO, |plan| plan.displacement);
        }
    }

    /// Where the floor will be after this update, with the point that it carries along.
    fn anchor<'a>(
        &self,
        world: &UpdateWorld,
        plan: &MovePlan,
        floor: Entity,
        plan_of: impl Fn(Entity) -> Option<&'a MovePlan>,
    ) -> Option<FloorAnchor> {
        let entry = world.entry(floor)?;
        let mut pose = world.pose(floor)?;
        let moved_by = world.mover_below(plan.entity, &entry).and_then(&plan_of);
        pose.translation += moved_by.map_or(Vec2::ZERO, |plan| plan.displacement);
        let translation_of = |mover| match plan_of(mover) {
            Some(plan) => Some(plan.end()),
            None => world.hierarchy.translation(mover),
        };
        let end = plan.entry(world.index)?.shape.center() + plan.displacement;
        let parent = self.parent_pose.as_ref();
        let point = Affine2::from_translation(end + self.footing.anchor);
        Some(FloorAnchor {
            point: seen_from(parent, point).translation,
            pose: seen_from(parent, pose),
            is_mirrored: is_mirrored(&pose),
            translation: plan.end(),
            mover_translation: entry.mover().and_then(translation_of),
            parent: self.parent,
            is_conveyor_blocked: self.footing.is_conveyor_blocked,
            is_new: self.floor.is_none_or(|ridden| ridden.entity != floor),
        })
    }
}

/// Whether a walker touches a one-way wall at its end that a mover moved, and that it touched at its
/// start: it has not dropped through that yet.
fn touches_moved_one_way<'a>(
    world: &UpdateWorld,
    plan: &MovePlan,
    plan_of: impl Fn(Entity) -> Option<&'a MovePlan>,
) -> bool {
    let Some(entry) = plan.entry(world.index) else {
        return false;
    };
    let start = plan.mover_start(&entry);
    let end = entry.shape.translated(plan.displacement);
    let mut touches = false;
    let around = grow(&entry.shape.aabb(), 2.0 * start.skin);
    world.index.visit_overlapping(&around, |other| {
        let one_way = world.index.one_way_wall(&other);
        let Some(moved) = one_way.and_then(|_| plan_of(other.mover()?)) else {
            return;
        };
        let wall = other.shape.translated(moved.displacement);
        touches |= entry.is_blocked_by(&other)
            && !start.is_outside(other.shape)
            && separation(&end, &wall).distance < 2.0 * start.skin;
    });
    touches
}
