//! Walking up the parents of entities, which may form a cycle and be hidden from queries.

use bevy::{
    ecs::{
        entity_disabling::{DefaultQueryFilters, Disabled},
        query::{Allow, FilteredAccess, QueryBuilder, QueryData, QueryFilter},
        system::QueryParamBuilder,
    },
    prelude::*,
};

/// The parents of an entity form a cycle.
#[derive(Debug, PartialEq)]
pub(crate) struct ParentCycle;

/// Visits ancestors, beginning with `first`. `visit` receives an ancestor and returns its parent.
pub(crate) fn visit_ancestors(
    first: Option<Entity>,
    mut visit: impl FnMut(Entity) -> Option<Entity>,
) -> Result<(), ParentCycle> {
    // Cycle detection by a mark that moves on at powers of two: Brent, "An improved Monte Carlo
    // factorization algorithm" (1980), section 4.
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

/// The parent of each entity that has one, including disabled parents. Built by [`every_entity`],
/// it also includes entities that the app's own components hide.
pub(crate) type Parents<'w, 's> = Query<'w, 's, &'static ChildOf, Allow<Disabled>>;

/// Builds a query that includes hidden entities, whatever component hides them.
pub(crate) fn every_entity<D: QueryData, F: QueryFilter>()
-> QueryParamBuilder<fn(&mut QueryBuilder<D, F>)> {
    QueryParamBuilder::new(allow_hidden::<D, F>)
}

/// Does what [`Allow`] does for each component that hides entities, which are known only when the
/// app runs.
fn allow_hidden<D: QueryData, F: QueryFilter>(query: &mut QueryBuilder<D, F>) {
    let mut mentioned = FilteredAccess::default();
    if let Some(filters) = query.world().get_resource::<DefaultQueryFilters>() {
        for component in filters.disabling_ids() {
            mentioned.access_mut().add_archetypal(component);
        }
    }
    query.extend_access(mentioned);
}
