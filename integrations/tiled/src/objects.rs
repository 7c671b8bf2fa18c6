//! Spawns the objects of layers.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{Object, ObjectShape, ObjectTile, Properties};

use crate::{
    children::spawn_child,
    components::{TiledObject, TiledProperties, TiledTile, flip},
    object_colliders::{Made, Source, flips},
    role::TiledRole,
    shapes::ColliderShape,
    spawn::Spawner,
};

/// Spawns an object as a child of its layer.
pub(crate) fn spawn(
    spawner: &mut Spawner,
    parent: Entity,
    object: &Object,
    layer: &str,
    layer_role: TiledRole,
) {
    let rules = spawner.rules;
    let mut problems = Vec::new();
    let role = rules.role_of(&object.user_type, &object.properties, &mut |problem| {
        problems.push(problem);
    });
    let source = Source {
        object,
        layer,
        role,
        layer_role,
    };
    let tile = object.get_tile();
    let made = Made::new(spawner, &source, tile.as_ref());
    problems.extend_from_slice(&made.problems);
    for problem in problems {
        spawner.report_problem(Some(layer), source.location(), problem);
    }
    let new = NewObject::new(spawner, object, tile, made);
    let persistent = spawner.persistent.clone();
    spawner.commands.queue(move |world: &mut World| {
        if !persistent.contains(new.object.id) {
            new.spawn(parent, &mut world.commands());
            world.flush();
        }
    });
}

/// An object to be spawned.
struct NewObject {
    transform: Transform,
    properties: TiledProperties,
    tile: Option<TiledTile>,
    colliders: Vec<(ColliderShape, TiledRole)>,
    object: TiledObject,
}

impl NewObject {
    fn new(spawner: &Spawner, object: &Object, tile: Option<ObjectTile>, made: Made) -> Self {
        let (class, properties) = data(object, tile.as_ref());
        let text = match &object.shape {
            ObjectShape::Text { text, .. } => Some(text.clone()),
            _ => None,
        };
        let tile = tile.map(|tile| {
            let found = tile.get_tile();
            TiledTile::new(
                tile.get_tileset(),
                found.as_deref(),
                tile.id(),
                flips(&tile),
            )
        });
        Self {
            transform: transform(object, made.center),
            properties: TiledProperties(properties),
            tile,
            colliders: made.colliders,
            object: TiledObject {
                map: spawner.root,
                file: spawner.file.clone(),
                id: object.id(),
                name: object.name.clone(),
                class,
                size: made.size,
                is_visible: object.visible,
                text,
            },
        }
    }

    fn spawn(self, parent: Entity, commands: &mut Commands) {
        spawn_child(commands, parent, self.transform, move |entity| {
            if !self.object.name.is_empty() {
                entity.try_insert(Name::new(self.object.name.clone()));
            }
            if !self.properties.is_empty() {
                entity.try_insert(self.properties);
            }
            if let Some(tile) = self.tile {
                entity.try_insert(tile);
            }
            add_colliders(entity, self.colliders);
            // At last, so that observers of it find the rest.
            entity.try_insert(self.object);
        });
    }
}

/// The first collider is on the object. Those of other roles are children, which walls block as
/// well if it is a mover. Sensors beside a collider that blocks are not blocked.
fn add_colliders(entity: &mut EntityCommands, colliders: Vec<(ColliderShape, TiledRole)>) {
    let mut colliders = colliders.into_iter();
    let Some((shape, own_role)) = colliders.next() else {
        return;
    };
    shape.insert(entity);
    own_role.insert(entity);
    let object = entity.id();
    for (shape, role) in colliders {
        let is_part = role.is_blocking() || role.acts_like(&own_role);
        spawn_child(
            &mut entity.commands(),
            object,
            Transform::IDENTITY,
            move |child| {
                shape.insert(child);
                role.insert(child);
                if is_part {
                    child.try_insert(MoverPart);
                }
            },
        );
    }
}

/// The class and the properties, with those that come from the tile.
fn data(object: &Object, tile: Option<&ObjectTile>) -> (String, Properties) {
    let mut class = object.user_type.clone();
    let mut properties = Properties::new();
    if let Some(tile) = tile.and_then(ObjectTile::get_tile) {
        properties.clone_from(&tile.properties);
        if class.is_empty() {
            class.clone_from(&tile.user_type);
        }
    }
    let own = object.properties.iter();
    properties.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    (class, properties)
}

fn transform(object: &Object, center: Vec2) -> Transform {
    // Clockwise with y down.
    let rotation = Vec2::from_angle(object.rotation.to_radians());
    let position = Vec2::new(object.x, object.y) + rotation.rotate(center);
    let mut transform = Transform::from_translation(flip(position).extend(0.0));
    if object.rotation != 0.0 {
        transform.rotate_z(-object.rotation.to_radians());
    }
    transform
}
