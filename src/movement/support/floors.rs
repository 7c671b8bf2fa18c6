//! The floors that carry walkers.

use bevy::{math::Affine2, prelude::*};

use crate::{
    components::{MoverResponse, Walker},
    events::{FloorAnchor, Ground},
    index::{ColliderEntry, is_ancestor},
    movement::{
        body::{MoveInput, RiddenFloor},
        world::UpdateWorld,
    },
};

/// The frame in which a walker moves: that of its parent, if it has one.
#[derive(Clone, Copy)]
pub(crate) struct ParentFrame {
    pub parent: Option<Entity>,
    /// The pose of the parent when the update began.
    pub pose: Option<Affine2>,
}

impl ParentFrame {
    /// Converts a pose from the world to the frame.
    pub fn seen_from(&self, pose: Affine2) -> Affine2 {
        self.pose.map_or(pose, |parent| parent.inverse() * pose)
    }

    /// Converts a displacement from the frame to the world.
    fn in_world(self, displacement: Vec2) -> Vec2 {
        let in_world = self
            .pose
            .map(|parent| parent.transform_vector2(displacement));
        in_world.unwrap_or(displacement)
    }
}

/// The mover that moves a floor, or `None` if there is none or it moves the walker as well.
pub(crate) fn mover_below(
    world: &UpdateWorld,
    walker: Entity,
    floor: &ColliderEntry,
) -> Option<Entity> {
    (floor.mover()).filter(|mover| !is_ancestor(*mover, walker, world.parents))
}

/// The floor on which a walker stood, or `None` if it is gone or does not carry the walker. No
/// floor carries a walker that was teleported or got another parent.
pub(crate) fn ridden_floor(
    world: &UpdateWorld,
    walker: &Walker,
    ground: &Ground,
    frame: &ParentFrame,
    input: &MoveInput,
) -> Option<RiddenFloor> {
    let (floor, anchor) = (ground.floor()?, ground.anchor()?);
    let entry = world.entry(floor.entity)?;
    let mover = input.entry(world.index)?;
    let carries = walker.carried_by.intersects(entry.role.layers.memberships);
    let slides = input.response == MoverResponse::Slide;
    let is_blocked = mover.is_blocked_by(&entry);
    let is_moved = input.start != anchor.translation || frame.parent != anchor.parent;
    if !(slides && carries && is_blocked) || is_moved {
        return None;
    }
    let pose = world.pose(floor.entity)?;
    let was_mirrored = anchor.is_mirrored != is_mirrored(&pose);
    let pose = frame.seen_from(pose);
    let displacement = displacement_of(anchor, &pose, was_mirrored);
    let point = anchor.point + displacement;
    // A mover whose translation was written is teleported. Less than the skin width is rounding.
    let translation = entry
        .mover()
        .and_then(|mover| world.hierarchy.translation(mover));
    let is_written = (translation.zip(anchor.mover_translation))
        .is_some_and(|(now, before)| now.distance(before) > mover.effective_skin());
    Some(RiddenFloor {
        entity: floor.entity,
        mover: mover_below(world, input.entity(), &entry),
        normal: floor.normal,
        point: (frame.pose).map_or(point, |parent| parent.transform_point2(point)),
        displacement: frame.in_world(displacement),
        is_teleported: is_written || world.index.is_teleported(&entry),
        handed_on: Vec2::ZERO,
        carried: Vec2::ZERO,
    })
}

/// The displacement of a conveyor's surface in this update, in world units; zero for other floors.
pub(crate) fn conveyor_displacement(world: &UpdateWorld, floor: Entity) -> Vec2 {
    let conveyor = world.floors.conveyors.get(floor).ok();
    let displacement = conveyor.and_then(|conveyor| {
        let matrix = world.pose(floor)?.matrix2;
        let axes = [matrix.x_axis, matrix.y_axis].map(Vec2::normalize_or_zero);
        Some((axes[0] * conveyor.0.x + axes[1] * conveyor.0.y) * world.seconds)
    });
    displacement
        .filter(|displacement| displacement.is_finite())
        .unwrap_or_default()
}

pub fn is_mirrored(pose: &Affine2) -> bool {
    pose.matrix2.determinant() < 0.0
}

/// The displacement of an anchor's point with the floor since the anchor was set. If the floor was
/// mirrored since, that of the floor's origin.
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
