//! The components of a scene at one moment, to return to it: with the same entities, or with others
//! that take their places.

use bevy::{
    ecs::{
        entity::{EntityHashMap, MapEntities},
        entity_disabling::Disabled,
    },
    prelude::*,
};
use bevy_thud::prelude::*;

macro_rules! parts {
    ($($name:ident: $component:ty),* $(,)?) => {
        /// The components of an entity.
        #[derive(Clone)]
        struct Parts {
            $($name: Option<$component>,)*
        }

        impl Parts {
            fn of(world: &World, entity: Entity) -> Self {
                Self {
                    $($name: world.get::<$component>(entity).cloned(),)*
                }
            }

            fn restore(self, entity: &mut EntityWorldMut) {
                let missing = [$(self.$name.is_none()),*];
                $(if let Some(component) = self.$name {
                    entity.insert(component);
                })*
                // Afterward: some components bring others along.
                let mut missing = missing.into_iter();
                $(if missing.next() == Some(true) {
                    entity.remove::<$component>();
                })*
            }
        }
    };
}

parts! {
    key: StableKey,
    transform: Transform,
    parent: ChildOf,
    layers: CollisionLayers,
    solid: Solid,
    one_way: OneWay,
    swept: Swept,
    mover: Mover,
    hits: MoverHits,
    walker: Walker,
    ground: Ground,
    conveyor: Conveyor,
    colliding: CollidingEntities,
    disabled: ColliderDisabled,
    hidden: Disabled,
    circle: CircleCollider,
    rect: RectCollider,
    capsule: CapsuleCollider,
    polygon: PolygonCollider,
    tiles: TileCollider,
}

impl Parts {
    fn map_entities(&mut self, map: &mut EntityHashMap<Entity>) {
        if let Some(parent) = &mut self.parent {
            *parent = ChildOf(map.get(&parent.0).copied().unwrap_or(parent.0));
        }
        if let Some(hits) = &mut self.hits {
            MapEntities::map_entities(hits, map);
        }
        if let Some(ground) = &mut self.ground {
            MapEntities::map_entities(ground, map);
        }
        if let Some(colliding) = &mut self.colliding {
            MapEntities::map_entities(colliding, map);
        }
    }
}

/// Some entities with their components, and the state of collisions.
#[derive(Clone)]
pub struct Snapshot {
    entities: Vec<(Entity, Parts)>,
    state: CollisionState,
}

impl Snapshot {
    pub fn of(world: &World, entities: &[Entity]) -> Self {
        let parts = entities
            .iter()
            .map(|&entity| (entity, Parts::of(world, entity)));
        Self {
            entities: parts.collect(),
            state: world.resource::<CollisionState>().clone(),
        }
    }

    /// Returns to this moment. Entities that are gone are spawned again, and so are all if
    /// `are_new`; those that were not there are despawned. Returns the entities.
    pub fn restore(&self, world: &mut World, now: &[Entity], are_new: bool) -> Vec<Entity> {
        let mut map = EntityHashMap::default();
        for &(old, _) in &self.entities {
            let is_there = !are_new && world.get_entity(old).is_ok();
            let entity = if is_there {
                old
            } else {
                world.spawn_empty().id()
            };
            map.insert(old, entity);
        }
        let entities: Vec<Entity> = self.entities.iter().map(|(old, _)| map[old]).collect();
        for (old, parts) in &self.entities {
            let mut parts = parts.clone();
            parts.map_entities(&mut map);
            parts.restore(&mut world.entity_mut(map[old]));
        }
        for entity in now {
            if !entities.contains(entity)
                && let Ok(entity) = world.get_entity_mut(*entity)
            {
                entity.despawn();
            }
        }
        let mut state = self.state.clone();
        state.map_entities(&mut map);
        world.insert_resource(state);
        entities
    }
}
