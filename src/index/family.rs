//! Where entities are, from their ancestors.

use bevy::{
    ecs::system::SystemParam,
    math::{Affine3A, Mat2},
    prelude::*,
};

use super::Lineage;
use crate::{
    geometry::world_pose,
    hierarchy::{AnyEntity, ParentCycle, visit_ancestors},
    movement::Mover,
};

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
pub(super) struct Member {
    pub entity: Entity,
    pub transform: Transform,
    pub parent: Option<Entity>,
    pub is_mover: bool,
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
    pub(super) fn pose_and_lineage(
        &self,
        member: &Member,
    ) -> Result<(Affine3A, Lineage), ParentCycle> {
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
    pub fn pose(&self, entity: Entity) -> Option<Affine3A> {
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
