//! Updating the index from the world.

use bevy::{
    ecs::{
        name::NameOrEntity,
        system::{ParamBuilder, SystemParam, SystemParamBuilder},
    },
    prelude::*,
};
use fixedbitset::FixedBitSet;
use log::warn;

use super::{
    ancestry::MoverRelation,
    collider_index::ColliderIndex,
    colliders::Colliders,
    entry::ColliderState,
    hierarchy::every_entity,
    reason::Reason,
    registration::{ColliderFlags, Registration},
    rows::{ColliderQueryData, ColliderRow, Found, SyncBatch},
    slots::NO_SLOT,
    tables::Table,
    transform_hierarchy::TransformHierarchy,
};
use crate::{
    components::{ColliderDisabled, EntityOrder, Ignores, Mover},
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
    mut sync: WorldSync,
    settings: Res<CollisionSettings>,
    _: OnMainThread,
) {
    sync.index.begin_update();
    sync.run(false);
    let WorldSync { index, state, .. } = &mut sync;
    let settings = Some(settings.valid());
    // What the index knows about pairs is that of another update if the state was restored. The
    // settings of the first sync are new as well: pairs may have been loaded before it.
    if !index.has_left(state) || index.settings != settings {
        index.mark_all();
    }
    index.settings = settings;
    index.refresh_broad_phase();
}

/// The index, and the world that it is updated from.
#[derive(SystemParam)]
#[system_param(builder)]
pub(crate) struct WorldSync<'w, 's> {
    pub(super) index: ResMut<'w, ColliderIndex>,
    pub(super) state: ResMut<'w, CollisionState>,
    colliders: ColliderQuery<'w, 's>,
    ignores: Query<'w, 's, &'static Ignores>,
    hierarchy: TransformHierarchy<'w, 's>,
    names: Names<'w, 's>,
    new_roles: ResMut<'w, NewRoles>,
    buffers: Local<'s, SyncBuffers>,
}

/// Lists that are filled anew in each update.
#[derive(Default)]
pub(crate) struct SyncBuffers {
    batches: Vec<SyncBatch>,
    needs_full_sync: Vec<Entity>,
    /// Where in the arrays those colliders are that are still there.
    present: FixedBitSet,
}

impl WorldSync<'_, '_> {
    /// Builds the parameter so that ancestors include hidden entities.
    pub fn of_every_entity() -> impl SystemParamBuilder<Self> + Send + Sync + 'static {
        const SAME: ParamBuilder = ParamBuilder;
        WorldSyncBuilder {
            index: SAME,
            state: SAME,
            colliders: SAME,
            ignores: every_entity(),
            hierarchy: TransformHierarchy::of_every_entity(),
            names: SAME,
            new_roles: SAME,
            buffers: SAME,
        }
    }

    /// Updates the index, except the broad phase.
    pub(super) fn run(&mut self, is_refresh: bool) {
        let Self {
            index,
            state,
            colliders,
            ignores,
            hierarchy,
            names,
            new_roles,
            buffers,
        } = self;
        // 1. All entities are compared with the index, in parallel.
        buffers.diff(colliders, index, &state.poses, hierarchy);
        // 2. New poses are applied.
        let found = buffers.apply(index);
        // 3. Entities with more than a new pose are synced.
        let mut sync = ColliderSync {
            index,
            poses: &mut state.poses,
            hierarchy,
            names,
            new_roles,
            is_refresh,
            found,
        };
        for &entity in &buffers.needs_full_sync {
            if let Ok((mut registration, data)) = colliders.get_mut(entity) {
                let row = ColliderRow::of(&registration, data);
                *registration = sync.sync(&row);
            }
        }
        // 4. Colliders that were not found are removed.
        if sync.found.colliders < sync.index.count() {
            let present = colliders.iter();
            let present = present.map(|(registration, data)| (registration.slot, data.0));
            sync.remove_absent(present, &mut buffers.present);
        }
        let ColliderSync {
            index,
            poses,
            found,
            ..
        } = sync;
        // 5. Movers are united with their parts.
        index.unite_bodies(|mover| Some(colliders.get(mover).ok()?.0.slot));
        index.inherit_ignored(|mover| Some(ignores.get(mover).ok()?.entity));
        if !is_refresh && found.tracked < poses.len() {
            poses.retain(|&entity, _| {
                (colliders.get(entity)).is_ok_and(|(registration, _)| {
                    let known = index.get(registration.slot, entity);
                    known.is_some_and(|entry| entry.role.is_tracked())
                })
            });
        }
    }
}

impl SyncBuffers {
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

    /// Applies new poses, and lists the entities with more changes than that. Returns how many
    /// others were found.
    fn apply(&mut self, index: &mut ColliderIndex) -> Found {
        let mut found = Found::default();
        memory::clear(&mut self.needs_full_sync);
        index.apply_moved(self.batches.iter().map(|batch| &batch.moved));
        for batch in &mut self.batches {
            found.colliders += batch.found.colliders;
            found.tracked += batch.found.tracked;
            (index.attached_to_movers).extend_from_slice(&batch.attached_to_movers);
            (self.needs_full_sync).extend_from_slice(&batch.needs_full_sync);
            batch.clear();
        }
        found
    }
}

/// The full sync of colliders, one after another.
struct ColliderSync<'a, 'w, 's> {
    index: &'a mut ColliderIndex,
    poses: &'a mut PreviousPoses,
    hierarchy: &'a TransformHierarchy<'w, 's>,
    names: &'a Names<'w, 's>,
    new_roles: &'a mut NewRoles,
    /// Whether it comes between two updates.
    is_refresh: bool,
    found: Found,
}

impl ColliderSync<'_, '_, '_> {
    /// Syncs everything about a collider.
    fn sync(&mut self, row: &ColliderRow) -> Registration {
        if row.local.shape.is_none() {
            return self.unregister(row);
        }
        if row.local.has_no_columns() {
            return self.invalidate(row, Reason::NoColumns);
        }
        let Ok((pose, ancestry)) = row.pose_and_ancestry(self.hierarchy) else {
            return self.invalidate(row, Reason::ParentCycle);
        };
        let Some(shape) = row.shape_at(&pose).filter(Shape::is_finite) else {
            return self.invalidate(row, row.not_finite());
        };
        let flags = row.flags;
        let state = ColliderState {
            entity: row.entity,
            slot: row.registration.slot,
            shape,
            role: row.role(ancestry.relation_of(row.entity, flags.has_any(ColliderFlags::PART))),
            skin: row.mover.map_or(0.0, Mover::valid_skin),
            key: row.key.copied(),
            ancestry: flags.has_any(ColliderFlags::PARENT).then_some(ancestry),
            ignored: row.ignores.map(|ignores| ignores.entity),
        };
        let role = state.role;
        if (role.is_solid() || role.has_parent() && role.moved_by == MoverRelation::Itself)
            && self.is_new_role(row, &state)
        {
            self.new_roles.0.push(row.entity);
        }
        let slot = self.index.update(state);
        let pose = world_pose(&pose);
        let free_direction = row.free_direction(&pose);
        self.index.free_directions.set(slot, free_direction);
        if role.is_tracked() && !self.is_refresh {
            let pose = PreviousPose {
                pose,
                ancestors: row.ancestors(self.hierarchy),
                key: EntityOrder::of(row.entity, row.key).key,
            };
            self.track(row, slot, pose);
        }
        self.found.colliders += 1;
        if role.moved_by != MoverRelation::None {
            self.index.attached_to_movers.push(slot);
        }
        Registration {
            slot,
            flags,
            invalid: None,
            passes: row.mover.is_some_and(Mover::passes),
        }
    }

    /// Records how a collider moved since the last update, and where it is now.
    fn track(&mut self, row: &ColliderRow, slot: u32, pose: PreviousPose) {
        let index = &mut self.index;
        self.found.tracked += 1;
        if let Some(previous) = self.poses.get(&row.entity)
            && previous.has_same_ancestors(&pose)
            && let Some(local) = &row.local.shape
        {
            index.record_displacement(slot, local, [previous, &pose]);
        } else if index
            .get(slot, row.entity)
            .is_some_and(|entry| entry.role.is_wall())
        {
            index.teleported_walls.push(slot);
        }
        self.poses.insert(row.entity, pose);
    }

    /// Whether a collider is new, or has other components or ancestors than before.
    fn is_new_role(&self, row: &ColliderRow, state: &ColliderState) -> bool {
        self.index.get(state.slot, state.entity).is_none()
            || row.registration.flags != row.flags
            || self.index.ancestries.get(state.slot) != state.ancestry.as_ref()
    }

    /// Removes the colliders that are not among those `present`, given by slot and entity.
    fn remove_absent(
        &mut self,
        present: impl Iterator<Item = (u32, Entity)>,
        indices: &mut FixedBitSet,
    ) {
        let Colliders { slots, shapes, .. } = &self.index.colliders;
        let count = shapes.len();
        indices.clear();
        indices.grow(count);
        indices.extend(present.filter_map(|(slot, entity)| slots.index_of(slot, entity)));
        for index in 0..count {
            let Colliders {
                shapes, records, ..
            } = &self.index.colliders;
            if shapes[index].is_some() && !indices.contains(index) {
                let slot = records[index].slot;
                self.index.remove(slot);
            }
        }
    }

    /// Removes the collider of an entity, if it is in the index.
    fn unregister(&mut self, row: &ColliderRow) -> Registration {
        let slot = row.registration.slot;
        if self.index.get(slot, row.entity).is_some() {
            self.index.remove(slot);
        }
        Registration {
            slot: NO_SLOT,
            ..*row.registration
        }
    }

    /// Removes the collider of an entity until it is valid again, and warns once.
    fn invalidate(&mut self, row: &ColliderRow, reason: Reason) -> Registration {
        if row.registration.invalid.is_none() {
            let why = reason.why_invalid().unwrap_or_default();
            match self.names.get(row.entity) {
                Ok(name) => warn!("ignoring the collider of {name}: {why}"),
                Err(_) => warn!("ignoring the collider of {}: {why}", row.entity),
            }
        }
        Registration {
            invalid: Some(reason),
            ..self.unregister(row)
        }
    }
}
