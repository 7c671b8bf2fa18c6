//! Where entities are, from their ancestors.

use bevy::{
    ecs::system::{SystemParam, SystemParamBuilder},
    math::{Affine3A, Mat2},
    prelude::*,
};

use super::Lineage;
use crate::{
    components::Mover,
    geometry::world_pose,
    index::{ParentCycle, every_entity, visit_ancestors},
};

/// The ancestors of entities, hidden ones included if it is built by [`Family::of_every_entity`].
#[derive(SystemParam)]
#[system_param(builder)]
pub(crate) struct Family<'w, 's> {
    members: Query<'w, 's, FamilyData>,
}

type FamilyData = (
    Option<&'static Transform>,
    Option<&'static ChildOf>,
    Has<Mover>,
);

/// The ancestors that an entity's children have, the entity among them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ancestry {
    /// From the children's frame to the world.
    pose: Affine3A,
    lineage: Option<Lineage>,
}

impl Ancestry {
    /// The world transform of a child.
    pub fn pose_of(&self, transform: &Transform) -> Affine3A {
        let own = transform.compute_affine();
        match self.lineage {
            Some(_) => self.pose * own,
            None => own,
        }
    }

    /// The place of a child in the tree of parents.
    pub fn lineage_of(&self, child: Entity, is_mover: bool) -> Lineage {
        match self.lineage {
            Some(above) => above.of_child(child, is_mover),
            None => Lineage::of_root(child, is_mover),
        }
    }
}

/// The ancestry that was asked for last. Siblings mostly come one after another.
#[derive(Default)]
pub(super) struct LastAncestry(Option<(Entity, Ancestry)>);

impl Family<'_, '_> {
    /// Hidden entities are ancestors, too.
    pub fn of_every_entity() -> impl SystemParamBuilder<Self> + Send + Sync + 'static {
        FamilyBuilder {
            members: every_entity(),
        }
    }

    /// Visits the entities above another one that have a [`Mover`], nearest first.
    pub(super) fn visit_movers_above(&self, entity: Entity, mut visit: impl FnMut(Entity)) {
        let parent_of = |entity| {
            let (_, parent, is_mover) = self.members.get(entity).unwrap_or_default();
            (parent.map(ChildOf::parent), is_mover)
        };
        // What is in a cycle takes no part.
        let _ = visit_ancestors(parent_of(entity).0, |ancestor| {
            let (parent, is_mover) = parent_of(ancestor);
            if is_mover {
                visit(ancestor);
            }
            parent
        });
    }

    /// What is above the children of `parent`, from `Transform`s alone: they are current, while `GlobalTransform`s are those of the
    /// last propagation.
    pub(super) fn ancestry(&self, parent: Option<Entity>) -> Result<Ancestry, ParentCycle> {
        let mut pose = Affine3A::IDENTITY;
        let mut pose_ends = false;
        let mut lineage = None;
        visit_ancestors(parent, |ancestor| {
            let (transform, parent, is_mover) = self.members.get(ancestor).unwrap_or_default();
            match transform {
                Some(transform) if !pose_ends => pose = transform.compute_affine() * pose,
                _ => pose_ends = true,
            }
            lineage
                .get_or_insert(Lineage::NONE)
                .descend_from(ancestor, is_mover);
            parent.map(ChildOf::parent)
        })?;
        Ok(Ancestry { pose, lineage })
    }

    /// The same, without doing it for the same parent again and again.
    pub(super) fn ancestry_after(
        &self,
        parent: Option<Entity>,
        last: &mut LastAncestry,
    ) -> Result<Ancestry, ParentCycle> {
        match (parent, last.0) {
            (Some(parent), Some((last, ancestry))) if parent == last => Ok(ancestry),
            _ => {
                let ancestry = self.ancestry(parent)?;
                last.0 = parent.map(|parent| (parent, ancestry));
                Ok(ancestry)
            }
        }
    }

    /// The world transform of an entity; none, if it has no `Transform` or its parents form a cycle.
    pub fn pose(&self, entity: Entity) -> Option<Affine3A> {
        let (transform, parent, _) = self.members.get(entity).ok()?;
        let ancestry = self.ancestry(parent.map(ChildOf::parent)).ok()?;
        Some(ancestry.pose_of(transform?))
    }

    /// From vectors in the world to vectors in the frame of `parent`. Zero where a scale of zero leaves no way back.
    pub fn world_to_local(&self, parent: Entity) -> Mat2 {
        self.pose(parent).map_or(Mat2::IDENTITY, |pose| {
            inverse_or_zero(&world_pose(&pose).matrix2)
        })
    }
}

/// The axes of a matrix that differ by less than this angle, in radians, count as parallel. The way back through one multiplies the
/// rounding of turns and scales, about 1e-6, by the inverse of the angle: what is 100 units off would be moved by 0.1 more or less.
const PARALLEL_AXES: f32 = 1e-3;

/// The inverse; zero for a matrix that flattens the plane.
fn inverse_or_zero(matrix: &Mat2) -> Mat2 {
    let area = matrix.x_axis.length() * matrix.y_axis.length();
    if matrix.determinant().abs() > PARALLEL_AXES * area {
        matrix.inverse_or_zero()
    } else {
        Mat2::ZERO
    }
}
