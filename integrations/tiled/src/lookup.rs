//! Finds the objects of maps.

use bevy::{ecs::system::SystemParam, prelude::*};

use bevy_thud_maps::MapPersistent;

use crate::components::{OfMap, TiledMapRoot, TiledObject};

/// Finds the objects of a map by id, class or name, and what a property references. `map` is the
/// entity with [`TiledMapRoot`], since each map counts its ids from 1.
///
/// Each call looks at all objects of all maps: keep what it returns.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud_tiled::{TiledLookup, TiledMapReady, TiledProperties};
/// /// The door that a lever opens.
/// #[derive(Component)]
/// struct Opens(Entity);
///
/// fn connect(
///     ready: On<TiledMapReady>,
///     lookup: TiledLookup,
///     properties: Query<&TiledProperties>,
///     mut commands: Commands,
/// ) -> Result {
///     for lever in lookup.objects(ready.entity, "Lever") {
///         let door = properties.get(lever)?.get("door")?;
///         if let Some(door) = lookup.referenced(lever, door) {
///             commands.entity(lever).insert(Opens(door));
///         }
///     }
///     Ok(())
/// }
/// # App::new().add_observer(connect);
/// ```
#[derive(SystemParam)]
pub struct TiledLookup<'w, 's> {
    objects: Query<'w, 's, (Entity, &'static TiledObject, Has<MapPersistent>)>,
    roots: Query<'w, 's, &'static TiledMapRoot>,
    others: Query<'w, 's, &'static OfMap>,
}

impl TiledLookup<'_, '_> {
    /// The object of a map with an id. It may be a [`MapPersistent`] one of the same file, which
    /// the map has not spawned again. If the objects of a damaged map share an id, the one with the
    /// lowest [`Entity`] is returned.
    pub fn object(&self, map: Entity, id: u32) -> Option<Entity> {
        let root = self.roots.get(map).ok();
        let file = root.map(|root| root.map.data().source.as_path());
        let is_it = |object: &TiledObject, is_persistent: bool| {
            let is_shared = is_persistent && file == Some(&*object.file);
            object.id == id && id != 0 && (object.map == map || is_shared)
        };
        (self.objects.iter())
            .filter(|(_, object, is_persistent)| is_it(object, *is_persistent))
            .min_by_key(|(entity, object, _)| (object.map != map, *entity))
            .map(|(entity, ..)| entity)
    }

    /// All objects of a map with a class, their own or that of their tile, sorted by id.
    pub fn objects(&self, map: Entity, class: &str) -> Vec<Entity> {
        self.sorted(map, |object| object.class == class)
    }

    /// All objects of a map with a name, sorted by id.
    pub fn named(&self, map: Entity, name: &str) -> Vec<Entity> {
        self.sorted(map, |object| object.name == name)
    }

    /// The object whose id a property has, of the same map: `by` is the entity of an object, a
    /// layer, a grid or a map. `None` if the object is not there.
    pub fn referenced(&self, by: Entity, id: u32) -> Option<Entity> {
        let object = self.objects.get(by).ok().map(|(_, object, _)| object.map);
        let other = || self.others.get(by).ok().map(|of| of.0);
        self.object(object.or_else(other).unwrap_or(by), id)
    }

    fn sorted(&self, map: Entity, filter: impl Fn(&TiledObject) -> bool) -> Vec<Entity> {
        let mut found: Vec<(u32, Entity)> = (self.objects.iter())
            .filter(|(_, object, _)| object.map == map && filter(object))
            .map(|(entity, object, _)| (object.id, entity))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, entity)| entity).collect()
    }
}
