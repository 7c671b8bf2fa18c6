//! Finds what was spawned of maps.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{LdtkEntity, LdtkEntityRef, LdtkLevel, spawn::InLevel};

/// Finds levels and entities by iid or identifier, and what a field references. If several fit, as
/// when a level was spawned twice, the one with the lowest [`Entity`] is returned.
///
/// Each call looks at all entities of maps: keep what it returns.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud_ldtk::{LdtkEntityRef, LdtkFields, LdtkLookup, LdtkMapReady};
/// /// The doors that a switch opens.
/// #[derive(Component)]
/// struct Opens(Vec<Entity>);
///
/// fn connect(
///     _: On<LdtkMapReady>,
///     map: LdtkLookup,
///     fields: Query<&LdtkFields>,
///     mut commands: Commands,
/// ) -> Result {
///     for switch in map.entities("Switch") {
///         let doors: Vec<LdtkEntityRef> = fields.get(switch)?.get("doors")?;
///         let doors = doors.iter().filter_map(|door| map.referenced(switch, door));
///         commands.entity(switch).insert(Opens(doors.collect()));
///     }
///     Ok(())
/// }
/// # App::new().add_observer(connect);
/// ```
#[derive(SystemParam)]
pub struct LdtkLookup<'w, 's> {
    entities: Query<'w, 's, (Entity, &'static LdtkEntity, Option<&'static InLevel>)>,
    levels: Query<'w, 's, (Entity, &'static LdtkLevel)>,
}

impl LdtkLookup<'_, '_> {
    /// The level with an iid or identifier.
    pub fn level(&self, name: &str) -> Option<Entity> {
        let is_it = |level: &LdtkLevel| level.iid == name || level.identifier == name;
        let levels = self.levels.iter();
        let found = levels.filter(|(_, level)| is_it(level));
        found.map(|(level, _)| level).min()
    }

    /// The entity with an iid. [`referenced`](Self::referenced) tells apart the entities of copied
    /// files, which have the same iids.
    pub fn entity(&self, iid: &str) -> Option<Entity> {
        let entities = self.entities.iter();
        let found = entities.filter(|(_, entity, _)| entity.iid == iid);
        found.map(|(entity, ..)| entity).min()
    }

    /// All entities with an identifier, sorted by [`Entity`].
    pub fn entities(&self, identifier: &str) -> Vec<Entity> {
        let entities = self.entities.iter();
        let found = entities.filter(|(_, entity, _)| entity.identifier == identifier);
        let mut found: Vec<Entity> = found.map(|(entity, ..)| entity).collect();
        found.sort_unstable();
        found
    }

    /// The entity that a field of an entity references: of its own project, and if there are
    /// several, of its own level. `None` if that is not spawned.
    pub fn referenced(&self, by: Entity, reference: &LdtkEntityRef) -> Option<Entity> {
        let (_, of_field, own_level) = self.entities.get(by).ok()?;
        let own_level = own_level.map(|within| within.0);
        let found = self.entities.iter().filter(|(_, entity, _)| {
            entity.iid == reference.entity && entity.project == of_field.project
        });
        let in_own_level = |within: Option<&InLevel>| within.map(|within| within.0) == own_level;
        found
            .min_by_key(|(entity, _, within)| (!in_own_level(*within), *entity))
            .map(|(entity, ..)| entity)
    }
}
