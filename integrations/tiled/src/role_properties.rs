//! Reads roles from properties.

use std::collections::HashMap;

use crate::{
    error::TiledProblem,
    file::{Properties, TiledValue},
    role::{TiledOneWay, TiledRole},
};
use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The masks of layers by the names that the rules have for them.
type Masks = HashMap<String, LayerMask>;

/// The role by the properties. Reports those that cannot be understood.
pub(crate) fn read(
    properties: &Properties,
    masks: &Masks,
    report: &mut dyn FnMut(TiledProblem),
) -> TiledRole {
    let mut role = TiledRole::INHERITED;
    // Of two that contradict each other, the last one holds.
    for (_, plain, name, value) in known(properties) {
        match set_by(plain, value, masks) {
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
fn known(properties: &Properties) -> Vec<(usize, &'static str, &String, &TiledValue)> {
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
fn set_by(plain: &str, value: &TiledValue, masks: &Masks) -> Parsed<TiledRole> {
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
        "collisionlayers" => role.memberships = Some(mask(value, masks)?),
        "collisionfilters" => role.filters = Some(mask(value, masks)?),
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
fn is_unset(value: &TiledValue) -> bool {
    match value {
        TiledValue::String(text) => text.split(',').all(|name| name.trim().is_empty()),
        TiledValue::List(items) => items.iter().all(is_unset),
        _ => false,
    }
}

/// What was expected, if it is something else.
type Parsed<T> = Result<T, String>;

fn flag(value: &TiledValue) -> Parsed<bool> {
    truth(value).ok_or("true or false".into())
}

/// True or false, also as a string: the type that Tiled offers first for a new property.
fn truth(value: &TiledValue) -> Option<bool> {
    match value {
        TiledValue::Bool(value) => Some(*value),
        TiledValue::String(text) => text.trim().to_lowercase().parse().ok(),
        _ => None,
    }
}

fn one_way(value: &TiledValue) -> Parsed<TiledOneWay> {
    let direction = match (truth(value), value) {
        (Some(false), _) => return Ok(TiledOneWay::Off),
        (Some(true), _) => Some(Dir2::Y),
        (None, TiledValue::String(name)) => match plain(name).as_str() {
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
fn mask(value: &TiledValue, masks: &Masks) -> Parsed<LayerMask> {
    let expected = || {
        let mut names: Vec<&str> = masks.keys().map(String::as_str).collect();
        names.sort_unstable();
        let names = Some(names.join("`, `")).filter(|it| !it.is_empty());
        let names = names.map_or_else(String::new, |names| format!(" (`{names}`)"));
        format!("numbers from 0 to 31, or names that the rules know{names}")
    };
    let of_number = |number: u32| Some(LayerMask::layer(number)).filter(|_| number < 32);
    let of_name = |name: &str| match name.parse() {
        Ok(number) => of_number(number),
        Err(_) => masks.get(name).copied(),
    };
    match value {
        TiledValue::Int(number) => {
            let number = u32::try_from(*number).ok();
            number.and_then(of_number).ok_or_else(expected)
        }
        TiledValue::String(names) => {
            let names = names.split(',').map(str::trim).filter(|it| !it.is_empty());
            names
                .map(of_name)
                .try_fold(LayerMask::NONE, |mask, layer| Some(mask.union(layer?)))
                .ok_or_else(expected)
        }
        TiledValue::List(items) => items.iter().try_fold(LayerMask::NONE, |layers, item| {
            Ok(layers.union(mask(item, masks)?))
        }),
        _ => Err(expected()),
    }
}

fn shown(value: &TiledValue) -> String {
    match value {
        TiledValue::String(text) => text.clone(),
        TiledValue::Int(number) => number.to_string(),
        TiledValue::Float(number) => number.to_string(),
        TiledValue::Bool(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}
