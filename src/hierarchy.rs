//! Walking up the tree of parents, also where it is not a tree.

use bevy::prelude::*;

/// A way up the parents came back to where it had been.
#[derive(Debug, PartialEq)]
pub(crate) struct ParentCycle;

/// Visits the ancestors of `entity`, nearest first. `visit` gets an ancestor and returns the next one.
pub(crate) fn visit_ancestors(
    first: Option<Entity>,
    mut visit: impl FnMut(Entity) -> Option<Entity>,
) -> Result<(), ParentCycle> {
    // Brent, "An improved Monte Carlo factorization algorithm" (1980), section 4: a mark that moves on at powers of two.
    let (mut mark, mut steps, mut limit) = (first, 0u32, 1u32);
    let mut current = first;
    while let Some(entity) = current {
        current = visit(entity);
        if current.is_some() && current == mark {
            return Err(ParentCycle);
        }
        steps += 1;
        if steps == limit {
            (mark, steps, limit) = (current, 0, limit.saturating_mul(2));
        }
    }
    Ok(())
}

/// Whether `ancestor` is above `entity`.
pub(crate) fn is_ancestor(ancestor: Entity, entity: Entity, parents: &Parents) -> bool {
    let parent = |entity| parents.get(entity).ok().map(ChildOf::parent);
    let mut found = false;
    let walk = visit_ancestors(parent(entity), |above| {
        found |= above == ancestor;
        (!found).then(|| parent(above)).flatten()
    });
    found && walk.is_ok()
}

/// Matches disabled entities too: a disabled parent is still a parent.
pub(crate) type AnyEntity = bevy::ecs::query::Allow<bevy::ecs::entity_disabling::Disabled>;

/// The parent of each entity that has one.
pub(crate) type Parents<'w, 's> = Query<'w, 's, &'static ChildOf, AnyEntity>;
