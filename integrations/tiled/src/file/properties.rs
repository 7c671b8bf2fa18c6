//! Reads properties.

use super::{
    Properties, TiledValue,
    xml::{Element, float},
};
use crate::error::TiledProblem;
use bevy_thud_maps::MapProperties;

/// The properties of an element. Those that fail are reported.
pub(crate) fn read(element: Element) -> Properties {
    let all = element.children_of("properties");
    let all = all.flat_map(|it| it.children_of("property"));
    let all = all.filter_map(|property| match property.get("name") {
        Some(name) => Some((name.into(), value(property)?)),
        None => {
            property.report_attribute("name", "");
            None
        }
    });
    MapProperties(all.collect())
}

/// The value of a property or of an item of a list. Reports what is none.
fn value(element: Element) -> Option<TiledValue> {
    let found = element.get("value");
    // A string of several lines is the text of its element.
    let string = || found.map_or_else(|| element.text(), String::from);
    let name = element.string("name");
    let text = found.unwrap_or_default();
    let (value, expected) = match element.get("type").unwrap_or("string") {
        "string" | "" => return Some(TiledValue::String(string())),
        "file" => return Some(TiledValue::File(string())),
        "color" if text.is_empty() => return Some(TiledValue::String(String::new())),
        "class" | "list" if element.is_too_deep() => return None,
        "class" => {
            let class = element.string("propertytype");
            return Some(TiledValue::Class(class, read(element)));
        }
        "list" => {
            let items = element.children_of("item").filter_map(value);
            return Some(TiledValue::List(items.collect()));
        }
        "int" => (text.parse().map(TiledValue::Int).ok(), "a whole number"),
        "float" => (float(text).map(TiledValue::Float), "a number"),
        "bool" => (text.parse().map(TiledValue::Bool).ok(), "true or false"),
        "object" => (
            text.parse().map(TiledValue::Object).ok(),
            "the id of an object",
        ),
        "color" => (color(text).map(TiledValue::Color), "a color"),
        other => {
            let found = other.into();
            element.report(TiledProblem::PropertyType { name, found });
            return Some(TiledValue::String(string()));
        }
    };
    if value.is_none() {
        element.report(TiledProblem::PropertyValue {
            name,
            found: text.into(),
            expected: expected.into(),
        });
    }
    value
}

/// `#RRGGBB` or `#AARRGGBB`.
fn color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [alpha, red, green, blue] = number.to_be_bytes();
    match digits.len() {
        6 => Some([red, green, blue, 255]),
        8 => Some([red, green, blue, alpha]),
        _ => None,
    }
}
