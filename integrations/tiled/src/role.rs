//! What colliders of a map do, from classes and properties.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{Properties, PropertyValue};

use crate::error::TiledProblem;

/// What a layer, a tile or an object does, as far as it is set. What is not set comes from the
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
    /// Whether it has a collider.
    pub has_collider: Option<bool>,
    /// Whether it is [`Solid`]. Otherwise it reports collisions, and blocks nothing.
    pub is_solid: Option<bool>,
    /// Whether it is [`OneWay`] if it is solid, and the direction in which movers pass.
    pub one_way: Option<TiledOneWay>,
    /// The layers it is in.
    pub memberships: Option<LayerMask>,
    /// The layers with which it collides.
    pub filters: Option<LayerMask>,
    /// Whether it is [`Swept`].
    pub is_swept: Option<bool>,
}

/// Whether something is [`OneWay`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TiledOneWay {
    /// It blocks from all sides.
    Off,
    /// Movers pass in this direction.
    Direction(Dir2),
}

/// Whether something collides, and whether it blocks: see [`TiledRole::blocking`].
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
    /// Sets nothing.
    pub const INHERITED: Self = Self {
        has_collider: None,
        is_solid: None,
        one_way: None,
        memberships: None,
        filters: None,
        is_swept: None,
    };

    /// A wall, which blocks from all sides.
    pub const fn solid() -> Self {
        Self {
            has_collider: Some(true),
            is_solid: Some(true),
            one_way: Some(TiledOneWay::Off),
            ..Self::INHERITED
        }
    }

    /// A wall that movers pass in this direction: see [`OneWay`].
    pub const fn one_way(direction: Dir2) -> Self {
        Self {
            one_way: Some(TiledOneWay::Direction(direction)),
            ..Self::solid()
        }
    }

    /// Reports collisions, and blocks nothing.
    pub const fn sensor() -> Self {
        Self {
            has_collider: Some(true),
            is_solid: Some(false),
            ..Self::INHERITED
        }
    }

    /// Has no collider.
    pub const fn no_collider() -> Self {
        Self {
            has_collider: Some(false),
            ..Self::INHERITED
        }
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

    /// This role, and what it does not set from `outer`.
    #[must_use]
    pub const fn or(self, outer: Self) -> Self {
        const fn first<T: Copy>(inner: Option<T>, outer: Option<T>) -> Option<T> {
            match inner {
                Some(_) => inner,
                None => outer,
            }
        }
        Self {
            has_collider: first(self.has_collider, outer.has_collider),
            is_solid: first(self.is_solid, outer.is_solid),
            one_way: first(self.one_way, outer.one_way),
            memberships: first(self.memberships, outer.memberships),
            filters: first(self.filters, outer.filters),
            is_swept: first(self.is_swept, outer.is_swept),
        }
    }

    /// Resolves the role. There is no collider if [`is_solid`](Self::is_solid) and
    /// [`one_way`](Self::one_way) are not set.
    pub const fn blocking(&self) -> TiledBlocking {
        match (self.has_collider, self.is_solid, self.one_way) {
            (Some(false), _, _) => TiledBlocking::NoCollider,
            (_, Some(false), _) => TiledBlocking::Sensor,
            (_, _, Some(TiledOneWay::Direction(direction))) => TiledBlocking::OneWay(direction),
            (_, Some(true), _) => TiledBlocking::Solid,
            (_, None, _) => TiledBlocking::NoCollider,
        }
    }

    /// Whether there is a collider.
    pub(crate) fn collides(&self) -> bool {
        self.blocking() != TiledBlocking::NoCollider
    }

    /// Whether it is [`Solid`].
    pub(crate) fn is_blocking(&self) -> bool {
        matches!(
            self.blocking(),
            TiledBlocking::Solid | TiledBlocking::OneWay(_)
        )
    }

    /// Whether both make colliders with the same components. Roles that differ only in what they
    /// leave unsaid do.
    pub(crate) fn acts_like(&self, other: &Self) -> bool {
        self.blocking() == other.blocking()
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
        let (is_solid, one_way) = match self.blocking() {
            TiledBlocking::Solid => (true, None),
            TiledBlocking::OneWay(direction) => (true, Some(direction)),
            TiledBlocking::Sensor | TiledBlocking::NoCollider => (false, None),
        };
        let role = CellRole {
            is_solid,
            one_way,
            layers: self.layers(),
        };
        role.insert(entity);
        if self.is_swept == Some(true) {
            entity.insert(Swept);
        }
    }
}

/// The role by the properties. Reports those that cannot be understood. `named` finds a layer's
/// mask.
pub(crate) fn read(
    properties: &Properties,
    named: impl Fn(&str) -> Option<LayerMask>,
    report: &mut dyn FnMut(TiledProblem),
) -> TiledRole {
    let mut role = TiledRole::INHERITED;
    let mut known: Vec<(String, &String, &PropertyValue)> = (properties.iter())
        .map(|(name, value)| (plain(name), name, value))
        .collect();
    // Of two that contradict each other, the last one holds.
    let order = |name: &str| KNOWN.iter().position(|it| *it == name);
    known.retain(|(plain, _, value)| order(plain).is_some() && !is_unset(value));
    known.sort_by_key(|(plain, name, _)| (order(plain), (*name).clone()));
    for (plain, name, value) in known {
        let parsed = match plain.as_str() {
            "solid" => flag(value).map(|is_solid| {
                role = if is_solid {
                    TiledRole::solid().or(role)
                } else {
                    TiledRole::sensor().or(role)
                };
            }),
            "oneway" => one_way(value).map(|one_way| {
                role = match one_way {
                    TiledOneWay::Direction(direction) => TiledRole::one_way(direction).or(role),
                    TiledOneWay::Off => TiledRole {
                        one_way: Some(TiledOneWay::Off),
                        ..role
                    },
                };
            }),
            "sensor" => flag(value).map(|is_sensor| {
                if is_sensor {
                    role = TiledRole::sensor().or(role);
                } else {
                    role.is_solid = Some(true);
                }
            }),
            "collider" => flag(value).map(|is_collider| role.has_collider = Some(is_collider)),
            "swept" => flag(value).map(|is_swept| role.is_swept = Some(is_swept)),
            "collisionlayers" => mask(value, &named).map(|it| role.memberships = Some(it)),
            "collisionfilters" => mask(value, &named).map(|it| role.filters = Some(it)),
            _ => Ok(()),
        };
        if let Err(expected) = parsed {
            report(TiledProblem::PropertyValue {
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
