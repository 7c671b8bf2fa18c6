//! How colliders are related by their parents.

use super::{
    entry::ColliderEntry,
    hierarchy::{Parents, is_ancestor},
};

/// Whether one of two colliders is an ancestor of the other.
pub(crate) fn are_related(a: &ColliderEntry, b: &ColliderEntry, parents: &Parents) -> bool {
    (a.role.has_parent || b.role.has_parent)
        && a.root() == b.root()
        && (is_ancestor(a.entity, b.entity, parents) || is_ancestor(b.entity, a.entity, parents))
}
