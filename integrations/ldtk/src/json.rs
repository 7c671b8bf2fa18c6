//! What is read of LDtk's files. All else in them is skipped.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

/// An element of a list: what it should be, or why it is not. The rest of the list is not affected.
#[derive(Clone, Debug)]
pub(crate) enum Lenient<T> {
    Good(T),
    Bad { name: String, why: String },
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let named = |key| value.get(key)?.as_str().map(String::from);
        let name = named("identifier").or_else(|| named("__identifier"));
        let name = name.or_else(|| named("iid")).unwrap_or_default();
        Ok(match T::deserialize(value) {
            Ok(good) => Self::Good(good),
            Err(error) => Self::Bad {
                name,
                why: error.to_string(),
            },
        })
    }
}

impl<T> Lenient<T> {
    pub fn good(&self) -> Option<&T> {
        match self {
            Self::Good(good) => Some(good),
            Self::Bad { .. } => None,
        }
    }

    /// The name and the reason of a bad one.
    pub fn bad(&self) -> Option<(&str, &str)> {
        match self {
            Self::Good(_) => None,
            Self::Bad { name, why } => Some((name, why)),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Project {
    #[serde(default)]
    pub iid: String,
    /// Its presence marks the file as LDtk's.
    pub json_version: String,
    pub defs: Defs,
    #[serde(default)]
    pub world_layout: Option<String>,
    #[serde(default)]
    pub default_grid_size: f32,
    #[serde(default)]
    pub levels: Vec<Lenient<Level>>,
    #[serde(default)]
    pub worlds: Vec<Lenient<World>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct World {
    pub identifier: String,
    #[serde(default)]
    pub world_layout: Option<String>,
    pub levels: Vec<Lenient<Level>>,
}

/// What layers, entities and tilesets are.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Defs {
    pub layers: Vec<Lenient<LayerDef>>,
    pub entities: Vec<Lenient<EntityDef>>,
    pub tilesets: Vec<Lenient<TilesetDef>>,
}

impl Defs {
    /// The kinds, names and reasons of those that are not as LDtk writes them.
    pub fn bad(&self) -> Vec<(&str, &str, &str)> {
        fn of<'a, T>(
            what: &'a str,
            defs: &'a [Lenient<T>],
        ) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
            let bad = defs.iter().filter_map(Lenient::bad);
            bad.map(move |(name, why)| (what, name, why))
        }
        let all = of("layer", &self.layers).chain(of("entity", &self.entities));
        all.chain(of("tileset", &self.tilesets)).collect()
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LayerDef {
    pub identifier: String,
    pub uid: i64,
    pub int_grid_values: Vec<IntGridValue>,
    pub tileset_def_uid: Option<i64>,
    pub tile_pivot_x: f32,
    pub tile_pivot_y: f32,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct IntGridValue {
    pub value: i64,
    #[serde(default)]
    pub identifier: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct EntityDef {
    #[serde(default)]
    pub identifier: String,
    #[serde(default)]
    pub tags: Vec<String>,
    pub uid: i64,
    pub width: f32,
    pub height: f32,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TilesetDef {
    pub uid: i64,
    pub tile_grid_size: i16,
    pub enum_tags: Vec<EnumTag>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnumTag {
    pub enum_value_id: String,
    pub tile_ids: Vec<i64>,
}

/// A level, in the file of the project or in a file of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Level {
    pub identifier: String,
    #[serde(default)]
    pub iid: String,
    #[serde(default)]
    pub world_x: f32,
    #[serde(default)]
    pub world_y: f32,
    #[serde(default)]
    pub world_depth: i32,
    pub px_wid: f32,
    pub px_hei: f32,
    #[serde(default)]
    pub external_rel_path: Option<String>,
    #[serde(default)]
    pub field_instances: Vec<Lenient<Field>>,
    #[serde(default)]
    pub layer_instances: Option<Vec<Lenient<Layer>>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Layer {
    #[serde(rename = "__identifier")]
    pub identifier: String,
    #[serde(rename = "__type")]
    pub kind: String,
    #[serde(rename = "__cWid")]
    pub columns: i64,
    #[serde(rename = "__cHei")]
    pub rows: i64,
    /// Times 65,535 columns or rows it fits into an `i32`.
    #[serde(rename = "__gridSize")]
    pub grid_size: i16,
    #[serde(rename = "__pxTotalOffsetX", default)]
    pub offset_x: f32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    pub offset_y: f32,
    #[serde(rename = "__tilesetDefUid", default)]
    pub tileset: Option<i64>,
    #[serde(default)]
    pub iid: String,
    #[serde(default)]
    pub layer_def_uid: i64,
    #[serde(default)]
    pub int_grid_csv: Vec<Cell>,
    #[serde(default)]
    pub grid_tiles: Vec<Tile>,
    #[serde(default)]
    pub auto_layer_tiles: Vec<Tile>,
    #[serde(default)]
    pub entity_instances: Vec<Lenient<Entity>>,
}

/// The number of a cell. `None` if it is something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell(pub Option<i64>);

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Value::deserialize(deserializer)?.as_i64()))
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Tile {
    /// Pixels in the layer, from its top left.
    pub px: [i32; 2],
    /// The number in the tileset.
    pub t: i64,
    /// Bit 0 flips x, bit 1 flips y.
    #[serde(default)]
    pub f: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entity {
    #[serde(rename = "__identifier")]
    pub identifier: String,
    #[serde(rename = "__pivot", default)]
    pub pivot: [f32; 2],
    #[serde(rename = "__tags", default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub iid: String,
    #[serde(default)]
    pub def_uid: i64,
    pub px: [f32; 2],
    pub width: f32,
    pub height: f32,
    #[serde(default)]
    pub field_instances: Vec<Lenient<Field>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Field {
    #[serde(rename = "__identifier")]
    pub identifier: String,
    #[serde(rename = "__type", default)]
    pub kind: String,
    #[serde(rename = "__value", default)]
    pub value: Value,
}
