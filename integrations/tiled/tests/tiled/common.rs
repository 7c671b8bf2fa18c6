//! Maps from text, and questions about the world that they become.

use std::{collections::HashMap, io, path::Path, time::Duration};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledError, TiledMap, TiledObject, TiledRules, TiledSpawned, spawn_map};

/// A map of cells of 16 by 16 pixels from what is inside of its `<map>`.
pub fn map_text(columns: u32, rows: u32, more: &str, content: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.12.0" orientation="orthogonal" renderorder="right-down"
 width="{columns}" height="{rows}" tilewidth="16" tileheight="16" {more}>{content}</map>"#
    )
}

/// A tileset of `count` tiles of 16 by 16 pixels from what is inside of its `<tileset>`.
pub fn tileset(count: u32, content: &str) -> String {
    format!(
        r#"<tileset firstgid="1" name="test" tilewidth="16" tileheight="16" tilecount="{count}"
 columns="8"><image source="test.png" width="128" height="128"/>{content}</tileset>"#
    )
}

/// A layer with cells as CSV.
pub fn layer(columns: u32, rows: u32, name: &str, more: &str, csv: &str) -> String {
    format!(
        r#"<layer id="1" name="{name}" width="{columns}" height="{rows}">{more}
<data encoding="csv">{csv}</data></layer>"#
    )
}

/// Loads `level.tmx` from these files.
pub fn load(files: &[(&str, &str)]) -> Result<TiledMap, TiledError> {
    let files: HashMap<String, String> = files
        .iter()
        .map(|(name, text)| ((*name).into(), (*text).into()))
        .collect();
    TiledMap::read_with("level.tmx", move |path: &Path| {
        let file = files.get(&path.display().to_string());
        let file = file.ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        Ok(file.clone().into_bytes())
    })
}

/// A world with a map.
pub struct Level {
    pub app: App,
    pub map: Entity,
    pub errors: Vec<String>,
}

pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            16,
        )));
    app
}

impl Level {
    pub fn new(text: &str) -> Self {
        Self::with(&[("level.tmx", text)], &TiledRules::new())
    }

    pub fn with(files: &[(&str, &str)], rules: &TiledRules) -> Self {
        let map = load(files).expect("the map can be read");
        let mut level = Self::spawn(app(), &map, rules);
        level.app.update();
        level.app.update();
        level
    }

    pub fn spawn(mut app: App, map: &TiledMap, rules: &TiledRules) -> Self {
        let spawned = spawn(&mut app, map, rules);
        let errors = spawned.errors.into_iter().map(without_line).collect();
        Self {
            app,
            map: spawned.entity,
            errors,
        }
    }

    /// What is at a point of the world.
    pub fn at(&mut self, x: f32, y: f32) -> Vec<Entity> {
        let mut state = bevy::ecs::system::SystemState::<SpatialQuery>::new(self.app.world_mut());
        let query = state.get(self.app.world()).expect("the plugin is there");
        query
            .point_intersections(Vec2::new(x, y), &SpatialQueryFilter::default())
            .collect()
    }

    /// Whether something is at a pixel of Tiled, of a map that is at the origin.
    pub fn is_solid(&mut self, x: f32, y: f32) -> bool {
        !self.at(x, -y).is_empty()
    }

    /// What of this is solid, as rows of text: `step` pixels apart, from the pixel at `top_left`.
    pub fn picture(&mut self, top_left: [f32; 2], step: f32, columns: u32, rows: u32) -> String {
        let mut picture = String::new();
        for row in 0..rows {
            for column in 0..columns {
                let x = top_left[0] + (column as f32 + 0.5) * step;
                let y = top_left[1] + (row as f32 + 0.5) * step;
                picture.push(if self.is_solid(x, y) { '#' } else { '.' });
            }
            picture.push('\n');
        }
        picture
    }

    /// The only thing at a pixel of Tiled.
    pub fn only(&mut self, x: f32, y: f32) -> Entity {
        let found = self.at(x, -y);
        assert_eq!(found.len(), 1, "at {x}, {y}: {found:?}");
        found[0]
    }

    pub fn get<C: Component>(&self, entity: Entity) -> Option<&C> {
        self.app.world().get(entity)
    }

    /// The entity of the object with this number.
    pub fn object(&mut self, id: u32) -> Entity {
        let mut objects = self.app.world_mut().query::<(Entity, &TiledObject)>();
        let found = objects
            .iter(self.app.world())
            .find(|(_, object)| object.id == id);
        found.expect("there is such an object").0
    }

    pub fn count<C: Component>(&mut self) -> usize {
        let mut all = self.app.world_mut().query::<&C>();
        all.iter(self.app.world()).count()
    }

    pub fn no_errors(self) -> Self {
        assert_eq!(self.errors, Vec::<String>::new());
        self
    }
}

/// Its text without the line, which `messages.rs` tests.
pub fn without_line(error: TiledError) -> String {
    error.at_line(None).to_string()
}

pub fn spawn(app: &mut App, map: &TiledMap, rules: &TiledRules) -> TiledSpawned {
    let mut commands = app.world_mut().commands();
    let spawned = spawn_map(map, rules, &mut commands);
    app.world_mut().flush();
    spawned
}

pub fn position(level: &Level, entity: Entity) -> Vec2 {
    let transform = level.get::<Transform>(entity);
    transform.expect("it has one").translation.truncate()
}

/// The errors of a map, whose object 99 is there whatever else is wrong.
pub fn errors_with(files: &[(&str, &str)], content: &str) -> Vec<String> {
    let content = format!(
        "{content}<objectgroup id=\"9\" name=\"Rest\"><object id=\"99\" x=\"96\" y=\"96\" \
         width=\"16\" height=\"16\"/></objectgroup>"
    );
    let text = map_text(8, 8, "", &content);
    let mut all = vec![("level.tmx", text.as_str())];
    all.extend(files);
    let mut level = Level::with(&all, &TiledRules::new());
    assert!(level.is_solid(104.0, 104.0), "the rest is there");
    level.errors
}
