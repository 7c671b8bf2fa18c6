//! The properties that a map's author gives to maps, layers, tiles and objects.

use bevy::prelude::*;
use bevy_thud_maps::{MapValue, MapValueKind};
use serde_json::json;

use crate::file::{Properties, TiledValue};

/// The properties of a map, a layer or an object; those of an object with what it inherits from
/// its template and its tile. On the entities of all of them, empty if there are none.
///
/// [`get`](crate::MapProperties::get) and [`parse`](crate::MapProperties::parse) read all types by
/// serde: lists, the values of an enum that Tiled saves as strings, structs for classes, and
/// structs of properties. Tiled does not write what equals the default of a class, neither
/// properties of an object nor members of a property.
///
/// A reference to an object is its [id](crate::TiledObject::id), a `u32` for
/// [`TiledLookup::referenced`](crate::TiledLookup::referenced), or an `Option` if it may be unset.
/// A color is red, green, blue and alpha, like `[u8; 4]`, or an empty string if it is unset.
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
    /// A reference to an object: its [`TiledObject::id`](crate::TiledObject::id). `None` if there
    /// is none of this name and type.
    pub fn object(&self, name: &str) -> Option<u32> {
        match *self.value(name)? {
            TiledValue::Object(id) if id != 0 => Some(id),
            _ => None,
        }
    }
}

impl MapValue for TiledValue {
    const NOUNS: [&str; 2] = ["property", "properties"];

    fn kind(&self) -> MapValueKind<'_, Self> {
        match self {
            Self::String(text) | Self::File(text) => MapValueKind::Text(text),
            Self::Int(number) => MapValueKind::Int((*number).into()),
            Self::Float(number) => MapValueKind::Float(*number),
            Self::Bool(value) => MapValueKind::Bool(*value),
            Self::Color(channels) => MapValueKind::Other(json!(channels)),
            Self::Object(0) => MapValueKind::Null,
            Self::Object(id) => MapValueKind::Other(json!(id)),
            Self::Class(_, members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (name.clone(), value.to_json()));
                MapValueKind::Other(members.collect())
            }
            Self::List(items) => MapValueKind::List(items),
        }
    }
}
