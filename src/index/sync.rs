//! Bringing the index up to date with the world.

use bevy::{
    ecs::{name::NameOrEntity, query::QueryData, system::SystemParam},
    math::{Affine3A, Mat2},
    prelude::*,
};
use log::warn;

use super::{Background, ColliderIndex, ColliderRole, Lineage};
use crate::{
    collider::{ColliderDisabled, ColliderTraits, CollisionLayers, LayerMask, LocalShape, Solid},
    geometry::{Shape, world_pose},
    hierarchy::{AnyEntity, ParentCycle, visit_ancestors},
    movement::Mover,
    settings::CollisionSettings,
};

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct ColliderData {
    name: NameOrEntity,
    local: &'static mut LocalShape,
    transform: Ref<'static, Transform>,
    parent: Option<&'static ChildOf>,
    layers: Option<&'static CollisionLayers>,
    mover: Option<&'static Mover>,
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
    if index.has_unseen() {
        index.remove_unseen(colliders.iter().map(|collider| collider.local));
    }
    if settings.is_changed() {
        index.mark_all_changed();
    }
    index.refresh_boxes(&settings);
}

fn sync_collider(index: &mut ColliderIndex, collider: &mut ColliderDataItem, family: &Family) {
    let traits = collider.traits();
    let is_known = collider.local.traits == traits && index.was_seen(collider.local.seen_in_run);
    if is_known && !traits.has_parent && sync_known_root(index, collider, traits) {
        return;
    }
    let Some(local_shape) = &collider.local.shape else {
        return;
    };
    let member = collider.member();
    let slot = collider.local.slot;
    match family.pose_and_lineage(&member) {
        Ok((pose, lineage)) => {
            let shape = local_shape.transformed(&world_pose(&pose));
            if shape.is_finite() {
                let role = ColliderRole::new(&traits, &lineage);
                let skin = traits.skin;
                let background = Background { skin, lineage };
                let slot = index.update(slot, member.entity, shape, role, background);
                let run = index.see(slot, role.body.is_some());
                collider.local.bypass_change_detection().slot = slot;
                collider.note(run, traits);
            } else {
                collider.set_invalid("its position, size or scale is not a finite number");
            }
        }
        Err(ParentCycle) => collider.set_invalid("its parents form a cycle"),
    }
}

/// Takes in a collider without a parent about which at most its shape and its place differ from the last run. False, if that
/// is not finite.
fn sync_known_root(
    index: &mut ColliderIndex,
    collider: &mut ColliderDataItem,
    traits: ColliderTraits,
) -> bool {
    let slot = collider.local.slot;
    if collider.local.is_changed() || collider.transform.is_changed() {
        let pose = world_pose(&collider.transform.compute_affine());
        let shape = collider.local.shape.as_ref();
        let Some(shape) = shape
            .map(|shape| shape.transformed(&pose))
            .filter(Shape::is_finite)
        else {
            return false;
        };
        index.update_shape(slot, shape);
    }
    let run = index.see(slot, traits.is_mover);
    collider.local.bypass_change_detection().seen_in_run = run;
    true
}

impl ColliderDataItem<'_, '_> {
    fn member(&self) -> Member {
        Member {
            entity: self.name.entity,
            transform: *self.transform,
            parent: self.parent.map(ChildOf::parent),
            is_mover: self.mover.is_some(),
        }
    }

    fn traits(&self) -> ColliderTraits {
        ColliderTraits {
            layers: self.layers.copied().unwrap_or_default(),
            blocked_by: self
                .mover
                .map_or(LayerMask::NONE, Mover::effective_blocked_by),
            skin: self.mover.map_or(0.0, Mover::valid_skin),
            solid: self.solid,
            is_mover: self.mover.is_some(),
            has_parent: self.parent.is_some(),
        }
    }

    /// Remembers that it took part in a run, and as what.
    fn note(&mut self, run: u32, traits: ColliderTraits) {
        let local = self.local.bypass_change_detection();
        local.seen_in_run = run;
        local.traits = traits;
        local.invalid = false;
    }

    /// Leaves the collider out until it is well again, and says so once.
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
    members: Query<'w, 's, FamilyData, AnyEntity>,
}

type FamilyData = (
    Option<&'static Transform>,
    Option<&'static ChildOf>,
    Has<Mover>,
);

/// What an entity tells about its place.
struct Member {
    entity: Entity,
    transform: Transform,
    parent: Option<Entity>,
    is_mover: bool,
}

impl Member {
    /// Its place, if it has no parent.
    fn as_root(&self) -> Lineage {
        Lineage::of_root(self.entity, self.is_mover)
    }
}

impl Family<'_, '_> {
    /// The world transform of an entity and its place in the tree of parents, from `Transform`s alone: they are current, while
    /// `GlobalTransform`s are those of the last propagation.
    fn pose_and_lineage(&self, member: &Member) -> Result<(Affine3A, Lineage), ParentCycle> {
        let mut pose = member.transform.compute_affine();
        let mut pose_ends = false;
        let mut lineage = member.as_root();
        visit_ancestors(member.parent, |ancestor| {
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

    /// The world transform of an entity; none, if it has no `Transform` or its parents form a cycle.
    fn pose(&self, entity: Entity) -> Option<Affine3A> {
        let (transform, parent, is_mover) = self.members.get(entity).ok()?;
        let member = Member {
            entity,
            transform: *transform?,
            parent: parent.map(ChildOf::parent),
            is_mover,
        };
        Some(self.pose_and_lineage(&member).ok()?.0)
    }

    /// From vectors in the world to vectors in the frame of `parent`. Zero where a scale of zero leaves no way back.
    pub fn world_to_local(&self, parent: Entity) -> Mat2 {
        self.pose(parent).map_or(Mat2::IDENTITY, |pose| {
            inverse_or_zero(&world_pose(&pose).matrix2)
        })
    }
}

/// The axes of a matrix that differ by less than this angle, in radians, count as parallel. It is above the rounding of a product
/// of turns and scales, about 1e-6.
const PARALLEL_AXES: f32 = 1e-5;

/// The inverse; zero for a matrix that flattens the plane.
fn inverse_or_zero(matrix: &Mat2) -> Mat2 {
    let area = matrix.x_axis.length() * matrix.y_axis.length();
    if matrix.determinant().abs() > PARALLEL_AXES * area {
        matrix.inverse_or_zero()
    } else {
        Mat2::ZERO
    }
}

/// Puts the colliders of movers, and those that movers carry, where their `Transform`s are now.
pub(crate) fn carry_colliders(
    mut index: ResMut<ColliderIndex>,
    colliders: Query<&LocalShape>,
    family: Family,
    settings: Res<CollisionSettings>,
) {
    index.update_carried(|entity| {
        let local_shape = colliders.get(entity).ok()?.shape.as_ref()?;
        Some(local_shape.transformed(&world_pose(&family.pose(entity)?)))
    });
    index.refresh_boxes(&settings);
    index.activate_changed();
}
