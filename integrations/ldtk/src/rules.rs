//! What the cells, tiles and entities of a map become.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_maps::MapSetting;

use crate::LdtkCellKind;

/// What the cells, tiles and entities of a map become.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # use bevy_thud_ldtk::{LdtkCellKind, LdtkEntityRule, LdtkRules};
/// let plank = CellShape::rect(0.0..1.0, 0.75..1.0);
/// let rules = LdtkRules::new()
///     // The values of an IntGrid layer, by number or by name.
///     .numbered("Walls", 1, CellShape::FULL)
///     .named("Walls", "plank", LdtkCellKind::from(plank).one_way(Dir2::Y))
///     // The tiles of a layer, by the tags of their tileset or by their number in it.
///     .tagged("Ground", "Slope", CellShape::slope(0.0, 1.0))
///     .tile("Ground", 12, LdtkCellKind::from(CellShape::FULL).sensor())
///     .entity("Crate", LdtkEntityRule::rect().solid())
///     .entity("Start", LdtkEntityRule::point());
/// ```
///
/// Values and tiles without a kind are open. Rules for layers, names of values, tags and entities
/// that the map does not have are errors. Numbers of values and tiles are not checked, so that one
/// set of rules serves layers that have different ones.
#[derive(Clone, Debug)]
pub struct LdtkRules {
    pub(crate) units_per_pixel: f32,
    pub(crate) linear_gap: f32,
    pub(crate) cells: Vec<CellRule>,
    pub(crate) entities: Vec<(Chosen, LdtkEntityRule)>,
    other_entities: LdtkEntityRule,
    pub(crate) masks: HashMap<String, LayerMask>,
}

#[derive(Clone, Debug)]
pub(crate) struct CellRule {
    pub layer: String,
    pub source: Source,
    pub kind: LdtkCellKind,
}

/// The cells that a rule is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    Value(i64),
    Name(String),
    Tag(String),
    Tile(i64),
}

/// The entities that a rule is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Chosen {
    Identifier(String),
    Tag(String),
}

/// What an entity of a map becomes. Fields of the entity that name components have the last word:
/// see [`LdtkEntity`](crate::LdtkEntity).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LdtkEntityRule {
    pub(crate) size: EntitySize,
    pub(crate) inset: f32,
    pub(crate) is_solid: bool,
    pub(crate) one_way: Option<Dir2>,
    pub(crate) is_swept: bool,
    pub(crate) layers: Option<CollisionLayers>,
    pub(crate) is_persistent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum EntitySize {
    NoCollider,
    Instance,
    Definition,
}

impl Default for LdtkRules {
    fn default() -> Self {
        Self::new()
    }
}

impl LdtkRules {
    /// All cells are open, and all entities are [`LdtkEntityRule::rect`]. A pixel is a world unit.
    pub fn new() -> Self {
        Self {
            units_per_pixel: 1.0,
            linear_gap: 0.0,
            cells: Vec::new(),
            entities: Vec::new(),
            other_entities: LdtkEntityRule::rect(),
            masks: HashMap::new(),
        }
    }

    /// What a value of an IntGrid layer is, by its number, which may be greater than 255. Of two
    /// rules for a value, by number or by name, the latter holds.
    #[must_use]
    pub fn numbered(self, layer: &str, value: i64, kind: impl Into<LdtkCellKind>) -> Self {
        self.with(layer, Source::Value(value), kind.into())
    }

    /// What a value of an IntGrid layer is, by its identifier.
    #[must_use]
    pub fn named(self, layer: &str, value: &str, kind: impl Into<LdtkCellKind>) -> Self {
        self.with(layer, Source::Name(value.into()), kind.into())
    }

    /// What the tiles with a tag of their tileset are, in a tile layer, an auto-layer, or an
    /// IntGrid layer with such tiles. A tile with several tags is all of what they are.
    ///
    /// The flips of a tile mirror its shape, and the direction of a one-way tile. Of two rules for
    /// a tag the latter holds.
    #[must_use]
    pub fn tagged(self, layer: &str, tag: &str, kind: impl Into<LdtkCellKind>) -> Self {
        self.with(layer, Source::Tag(tag.into()), kind.into())
    }

    /// What the tiles with a number in their tileset are, whatever their tags.
    #[must_use]
    pub fn tile(self, layer: &str, tile: i64, kind: impl Into<LdtkCellKind>) -> Self {
        self.with(layer, Source::Tile(tile), kind.into())
    }

    /// What entities with an identifier become.
    #[must_use]
    pub fn entity(self, identifier: &str, rule: LdtkEntityRule) -> Self {
        self.with_entities(Chosen::Identifier(identifier.into()), rule)
    }

    /// What entities with a tag become. A rule for their identifier precedes.
    #[must_use]
    pub fn entities_tagged(self, tag: &str, rule: LdtkEntityRule) -> Self {
        self.with_entities(Chosen::Tag(tag.into()), rule)
    }

    /// What all other entities become.
    #[must_use]
    pub fn other_entities(mut self, rule: LdtkEntityRule) -> Self {
        self.other_entities = rule;
        self
    }

    /// The layers that a name in the fields `CollisionLayers` and `CollisionFilters` stands for.
    #[must_use]
    pub fn mask(mut self, name: &str, mask: impl Into<LayerMask>) -> Self {
        self.masks.insert(name.into(), mask.into());
        self
    }

    /// The width of a pixel of the editor, in world units. 1 by default; 1.0 / 16.0 makes a tile of
    /// 16 pixels one unit wide.
    #[must_use]
    pub fn units_per_pixel(mut self, units: f32) -> Self {
        self.units_per_pixel = units;
        self
    }

    /// The gap between the levels of a linear layout, in pixels. The editor shows one of 48 pixels,
    /// which its files do not mention. 0 by default, so that one can walk from level to level.
    #[must_use]
    pub fn linear_gap(mut self, pixels: f32) -> Self {
        self.linear_gap = pixels;
        self
    }

    /// Adds a rule, instead of an earlier one for the same cells.
    fn with(mut self, layer: &str, source: Source, kind: LdtkCellKind) -> Self {
        let is_same = |rule: &CellRule| rule.layer == layer && rule.source == source;
        self.cells.retain(|rule| !is_same(rule));
        self.cells.push(CellRule {
            layer: layer.into(),
            source,
            kind,
        });
        self
    }

    /// Adds a rule, instead of an earlier one for the same entities.
    fn with_entities(mut self, chosen: Chosen, rule: LdtkEntityRule) -> Self {
        self.entities.retain(|(known, _)| *known != chosen);
        self.entities.push((chosen, rule));
        self
    }

    pub(crate) fn of_layer(&self, layer: &str) -> impl Iterator<Item = &CellRule> {
        self.cells.iter().filter(move |rule| rule.layer == layer)
    }

    pub(crate) fn of_entity(&self, identifier: &str, tags: &[String]) -> LdtkEntityRule {
        let is_named =
            |chosen: &Chosen| matches!(chosen, Chosen::Identifier(name) if name == identifier);
        let is_tagged = |chosen: &Chosen| matches!(chosen, Chosen::Tag(tag) if tags.contains(tag));
        let mut entities = self.entities.iter().rev();
        let named = entities.clone().find(|(chosen, _)| is_named(chosen));
        let found = named.or_else(|| entities.find(|(chosen, _)| is_tagged(chosen)));
        found.map_or(self.other_entities, |(_, rule)| *rule)
    }
}

impl LdtkEntityRule {
    /// A [`RectCollider`] as large as the instance, which is what the author of the map sees. It
    /// reports, and blocks nothing.
    pub const fn rect() -> Self {
        Self {
            size: EntitySize::Instance,
            inset: 0.0,
            is_solid: false,
            one_way: None,
            is_swept: false,
            layers: None,
            is_persistent: false,
        }
    }

    /// No collider.
    pub const fn point() -> Self {
        Self {
            size: EntitySize::NoCollider,
            ..Self::rect()
        }
    }

    /// As large as its definition, at the same pivot, whatever the size of the instance.
    #[must_use]
    pub const fn with_definition_size(mut self) -> Self {
        self.size = EntitySize::Definition;
        self
    }

    /// Narrower and lower by the skins on both sides of a mover with this
    /// [`Mover::skin_width`], in world units, so that it fits into a shaft as wide as its
    /// rectangle: a mover keeps its skin to both walls.
    #[must_use]
    pub const fn less_skins(self, skin_width: f32) -> Self {
        self.less(2.0 * skin_width)
    }

    /// Narrower and lower by this much, in world units. If nothing remains it gets no collider, and
    /// that is an error.
    #[must_use]
    pub const fn less(mut self, units: f32) -> Self {
        self.inset = units;
        self
    }

    /// [`Solid`].
    #[must_use]
    pub const fn solid(mut self) -> Self {
        self.is_solid = true;
        self
    }

    /// [`Solid`] and [`OneWay`].
    #[must_use]
    pub const fn one_way(mut self, direction: Dir2) -> Self {
        self.is_solid = true;
        self.one_way = Some(direction);
        self
    }

    /// [`Swept`].
    #[must_use]
    pub const fn swept(mut self) -> Self {
        self.is_swept = true;
        self
    }

    /// With these [`CollisionLayers`].
    #[must_use]
    pub const fn with_layers(mut self, layers: CollisionLayers) -> Self {
        self.layers = Some(layers);
        self
    }

    /// [`MapPersistent`](crate::MapPersistent): stays when its level is unloaded or replaced. It
    /// has no effect on entities that `bevy_ecs_ldtk` spawns.
    #[must_use]
    pub const fn persistent(mut self) -> Self {
        self.is_persistent = true;
        self
    }

    /// With what the fields of an entity set.
    pub(crate) fn overridden_by(mut self, settings: Vec<MapSetting>) -> Self {
        for setting in settings {
            match setting {
                MapSetting::Solid(is_solid) => self.is_solid = is_solid,
                MapSetting::OneWay(direction) => {
                    self.one_way = direction;
                    self.is_solid |= direction.is_some();
                }
                MapSetting::Sensor(is_sensor) => self.is_solid &= !is_sensor,
                MapSetting::Collider(false) => self.size = EntitySize::NoCollider,
                MapSetting::Collider(true) if self.size != EntitySize::NoCollider => {}
                MapSetting::Collider(true) => self.size = EntitySize::Instance,
                MapSetting::Swept(is_swept) => self.is_swept = is_swept,
                MapSetting::Memberships(mask) => {
                    self.layers.get_or_insert_default().memberships = mask;
                }
                MapSetting::Filters(mask) => self.layers.get_or_insert_default().filters = mask,
            }
        }
        self
    }
}
