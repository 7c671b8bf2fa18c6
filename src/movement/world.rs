//! The state that plans read and never change.

use std::ops::Range;

use bevy::{
    ecs::{entity::EntityHashMap, name::NameOrEntity, system::SystemParam},
    math::Affine2,
    prelude::*,
};

use super::body::{CrushSite, Crusher, MoveInput, MovePlan, Riders};
use crate::{
    components::{Conveyor, Mover},
    geometry::{rotation_about, world_pose},
    index::{ColliderEntry, ColliderIndex, Observer, Parents, Registration, TransformHierarchy},
};

/// The world while moves are planned.
#[derive(Clone, Copy)]
pub(crate) struct UpdateWorld<'a> {
    pub index: &'a ColliderIndex,
    pub parents: &'a Parents<'a, 'a>,
    pub hierarchy: &'a TransformHierarchy<'a, 'a>,
    pub floors: &'a Floors<'a, 'a>,
    pub names: &'a Names<'a, 'a>,
    /// What crushed movers in the last update, one mover after another.
    pub crushers: &'a [Crusher],
    /// Where movers were crushed in the last update.
    pub crush_sites: &'a EntityHashMap<CrushSite>,
    pub riders: &'a Riders,
    /// The duration of the update, in seconds.
    pub seconds: f32,
}

/// The names of movers.
pub(crate) type Names<'w, 's> = Query<'w, 's, NameOrEntity, With<Mover>>;

/// The entities that may be floors.
#[derive(SystemParam)]
pub(crate) struct Floors<'w, 's> {
    pub registrations: Query<'w, 's, &'static Registration>,
    pub conveyors: Query<'w, 's, &'static Conveyor>,
}

impl<'a> UpdateWorld<'a> {
    /// The collider of an entity.
    pub fn entry(&self, entity: Entity) -> Option<ColliderEntry<'a>> {
        let slot = self.floors.registrations.get(entity).ok()?.slot;
        self.index.get(slot, entity)
    }

    /// A mover as the observer of walls that move.
    pub fn observer<'e>(&self, entry: &'e ColliderEntry<'e>) -> Observer<'e>
    where
        'a: 'e,
    {
        Observer {
            entry,
            parents: self.parents,
        }
    }

    /// What crushed a mover in the last update.
    pub fn crushers_of(&self, mover: &MoveInput) -> &'a [Crusher] {
        let Range { start, end } = mover.crusher_range;
        &self.crushers[start as usize..end as usize]
    }

    /// Whether a direction leads a mover through what crushed it: against the normal of the side on
    /// which the mover was.
    pub fn is_against_normal(&self, mover: &MoveInput, crusher: Entity, direction: Vec2) -> bool {
        let side = Crusher::normal_of(self.crushers_of(mover), crusher);
        side.is_some_and(|side| direction.dot(side) < 0.0)
    }

    /// The turn of a mover and of what it carries, or `None` if it does not turn.
    pub fn turn_of(&self, plan: &MovePlan) -> Option<Affine2> {
        let turn = plan.walls.turn;
        let pose = self.pose(plan.entity()).filter(|_| turn != 0.0)?;
        Some(rotation_about(pose.translation, turn))
    }

    /// The pose of an entity, or `None` if it is gone.
    pub fn pose(&self, entity: Entity) -> Option<Affine2> {
        let pose = world_pose(&self.hierarchy.pose(entity)?);
        pose.is_finite().then_some(pose)
    }
}
