//! What an editor's values of properties have in common.

use serde_json::Value;

/// The value of a property.
pub trait MapValue: Sized {
    /// What its editor calls one property, and several.
    const NOUNS: [&str; 2];

    /// The value, as one of those that all editors have.
    fn kind(&self) -> MapValueKind<'_, Self>;

    /// The value as serde reads it.
    fn to_json(&self) -> Value {
        match self.kind() {
            MapValueKind::Null => Value::Null,
            MapValueKind::Bool(value) => value.into(),
            MapValueKind::Int(number) => number.into(),
            MapValueKind::Float(number) => number.into(),
            MapValueKind::Text(text) => text.into(),
            MapValueKind::List(items) => items.iter().map(Self::to_json).collect(),
            MapValueKind::Other(value) => value,
        }
    }
}

/// A value, as one of those that all editors have.
#[derive(Clone, Debug, PartialEq)]
pub enum MapValueKind<'a, V> {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f32),
    /// A text.
    Text(&'a str),
    /// A list.
    List(&'a [V]),
    /// Anything else, as serde reads it.
    Other(Value),
}
