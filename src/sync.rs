//! Bringing the index up to date with the world.

use bevy::{
    ecs::{name::NameOrEntity, query::QueryData, system::SystemParam},
    math::{Affine3A, Mat2},
    prelude::*,
};
use log::warn;

use crate::{
    collider::{ColliderDisabled, CollisionLayers, LocalShape, Solid},
    geometry::{Shape, world_pose},
    hierarchy::{AnyEntity, ParentCycle, visit_ancestors},
    index::{ColliderEntry, ColliderIndex, Lineage},
    movement::Mover,
    settings::CollisionSettings,
};

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct ColliderData {
    name: NameOrEntity,
    local: &'static mut LocalShape,
    transform: Ref<'static, Transform>,
    layers: Option<&'static CollisionLayers>,
    mover: Option<&'static Mover>,
    has_parent: Has<ChildOf>,
    solid: Has<Solid>,
}

/// Takes in every collider that is new or has changed, and drops those that are gone, disabled or not finite.
pub(crate) fn sync_colliders(
    mut index: ResMut<ColliderIndex>,
    mut colliders: Query<ColliderData, Without<ColliderDisabled>>,
    family: Family,
    settings: Res<CollisionSettings>,
) {
    index.begin_run();
    for mut collider in &mut colliders {
        sync_collider(&mut index, &mut collider, &family);
    }
    index.remove_unseen();
    if settings.is_changed() {
        index.mark_all_changed();
    }
    index.refresh_boxes(&settings);
}

fn sync_collider(index: &mut ColliderIndex, collider: &mut ColliderDataItem, family: &Family) {
    let Some(local_shape) = &collider.local.shape else {
        return;
    };
    let (entity, slot) = (collider.name.entity, collider.local.slot);
    let rests =
        !collider.has_parent && !collider.local.is_changed() && !collider.transform.is_changed();
    if rests
        && index
            .get(slot, entity)
            .is_some_and(|known| collider.has_properties_of(known))
    {
        return index.keep(slot);
    }
    let world_shape = if collider.has_parent {
        family
            .pose_and_lineage(entity, &collider.transform)
            .map(|(pose, lineage)| (local_shape.transformed(&world_pose(&pose)), lineage))
    } else {
        Ok(collider.shape_and_lineage_without_parent(local_shape))
    };
    match world_shape {
        Ok((shape, lineage)) if shape.is_finite() => {
            let slot = index.update(slot, collider.entry(shape, lineage));
            let local = collider.local.bypass_change_detection();
            local.slot = slot;
            local.invalid = false;
        }
        Ok(_) => collider.set_invalid("its position, size or scale is not a finite number"),
        Err(ParentCycle) => collider.set_invalid("its parents form a cycle"),
    }
}

impl ColliderDataItem<'_, '_> {
    fn entry(&self, shape: Shape, lineage: Lineage) -> ColliderEntry {
        let mut entry = ColliderEntry::new(self.name.entity, shape, lineage);
        entry.layers = self.layers.copied().unwrap_or_default();
        entry.solid = self.solid;
        if let Some(mover) = self.mover {
            entry.blocked_by = mover.effective_blocked_by();
            entry.skin = mover.valid_skin();
        }
        entry
    }

    /// Whether an entity without parent has nothing but perhaps another place than what is known of it.
    fn has_properties_of(&self, known: &ColliderEntry) -> bool {
        !self
            .entry(known.shape.clone(), self.lineage_without_parent())
            .differs_from(known)
    }

    fn lineage_without_parent(&self) -> Lineage {
        Lineage::of_root(self.name.entity, self.mover.is_some())
    }

    fn shape_and_lineage_without_parent(&self, local_shape: &Shape) -> (Shape, Lineage) {
        let pose = world_pose(&self.transform.compute_affine());
        (
            local_shape.transformed(&pose),
            self.lineage_without_parent(),
        )
    }

    /// Takes the collider out of the world until it is well again, and says so once.
    fn set_invalid(&mut self, why: &str) {
        let local = self.local.bypass_change_detection();
        if !local.invalid {
            warn!("the collider of {} takes no part: {why}", self.name);
            local.invalid = true;
        }
    }
}

/// The ancestors of entities.
#[derive(SystemParam)]
pub(crate) struct Family<'w, 's> {
    members: Query<
        'w,
        's,
        (
            Option<&'static Transform>,
            Option<&'static ChildOf>,
            Has<Mover>,
        ),
        AnyEntity,
    >,
}

impl Family<'_, '_> {
    /// The world transform of an entity and its place in the tree of parents, from `Transform`s alone: they are current, while
    /// `GlobalTransform`s are those of the last propagation.
    pub fn pose_and_lineage(
        &self,
        entity: Entity,
        transform: &Transform,
    ) -> Result<(Affine3A, Lineage), ParentCycle> {
        let mut pose = transform.compute_affine();
        let mut pose_ends = false;
        let (parent, is_mover) = self
            .members
            .get(entity)
            .map_or((None, false), |(_, parent, is_mover)| {
                (parent.map(ChildOf::parent), is_mover)
            });
        let mut lineage = Lineage::of_root(entity, is_mover);
        visit_ancestors(parent, |ancestor| {
            let (transform, parent, is_mover) = self.members.get(ancestor).unwrap_or_default();
            match transform {
                Some(transform) if !pose_ends => pose = transform.compute_affine() * pose,
                _ => pose_ends = true,
            }
            lineage.descend_from(ancestor, is_mover);
            parent.map(ChildOf::parent)
        })?;
        Ok((pose, lineage))
    }

    /// From vectors in the world to vectors in the frame of `parent`. Zero where a scale of zero leaves no way back.
    pub fn world_to_local(&self, parent: Entity) -> Mat2 {
        let transform = self
            .members
            .get(parent)
            .ok()
            .and_then(|(transform, ..)| transform);
        let Some(transform) = transform else {
            return Mat2::IDENTITY;
        };
        let inverse = self
            .pose_and_lineage(parent, transform)
            .map(|(pose, _)| world_pose(&pose).matrix2.inverse_or_zero());
        inverse.unwrap_or(Mat2::ZERO)
    }
}

/// Puts the colliders of movers, and those that movers carry, where their `Transform`s are now.
pub(crate) fn carry_colliders(
    mut index: ResMut<ColliderIndex>,
    colliders: Query<(&LocalShape, &Transform)>,
    family: Family,
    settings: Res<CollisionSettings>,
) {
    index.update_carried(|entity| {
        let (local, transform) = colliders.get(entity).ok()?;
        let (pose, _) = family.pose_and_lineage(entity, transform).ok()?;
        Some(local.shape.as_ref()?.transformed(&world_pose(&pose)))
    });
    index.refresh_boxes(&settings);
}
