//! The components that grids and entities have from the map. Observers may despawn these entities
//! after each step.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{LdtkEntityContents, LdtkGrid, LdtkGridContents};

/// Which components an entity has from the map. When the map does not have one anymore it is
/// removed, unless the game inserted it.
#[derive(Component, Clone, Copy, Default)]
struct FromMap {
    collider: bool,
    solid: bool,
    one_way: bool,
    swept: bool,
    layers: bool,
}

/// Makes an entity this grid, whatever grid it was.
pub(crate) fn insert_grid(contents: LdtkGridContents, entity: Entity, world: &mut World) {
    let LdtkGridContents {
        center,
        tiles,
        grid,
    } = contents;
    if world.get::<LdtkGrid>(entity).is_none() {
        let transform = Transform::from_translation(center.extend(0.0));
        insert(transform, entity, world);
    } else if let Some(mut old) = world.get_mut::<Transform>(entity)
        && old.translation.truncate() != center
    {
        old.translation = center.extend(old.translation.z);
    }
    // What is as it was does not count as changed.
    if world.get::<TileCollider>(entity) != Some(&tiles) {
        insert(tiles, entity, world);
    }
    replace(true, grid.role.is_solid.then_some(Solid), entity, world);
    replace(true, grid.role.one_way.map(OneWay), entity, world);
    let layers = grid.role.layers;
    insert((grid, layers), entity, world);
}

/// Gives an entity the components that the rules and its fields name, instead of those that it has
/// from an earlier version of the map.
pub(crate) fn insert_collider(contents: &LdtkEntityContents, entity: Entity, world: &mut World) {
    let old = world.get::<FromMap>(entity).copied().unwrap_or_default();
    let solid = contents.is_solid.then_some(Solid);
    let one_way = contents.one_way.map(OneWay);
    let swept = contents.is_swept.then_some(Swept);
    let new = FromMap {
        collider: replace(old.collider, contents.collider, entity, world),
        solid: replace(old.solid, solid, entity, world),
        one_way: replace(old.one_way, one_way, entity, world),
        swept: replace(old.swept, swept, entity, world),
        layers: replace(old.layers, contents.layers, entity, world),
    };
    insert(new, entity, world);
}

/// Inserts components, if the entity exists.
pub(crate) fn insert(components: impl Bundle, entity: Entity, world: &mut World) {
    if let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.insert(components);
    }
}

/// Inserts a component, or removes the one that was inserted before. Returns whether there is one.
fn replace<C: Component>(
    was_inserted: bool,
    new: Option<C>,
    entity: Entity,
    world: &mut World,
) -> bool {
    let is_inserted = new.is_some();
    if let Some(component) = new {
        insert(component, entity, world);
    } else if was_inserted && let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.remove::<C>();
    }
    is_inserted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LdtkEntity;

    fn plain() -> LdtkEntityContents {
        LdtkEntityContents {
            center: Vec2::ZERO,
            entity: LdtkEntity {
                identifier: "Crate".into(),
                iid: "iid".into(),
                project: default(),
                level: "level".into(),
                layer: "Things".into(),
                tags: Vec::new(),
                size: Vec2::ONE,
                pivot: Vec2::ZERO,
            },
            fields: default(),
            collider: None,
            is_solid: false,
            one_way: None,
            is_swept: false,
            layers: None,
            is_persistent: false,
        }
    }

    fn count(entity: Entity, world: &World) -> usize {
        let entity = world.entity(entity);
        let known = [
            entity.contains::<RectCollider>(),
            entity.contains::<Solid>(),
            entity.contains::<OneWay>(),
            entity.contains::<Swept>(),
            entity.contains::<CollisionLayers>(),
        ];
        known.into_iter().filter(|is_there| *is_there).count()
    }

    #[test]
    fn what_the_map_has_no_longer_goes_and_what_the_game_inserted_stays() {
        let all = LdtkEntityContents {
            collider: Some(RectCollider::new(1.0, 1.0)),
            is_solid: true,
            one_way: Some(Dir2::Y),
            is_swept: true,
            layers: Some(default()),
            ..plain()
        };
        let mut world = World::new();
        let entity = world.spawn_empty().id();
        for _ in 0..2 {
            insert_collider(&all, entity, &mut world);
            assert_eq!(count(entity, &world), 5);
            insert_collider(&plain(), entity, &mut world);
            assert_eq!(count(entity, &world), 0);
        }
        world.entity_mut(entity).insert((Solid, Swept));
        insert_collider(&plain(), entity, &mut world);
        assert_eq!(count(entity, &world), 2);
    }
}
