//! The properties that a map's author gives to maps, layers, tiles and objects.

use bevy::prelude::*;
use bevy_thud_maps::{MapPropertyError, MapValue};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::file::{Properties, TiledValue};

/// The properties of a map, a layer or an object; those of an object with what it inherits from
/// its template and its tile. On the entities of all of them, empty if there are none.
///
/// [`get`](Self::get) and [`parse`](Self::parse) read all types by serde: lists, classes, the
/// values of an enum, and structs of properties.
///
/// ```
/// # use bevy_thud_tiled::{TiledProperties, MapPropertyError};
/// #[derive(serde::Deserialize)]
/// enum Facing {
///     Left,
///     Right,
/// }
///
/// #[derive(serde::Deserialize, Default)]
/// #[serde(default)]
/// struct Stats {
///     health: u32,
///     armor: f32,
/// }
///
/// #[derive(serde::Deserialize)]
/// struct Guard {
///     facing: Facing,
///     /// The ids of objects.
///     doors: Vec<u32>,
///     /// A class. What equals its default in Tiled is not in the file.
///     #[serde(default)]
///     stats: Stats,
/// }
///
/// fn read(properties: &TiledProperties) -> Result<Guard, MapPropertyError> {
///     properties.parse()
/// }
/// # let _ = read;
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Deref)]
pub struct TiledProperties(pub Properties);

impl TiledProperties {
    /// A property, as any type that serde reads: numbers, strings, an enum of the names of values
    /// that Tiled saves as strings, a struct for a class, a `Vec` for a list.
    ///
    /// A reference to an object is its [id](crate::TiledObject::id), a `u32` for
    /// [`TiledLookup::referenced`](crate::TiledLookup::referenced), or an `Option` if it may be
    /// unset. A color is red, green, blue and alpha, like `[u8; 4]`, or an empty string if it is
    /// unset.
    ///
    /// # Errors
    ///
    /// If there is no property of this name, or it is not of this type. Tiled does not write what
    /// equals the default of a class, neither properties of an object nor members of a property.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, MapPropertyError> {
        bevy_thud_maps::get(&self.0, name)
    }

    /// All properties as a struct, whose fields have their names and types that
    /// [`get`](Self::get) returns. Further properties are skipped.
    ///
    /// # Errors
    ///
    /// If one is missing whose field has no default, or not of its type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, MapPropertyError> {
        bevy_thud_maps::parse(&self.0)
    }

    /// A property, or `None` if there is none of this name.
    pub fn value(&self, name: &str) -> Option<&TiledValue> {
        self.0.get(name)
    }

    /// The text of a string or of a file. `None` if there is none of this name and type, here and
    /// below.
    pub fn str(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            TiledValue::String(text) | TiledValue::File(text) => Some(text),
            _ => None,
        }
    }

    /// A number, whole or not.
    pub fn float(&self, name: &str) -> Option<f32> {
        match *self.value(name)? {
            TiledValue::Float(number) => Some(number),
            TiledValue::Int(number) => Some(number as f32),
            _ => None,
        }
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> Option<i32> {
        match *self.value(name)? {
            TiledValue::Int(number) => Some(number),
            _ => None,
        }
    }

    /// True or false.
    pub fn bool(&self, name: &str) -> Option<bool> {
        match *self.value(name)? {
            TiledValue::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// A reference to an object: its [`TiledObject::id`](crate::TiledObject::id).
    pub fn object(&self, name: &str) -> Option<u32> {
        match *self.value(name)? {
            TiledValue::Object(id) if id != 0 => Some(id),
            _ => None,
        }
    }
}

impl MapValue for TiledValue {
    const NOUNS: [&str; 2] = ["property", "properties"];

    fn to_json(&self) -> Value {
        match self {
            Self::String(text) | Self::File(text) => json!(text),
            Self::Int(number) => json!(number),
            Self::Float(number) => json!(number),
            Self::Bool(value) => json!(value),
            Self::Color(channels) => json!(channels),
            Self::Object(0) => Value::Null,
            Self::Object(id) => json!(id),
            Self::Class(_, members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (name.clone(), value.to_json()));
                Value::Object(members.collect())
            }
            Self::List(items) => items.iter().map(Self::to_json).collect(),
        }
    }

    fn members(&self) -> Option<Vec<&str>> {
        match self {
            Self::Class(_, members) => Some(members.keys().map(String::as_str).collect()),
            _ => None,
        }
    }
}
