//! Spawns the objects of layers.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use bevy_thud_maps::transform_in_world;

use crate::{
    children::spawn_child,
    components::{TiledObject, TiledTile, flip},
    file::{Layer, Object, Properties, Shape},
    object_colliders::{Made, Source},
    properties::TiledProperties,
    role::TiledRole,
    shapes::ColliderShape,
    spawner::Spawner,
};

/// Spawns an object as a child of its layer.
pub(crate) fn spawn(
    spawner: &mut Spawner,
    parent: Entity,
    object: &Object,
    layer: &Layer,
    layer_role: TiledRole,
) {
    let rules = spawner.rules;
    let mut problems = Vec::new();
    let role = rules.role_of(&object.class, &object.properties, &mut |problem| {
        problems.push(problem);
    });
    let source = Source {
        object,
        layer,
        role,
        layer_role,
    };
    let made = Made::new(spawner, &source);
    problems.extend_from_slice(&made.problems);
    for problem in problems {
        spawner.report_problem(Some(&layer.name), object.line, object.location(), problem);
    }
    let mut new = NewObject::new(spawner, object, made);
    let persistent = spawner.persistent.clone();
    spawner.commands.queue(move |world: &mut World| {
        if !persistent.contains(&new.object) {
            let to_world = transform_in_world(parent, world) * new.transform;
            for point in &mut new.object.points {
                *point = to_world.transform_point(point.extend(0.0)).truncate();
            }
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
    fn new(spawner: &Spawner, object: &Object, made: Made) -> Self {
        let (class, properties) = data(object);
        let text = match &object.shape {
            Shape::Text(text) => Some(text.clone()),
            _ => None,
        };
        let points = match &object.shape {
            Shape::Polygon(points) | Shape::Polyline(points) => points.as_slice(),
            _ => &[],
        };
        Self {
            transform: transform(object, made.center),
            properties: TiledProperties(properties),
            tile: object.tile.as_ref().map(TiledTile::new),
            colliders: made.colliders,
            object: TiledObject {
                map: spawner.root,
                file: spawner.file.clone(),
                id: object.id,
                has_unique_id: object.has_unique_id,
                name: object.name.clone(),
                class,
                size: made.size,
                points: points.iter().copied().map(flip).collect(),
                is_visible: !object.is_hidden,
                text,
            },
        }
    }

    fn spawn(self, parent: Entity, commands: &mut Commands) {
        spawn_child(commands, parent, self.transform, move |entity| {
            if !self.object.name.is_empty() {
                entity.try_insert(Name::new(self.object.name.clone()));
            }
            entity.try_insert(self.properties);
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
fn data(object: &Object) -> (String, Properties) {
    let tile = object.tile.as_ref();
    let mut properties = tile.map(|tile| tile.properties()).unwrap_or_default();
    properties.extend(object.properties.clone().0);
    let class = match tile {
        Some(tile) if object.class.is_empty() => tile.class(),
        _ => &object.class,
    };
    (class.into(), properties)
}

fn transform(object: &Object, center: Vec2) -> Transform {
    // Clockwise with y down.
    let rotation = Vec2::from_angle(object.rotation.to_radians());
    let position = object.position + rotation.rotate(center);
    let mut transform = Transform::from_translation(flip(position).extend(0.0));
    if object.rotation != 0.0 {
        transform.rotate_z(-object.rotation.to_radians());
    }
    transform
}
