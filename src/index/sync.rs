//! Updating the index from the world.

use bevy::{
    ecs::{name::NameOrEntity, world::WorldId},
    prelude::*,
};
use log::warn;

use super::{
    ancestry::MoverRelation,
    collider_index::ColliderIndex,
    entry::{ColliderState, Solidity},
    registration::{ColliderFlags, InvalidReason, Registration},
    rows::{ColliderQueryData, ColliderRow, SyncBatch},
    slots::NO_SLOT,
    tables::Table,
    transform_hierarchy::TransformHierarchy,
};
use crate::{
    components::{ColliderDisabled, EntityOrder, Mover},
    geometry::{Shape, world_pose},
    memory, parallel,
    schedule::OnMainThread,
    settings::CollisionSettings,
    state::{CollisionState, PreviousPose, PreviousPoses},
};

pub(super) type ColliderQuery<'w, 's> =
    Query<'w, 's, (&'static mut Registration, ColliderQueryData), Without<ColliderDisabled>>;
pub(super) type Names<'w, 's> = Query<'w, 's, NameOrEntity>;

/// The walls, and the movers with parents, that are new or have another role or other ancestors
/// than before, until they are checked.
#[derive(Resource, Default)]
pub(crate) struct NewRoles(pub Vec<Entity>);

/// Syncs every collider that is new or has changed, and removes those that are despawned, disabled
/// or not finite.
pub(crate) fn sync_colliders(
    mut index: ResMut<ColliderIndex>,
    mut state: ResMut<CollisionState>,
    mut colliders: ColliderQuery,
    hierarchy: TransformHierarchy,
    names: Names,
    settings: Res<CollisionSettings>,
    mut new_roles: ResMut<NewRoles>,
    mut buffers: Local<SyncBuffers>,
    world: WorldId,
    _: OnMainThread,
) {
    index.begin_update();
    buffers.sync(
        &mut index,
        &mut state.poses,
        &mut colliders,
        &hierarchy,
        &names,
        &mut new_roles,
    );
    // What the index knows about pairs is that of another update if the state was restored.
    let is_restored = !index.is_synced_with(&state);
    state.has_current_lists &= !is_restored;
    let settings = Some(settings.valid());
    // The settings of the first sync are new as well: pairs may have been loaded before it.
    if is_restored || index.settings != settings {
        index.mark_all();
    }
    index.settings = settings;
    index.end_stage(&mut state, world);
    index.refresh_broad_phase();
}

/// Lists that are filled anew in each update.
#[derive(Default)]
pub(crate) struct SyncBuffers {
    batches: Vec<SyncBatch>,
    needs_full_sync: Vec<Entity>,
}

impl SyncBuffers {
    /// Updates the index, except the broad phase: 1. compares all entities with the index, in
    /// parallel; 2. applies new poses; 3. syncs the entities of which more may have changed;
    /// 4. removes colliders that were not found.
    pub(super) fn sync(
        &mut self,
        index: &mut ColliderIndex,
        poses: &mut PreviousPoses,
        colliders: &mut ColliderQuery,
        hierarchy: &TransformHierarchy,
        names: &Names,
        new_roles: &mut NewRoles,
    ) {
        self.diff(colliders, index, poses, hierarchy);
        self.apply(index);
        for &entity in &self.needs_full_sync {
            if let Ok((mut registration, data)) = colliders.get_mut(entity) {
                let row = ColliderRow::of(&registration, data);
                *registration = sync_collider(&row, index, poses, hierarchy, names, new_roles);
            }
        }
        if index.seen < index.count() {
            let present = colliders
                .iter()
                .map(|(registration, data)| (registration.slot, data.0));
            index.remove_absent(present);
        }
        if !index.is_refresh && index.seen_tracked < poses.len() {
            poses.retain(|entity| {
                (colliders.get(entity)).is_ok_and(|(registration, _)| {
                    let known = index.get(registration.slot, entity);
                    known.is_some_and(|entry| entry.role.is_tracked())
                })
            });
        }
    }

    /// Compares all entities with the index, in parallel.
    fn diff(
        &mut self,
        colliders: &ColliderQuery,
        index: &ColliderIndex,
        poses: &PreviousPoses,
        hierarchy: &TransformHierarchy,
    ) {
        let tables = || {
            let tables = colliders.contiguous_iter().ok()?;
            Some(tables.map(|(registrations, data)| Table::of(registrations, data)))
        };
        if let (Some(counted), Some(tables)) = (tables(), tables()) {
            let (mut rows, mut chunks) = (0, 0);
            for table in counted {
                rows += table.len();
                chunks += table.chunks().count();
            }
            self.batches.resize_with(chunks, SyncBatch::default);
            let chunks = tables.flat_map(Table::chunks).zip(&mut self.batches);
            parallel::for_each(rows, chunks, |((table, rows), batch)| {
                table.diff(rows, index, poses, hierarchy, batch);
            });
        } else {
            // A component that hides entities from queries is not stored in tables.
            self.batches.resize_with(1, SyncBatch::default);
            for (registration, data) in colliders {
                let row = ColliderRow::of(registration, data);
                row.diff(index, poses, hierarchy, &mut self.batches[0]);
            }
        }
    }

    /// Applies new poses, and lists the entities of which more may have changed.
    fn apply(&mut self, index: &mut ColliderIndex) {
        memory::clear(&mut self.needs_full_sync);
        index.apply_moved(self.batches.iter().map(|batch| &batch.moved));
        for batch in &mut self.batches {
            index.seen += batch.synced;
            index.seen_tracked += batch.tracked;
            (index.attached_to_movers).extend_from_slice(&batch.attached_to_movers);
            (self.needs_full_sync).extend_from_slice(&batch.needs_full_sync);
            batch.clear();
        }
    }
}

/// Syncs everything about a collider.
fn sync_collider(
    row: &ColliderRow,
    index: &mut ColliderIndex,
    poses: &mut PreviousPoses,
    hierarchy: &TransformHierarchy,
    names: &Names,
    new_roles: &mut NewRoles,
) -> Registration {
    if row.local.shape.is_none() {
        return remove(row, index);
    }
    let Ok((pose, ancestry)) = row.pose_and_ancestry(hierarchy) else {
        return invalidate(row, index, names, InvalidReason::ParentCycle);
    };
    let Some(shape) = row.shape_at(&pose).filter(Shape::is_finite) else {
        return invalidate(row, index, names, row.not_finite());
    };
    let flags = row.flags;
    let key = EntityOrder::of(row.entity, row.key).key;
    let state = ColliderState {
        entity: row.entity,
        slot: row.registration.slot,
        shape,
        role: row.role(ancestry.body_of(row.entity)),
        skin: row.mover.map_or(0.0, Mover::valid_skin),
        key,
        ancestry: flags.has_any(ColliderFlags::PARENT).then_some(ancestry),
    };
    let role = state.role;
    if (role.is_solid() || role.has_parent && role.body == MoverRelation::Itself)
        && is_new_role(row, index, &state)
    {
        new_roles.0.push(row.entity);
    }
    let slot = index.update(state);
    if role.solidity == Solidity::OneWay {
        (index.one_way_walls).set_direction(slot, row.free_direction(&pose));
    }
    if role.is_tracked() {
        let pose = PreviousPose {
            pose: world_pose(&pose),
            ancestors: row.ancestors(hierarchy),
            key,
        };
        track(row, slot, pose, index, poses);
    }
    index.seen += 1;
    if role.body != MoverRelation::None {
        index.attached_to_movers.push(slot);
    }
    Registration {
        slot,
        flags,
        invalid: None,
        passes: row.mover.is_some_and(Mover::passes),
    }
}

/// Records how a collider moved since the last update, and where it is now.
fn track(
    row: &ColliderRow,
    slot: u32,
    pose: PreviousPose,
    index: &mut ColliderIndex,
    poses: &mut PreviousPoses,
) {
    if index.is_refresh {
        index.refreshed_poses.insert(row.entity, Some(pose));
        return;
    }
    index.seen_tracked += 1;
    let ancestors = pose.ancestors.clone();
    if let Some(previous) = poses.insert(row.entity, pose)
        && previous.ancestors == ancestors
        && let Some(local) = &row.local.shape
    {
        index.record_delta(slot, &local.transformed(&previous.pose));
    } else if index
        .get(slot, row.entity)
        .is_some_and(|entry| entry.role.is_wall())
    {
        index.teleported_walls.push(slot);
    }
}

/// Whether a collider is new, or has other components or ancestors than before.
fn is_new_role(row: &ColliderRow, index: &ColliderIndex, state: &ColliderState) -> bool {
    index.get(state.slot, state.entity).is_none()
        || row.registration.flags != row.flags
        || index.ancestries.get(state.slot) != state.ancestry.as_ref()
}

/// Removes the collider from the index, if it is there.
fn remove(row: &ColliderRow, index: &mut ColliderIndex) -> Registration {
    let slot = row.registration.slot;
    if index.colliders.slots.index_of(slot, row.entity).is_some() {
        index.remove(slot);
    }
    Registration {
        slot: NO_SLOT,
        ..*row.registration
    }
}

/// Removes the collider from the index until it is valid again, and warns once.
fn invalidate(
    row: &ColliderRow,
    index: &mut ColliderIndex,
    names: &Names,
    reason: InvalidReason,
) -> Registration {
    if row.registration.invalid.is_none() {
        let why = reason.describe();
        match names.get(row.entity) {
            Ok(name) => warn!("ignoring the collider of {name}: {why}"),
            Err(_) => warn!("ignoring the collider of {}: {why}", row.entity),
        }
    }
    Registration {
        invalid: Some(reason),
        ..remove(row, index)
    }
}
