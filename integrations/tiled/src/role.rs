//! What colliders of a map do, from classes and properties.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{Properties, PropertyValue};

use crate::error::TiledReason;

/// What a layer, a tile or an object does, as far as it is said. What is not said comes from the
/// object's tile, from its layer, from the group of the layer and so on, up to the map.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud_tiled::TiledRole;
///
/// let plank = TiledRole::one_way(Dir2::Y);
/// let lift = TiledRole::solid().swept();
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TiledRole {
    /// Whether it collides, and whether it blocks.
    pub blocking: Option<TiledBlocking>,
    /// The layers it is in.
    pub memberships: Option<LayerMask>,
    /// The layers with which it collides.
    pub filters: Option<LayerMask>,
    /// Whether it is [`Swept`].
    pub is_swept: Option<bool>,
}

/// Whether something collides, and whether it blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TiledBlocking {
    /// It has no collider.
    NoCollider,
    /// It reports collisions, and blocks nothing.
    Sensor,
    /// It is [`Solid`].
    Solid,
    /// It is [`Solid`] and [`OneWay`], with the direction in which movers pass.
    OneWay(Dir2),
}

impl TiledRole {
    /// Says nothing.
    pub const INHERITED: Self = Self {
        blocking: None,
        memberships: None,
        filters: None,
        is_swept: None,
    };

    /// A wall.
    pub const fn solid() -> Self {
        Self::blocking(TiledBlocking::Solid)
    }

    /// A wall that movers pass in this direction: see [`OneWay`].
    pub const fn one_way(direction: Dir2) -> Self {
        Self::blocking(TiledBlocking::OneWay(direction))
    }

    /// Reports collisions, and blocks nothing.
    pub const fn sensor() -> Self {
        Self::blocking(TiledBlocking::Sensor)
    }

    /// Has no collider.
    pub const fn no_collider() -> Self {
        Self::blocking(TiledBlocking::NoCollider)
    }

    /// Has these layers.
    #[must_use]
    pub const fn with_layers(self, layers: CollisionLayers) -> Self {
        Self {
            memberships: Some(layers.memberships),
            filters: Some(layers.filters),
            ..self
        }
    }

    /// Is [`Swept`].
    #[must_use]
    pub const fn swept(self) -> Self {
        Self {
            is_swept: Some(true),
            ..self
        }
    }

    /// This role, and what it does not say from `outer`.
    #[must_use]
    pub const fn or(self, outer: Self) -> Self {
        const fn first<T: Copy>(inner: Option<T>, outer: Option<T>) -> Option<T> {
            match inner {
                Some(_) => inner,
                None => outer,
            }
        }
        Self {
            blocking: first(self.blocking, outer.blocking),
            memberships: first(self.memberships, outer.memberships),
            filters: first(self.filters, outer.filters),
            is_swept: first(self.is_swept, outer.is_swept),
        }
    }

    const fn blocking(blocking: TiledBlocking) -> Self {
        Self {
            blocking: Some(blocking),
            ..Self::INHERITED
        }
    }

    /// Whether there is a collider.
    pub(crate) fn collides(&self) -> bool {
        self.blocking
            .is_some_and(|blocking| blocking != TiledBlocking::NoCollider)
    }

    /// Whether both make colliders with the same components. Roles that differ only in what they
    /// leave unsaid do.
    pub(crate) fn acts_like(&self, other: &Self) -> bool {
        self.blocking == other.blocking
            && self.layers() == other.layers()
            && self.is_swept.unwrap_or(false) == other.is_swept.unwrap_or(false)
    }

    fn layers(&self) -> CollisionLayers {
        CollisionLayers {
            memberships: self.memberships.unwrap_or_default(),
            filters: self.filters.unwrap_or_default(),
        }
    }

    /// Inserts the components, beside a collider.
    pub(crate) fn insert(&self, entity: &mut EntityCommands) {
        entity.insert(self.layers());
        match self.blocking {
            Some(TiledBlocking::Solid) => {
                entity.insert(Solid);
            }
            Some(TiledBlocking::OneWay(direction)) => {
                entity.insert((Solid, OneWay(direction)));
            }
            Some(TiledBlocking::Sensor | TiledBlocking::NoCollider) | None => {}
        }
        if self.is_swept == Some(true) {
            entity.insert(Swept);
        }
    }
}

/// What the properties say, and what of them cannot be understood. `named` finds a layer's mask.
pub(crate) fn read(
    properties: &Properties,
    named: impl Fn(&str) -> Option<LayerMask>,
    complain: &mut dyn FnMut(TiledReason),
) -> TiledRole {
    let mut role = TiledRole::INHERITED;
    let mut is_true = |name: &str| flag(properties, name, complain);
    if let Some(is_collider) = is_true("collider") {
        role.blocking = (!is_collider).then_some(TiledBlocking::NoCollider);
    }
    if let Some(is_solid) = is_true("solid") {
        role.blocking = Some(if is_solid {
            TiledBlocking::Solid
        } else {
            TiledBlocking::Sensor
        });
    }
    if is_true("sensor") == Some(true) {
        role.blocking = Some(TiledBlocking::Sensor);
    }
    role.is_swept = is_true("swept");
    if let Some(direction) = one_way(properties, complain) {
        role.blocking = Some(TiledBlocking::OneWay(direction));
    }
    role.memberships = mask(properties, "memberships", &named, complain);
    role.filters = mask(properties, "filters", &named, complain);
    role
}

fn flag(
    properties: &Properties,
    name: &str,
    complain: &mut dyn FnMut(TiledReason),
) -> Option<bool> {
    match properties.get(name)? {
        PropertyValue::BoolValue(value) => Some(*value),
        other => {
            complain(unexpected(name, other, "true or false"));
            None
        }
    }
}

fn one_way(properties: &Properties, complain: &mut dyn FnMut(TiledReason)) -> Option<Dir2> {
    let value = properties.get("one_way")?;
    let direction = match value {
        PropertyValue::BoolValue(true) => Some(Dir2::Y),
        PropertyValue::BoolValue(false) => return None,
        PropertyValue::StringValue(name) => match name.as_str() {
            "up" => Some(Dir2::Y),
            "down" => Some(Dir2::NEG_Y),
            "left" => Some(Dir2::NEG_X),
            "right" => Some(Dir2::X),
            _ => None,
        },
        _ => None,
    };
    if direction.is_none() {
        let expected = "true, false, up, down, left or right";
        complain(unexpected("one_way", value, expected));
    }
    direction
}

/// A number whose bits are layers, or names with commas between them.
fn mask(
    properties: &Properties,
    name: &str,
    named: &impl Fn(&str) -> Option<LayerMask>,
    complain: &mut dyn FnMut(TiledReason),
) -> Option<LayerMask> {
    let value = properties.get(name)?;
    let mask = match value {
        PropertyValue::IntValue(bits) => Some(LayerMask(bits.cast_unsigned())),
        PropertyValue::StringValue(names) => {
            let names = names.split(',').map(str::trim).filter(|it| !it.is_empty());
            names.map(named).try_fold(LayerMask::NONE, |mask, layer| {
                layer.map(|layer| mask.union(layer))
            })
        }
        _ => None,
    };
    if mask.is_none() {
        let expected = "a number of bits, or names that the rules know";
        complain(unexpected(name, value, expected));
    }
    mask
}

fn unexpected(name: &str, found: &PropertyValue, expected: &'static str) -> TiledReason {
    let found = match found {
        PropertyValue::StringValue(text) => text.clone(),
        PropertyValue::IntValue(number) => number.to_string(),
        PropertyValue::FloatValue(number) => number.to_string(),
        PropertyValue::BoolValue(value) => value.to_string(),
        other => format!("{other:?}"),
    };
    TiledReason::PropertyValue {
        name: name.into(),
        found,
        expected,
    }
}
