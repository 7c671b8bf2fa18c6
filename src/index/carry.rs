//! Where movers take their own colliders, and those of their descendants.

use bevy::prelude::*;

use super::{ColliderIndex, Family, Waypoint, colliders::Colliders, offset_at, rows::root_shape};
use crate::{geometry::world_pose, index::LocalShape, settings::CollisionSettings};

/// The collider of an entity, in its own frame, and where that is.
pub(crate) type Carried = (&'static LocalShape, &'static Transform, Has<ChildOf>);

/// Where movers went in this update.
pub(crate) trait MoverPaths {
    /// The waypoints of a mover with its start and its end; nothing if it did not move.
    fn waypoints(&self, mover: Entity) -> impl Iterator<Item = Waypoint>;

    /// Where a mover was at a fraction of the update, relative to where it ended.
    fn offset_from_end(&self, mover: Entity, fraction: f32) -> Vec2;
}

impl ColliderIndex {
    /// Moves the colliders of movers, and those that movers carry, to where their `Transform`s are.
    pub fn carry(
        &mut self,
        colliders: &Query<Carried>,
        family: &Family,
        paths: &impl MoverPaths,
        settings: &CollisionSettings,
    ) {
        self.update_carried(colliders, family);
        self.add_ways_of_ancestors(paths, family);
        self.refresh(settings);
    }

    /// Takes in the new shapes; one that is not finite is left as it is, to be found by the next
    /// sync.
    fn update_carried(&mut self, colliders: &Query<Carried>, family: &Family) {
        let shape_of = |entity| {
            let (local, transform, has_parent) = colliders.get(entity).ok()?;
            if !has_parent {
                return root_shape(local, transform);
            }
            let local_shape = local.shape.as_ref()?;
            Some(local_shape.transformed(&world_pose(&family.pose(entity)?)))
        };
        let mut moved = std::mem::take(&mut self.moved);
        moved.clear();
        for &slot in &self.carried {
            if let Some(place) = self.colliders.slots.place(slot)
                && let Some(shape) = shape_of(self.colliders.records[place].entity)
                && shape.is_finite()
            {
                moved.push(place, shape);
            }
        }
        self.take_in(std::iter::once(&moved));
        self.moved = moved;
    }

    /// Movers only translate, and take all below them along: what is swept there went its own way
    /// and theirs at the same time.
    fn add_ways_of_ancestors(&mut self, plans: &impl MoverPaths, family: &Family) {
        let mut way = std::mem::take(&mut self.path_buffer);
        for number in 0..self.carried.len() {
            let slot = self.carried[number];
            let Some(entity) = self.colliders.swept_child(slot) else {
                continue;
            };
            way.clear();
            family.visit_movers_above(entity, |mover| way.extend(plans.waypoints(mover)));
            if way.is_empty() {
                continue;
            }
            let own = self.colliders.ways.get(slot);
            way.extend_from_slice(own);
            way.sort_unstable_by(|a, b| a.time.total_cmp(&b.time));
            way.dedup_by_key(|waypoint| waypoint.time);
            for Waypoint { time, offset } in way.iter_mut() {
                *offset = offset_at(own, *time);
                family.visit_movers_above(entity, |mover| {
                    *offset += plans.offset_from_end(mover, *time);
                });
            }
            self.set_way(slot, way.iter().copied());
        }
        self.path_buffer = way;
    }
}

impl Colliders {
    /// The entity at a slot, if it is swept and has a parent.
    fn swept_child(&self, slot: u32) -> Option<Entity> {
        let record = &self.records[self.slots.place(slot)?];
        (record.role.is_swept && record.role.has_parent).then_some(record.entity)
    }
}
