//! Reads the properties that name components.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{MapProperties, MapValue, MapValueKind};

/// What a property sets of the collider of a tile, an object or an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MapSetting {
    /// `solid`: whether it is [`Solid`].
    Solid(bool),
    /// `one_way`: whether it is [`OneWay`], and the direction in which movers pass.
    OneWay(Option<Dir2>),
    /// `sensor`: whether it blocks nothing.
    Sensor(bool),
    /// `collider`: whether it has a collider.
    Collider(bool),
    /// `swept`: whether it is [`Swept`].
    Swept(bool),
    /// `collision_layers`: the layers that it is in.
    Memberships(LayerMask),
    /// `collision_filters`: the layers that it collides with.
    Filters(LayerMask),
}

/// A property that names a component, with a value that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapMisfit {
    /// The name of the property.
    pub name: String,
    /// The value.
    pub found: String,
    /// What it may be.
    pub expected: String,
}

impl MapMisfit {
    fn new<V: MapValue>(name: &str, value: &V, expected: String) -> Self {
        let found = match value.kind() {
            MapValueKind::Text(text) => text.into(),
            MapValueKind::Float(number) => number.to_string(),
            _ => value.to_json().to_string(),
        };
        let name = name.into();
        Self {
            name,
            found,
            expected,
        }
    }
}

/// The masks of layers by the names that the rules have for them.
type Masks = HashMap<String, LayerMask>;

/// What was expected, if it is something else.
type Parsed<T> = Result<T, String>;

/// What properties set, and those whose value does not fit, sorted by name. Their names may be in
/// any case, and with or without `_`. Those that are null, an empty text or an empty list set
/// nothing.
///
/// [`Solid`](MapSetting::Solid), [`OneWay`](MapSetting::OneWay) and
/// [`Sensor`](MapSetting::Sensor) come first, in this order: of those that contradict each other,
/// the last one holds.
pub fn settings<V: MapValue>(
    properties: &MapProperties<V>,
    masks: &Masks,
) -> (Vec<MapSetting>, Vec<MapMisfit>) {
    let (mut settings, mut misfits) = (Vec::new(), Vec::new());
    for (name, value) in properties.iter().filter(|(_, value)| !is_unset(*value)) {
        match setting(&plain(name), value, masks) {
            Some(Ok(setting)) => settings.push(setting),
            Some(Err(expected)) => misfits.push(MapMisfit::new(name, value, expected)),
            None => {}
        }
    }
    settings.sort_by_key(|setting| match setting {
        MapSetting::Solid(_) => 0,
        MapSetting::OneWay(_) => 1,
        MapSetting::Sensor(_) => 2,
        _ => 3,
    });
    (settings, misfits)
}

/// `None` if the property names no component.
fn setting<V: MapValue>(plain: &str, value: &V, masks: &Masks) -> Option<Parsed<MapSetting>> {
    let setting = match plain {
        "solid" => flag(value).map(MapSetting::Solid),
        "oneway" => one_way(value).map(MapSetting::OneWay),
        "sensor" => flag(value).map(MapSetting::Sensor),
        "collider" => flag(value).map(MapSetting::Collider),
        "swept" => flag(value).map(MapSetting::Swept),
        "collisionlayers" => mask(value, masks).map(MapSetting::Memberships),
        "collisionfilters" => mask(value, masks).map(MapSetting::Filters),
        _ => return None,
    };
    Some(setting)
}

/// Without upper case and underscores.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// Whether it is as an editor adds it: null, or an empty text or list. It may only separate with
/// commas as well.
fn is_unset<V: MapValue>(value: &V) -> bool {
    match value.kind() {
        MapValueKind::Null => true,
        MapValueKind::Text(text) => names(text).next().is_none(),
        MapValueKind::List(items) => items.iter().all(is_unset),
        _ => false,
    }
}

/// The texts between commas.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|it| !it.is_empty())
}

fn flag<V: MapValue>(value: &V) -> Parsed<bool> {
    truth(value).ok_or("true or false".into())
}

/// True or false, also as a text: the type that Tiled offers first for a new property.
fn truth<V: MapValue>(value: &V) -> Option<bool> {
    match value.kind() {
        MapValueKind::Bool(value) => Some(value),
        MapValueKind::Text(text) => text.trim().to_lowercase().parse().ok(),
        _ => None,
    }
}

/// The direction, or that there is none.
fn one_way<V: MapValue>(value: &V) -> Parsed<Option<Dir2>> {
    let direction = match (truth(value), value.kind()) {
        (Some(is_one_way), _) => return Ok(is_one_way.then_some(Dir2::Y)),
        (None, MapValueKind::Text(name)) => match plain(name.trim()).as_str() {
            "up" => Some(Dir2::Y),
            "down" => Some(Dir2::NEG_Y),
            "left" => Some(Dir2::NEG_X),
            "right" => Some(Dir2::X),
            _ => None,
        },
        _ => None,
    };
    let expected = || "true, false, up, down, left or right".into();
    direction.map(Some).ok_or_else(expected)
}

fn mask<V: MapValue>(value: &V, masks: &Masks) -> Parsed<LayerMask> {
    mask_of(value, masks).ok_or_else(|| {
        let mut names: Vec<&str> = masks.keys().map(String::as_str).collect();
        names.sort_unstable();
        let names = Some(names.join("`, `")).filter(|it| !it.is_empty());
        let names = names.map_or_else(String::new, |names| format!(" (`{names}`)"));
        format!("numbers from 0 to 31, or names that the rules know{names}")
    })
}

/// The number of a layer, or numbers and names with commas between them, or a list of these.
fn mask_of<V: MapValue>(value: &V, masks: &Masks) -> Option<LayerMask> {
    match value.kind() {
        MapValueKind::Null => Some(LayerMask::NONE),
        MapValueKind::Int(number) => layer(number),
        MapValueKind::Text(text) => union(names(text).map(|name| match name.parse() {
            Ok(number) => layer(number),
            Err(_) => masks.get(name).copied(),
        })),
        MapValueKind::List(items) => union(items.iter().map(|item| mask_of(item, masks))),
        _ => None,
    }
}

fn layer(number: i64) -> Option<LayerMask> {
    let number = u32::try_from(number).ok().filter(|number| *number < 32);
    number.map(LayerMask::layer)
}

fn union(mut masks: impl Iterator<Item = Option<LayerMask>>) -> Option<LayerMask> {
    masks.try_fold(LayerMask::NONE, |all, mask| Some(all | mask?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;

    impl MapValue for Value {
        const NOUNS: [&str; 2] = ["value", "values"];

        fn kind(&self) -> MapValueKind<'_, Self> {
            match self {
                Self::Null => MapValueKind::Null,
                Self::Bool(value) => MapValueKind::Bool(*value),
                Self::Number(number) => match number.as_i64() {
                    Some(number) => MapValueKind::Int(number),
                    None => MapValueKind::Float(number.as_f64().unwrap_or_default() as f32),
                },
                Self::String(text) => MapValueKind::Text(text),
                Self::Array(items) => MapValueKind::List(items),
                Self::Object(_) => MapValueKind::Other(self.clone()),
            }
        }
    }

    /// What one property sets, or the value that was found and what was expected.
    fn one(name: &str, value: Value) -> Result<Option<MapSetting>, [String; 2]> {
        let masks = [("walls", 1), ("heroes", 2)];
        let masks = masks.map(|(name, layer)| (name.into(), LayerMask::layer(layer)));
        let properties = MapProperties(BTreeMap::from([(name.to_string(), value)]));
        let (settings, misfits) = settings(&properties, &masks.into());
        assert!(settings.len() + misfits.len() <= 1);
        match misfits.into_iter().next() {
            Some(misfit) => Err([misfit.found, misfit.expected]),
            None => Ok(settings.first().copied()),
        }
    }

    #[test]
    fn names_may_be_in_any_case() {
        let names = ["collision_layers", "CollisionLayers", "COLLISION_LAYERS"];
        for name in names {
            let expected = MapSetting::Memberships(LayerMask::layer(3));
            assert_eq!(one(name, json!(3)), Ok(Some(expected)), "{name}");
        }
        assert_eq!(one("solidity", json!(3)), Ok(None));
    }

    #[test]
    fn truth_may_be_a_text() {
        for value in [json!(true), json!("true"), json!(" True ")] {
            assert_eq!(
                one("solid", value.clone()),
                Ok(Some(MapSetting::Solid(true)))
            );
            let up = MapSetting::OneWay(Some(Dir2::Y));
            assert_eq!(one("one_way", value), Ok(Some(up)));
        }
        let off = MapSetting::OneWay(None);
        assert_eq!(one("one_way", json!("false")), Ok(Some(off)));
        let left = MapSetting::OneWay(Some(Dir2::NEG_X));
        assert_eq!(one("one_way", json!("Left")), Ok(Some(left)));
    }

    #[test]
    fn masks_are_numbers_names_and_lists_of_them() {
        let cases = [
            (json!(31), 1 << 31),
            (json!("3"), 0b1000),
            (json!("walls, 3"), 0b1010),
            (json!(["walls", 0, null, "heroes,4"]), 0b10111),
        ];
        for (value, bits) in cases {
            let expected = MapSetting::Filters(LayerMask(bits));
            let found = one("collision_filters", value.clone());
            assert_eq!(found, Ok(Some(expected)), "{value}");
        }
    }

    #[test]
    fn what_nobody_filled_is_not_set() {
        for value in [
            json!(null),
            json!(""),
            json!(" , "),
            json!([]),
            json!([null, ""]),
        ] {
            for name in ["solid", "one_way", "collision_layers"] {
                assert_eq!(one(name, value.clone()), Ok(None), "{name} {value}");
            }
        }
    }

    #[test]
    fn misfits_say_what_was_expected() {
        let misfit = |name: &str, value: Value| one(name, value).unwrap_err();
        let of = |found: &str, expected: &str| [found.to_string(), expected.to_string()];
        assert_eq!(misfit("swept", json!("yes")), of("yes", "true or false"));
        assert_eq!(misfit("swept", json!(0.5)), of("0.5", "true or false"));
        let expected = "true, false, up, down, left or right";
        assert_eq!(misfit("one_way", json!(["up"])), of("[\"up\"]", expected));
        let expected = "numbers from 0 to 31, or names that the rules know (`heroes`, `walls`)";
        for (value, found) in [
            (json!(32), "32"),
            (json!("-1"), "-1"),
            (json!("wall"), "wall"),
        ] {
            assert_eq!(misfit("collision_layers", value), of(found, expected));
        }
    }

    #[test]
    fn those_that_contradict_each_other_come_in_their_order() {
        let names = ["Collider", "one_way", "sensor", "solid", "swept"];
        let all = names.map(|name| (name.to_string(), json!(true)));
        let (settings, misfits) = settings(&MapProperties(all.into()), &Masks::new());
        assert!(misfits.is_empty());
        let expected = [
            MapSetting::Solid(true),
            MapSetting::OneWay(Some(Dir2::Y)),
            MapSetting::Sensor(true),
            MapSetting::Collider(true),
            MapSetting::Swept(true),
        ];
        assert_eq!(settings, expected);
    }
}
