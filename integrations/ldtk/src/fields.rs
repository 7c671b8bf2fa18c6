//! The fields that a map's author gives to entities and levels.

use bevy::prelude::*;
use bevy_thud_maps::{MapProperties, MapValue, MapValueKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::json::{self, Lenient};

/// The fields of an entity or a level, by their identifiers.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud_ldtk::{LdtkEntity, LdtkFields};
/// #[derive(Component)]
/// struct Speed(f32);
///
/// /// Runs for each entity of a level, when it is spawned.
/// fn equip(
///     added: On<Add, LdtkEntity>,
///     entities: Query<(&LdtkEntity, &LdtkFields)>,
///     mut commands: Commands,
/// ) {
///     if let Ok((entity, fields)) = entities.get(added.entity)
///         && entity.identifier == "Bat"
///     {
///         let speed = fields.float("speed").unwrap_or(50.0);
///         commands.entity(added.entity).insert(Speed(speed));
///     }
/// }
/// # App::new().add_observer(equip);
/// ```
///
/// [`get`](MapProperties::get) and [`parse`](MapProperties::parse) read all types by serde: lists,
/// the values of an enum, [`LdtkEntityRef`], and structs of fields. A `Point` is an array of two
/// numbers, its position, like `[f32; 2]`, and `Vec2` with Bevy's feature `serialize`;
/// [`points`](Self::points) returns `Vec2` without it. A `Tile` has the fields `tileset`, `x`, `y`,
/// `width` and `height`.
///
/// ```
/// # use bevy_thud_ldtk::{LdtkEntityRef, LdtkFields, MapPropertyError};
/// #[derive(serde::Deserialize)]
/// enum Facing {
///     Left,
///     Right,
/// }
///
/// #[derive(serde::Deserialize)]
/// struct Switch {
///     facing: Facing,
///     doors: Vec<LdtkEntityRef>,
///     delay: Option<f32>,
/// }
///
/// fn read(fields: &LdtkFields) -> Result<Switch, MapPropertyError> {
///     fields.parse()
/// }
/// # let _ = read;
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Deref)]
pub struct LdtkFields(MapProperties<LdtkValue>);

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum LdtkValue {
    /// Nothing, or a value that LDtk 1.5 does not have.
    Null,
    /// A `Bool`.
    Bool(bool),
    /// An `Int`.
    Int(i64),
    /// A `Float`.
    Float(f32),
    /// A `String`, `Multilines` or `FilePath`, a `Color` as "#rrggbb", or a value of an enum.
    String(String),
    /// A `Point`.
    Point {
        /// Where the [`Transform`] of the entity is if its author puts it in this cell, so that a
        /// lift whose path begins in its own cell begins where it stands: in world units from the
        /// lower left of the level, with y up, which is the frame of the level's entity, also
        /// for a [`MapPersistent`](crate::MapPersistent) entity, which is no child of it. For
        /// fields of levels, the center of the cell.
        position: Vec2,
        /// The column and row in the layer, from the top left.
        cell: IVec2,
    },
    /// A reference to an entity.
    Entity(LdtkEntityRef),
    /// A rectangle of a tileset.
    Tile {
        /// The uid of the tileset.
        tileset: i64,
        /// In pixels of its image, with y down.
        rect: Rect,
    },
    /// A list of any of these.
    Array(Vec<LdtkValue>),
}

/// A reference from a field to an entity, by iid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LdtkEntityRef {
    /// The [iid](crate::LdtkEntity::iid) of the entity.
    pub entity: String,
    /// The iid of its layer.
    pub layer: String,
    /// The [iid](crate::LdtkLevel::iid) of its level.
    pub level: String,
    /// The iid of its world.
    pub world: String,
}

impl LdtkFields {
    /// The positions of a `Point` or an array of them: see [`LdtkValue::Point`]. Empty if there are
    /// none.
    pub fn points(&self, identifier: &str) -> Vec<Vec2> {
        let point = |value: &LdtkValue| match value {
            LdtkValue::Point { position, .. } => Some(*position),
            _ => None,
        };
        match self.value(identifier) {
            Some(LdtkValue::Array(values)) => values.iter().filter_map(point).collect(),
            Some(value) => point(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// A reference to an entity. `None` if there is none of this identifier and type.
    pub fn entity(&self, identifier: &str) -> Option<&LdtkEntityRef> {
        match self.value(identifier)? {
            LdtkValue::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    /// `to_level` converts the column and row of a point to its position in the level. Returns why
    /// fields are not as LDtk writes them as well.
    pub(crate) fn read(
        fields: &[Lenient<json::Field>],
        to_level: impl Fn(Vec2) -> Vec2,
    ) -> FieldsRead {
        let mut read = FieldsRead::default();
        for field in fields {
            match field {
                Lenient::Good(field) => {
                    let to_level: &dyn Fn(Vec2) -> Vec2 = &to_level;
                    let value = value_of(&field.value, &field.kind, to_level);
                    read.fields.0.insert(field.identifier.clone(), value);
                }
                Lenient::Bad { name, why } => read.reasons.push(format!("field {name}: {why}")),
            }
        }
        read
    }
}

#[derive(Default)]
pub(crate) struct FieldsRead {
    pub fields: LdtkFields,
    pub reasons: Vec<String>,
}

fn value_of(value: &Value, kind: &str, to_level: &dyn Fn(Vec2) -> Vec2) -> LdtkValue {
    match value {
        Value::Null => LdtkValue::Null,
        Value::Bool(value) => LdtkValue::Bool(*value),
        // A `Float` without a fraction is written like an `Int`.
        Value::Number(number) => match number.as_i64().filter(|_| !kind.contains("Float")) {
            Some(number) => LdtkValue::Int(number),
            None => LdtkValue::Float(number.as_f64().unwrap_or_default() as f32),
        },
        Value::String(value) => LdtkValue::String(value.clone()),
        Value::Array(values) => LdtkValue::Array(
            (values.iter())
                .map(|value| value_of(value, kind, to_level))
                .collect(),
        ),
        Value::Object(_) => {
            let point = cell_of(value).map(|cell| LdtkValue::Point {
                position: to_level(cell),
                cell: cell.as_ivec2(),
            });
            let other = || entity_of(value).or_else(|| tile_of(value));
            point.or_else(other).unwrap_or(LdtkValue::Null)
        }
    }
}

impl MapValue for LdtkValue {
    const NOUNS: [&str; 2] = ["field", "fields"];

    fn kind(&self) -> MapValueKind<'_, Self> {
        match self {
            Self::Null => MapValueKind::Null,
            Self::Bool(value) => MapValueKind::Bool(*value),
            Self::Int(number) => MapValueKind::Int(*number),
            Self::Float(number) => MapValueKind::Float(*number),
            Self::String(text) => MapValueKind::Text(text),
            Self::Point { position, .. } => MapValueKind::Other(json!(position.to_array())),
            Self::Entity(entity) => MapValueKind::Other(json!(entity)),
            Self::Tile { tileset, rect } => MapValueKind::Other(json!({
                "tileset": tileset, "x": rect.min.x, "y": rect.min.y,
                "width": rect.width(), "height": rect.height(),
            })),
            Self::Array(values) => MapValueKind::List(values),
        }
    }
}

fn number(value: &Value, key: &str) -> Option<f32> {
    let number = value.get(key).and_then(Value::as_f64);
    number.map(|number| number as f32)
}

/// The column and row of a `Point`.
fn cell_of(value: &Value) -> Option<Vec2> {
    Some(Vec2::new(number(value, "cx")?, number(value, "cy")?))
}

fn entity_of(value: &Value) -> Option<LdtkValue> {
    let iid = |key| {
        let iid = value.get(key).and_then(Value::as_str);
        iid.unwrap_or_default().to_string()
    };
    value.get("entityIid").map(|_| {
        LdtkValue::Entity(LdtkEntityRef {
            entity: iid("entityIid"),
            layer: iid("layerIid"),
            level: iid("levelIid"),
            world: iid("worldIid"),
        })
    })
}

fn tile_of(value: &Value) -> Option<LdtkValue> {
    let number = |key| number(value, key);
    let [x, y, width, height] = [number("x")?, number("y")?, number("w")?, number("h")?];
    let tileset = value.get("tilesetUid").and_then(Value::as_i64);
    Some(LdtkValue::Tile {
        tileset: tileset.unwrap_or_default(),
        rect: Rect::new(x, y, x + width, y + height),
    })
}
