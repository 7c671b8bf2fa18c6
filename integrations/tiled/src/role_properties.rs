//! Reads roles from properties.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{Properties, PropertyValue};

use crate::{
    error::TiledProblem,
    role::{TiledOneWay, TiledRole},
};

/// The role by the properties. Reports those that cannot be understood. `named` finds a layer's
/// mask.
pub(crate) fn read(
    properties: &Properties,
    named: impl Fn(&str) -> Option<LayerMask>,
    report: &mut dyn FnMut(TiledProblem),
) -> TiledRole {
    let mut role = TiledRole::INHERITED;
    // Of two that contradict each other, the last one holds.
    for (_, plain, name, value) in known(properties) {
        match set_by(plain, value, &named) {
            Ok(set) => role = set.or(role),
            Err(expected) => report(TiledProblem::PropertyValue {
                name: name.clone(),
                found: shown(value),
                expected,
            }),
        }
    }
    role
}

/// The properties that this crate knows and that are set, with their positions in [`KNOWN`] and
/// their names there, sorted.
fn known(properties: &Properties) -> Vec<(usize, &'static str, &String, &PropertyValue)> {
    let set = (properties.iter()).filter(|(_, value)| !is_unset(value));
    let mut known: Vec<_> = set
        .filter_map(|(name, value)| {
            let plain = plain(name);
            let order = KNOWN.iter().position(|known| *known == plain)?;
            Some((order, KNOWN[order], name, value))
        })
        .collect();
    known.sort_by_key(|(order, _, name, _)| (*order, *name));
    known
}

/// What one property sets.
fn set_by(
    plain: &str,
    value: &PropertyValue,
    named: &impl Fn(&str) -> Option<LayerMask>,
) -> Parsed<TiledRole> {
    let mut role = TiledRole::INHERITED;
    match plain {
        "solid" if flag(value)? => role = TiledRole::solid(),
        "solid" => role = TiledRole::sensor(),
        "sensor" if flag(value)? => role = TiledRole::sensor(),
        "sensor" => role.is_solid = Some(true),
        "oneway" => {
            role = match one_way(value)? {
                TiledOneWay::Direction(direction) => TiledRole::one_way(direction),
                TiledOneWay::Off => TiledRole {
                    one_way: Some(TiledOneWay::Off),
                    ..role
                },
            }
        }
        "collider" => role.has_collider = Some(flag(value)?),
        "swept" => role.is_swept = Some(flag(value)?),
        "collisionlayers" => role.memberships = Some(mask(value, named)?),
        "collisionfilters" => role.filters = Some(mask(value, named)?),
        _ => {}
    }
    Ok(role)
}

/// The properties that this crate knows, without upper case and underscores.
const KNOWN: [&str; 7] = [
    "solid",
    "oneway",
    "sensor",
    "collider",
    "swept",
    "collisionlayers",
    "collisionfilters",
];

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether it is as Tiled adds it: an empty text or list. It may only separate with commas as well.
fn is_unset(value: &PropertyValue) -> bool {
    match value {
        PropertyValue::StringValue(text) => text.split(',').all(|name| name.trim().is_empty()),
        PropertyValue::ListValue(items) => items.iter().all(is_unset),
        _ => false,
    }
}

/// What was expected, if it is something else.
type Parsed<T> = Result<T, &'static str>;

fn flag(value: &PropertyValue) -> Parsed<bool> {
    match value {
        PropertyValue::BoolValue(value) => Ok(*value),
        _ => Err("true or false"),
    }
}

fn one_way(value: &PropertyValue) -> Parsed<TiledOneWay> {
    let direction = match value {
        PropertyValue::BoolValue(false) => return Ok(TiledOneWay::Off),
        PropertyValue::BoolValue(true) => Some(Dir2::Y),
        PropertyValue::StringValue(name) => match plain(name).as_str() {
            "up" => Some(Dir2::Y),
            "down" => Some(Dir2::NEG_Y),
            "left" => Some(Dir2::NEG_X),
            "right" => Some(Dir2::X),
            _ => None,
        },
        _ => None,
    };
    let direction = direction.ok_or("true, false, up, down, left or right")?;
    Ok(TiledOneWay::Direction(direction))
}

/// The number of a layer, or numbers and names with commas between them, or a list of these.
fn mask(value: &PropertyValue, named: &impl Fn(&str) -> Option<LayerMask>) -> Parsed<LayerMask> {
    let expected = "numbers from 0 to 31, or names that the rules know";
    let of_number = |number: u32| Some(LayerMask::layer(number)).filter(|_| number < 32);
    let of_name = |name: &str| match name.parse() {
        Ok(number) => of_number(number),
        Err(_) => named(name),
    };
    match value {
        PropertyValue::IntValue(number) => {
            let number = u32::try_from(*number).ok();
            number.and_then(of_number).ok_or(expected)
        }
        PropertyValue::StringValue(names) => {
            let names = names.split(',').map(str::trim).filter(|it| !it.is_empty());
            names
                .map(of_name)
                .try_fold(LayerMask::NONE, |mask, layer| Some(mask.union(layer?)))
                .ok_or(expected)
        }
        PropertyValue::ListValue(items) => {
            items.iter().try_fold(LayerMask::NONE, |layers, item| {
                Ok(layers.union(mask(item, named)?))
            })
        }
        _ => Err(expected),
    }
}

fn shown(value: &PropertyValue) -> String {
    match value {
        PropertyValue::StringValue(text) => text.clone(),
        PropertyValue::IntValue(number) => number.to_string(),
        PropertyValue::FloatValue(number) => number.to_string(),
        PropertyValue::BoolValue(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}
