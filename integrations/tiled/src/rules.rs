//! The rules of a game for its maps.

use std::collections::HashMap;

use crate::{
    error::TiledProblem,
    file::{Map, Properties},
    role::TiledRole,
};
use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_maps::settings;

/// What classes, layers, tiles and objects of a map are, where and how large the map is.
///
/// The same rules may be for all maps of a game: layers and classes that a map lacks are not
/// reported.
///
/// By default, the collision shapes of tiles are walls, objects are sensors, and the top left
/// corner of the map, where Tiled counts from, is at the origin. A unit is a pixel. The classes
/// `Solid`, `OneWay`, `Sensor` and `NoCollider` are known.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
/// use bevy_thud_tiled::{TiledOrigin, TiledRole, TiledRules};
///
/// let rules = TiledRules::new()
///     .class("Pit", TiledRole::sensor())
///     .class("Plank", TiledRole::one_way(Dir2::Y))
///     // Tiles of this layer without a collision shape block as well.
///     .layer("Walls", TiledRole::solid())
///     // A name for the properties `CollisionLayers` and `CollisionFilters`.
///     .mask("monsters", LayerMask::layer(2))
///     .origin(TiledOrigin::Center)
///     .transform(Transform::from_scale(Vec3::splat(1.0 / 16.0)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TiledRules {
    /// Where the map is, its rotation and its scale.
    pub transform: Transform,
    /// The point of the map that is at `transform`.
    pub origin: TiledOrigin,
    /// The role of tiles without one by layer, class or properties.
    pub tiles: TiledRole,
    /// The same for objects. Those whose tile has a collision shape are as tiles.
    pub objects: TiledRole,
    /// By classes of maps, layers, tiles and objects.
    pub classes: HashMap<String, TiledRole>,
    /// By names of layers.
    pub layers: HashMap<String, TiledRole>,
    /// By the names that the properties `CollisionLayers` and `CollisionFilters` use.
    pub masks: HashMap<String, LayerMask>,
    /// The thickness of polylines on each of their sides, in pixels.
    pub line_radius: f32,
    /// How much farther in front each layer is than the one before: what is drawn in layers is
    /// drawn in the order of Tiled.
    pub z_step: f32,
}

/// Which point of a map is at its entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TiledOrigin {
    /// The top left corner, where Tiled counts from. Infinite maps, which have no size, always use
    /// this.
    #[default]
    TopLeft,
    /// The bottom left corner.
    BottomLeft,
    /// The center.
    Center,
}

impl Default for TiledRules {
    fn default() -> Self {
        let classes = [
            ("Solid", TiledRole::solid()),
            ("OneWay", TiledRole::one_way(Dir2::Y)),
            ("Sensor", TiledRole::sensor()),
            ("NoCollider", TiledRole::no_collider()),
        ];
        Self {
            transform: Transform::IDENTITY,
            origin: TiledOrigin::default(),
            tiles: TiledRole::solid(),
            objects: TiledRole::sensor(),
            classes: classes.map(|(name, role)| (name.into(), role)).into(),
            layers: HashMap::new(),
            masks: HashMap::new(),
            line_radius: 0.5,
            z_step: 1.0,
        }
    }
}

impl TiledRules {
    /// The rules by default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the role of maps, layers, tiles and objects of a class.
    #[must_use]
    pub fn class(mut self, name: impl Into<String>, role: TiledRole) -> Self {
        self.classes.insert(name.into(), role);
        self
    }

    /// Sets the role of all in the layers with a name.
    #[must_use]
    pub fn layer(mut self, name: impl Into<String>, role: TiledRole) -> Self {
        self.layers.insert(name.into(), role);
        self
    }

    /// Names collision layers, for the properties `CollisionLayers` and `CollisionFilters`.
    #[must_use]
    pub fn mask(mut self, name: impl Into<String>, mask: impl Into<LayerMask>) -> Self {
        self.masks.insert(name.into(), mask.into());
        self
    }

    /// Sets the default role of tiles with a collision shape.
    #[must_use]
    pub fn tiles(self, tiles: TiledRole) -> Self {
        Self { tiles, ..self }
    }

    /// Sets the default role of objects.
    #[must_use]
    pub fn objects(self, objects: TiledRole) -> Self {
        Self { objects, ..self }
    }

    /// Sets the position, rotation and scale of the map.
    #[must_use]
    pub fn transform(self, transform: Transform) -> Self {
        Self { transform, ..self }
    }

    /// Sets the point of the map that is at `transform`.
    #[must_use]
    pub fn origin(self, origin: TiledOrigin) -> Self {
        Self { origin, ..self }
    }

    /// Sets the thickness of polylines on each of their sides, in pixels.
    #[must_use]
    pub fn line_radius(self, line_radius: f32) -> Self {
        Self {
            line_radius,
            ..self
        }
    }

    /// Sets how much farther in front each layer is than the one before.
    #[must_use]
    pub fn z_step(self, z_step: f32) -> Self {
        Self { z_step, ..self }
    }

    /// The role by a class and properties. Properties come before the class.
    pub(crate) fn role_of(
        &self,
        class: &str,
        properties: &Properties,
        report: &mut dyn FnMut(TiledProblem),
    ) -> TiledRole {
        let by_class = self.classes.get(class).copied().unwrap_or_default();
        let (settings, misfits) = settings(properties, &self.masks);
        misfits.into_iter().for_each(|misfit| report(misfit.into()));
        let settings = settings.into_iter();
        settings.fold(by_class, |role, setting| TiledRole::of(setting).or(role))
    }

    /// From Tiled's origin to the entity of the map, with y up.
    pub(crate) fn shift(&self, map: &Map) -> Vec2 {
        let size = map.size.as_vec2() * map.tile_size.as_vec2();
        match self.origin {
            _ if map.is_infinite => Vec2::ZERO,
            TiledOrigin::TopLeft => Vec2::ZERO,
            TiledOrigin::BottomLeft => Vec2::new(0.0, size.y),
            TiledOrigin::Center => Vec2::new(-size.x / 2.0, size.y / 2.0),
        }
    }
}
