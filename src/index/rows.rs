//! What an entity's components say about its collider, compared with what the index knows.

use bevy::{
    ecs::query::QueryItem,
    math::{Affine2, Affine3A},
    prelude::*,
};

use super::{
    ancestry::{Ancestry, MoverRelation},
    collider_index::ColliderIndex,
    colliders::{ColliderRecord, Colliders},
    entry::{ColliderRole, Solidity},
    hierarchy::ParentCycle,
    local_shape::LocalShape,
    moved::MovedColliders,
    reason::Reason,
    registration::{ColliderFlags, Registration},
    table_layers::TableLayers,
    transform_hierarchy::{CachedChain, TransformHierarchy},
};
use crate::{
    components::{
        CollisionLayers, EntityOrder, Ignores, LayerMask, Mover, MoverPart, OneWay, Pushable,
        Solid, StableKey, Swept,
    },
    geometry::{Shape, pose_from_scale_rotation_translation, world_pose},
    memory,
    state::{Ancestors, PreviousPose, PreviousPoses},
};

/// The components that are read, except the [`Registration`].
pub(super) type ColliderQueryData = (
    Entity,
    Ref<'static, LocalShape>,
    Ref<'static, Transform>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, TableLayers>>,
    Option<Ref<'static, Mover>>,
    Option<&'static ChildOf>,
    Has<Swept>,
    Option<Ref<'static, OneWay>>,
    (Has<Solid>, Has<Pushable>),
    Option<Ref<'static, StableKey>>,
    Option<Ref<'static, Ignores>>,
    Has<MoverPart>,
);

/// How many entities with a valid collider were found.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    pub colliders: usize,
    /// Those whose pose is kept until the next update, because their motion since then counts.
    pub tracked: usize,
}

/// What the rows of some entities mean for the index.
#[derive(Default)]
pub(crate) struct SyncBatch {
    pub(super) moved: MovedColliders,
    /// The slots of movers and of the colliders attached to them.
    pub attached_to_movers: Vec<u32>,
    /// The entities with more changes than a new pose, perhaps.
    pub needs_full_sync: Vec<Entity>,
    /// The rows that need no full sync.
    pub found: Found,
    cached_chain: CachedChain,
}

impl SyncBatch {
    pub fn clear(&mut self) {
        self.moved.clear();
        memory::clear(&mut self.attached_to_movers);
        memory::clear(&mut self.needs_full_sync);
        self.found = Found::default();
        self.cached_chain = CachedChain::default();
    }
}

/// An entity with a collider.
#[derive(Clone, Copy)]
pub(super) struct ColliderRow<'a> {
    pub entity: Entity,
    pub registration: &'a Registration,
    pub local: &'a LocalShape,
    pub transform: &'a Transform,
    /// Its own, or those of the table.
    pub layers: Option<CollisionLayers>,
    pub mover: Option<&'a Mover>,
    pub parent: Option<&'a ChildOf>,
    pub one_way: Option<&'a OneWay>,
    pub key: Option<&'a StableKey>,
    pub ignores: Option<&'a Ignores>,
    pub flags: ColliderFlags,
    /// Its shape or position may have changed.
    pub shape_changed: bool,
    /// Its layers, its role as a wall, its key, or what it ignores may have changed.
    pub role_changed: bool,
    /// Its role as a mover may have changed.
    pub mover_changed: bool,
}

impl<'a> ColliderRow<'a> {
    pub fn of(registration: &'a Registration, data: QueryItem<'a, '_, ColliderQueryData>) -> Self {
        let (
            entity,
            local,
            transform,
            layers,
            table_layers,
            mover,
            parent,
            swept,
            one_way,
            (solid, pushable),
            key,
            ignores,
            part,
        ) = data;
        Self {
            entity,
            registration,
            flags: ColliderFlags::of([
                (ColliderFlags::SOLID, solid || pushable),
                (ColliderFlags::MOVER, mover.is_some()),
                (ColliderFlags::PARENT, parent.is_some()),
                (ColliderFlags::LAYERS, layers.is_some()),
                (ColliderFlags::TABLE_LAYERS, table_layers.is_some()),
                (ColliderFlags::SWEPT, swept),
                (ColliderFlags::ONE_WAY, one_way.is_some()),
                (ColliderFlags::KEY, key.is_some()),
                (ColliderFlags::IGNORES, ignores.is_some()),
                (ColliderFlags::PART, part),
            ]),
            shape_changed: local.is_changed() || transform.is_changed(),
            role_changed: layers.as_ref().is_some_and(Ref::is_changed)
                || table_layers.as_ref().is_some_and(Ref::is_changed)
                || one_way.as_ref().is_some_and(Ref::is_changed)
                || key.as_ref().is_some_and(Ref::is_changed)
                || ignores.as_ref().is_some_and(Ref::is_changed),
            mover_changed: mover.as_ref().is_some_and(Ref::is_changed),
            local: local.into_inner(),
            transform: transform.into_inner(),
            layers: (layers.as_deref().copied())
                .or_else(|| table_layers.as_deref().map(|&TableLayers(layers)| layers)),
            mover: mover.map(Ref::into_inner),
            parent,
            one_way: one_way.map(Ref::into_inner),
            key: key.map(Ref::into_inner),
            ignores: ignores.map(Ref::into_inner),
        }
    }

    /// Adds to the batch the new shape of the collider, or the entity if it needs a full sync.
    #[inline(always)]
    pub fn diff(
        &self,
        index: &ColliderIndex,
        poses: &PreviousPoses,
        hierarchy: &TransformHierarchy,
        batch: &mut SyncBatch,
    ) {
        let Some(position) = self.known_index(index) else {
            return batch.needs_full_sync.push(self.entity);
        };
        let mut is_attached = self.mover.is_some();
        let may_have_moved = self.parent.is_some() || self.shape_changed;
        if self.shape_changed && self.local.is_grid() {
            return batch.needs_full_sync.push(self.entity);
        }
        if self.flags.are_tracked() {
            let pose = self.current_pose(index, hierarchy, batch, &mut is_attached);
            let rests = pose.is_some_and(|pose| {
                // A restore or a refresh may have come between the last update and this one: the
                // index does not hold the pose of either.
                let free_direction = index.free_directions.get(self.registration.slot);
                poses.get(&self.entity) == Some(&pose)
                    && free_direction.copied() == self.free_direction(&pose.pose)
            });
            if self.shape_changed || !rests {
                return batch.needs_full_sync.push(self.entity);
            }
            batch.found.tracked += 1;
        }
        if may_have_moved {
            let shape = if self.parent.is_some() {
                self.pose_of_child(index, hierarchy, batch, &mut is_attached)
                    .and_then(|pose| self.shape_at(&pose))
            } else {
                self.shape_of_root()
            };
            match shape {
                Some(shape) if shape.is_finite() => batch.moved.push(position, shape),
                _ => return batch.needs_full_sync.push(self.entity),
            }
        }
        batch.found.colliders += 1;
        if is_attached {
            batch.attached_to_movers.push(self.registration.slot);
        }
    }

    /// Where the collider is in the arrays, if only its shape and its ancestors may have changed.
    #[inline(always)]
    fn known_index(&self, index: &ColliderIndex) -> Option<usize> {
        if self.role_changed || self.registration.flags != self.flags {
            return None;
        }
        let Colliders { slots, records, .. } = &index.colliders;
        let position = slots.index_of(self.registration.slot, self.entity)?;
        // Velocities change in most updates, all else about movers seldom does.
        let is_same = !self.mover_changed || self.has_same_mover_role(&records[position]);
        is_same.then_some(position)
    }

    /// Whether its role as a mover is the recorded one.
    fn has_same_mover_role(&self, record: &ColliderRecord) -> bool {
        self.mover.is_some_and(|mover| {
            record.role.blocked_by == mover.effective_blocked_by()
                && record.skin == mover.valid_skin()
                && self.registration.passes == mover.passes()
        })
    }

    #[inline(always)]
    fn shape_of_root(&self) -> Option<Shape> {
        root_shape(self.local, self.transform)
    }

    /// What is kept of a collider until the next update, or `None` if its ancestors have changed.
    /// Sets `is_attached` if a mover carries it.
    fn current_pose(
        &self,
        index: &ColliderIndex,
        hierarchy: &TransformHierarchy,
        batch: &mut SyncBatch,
        is_attached: &mut bool,
    ) -> Option<PreviousPose> {
        let pose = if self.parent.is_some() {
            world_pose(&self.pose_of_child(index, hierarchy, batch, is_attached)?)
        } else {
            root_pose(self.transform)
        };
        Some(PreviousPose {
            pose,
            ancestors: self.ancestors(hierarchy),
            key: EntityOrder::of(self.entity, self.key).key,
        })
    }

    /// The pose of a collider with a parent, or `None` if its ancestors have changed. Sets
    /// `is_attached` if a mover carries it.
    fn pose_of_child(
        &self,
        index: &ColliderIndex,
        hierarchy: &TransformHierarchy,
        batch: &mut SyncBatch,
        is_attached: &mut bool,
    ) -> Option<Affine3A> {
        let parent = self.parent.map(ChildOf::parent);
        let chain = hierarchy
            .cached_chain(parent, &mut batch.cached_chain)
            .ok()?;
        let ancestry = chain.ancestry_of(self.entity, self.mover.is_some());
        if index.ancestries.get(self.registration.slot) != Some(&ancestry) {
            return None;
        }
        *is_attached = ancestry.mover.is_some();
        Some(chain.pose_of(self.transform))
    }

    /// Why a collider that is not finite in the world is invalid.
    pub fn not_finite(&self) -> Reason {
        if self.shape_of_root().is_some_and(|shape| shape.is_finite()) {
            Reason::NotFiniteInWorld
        } else {
            Reason::NotFinite
        }
    }

    /// The direction in which a one-way wall does not block, in world space. `None` for others.
    pub fn free_direction(&self, pose: &Affine2) -> Option<Vec2> {
        let one_way = self
            .one_way
            .filter(|_| self.solidity() == Solidity::OneWay)?;
        Some((pose.matrix2 * *one_way.0).normalize_or_zero())
    }

    /// The shape in world space.
    pub fn shape_at(&self, pose: &Affine3A) -> Option<Shape> {
        Some(self.local.shape.as_ref()?.transformed(&world_pose(pose)))
    }

    pub fn pose_and_ancestry(
        &self,
        hierarchy: &TransformHierarchy,
    ) -> Result<(Affine3A, Ancestry), ParentCycle> {
        let chain = hierarchy.parent_chain(self.parent.map(ChildOf::parent))?;
        let ancestry = chain.ancestry_of(self.entity, self.mover.is_some());
        Ok((chain.pose_of(self.transform), ancestry))
    }

    /// The entities above it.
    pub fn ancestors(&self, hierarchy: &TransformHierarchy) -> Ancestors {
        hierarchy.ancestors(self.parent.map(ChildOf::parent), self.transform)
    }

    pub fn role(&self, moved_by: MoverRelation) -> ColliderRole {
        ColliderRole {
            layers: self.layers.unwrap_or_default(),
            blocked_by: self
                .mover
                .map_or(LayerMask::NONE, Mover::effective_blocked_by),
            solidity: self.solidity(),
            moved_by,
            flags: self.flags,
        }
    }

    fn solidity(&self) -> Solidity {
        if !self.flags.has_any(ColliderFlags::SOLID) {
            Solidity::None
        } else if self.one_way.is_some() {
            Solidity::OneWay
        } else {
            Solidity::Full
        }
    }
}

/// The shape in world space of a collider without a parent.
#[inline(always)]
pub(super) fn root_shape(local: &LocalShape, transform: &Transform) -> Option<Shape> {
    Some(local.shape.as_ref()?.transformed(&root_pose(transform)))
}

/// The pose of an entity without a parent.
#[inline]
fn root_pose(transform: &Transform) -> Affine2 {
    let &Transform {
        translation,
        rotation,
        scale,
    } = transform;
    pose_from_scale_rotation_translation(scale, rotation, translation)
}
