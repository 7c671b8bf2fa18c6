//! The fields that a map's author gives to entities and levels.

use std::collections::BTreeMap;

use bevy::prelude::*;
use serde_json::Value;

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
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct LdtkFields(BTreeMap<String, LdtkValue>);

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
    /// The center of a cell, in world units from the lower left of the level: in the frame of the
    /// entity of the level.
    Point(Vec2),
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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
    /// A field, or `None` if there is none of this identifier.
    pub fn get(&self, identifier: &str) -> Option<&LdtkValue> {
        self.0.get(identifier)
    }

    /// All fields, sorted by identifier.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &LdtkValue)> {
        self.0
            .iter()
            .map(|(identifier, value)| (identifier.as_str(), value))
    }

    /// A `Bool`. `None` if there is none of this identifier and type, here and below.
    pub fn bool(&self, identifier: &str) -> Option<bool> {
        match self.get(identifier)? {
            LdtkValue::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// An `Int`.
    pub fn int(&self, identifier: &str) -> Option<i64> {
        match self.get(identifier)? {
            LdtkValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A `Float` or an `Int`.
    pub fn float(&self, identifier: &str) -> Option<f32> {
        match self.get(identifier)? {
            LdtkValue::Float(value) => Some(*value),
            LdtkValue::Int(value) => Some(*value as f32),
            _ => None,
        }
    }

    /// A `String`, `Multilines`, `FilePath`, `Color` or value of an enum.
    pub fn str(&self, identifier: &str) -> Option<&str> {
        match self.get(identifier)? {
            LdtkValue::String(value) => Some(value),
            _ => None,
        }
    }

    /// The points of a `Point` or an array of them, in the frame of the level. Empty if there are
    /// none.
    pub fn points(&self, identifier: &str) -> Vec<Vec2> {
        let point = |value: &LdtkValue| match value {
            LdtkValue::Point(point) => Some(*point),
            _ => None,
        };
        match self.get(identifier) {
            Some(LdtkValue::Array(values)) => values.iter().filter_map(point).collect(),
            Some(value) => point(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// A reference to an entity.
    pub fn entity(&self, identifier: &str) -> Option<&LdtkEntityRef> {
        match self.get(identifier)? {
            LdtkValue::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    /// `to_level` converts a position of a layer, in pixels with y down, to one of the level.
    /// Returns why fields are not as LDtk writes them as well.
    pub(crate) fn read(
        fields: &[Lenient<json::Field>],
        grid_size: f32,
        to_level: impl Fn(Vec2) -> Vec2,
    ) -> FieldsRead {
        let mut read = FieldsRead::default();
        for field in fields {
            match field {
                Lenient::Good(field) => {
                    let to_level: &dyn Fn(Vec2) -> Vec2 = &to_level;
                    let value = value_of(&field.value, &field.kind, grid_size, to_level);
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

fn value_of(
    value: &Value,
    kind: &str,
    grid_size: f32,
    to_level: &dyn Fn(Vec2) -> Vec2,
) -> LdtkValue {
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
                .map(|value| value_of(value, kind, grid_size, to_level))
                .collect(),
        ),
        Value::Object(_) => {
            let cell = cell_of(value).map(|cell| (cell + 0.5) * grid_size);
            let point = cell.map(|center| LdtkValue::Point(to_level(center)));
            let other = || entity_of(value).or_else(|| tile_of(value));
            point.or_else(other).unwrap_or(LdtkValue::Null)
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
