//! Moving the colliders of movers, and those of their descendants.

use bevy::prelude::*;

use super::{
    collider_index::ColliderIndex,
    colliders::Colliders,
    local_shape::LocalShape,
    moved::MovedColliders,
    paths::{Waypoint, offset_at},
    rows::root_shape,
    transform_hierarchy::TransformHierarchy,
};
use crate::{geometry::world_pose, state::PreviousPoses};

/// The collider of an entity, in its own frame, and where that is.
pub(crate) type Carried = (&'static LocalShape, &'static Transform, Has<ChildOf>);

/// Lists that are filled anew in each update.
#[derive(Default)]
pub(crate) struct CarryBuffers {
    /// The new shapes of those that moved.
    moved: MovedColliders,
    path: Vec<Waypoint>,
    /// The movers above a collider.
    movers: Vec<Entity>,
}

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
        hierarchy: &TransformHierarchy,
        paths: &impl MoverPaths,
        poses: &mut PreviousPoses,
        buffers: &mut CarryBuffers,
    ) {
        self.update_carried(colliders, hierarchy, &mut buffers.moved);
        self.update_poses(hierarchy, poses);
        self.add_paths_of_ancestors(paths, hierarchy, buffers);
        self.refresh_broad_phase();
    }

    /// Stores the new shapes. One that is not finite is left for the next sync to report.
    fn update_carried(
        &mut self,
        colliders: &Query<Carried>,
        hierarchy: &TransformHierarchy,
        moved: &mut MovedColliders,
    ) {
        let shape_of = |entity| {
            let (local, transform, has_parent) = colliders.get(entity).ok()?;
            if !has_parent {
                return root_shape(local, transform);
            }
            let local_shape = local.shape.as_ref()?;
            Some(local_shape.transformed(&world_pose(&hierarchy.pose(entity)?)))
        };
        moved.clear();
        for &slot in &self.attached_to_movers {
            if let Some(index) = self.colliders.slots.index(slot)
                && let Some(shape) = shape_of(self.colliders.records[index].entity)
                && shape.is_finite()
            {
                moved.push(index, shape);
            }
        }
        self.apply_moved(std::iter::once(&*moved));
    }

    /// Keeps the new poses of those whose motion since the last update counts.
    fn update_poses(&mut self, hierarchy: &TransformHierarchy, poses: &mut PreviousPoses) {
        for &slot in &self.attached_to_movers {
            if let Some(index) = self.colliders.slots.index(slot)
                && let record = &self.colliders.records[index]
                && record.role.is_tracked()
                && let Some(pose) = hierarchy.pose(record.entity)
                && let Some(previous) = poses.get_mut(&record.entity)
            {
                previous.pose = world_pose(&pose);
                previous.ancestors = hierarchy.ancestors_of(record.entity);
            }
        }
    }

    /// Adds the paths of movers to those of swept colliders below them: movers only translate.
    fn add_paths_of_ancestors(
        &mut self,
        paths: &impl MoverPaths,
        hierarchy: &TransformHierarchy,
        CarryBuffers { path, movers, .. }: &mut CarryBuffers,
    ) {
        for number in 0..self.attached_to_movers.len() {
            let slot = self.attached_to_movers[number];
            let Some(entity) = self.colliders.swept_child(slot) else {
                continue;
            };
            movers.clear();
            hierarchy.visit_movers_above(entity, |mover| movers.push(mover));
            path.clear();
            path.extend(movers.iter().flat_map(|&mover| paths.waypoints(mover)));
            if path.is_empty() {
                continue;
            }
            let own = self.colliders.paths.get(slot);
            path.extend_from_slice(own);
            path.sort_unstable_by(|a, b| a.fraction.total_cmp(&b.fraction));
            path.dedup_by_key(|waypoint| waypoint.fraction);
            for Waypoint { fraction, offset } in path.iter_mut() {
                *offset = offset_at(own, *fraction);
                for &mover in &*movers {
                    *offset += paths.offset_from_end(mover, *fraction);
                }
            }
            self.set_path(slot, path.iter().copied());
        }
    }
}

impl Colliders {
    /// The entity at a slot, if it is swept and has a parent.
    fn swept_child(&self, slot: u32) -> Option<Entity> {
        let record = &self.records[self.slots.index(slot)?];
        (record.role.is_swept() && record.role.has_parent()).then_some(record.entity)
    }
}
