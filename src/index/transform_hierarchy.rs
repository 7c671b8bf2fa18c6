//! World transforms from the `Transform`s of all ancestors.

use bevy::{
    ecs::system::{SystemParam, SystemParamBuilder},
    math::{Affine3A, Mat2},
    prelude::*,
};

use super::{
    ancestry::Ancestry,
    hierarchy::{ParentCycle, every_entity, visit_ancestors},
};
use crate::{
    components::Mover,
    geometry::world_pose,
    state::{Ancestor, Ancestors},
};

/// The `Transform`s and parents of all entities, including hidden ones if it is built by
/// [`of_every_entity`](Self::of_every_entity).
#[derive(SystemParam)]
#[system_param(builder)]
pub(crate) struct TransformHierarchy<'w, 's> {
    members: Query<'w, 's, MemberData>,
}

type MemberData = (
    Option<&'static Transform>,
    Option<&'static ChildOf>,
    Has<Mover>,
);

/// What the children of an entity inherit from it and from its ancestors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ParentChain {
    /// From the children's frame to the world.
    pose: Affine3A,
    ancestry: Option<Ancestry>,
}

impl ParentChain {
    /// The world transform of a child.
    pub fn pose_of(&self, transform: &Transform) -> Affine3A {
        let own = transform.compute_affine();
        match self.ancestry {
            Some(_) => self.pose * own,
            None => own,
        }
    }

    /// The ancestry of a child.
    pub fn ancestry_of(&self, child: Entity, is_mover: bool) -> Ancestry {
        match self.ancestry {
            Some(above) => above.of_child(child, is_mover),
            None => Ancestry::of_root(child, is_mover),
        }
    }
}

/// The last chain that was computed: siblings mostly come one after another.
#[derive(Default)]
pub(super) struct CachedChain(Option<(Entity, ParentChain)>);

impl TransformHierarchy<'_, '_> {
    /// Builds the parameter so that it includes hidden entities, which are ancestors like others.
    pub fn of_every_entity() -> impl SystemParamBuilder<Self> + Send + Sync + 'static {
        TransformHierarchyBuilder {
            members: every_entity(),
        }
    }

    /// Visits the entities above another one that have a [`Mover`], nearest first.
    pub(super) fn visit_movers_above(&self, entity: Entity, mut visit: impl FnMut(Entity)) {
        let parent_of = |entity| {
            let (_, parent, is_mover) = self.members.get(entity).unwrap_or_default();
            (parent.map(ChildOf::parent), is_mover)
        };
        // Colliders in a cycle of parents are invalid.
        let _ = visit_ancestors(parent_of(entity).0, |ancestor| {
            let (parent, is_mover) = parent_of(ancestor);
            if is_mover {
                visit(ancestor);
            }
            parent
        });
    }

    /// The entities above a child of `parent`, nearest first.
    pub(super) fn ancestors(&self, parent: Option<Entity>, transform: &Transform) -> Ancestors {
        let mut ancestors = Ancestors::new();
        let mut pose = transform.compute_affine();
        let mut pose_ends = false;
        // Colliders in a cycle of parents are invalid.
        let _ = visit_ancestors(parent, |entity| {
            ancestors.push(Ancestor {
                entity,
                pose: world_pose(&pose),
            });
            let (transform, parent, _) = self.members.get(entity).unwrap_or_default();
            match transform {
                Some(transform) if !pose_ends => pose = transform.compute_affine() * pose,
                _ => pose_ends = true,
            }
            parent.map(ChildOf::parent)
        });
        ancestors
    }

    /// The entities above another one, nearest first.
    pub(super) fn ancestors_of(&self, entity: Entity) -> Ancestors {
        match self.members.get(entity) {
            Ok((Some(transform), parent, _)) => {
                self.ancestors(parent.map(ChildOf::parent), transform)
            }
            _ => Ancestors::new(),
        }
    }

    /// What the children of `parent` inherit. It is computed from `Transform`s, which are current,
    /// while `GlobalTransform`s are those of the last propagation.
    pub(super) fn parent_chain(&self, parent: Option<Entity>) -> Result<ParentChain, ParentCycle> {
        let mut pose = Affine3A::IDENTITY;
        let mut pose_ends = false;
        let mut ancestry = None;
        visit_ancestors(parent, |ancestor| {
            let (transform, parent, is_mover) = self.members.get(ancestor).unwrap_or_default();
            match transform {
                Some(transform) if !pose_ends => pose = transform.compute_affine() * pose,
                _ => pose_ends = true,
            }
            ancestry
                .get_or_insert(Ancestry::NONE)
                .add(ancestor, is_mover);
            parent.map(ChildOf::parent)
        })?;
        Ok(ParentChain { pose, ancestry })
    }

    /// Like [`parent_chain`](Self::parent_chain), once for consecutive children of a parent.
    pub(super) fn cached_chain(
        &self,
        parent: Option<Entity>,
        last: &mut CachedChain,
    ) -> Result<ParentChain, ParentCycle> {
        match (parent, last.0) {
            (Some(parent), Some((last, chain))) if parent == last => Ok(chain),
            _ => {
                let chain = self.parent_chain(parent)?;
                last.0 = parent.map(|parent| (parent, chain));
                Ok(chain)
            }
        }
    }

    /// The world transform of an entity, or `None` if it has no `Transform` or its parents form a
    /// cycle.
    pub fn pose(&self, entity: Entity) -> Option<Affine3A> {
        let (transform, parent, _) = self.members.get(entity).ok()?;
        let chain = self.parent_chain(parent.map(ChildOf::parent)).ok()?;
        Some(chain.pose_of(transform?))
    }

    /// The translation of an entity in the frame of its parent, or `None` if it has no `Transform`.
    pub fn translation(&self, entity: Entity) -> Option<Vec2> {
        let (transform, ..) = self.members.get(entity).ok()?;
        Some(transform?.translation.truncate())
    }

    /// The matrix from vectors in the world to vectors in the frame of `parent`. Zero if a scale of
    /// zero makes that impossible.
    pub fn world_to_local(&self, parent: Entity) -> Mat2 {
        self.pose(parent).map_or(Mat2::IDENTITY, |pose| {
            inverse_or_zero(&world_pose(&pose).matrix2)
        })
    }
}

/// Axes of a matrix that differ by less than this angle, in radians, count as parallel. The inverse
/// multiplies the rounding of rotations and scales, about 1e-6, by one over the angle: a position
/// 100 units away would be off by 0.1.
const PARALLEL_AXES: f32 = 1e-3;

/// The inverse, or zero for a matrix that flattens the plane.
fn inverse_or_zero(matrix: &Mat2) -> Mat2 {
    let area = matrix.x_axis.length() * matrix.y_axis.length();
    if matrix.determinant().abs() > PARALLEL_AXES * area {
        matrix.inverse_or_zero()
    } else {
        Mat2::ZERO
    }
}
