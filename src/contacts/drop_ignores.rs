//! Removes `Ignores` from bodies that came apart from what they ignore.

use bevy::prelude::*;

use crate::{
    aabb::grow,
    components::Ignores,
    geometry::separation,
    index::{ColliderEntry, ColliderIndex, Registration},
    schedule::OnMainThread,
};

/// Removes [`Ignores`] from entities that came apart from what they ignore until then.
pub(crate) fn drop_ignores(
    ignores: Query<(Entity, &Ignores, Option<&Registration>)>,
    index: Res<ColliderIndex>,
    mut commands: Commands,
    _: OnMainThread,
) {
    for (entity, ignores, registration) in &ignores {
        let own = registration.map(|registration| index.get(registration.slot, entity));
        // One that is disabled may overlap when it is enabled.
        if !ignores.until_apart || own.as_ref().is_some_and(Option::is_none) {
            continue;
        }
        let mut body = (own.flatten().into_iter().chain(index.parts_of(entity))).peekable();
        if body.peek().is_some() && body.all(|entry| are_apart(&index, &entry, ignores.entity)) {
            commands.entity(entity).try_remove::<Ignores>();
        }
    }
}

/// Whether a collider is apart from all colliders of another entity.
fn are_apart(index: &ColliderIndex, entry: &ColliderEntry, other: Entity) -> bool {
    let mut are_apart = true;
    let margin = index.settings().margin;
    // The broad phase has boxes that include the distance which the others keep.
    let area = grow(
        &entry.shape.aabb(),
        margin.max(2.0 * entry.effective_skin()),
    );
    index.visit_overlapping(&area, |found| {
        if found.belongs_to(other) {
            let skin = entry.effective_skin().max(found.effective_skin());
            let separation = separation(entry.shape, found.shape);
            are_apart &= separation.distance > margin.max(2.0 * skin);
        }
    });
    are_apart
}
