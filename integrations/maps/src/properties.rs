//! Properties that a map's author gives, read by serde.

use std::{
    collections::{BTreeMap, btree_map},
    error, fmt,
};

use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IntoDeserializer, MapAccess,
    value::{MapAccessDeserializer, StrDeserializer},
};
use serde_json::Value;

/// The value of a property.
pub trait MapValue {
    /// What its editor calls one property, and several.
    const NOUNS: [&str; 2];

    /// The value as serde reads it.
    fn to_json(&self) -> Value;

    /// The names of the members of a class, which a message lists.
    fn members(&self) -> Option<Vec<&str>> {
        None
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

/// A property as any type that serde reads.
///
/// # Errors
///
/// If there is no property of this name, or it is not of this type.
pub fn get<T: DeserializeOwned, V: MapValue>(
    properties: &BTreeMap<String, V>,
    name: &str,
) -> Result<T, MapPropertyError> {
    let [noun, _] = V::NOUNS;
    let value = properties.get(name).ok_or_else(|| {
        let known = names(properties);
        MapPropertyError(format!("no {noun} {name}: there are {known}"))
    })?;
    serde_json::from_value(value.to_json()).map_err(|error| {
        let members = value.members().map(listed);
        let members = members.map(|members| format!("; its members are {members}"));
        let members = members.unwrap_or_default();
        MapPropertyError(format!("{noun} {name}: {error}{members}"))
    })
}

/// All properties as a struct. Those that it has no field for are skipped.
///
/// # Errors
///
/// If one is missing whose field has no default, or not of its type.
pub fn parse<T: DeserializeOwned, V: MapValue>(
    properties: &BTreeMap<String, V>,
) -> Result<T, MapPropertyError> {
    let [_, nouns] = V::NOUNS;
    let all = All {
        rest: properties.iter(),
        next: None,
    };
    T::deserialize(MapAccessDeserializer::new(all)).map_err(|error| {
        let known = names(properties);
        MapPropertyError(format!("{nouns}: {error}; there are {known}"))
    })
}

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

fn names<V>(properties: &BTreeMap<String, V>) -> String {
    listed(properties.keys().map(String::as_str).collect())
}

fn listed(names: Vec<&str>) -> String {
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}
