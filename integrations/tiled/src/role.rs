//! What colliders of a map do.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_maps::MapSetting;

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

    /// What a property sets.
    pub(crate) fn of(setting: MapSetting) -> Self {
        let mut role = Self::INHERITED;
        match setting {
            MapSetting::Solid(true) => role = Self::solid(),
            MapSetting::Solid(false) | MapSetting::Sensor(true) => role = Self::sensor(),
            MapSetting::Sensor(false) => role.is_solid = Some(true),
            MapSetting::OneWay(Some(direction)) => role = Self::one_way(direction),
            MapSetting::OneWay(None) => role.one_way = Some(TiledOneWay::Off),
            MapSetting::Collider(has_collider) => role.has_collider = Some(has_collider),
            MapSetting::Swept(is_swept) => role.is_swept = Some(is_swept),
            MapSetting::Memberships(mask) => role.memberships = Some(mask),
            MapSetting::Filters(mask) => role.filters = Some(mask),
        }
        role
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
    /// do not set do.
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
        entity.try_insert(self.layers());
        match self.blocking() {
            TiledBlocking::Solid => {
                entity.try_insert(Solid);
            }
            TiledBlocking::OneWay(direction) => {
                entity.try_insert((Solid, OneWay(direction)));
            }
            TiledBlocking::Sensor | TiledBlocking::NoCollider => {}
        }
        if self.is_swept == Some(true) {
            entity.try_insert(Swept);
        }
    }
}
