//! The properties that a map's author gives to maps, layers, tiles and objects.

use std::{collections::btree_map, error, fmt};

use bevy::prelude::*;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IntoDeserializer, MapAccess,
    value::{MapAccessDeserializer, StrDeserializer},
};
use serde_json::{Value, json};

use crate::file::{Properties, TiledValue};

/// The properties of a map, a layer or an object; those of an object with what it inherits from
/// its template and its tile. On the entities of all of them, empty if there are none.
///
/// [`get`](Self::get) and [`parse`](Self::parse) read all types by serde: lists, classes, the
/// values of an enum, and structs of properties.
///
/// ```
/// # use bevy_thud_tiled::{TiledProperties, TiledPropertyError};
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
/// fn read(properties: &TiledProperties) -> Result<Guard, TiledPropertyError> {
///     properties.parse()
/// }
/// # let _ = read;
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Deref)]
pub struct TiledProperties(pub Properties);

/// A property that is not there, or not of the type that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TiledPropertyError(String);

impl fmt::Display for TiledPropertyError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl error::Error for TiledPropertyError {}

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
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, TiledPropertyError> {
        let value = self.value(name).ok_or_else(|| {
            let known = names(&self.0);
            TiledPropertyError(format!("no property {name}: there are {known}"))
        })?;
        serde_json::from_value(to_json(value)).map_err(|error| {
            let members = match value {
                TiledValue::Class(_, members) => format!("; its members are {}", names(members)),
                _ => String::new(),
            };
            TiledPropertyError(format!("property {name}: {error}{members}"))
        })
    }

    /// All properties as a struct, whose fields have their names and types that
    /// [`get`](Self::get) returns. Further properties are skipped.
    ///
    /// # Errors
    ///
    /// If one is missing whose field has no default, or not of its type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, TiledPropertyError> {
        let all = All {
            rest: self.0.iter(),
            next: None,
        };
        T::deserialize(MapAccessDeserializer::new(all)).map_err(|error| {
            let known = names(&self.0);
            TiledPropertyError(format!("properties: {error}; there are {known}"))
        })
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

/// All properties, whose errors name the one that they are of.
struct All<'a> {
    rest: btree_map::Iter<'a, String, TiledValue>,
    /// The one whose name was read.
    next: Option<(&'a str, &'a TiledValue)>,
}

impl<'de> MapAccess<'de> for All<'_> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        self.next = self.rest.next().map(|(name, value)| (name.as_str(), value));
        let name = self.next.map(|(name, _)| name.into_deserializer());
        name.map(|name: StrDeserializer<Self::Error>| seed.deserialize(name))
            .transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        let (name, value) = self.next.take().ok_or_else(|| Error::custom("no name"))?;
        seed.deserialize(to_json(value))
            .map_err(|error| Error::custom(format!("{name}: {error}")))
    }
}

/// All names, for messages.
fn names(properties: &Properties) -> String {
    let names: Vec<&str> = properties.keys().map(String::as_str).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}

fn object(properties: &Properties) -> Value {
    let members = properties.iter();
    let members = members.map(|(name, value)| (name.clone(), to_json(value)));
    Value::Object(members.collect())
}

fn to_json(value: &TiledValue) -> Value {
    match value {
        TiledValue::String(text) | TiledValue::File(text) => json!(text),
        TiledValue::Int(number) => json!(number),
        TiledValue::Float(number) => json!(number),
        TiledValue::Bool(value) => json!(value),
        TiledValue::Color(channels) => json!(channels),
        TiledValue::Object(0) => Value::Null,
        TiledValue::Object(id) => json!(id),
        TiledValue::Class(_, members) => object(members),
        TiledValue::List(items) => items.iter().map(to_json).collect(),
    }
}
