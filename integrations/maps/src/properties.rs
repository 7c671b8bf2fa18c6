//! Properties that a map's author gives, read by serde.

use std::{
    collections::{BTreeMap, btree_map},
    error, fmt,
};

use bevy::prelude::*;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IntoDeserializer, MapAccess,
    value::{MapAccessDeserializer, StrDeserializer},
};

use crate::{MapValue, MapValueKind};

/// Properties by their names.
#[derive(Clone, Debug, PartialEq, Deref, DerefMut)]
pub struct MapProperties<V>(pub BTreeMap<String, V>);

impl<V> Default for MapProperties<V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<V: MapValue> MapProperties<V> {
    /// A property as any type that serde reads: numbers, strings, an enum of the names of values,
    /// an `Option` if it may be null, a `Vec` for a list.
    ///
    /// # Errors
    ///
    /// If there is no property of this name, or it is not of this type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, MapPropertyError> {
        let [noun, _] = V::NOUNS;
        let value = self.value(name).ok_or_else(|| {
            let known = self.names();
            MapPropertyError(format!("no {noun} {name}: there are {known}"))
        })?;
        let value = value.to_json();
        T::deserialize(&value).map_err(|error| {
            let members = value.as_object().map(|members| listed(members.keys()));
            let members = members.map(|members| format!("; its members are {members}"));
            let members = members.unwrap_or_default();
            MapPropertyError(format!("{noun} {name}: {error}{members}"))
        })
    }

    /// All properties as a struct, whose fields have their names and types that
    /// [`get`](Self::get) returns. Further properties are skipped.
    ///
    /// # Errors
    ///
    /// If one is missing whose field has no default, or not of its type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, MapPropertyError> {
        let [_, nouns] = V::NOUNS;
        let all = All {
            rest: self.iter(),
            next: None,
        };
        T::deserialize(MapAccessDeserializer::new(all)).map_err(|error| {
            let known = self.names();
            MapPropertyError(format!("{nouns}: {error}; there are {known}"))
        })
    }

    /// A property, or `None` if there is none of this name.
    pub fn value(&self, name: &str) -> Option<&V> {
        self.0.get(name)
    }

    /// True or false. `None` if there is none of this name and type, here and below.
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.value(name)?.kind() {
            MapValueKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.value(name)?.kind() {
            MapValueKind::Int(number) => Some(number),
            _ => None,
        }
    }

    /// A number, whole or not.
    pub fn float(&self, name: &str) -> Option<f32> {
        match self.value(name)?.kind() {
            MapValueKind::Float(number) => Some(number),
            MapValueKind::Int(number) => Some(number as f32),
            _ => None,
        }
    }

    /// All that is text: a string, the path of a file, the value of an enum.
    pub fn str(&self, name: &str) -> Option<&str> {
        match self.value(name)?.kind() {
            MapValueKind::Text(text) => Some(text),
            _ => None,
        }
    }

    fn names(&self) -> String {
        listed(self.keys())
    }
}

/// A property that is not there, or not of the type that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPropertyError(String);

impl fmt::Display for MapPropertyError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl error::Error for MapPropertyError {}

/// All properties, whose errors name the one that they are of.
struct All<'a, V> {
    rest: btree_map::Iter<'a, String, V>,
    /// The one whose name was read.
    next: Option<(&'a str, &'a V)>,
}

impl<'de, V: MapValue> MapAccess<'de> for All<'_, V> {
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

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, Self::Error> {
        let (name, value) = self.next.take().ok_or_else(|| Error::custom("no name"))?;
        seed.deserialize(value.to_json())
            .map_err(|error| Error::custom(format!("{name}: {error}")))
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<&str> = names.map(String::as_str).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}
