//! How fast the surfaces that block movers move.

use bevy::prelude::*;

use super::plans::MovePlans;
use crate::{
    events::MoverHit,
    index::ColliderEntry,
    movement::{support::conveyor_displacement, world::UpdateWorld},
};

impl MovePlans {
    /// Records how fast the surfaces move that block movers, once all plans are made.
    pub(super) fn record_surface_velocities(&mut self, world: &UpdateWorld) {
        let mut hits = std::mem::take(&mut self.hits);
        for MoverHit { entity, hit } in &mut hits {
            let Some(blocker) = world.entry(hit.blocker) else {
                continue;
            };
            let displacement = match blocker.mover() {
                Some(mover) => self.displacement_of(world, mover, hit.point),
                None => self.displacement_of_wall(world, *entity, &blocker, hit.point),
            };
            let along = |vector: Vec2| vector - hit.normal * vector.dot(hit.normal);
            let displacement = displacement + along(conveyor_displacement(world, hit.blocker));
            hit.blocker_velocity = Some(displacement / world.seconds)
                .filter(|velocity| velocity.is_finite())
                .unwrap_or_default();
        }
        self.hits = hits;
    }

    /// The displacement of a point of a mover in this update, in world units, given where it was.
    fn displacement_of(&self, world: &UpdateWorld, mover: Entity, point: Vec2) -> Vec2 {
        let Some(plan) = self.of(mover) else {
            return Vec2::ZERO;
        };
        let turn = world.turn_of(plan);
        let turned = turn.map_or(point, |turn| turn.transform_point2(point));
        plan.course().displacement + turned - point
    }

    /// The displacement of a point of a wall in this update as a mover sees it, in world units,
    /// given where it is.
    fn displacement_of_wall(
        &self,
        world: &UpdateWorld,
        mover: Entity,
        wall: &ColliderEntry,
        point: Vec2,
    ) -> Vec2 {
        let mover = self.of(mover).and_then(|plan| plan.entry(world.index));
        let observer = mover.as_ref().map(|mover| world.observer(mover));
        world.index.push_motion(wall, observer).delta_at(point)
    }
}
