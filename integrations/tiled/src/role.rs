//! What colliders of a map do, from classes and properties.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{Properties, PropertyValue};

use crate::error::TiledProblem;

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

    /// Whether it is [`Solid`].
    pub(crate) fn is_blocking(&self) -> bool {
        matches!(
            self.blocking,
            Some(TiledBlocking::Solid | TiledBlocking::OneWay(_))
        )
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
    complain: &mut dyn FnMut(TiledProblem),
) -> TiledRole {
    let mut role = TiledRole::INHERITED;
    let mut said: Vec<(String, &String, &PropertyValue)> = (properties.iter())
        .map(|(name, value)| (plain(name), name, value))
        .collect();
    // Of two that contradict each other, the last one holds.
    let order = |name: &str| KNOWN.iter().position(|known| *known == name);
    said.retain(|(plain, _, _)| order(plain).is_some());
    said.sort_by_key(|(plain, name, _)| (order(plain), (*name).clone()));
    for (plain, name, value) in said {
        let said = match plain.as_str() {
            "collider" => flag(value).map(|is_collider| {
                if !is_collider {
                    role.blocking = Some(TiledBlocking::NoCollider);
                }
            }),
            "solid" => flag(value).map(|is_solid| {
                let [yes, no] = [TiledBlocking::Solid, TiledBlocking::Sensor];
                role.blocking = Some(if is_solid { yes } else { no });
            }),
            "oneway" => one_way(value).map(|direction| {
                if let Some(direction) = direction {
                    role.blocking = Some(TiledBlocking::OneWay(direction));
                }
            }),
            "sensor" => flag(value).map(|is_sensor| {
                if is_sensor {
                    role.blocking = Some(TiledBlocking::Sensor);
                }
            }),
            "swept" => flag(value).map(|is_swept| role.is_swept = Some(is_swept)),
            "collisionlayers" => mask(value, &named).map(|it| role.memberships = Some(it)),
            "collisionfilters" => mask(value, &named).map(|it| role.filters = Some(it)),
            _ => Ok(()),
        };
        if let Err(expected) = said {
            complain(TiledProblem::PropertyValue {
                name: name.clone(),
                found: shown(value),
                expected,
            });
        }
    }
    role
}

/// The properties that this crate knows, without upper case and underscores.
const KNOWN: [&str; 7] = [
    "collider",
    "solid",
    "oneway",
    "sensor",
    "swept",
    "collisionlayers",
    "collisionfilters",
];

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// What was expected, if it is something else.
type Said<T> = Result<T, &'static str>;

fn flag(value: &PropertyValue) -> Said<bool> {
    match value {
        PropertyValue::BoolValue(value) => Ok(*value),
        _ => Err("true or false"),
    }
}

fn one_way(value: &PropertyValue) -> Said<Option<Dir2>> {
    let direction = match value {
        PropertyValue::BoolValue(is_one_way) => return Ok(is_one_way.then_some(Dir2::Y)),
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
    Ok(Some(direction))
}

/// The number of a layer, or numbers and names with commas between them, or a list of these.
fn mask(value: &PropertyValue, named: &impl Fn(&str) -> Option<LayerMask>) -> Said<LayerMask> {
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
