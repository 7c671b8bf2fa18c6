//! Spawns a map: its entity, its layers, and what is in them.

use std::{path::Path, sync::Arc};

use bevy::prelude::*;

use crate::{
    components::{TiledLayer, TiledLayerKind, TiledMapRoot, flip},
    error::{TiledError, TiledProblem, grouped},
    file::{Content, Layer, Properties},
    map::TiledMap,
    objects,
    persistent::Persistent,
    properties::TiledProperties,
    ready,
    role::TiledRole,
    rules::TiledRules,
    spawner::Spawner,
    tile_layer,
};
use bevy_thud_maps::MapLocation;

/// A map that was spawned.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "it has the errors of the map"]
pub struct TiledSpawned {
    /// The entity of the map, which has a [`TiledMapRoot`]. Its children are the layers.
    pub entity: Entity,
    /// What is wrong with the map, in its files or by the rules. All else is there.
    pub errors: Vec<TiledError>,
}

/// Spawns the colliders and objects of a map. Despawn the entity to unload it.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_thud_tiled::{TiledMap, TiledRules, spawn_map};
///
/// fn load(mut commands: Commands) -> Result {
///     let map = TiledMap::read("assets/level.tmx")?;
///     for error in spawn_map(&map, &TiledRules::new(), &mut commands).errors {
///         warn!("{error}");
///     }
///     Ok(())
/// }
/// # App::new().add_systems(Startup, load);
/// ```
///
/// Each layer is an entity with a [`TiledLayer`], each object a child of its layer with a
/// [`TiledObject`](crate::TiledObject), and each grid of cells one with a
/// [`TileCollider`](bevy_thud::TileCollider) and [`TiledCells`](crate::TiledCells). An observer of
/// `On<Add, TiledObject>` spawns what the objects of a game stand for. When all of it is there,
/// [`TiledMapReady`](crate::TiledMapReady) is triggered. Objects that are there from
/// before, since they are [`MapPersistent`](crate::MapPersistent), are not spawned again.
pub fn spawn_map(map: &TiledMap, rules: &TiledRules, commands: &mut Commands) -> TiledSpawned {
    let entity = commands.spawn(rules.transform).id();
    let errors = fill(entity, map, rules, commands);
    TiledSpawned { entity, errors }
}

/// Spawns the children of the entity of a map, except for objects that are there from before.
pub(crate) fn fill(
    root: Entity,
    map: &TiledMap,
    rules: &TiledRules,
    commands: &mut Commands,
) -> Vec<TiledError> {
    let data = map.data();
    let mut entity = commands.entity(root);
    entity.try_insert(TiledMapRoot::new(map, rules));
    entity.try_insert(TiledProperties(data.properties.clone()));
    let file: Arc<Path> = data.source.as_path().into();
    let mut spawner = Spawner {
        root,
        map,
        rules,
        persistent: Persistent::find(file.clone(), root, commands),
        file,
        commands: commands.reborrow(),
        errors: map.errors().to_vec(),
        count: 0,
    };
    if data.orientation == "orthogonal" {
        spawner.spawn_layers(root);
    } else {
        let name = data.orientation.clone();
        spawner.report_map(TiledProblem::Orientation(name));
    }
    let errors = grouped(spawner.errors);
    commands.queue(move |world: &mut World| ready::map(root, world));
    errors
}

/// What a layer is in: the map, or a group.
#[derive(Clone, Copy)]
struct Outer {
    entity: Entity,
    role: TiledRole,
    /// From where its layers count to its entity. Its z goes for all layers.
    shift: Vec3,
}

impl Spawner<'_, '_, '_> {
    fn spawn_layers(&mut self, root: Entity) {
        let data = self.map.data();
        if data.tile_size.min_element() == 0 {
            self.report_map(TiledProblem::NoTileSize);
        }
        let mut problems = Vec::new();
        let role = (self.rules).role_of(&data.class, &data.properties, &mut |problem| {
            problems.push(problem);
        });
        for problem in problems {
            self.report_map(problem);
        }
        let outer = Outer {
            entity: root,
            role,
            shift: self.rules.shift(data).extend(0.0),
        };
        for layer in &data.layers {
            self.spawn_layer(outer, layer);
        }
    }

    fn report_map(&mut self, problem: TiledProblem) {
        let line = self.map.data().line;
        self.report_problem(None, line, MapLocation::Whole, problem);
    }

    fn spawn_layer(&mut self, outer: Outer, layer: &Layer) {
        let kind = match layer.content {
            Content::Tiles(_) => TiledLayerKind::Tiles,
            Content::Objects(_) => TiledLayerKind::Objects,
            Content::Image => TiledLayerKind::Image,
            Content::Group(_) => TiledLayerKind::Group,
        };
        let offset = flip(layer.offset);
        let z = f32::from(self.count) * self.rules.z_step;
        self.count = self.count.saturating_add(1);
        let components = (
            TiledLayer {
                id: layer.id,
                name: layer.name.clone(),
                class: layer.class.clone(),
                kind,
            },
            Name::new(layer.name.clone()),
            Transform::from_translation(outer.shift + offset.extend(z)),
        );
        let properties = TiledProperties(layer.properties.clone());
        let entity = self.spawn_child(outer.entity, components, |layer| {
            layer.try_insert(properties);
        });
        let outer = Outer {
            entity,
            role: self.layer_role(layer).or(outer.role),
            shift: Vec3::NEG_Z * z,
        };
        self.spawn_content(outer, layer);
    }

    fn spawn_content(&mut self, outer: Outer, layer: &Layer) {
        let Outer { entity, role, .. } = outer;
        match &layer.content {
            Content::Tiles(cells) => tile_layer::spawn(self, entity, layer, cells, role),
            Content::Objects(objects) => {
                for object in objects {
                    objects::spawn(self, entity, object, layer, role);
                }
            }
            Content::Group(layers) => {
                for layer in layers {
                    self.spawn_layer(outer, layer);
                }
            }
            Content::Image => {}
        }
    }

    /// The role of a layer: by its properties, by its name in the rules, by its class.
    fn layer_role(&mut self, layer: &Layer) -> TiledRole {
        let mut problems = Vec::new();
        let mut report = |problem| problems.push(problem);
        let of_properties = self.rules.role_of("", &layer.properties, &mut report);
        let of_class = (self.rules).role_of(&layer.class, &Properties::default(), &mut report);
        let of_name = self.rules.layers.get(&layer.name).copied();
        for problem in problems {
            let location = MapLocation::Whole;
            self.report_problem(Some(&layer.name), layer.line, location, problem);
        }
        of_properties.or(of_name.unwrap_or_default()).or(of_class)
    }
}
