//! Finds the collider of an entity, or why it has none.

use bevy::{
    ecs::{
        archetype::{Archetype, Archetypes},
        component::Components,
        entity::Entities,
        system::SystemParam,
    },
    prelude::*,
};

use crate::{
    components::{ColliderDisabled, Mover},
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex, ColliderKinds, Reason, Registration},
};

/// Finds the colliders of entities. Reads components from their archetypes, which conflicts with no
/// query.
#[derive(SystemParam)]
pub(crate) struct ColliderLookup<'w, 's> {
    entities: &'w Entities,
    archetypes: &'w Archetypes,
    components: &'w Components,
    kinds: Res<'w, ColliderKinds>,
    /// Those of hidden entities are left out.
    registrations: Query<'w, 's, &'static Registration>,
}

impl ColliderLookup<'_, '_> {
    /// The collider of an entity, or why it is not in the index.
    pub fn find<'a>(
        &self,
        index: &'a ColliderIndex,
        entity: Entity,
    ) -> Result<ColliderEntry<'a>, Reason> {
        let archetype = self.archetype(entity).ok_or(Reason::NoSuchEntity)?;
        if !self.has_collider(archetype) {
            return Err(if self.has::<Mover>(archetype) {
                Reason::MoverWithoutCollider
            } else {
                Reason::NoCollider
            });
        }
        if self.has::<ColliderDisabled>(archetype) {
            return Err(Reason::Disabled);
        }
        let Ok(registration) = self.registrations.get(entity) else {
            let is_hidden = self.has::<Registration>(archetype);
            return Err(if is_hidden {
                Reason::Hidden
            } else {
                Reason::NotSynced
            });
        };
        if !self.has::<Transform>(archetype) {
            return Err(Reason::NoTransform);
        }
        let entry = (index.get(registration.slot, entity))
            .ok_or(registration.invalid.unwrap_or(Reason::NotSynced))?;
        match entry.shape {
            Shape::Tiles { tiles, .. } if tiles.solid_cells().next().is_none() => {
                Err(Reason::NoSolidCell)
            }
            _ => Ok(entry),
        }
    }

    /// Whether an entity was a mover with [`MoverResponse::Pass`](crate::MoverResponse::Pass) in
    /// the last update.
    pub fn passes(&self, entity: Entity) -> bool {
        let registration = self.registrations.get(entity);
        registration.is_ok_and(|registration| registration.passes)
    }

    /// Whether an entity has a collider, disabled or not.
    pub fn is_collider(&self, entity: Entity) -> bool {
        (self.archetype(entity)).is_some_and(|archetype| self.has_collider(archetype))
    }

    /// Whether an entity has a component.
    pub fn has_component<C: Component>(&self, entity: Entity) -> bool {
        (self.archetype(entity)).is_some_and(|archetype| self.has::<C>(archetype))
    }

    fn archetype(&self, entity: Entity) -> Option<&Archetype> {
        let location = self.entities.get_spawned(entity).ok()?;
        self.archetypes.get(location.archetype_id)
    }

    fn has_collider(&self, archetype: &Archetype) -> bool {
        self.kinds.ids().iter().any(|&id| archetype.contains(id))
    }

    fn has<C: Component>(&self, archetype: &Archetype) -> bool {
        let id = self.components.component_id::<C>();
        id.is_some_and(|id| archetype.contains(id))
    }
}
