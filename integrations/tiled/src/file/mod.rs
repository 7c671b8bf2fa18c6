//! The content of Tiled's files, as far as colliders or whoever draws a map need it. What a file
//! lacks has Tiled's default.

mod cells;
mod data;
mod files;
mod layers;
mod objects;
mod properties;
mod tilesets;
mod xml;

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use bevy::math::{IVec2, UVec2, Vec2};

pub(crate) use files::Files;
#[cfg(feature = "bevy_ecs_tiled")]
pub(crate) use files::plain;
pub(crate) use layers::read as read_map;

use crate::{
    error::{TiledError, TiledProblem},
    flips::TiledFlips,
};
use bevy_thud_maps::{MapLocation, MapProperties};

/// A map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Its file.
    pub source: PathBuf,
    pub(crate) line: u32,
    /// `orthogonal`, or another one that has no colliders.
    pub orientation: String,
    /// Its columns and rows.
    pub size: UVec2,
    /// The size of a cell, in pixels.
    pub tile_size: UVec2,
    /// Whether it has no size.
    pub is_infinite: bool,
    /// Its class.
    pub class: String,
    /// Its properties.
    pub properties: Properties,
    /// Its layers, from back to front.
    pub layers: Vec<Layer>,
}

/// A layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub(crate) line: u32,
    /// Its id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: String,
    /// From the map or the group that it is in, in pixels, y down.
    pub offset: Vec2,
    /// Its properties.
    pub properties: Properties,
    /// What is in it.
    pub content: Content,
}

/// What is in a layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The cells that are not empty, row by row, by column and row: negative ones are in infinite
    /// maps.
    Tiles(Vec<(IVec2, TileRef)>),
    /// Objects.
    Objects(Vec<Object>),
    /// Other layers.
    Group(Vec<Layer>),
    /// An image, which is not read.
    Image,
}

/// A tile that is used by a cell or an object.
#[derive(Clone, Debug, PartialEq)]
pub struct TileRef {
    /// Its tileset.
    pub tileset: Arc<Tileset>,
    /// Its id in the tileset.
    pub id: u32,
    /// How it is flipped.
    pub flips: TiledFlips,
}

/// A tileset: tiles of one image, or a collection of tiles with an image each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tileset {
    /// The file that it is in.
    pub source: PathBuf,
    pub(crate) line: u32,
    /// Its name.
    pub name: String,
    /// The class of tiles that have none.
    pub class: String,
    /// Defaults of its tiles' properties.
    pub properties: Properties,
    /// The size of its tiles, in pixels.
    pub tile_size: UVec2,
    /// The columns of its image, if the file has them.
    pub columns: Option<u32>,
    /// Pixels around the tiles of its image.
    pub margin: u32,
    /// Pixels between the tiles of its image.
    pub spacing: u32,
    /// Its image, by the file's path. `None` for a collection, and if it is part of the file.
    pub image: Option<PathBuf>,
    /// How far its tiles are moved, in pixels, y down.
    pub offset: IVec2,
    /// Whether its tiles are as large as a cell of the map, and not as their image.
    pub fills_cells: bool,
    /// Whether its tiles keep their proportions when they are stretched.
    pub keeps_aspect: bool,
    /// The top left of an object's tile from the object's position, in sizes of the tile, y down.
    pub alignment: Vec2,
    /// The tiles that are not like all others.
    pub tiles: BTreeMap<u32, Tile>,
    /// The tiles that there are.
    pub(crate) ids: Ids,
}

/// Which tiles a tileset has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Ids {
    /// None, since it could not be read: what uses them needs no report of its own.
    #[default]
    Unreadable,
    /// Those of the file.
    Listed,
    /// All below this one.
    Below(u32),
    /// All, since the file does not say how many, as before Tiled 0.13.
    Any,
}

/// What a tileset says of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tile {
    pub(crate) line: u32,
    /// Its class.
    pub class: String,
    /// Its properties.
    pub properties: Properties,
    /// The size of its image, if it has one of its own.
    pub size: Option<UVec2>,
    /// Its image in a collection.
    pub image: Option<PathBuf>,
    /// Its collision shapes, from the top left of its image.
    pub shapes: Vec<Object>,
}

/// An object of a layer, or a collision shape of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    pub(crate) line: u32,
    /// Its id, or 0 if the file has none.
    pub id: u32,
    /// Whether it has an id that no other object of the map has.
    pub has_unique_id: bool,
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: String,
    /// Its position in pixels, y down.
    pub position: Vec2,
    /// Its width and height.
    pub size: Vec2,
    /// Degrees clockwise about its position.
    pub rotation: f32,
    /// Whether Tiled hides it.
    pub is_hidden: bool,
    /// What it is.
    pub shape: Shape,
    /// Its tile.
    pub tile: Option<TileRef>,
    /// Its properties.
    pub properties: Properties,
}

/// What an object is. Points count from its position, y down.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Shape {
    /// A rectangle, or a tile.
    #[default]
    Rect,
    /// An ellipse as wide and high as the object.
    Ellipse,
    /// A capsule as wide and high as the object.
    Capsule,
    /// A point.
    Point,
    /// A polygon.
    Polygon(Vec<Vec2>),
    /// A line of points.
    Polyline(Vec<Vec2>),
    /// A text.
    Text(String),
}

/// Properties by their names.
pub type Properties = MapProperties<TiledValue>;

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum TiledValue {
    /// A string, or a color that is not set.
    String(String),
    /// A whole number.
    Int(i32),
    /// A number.
    Float(f32),
    /// True or false.
    Bool(bool),
    /// Red, green, blue and alpha.
    Color([u8; 4]),
    /// The path of a file.
    File(String),
    /// The id of an object, or 0.
    Object(u32),
    /// A class, and its members that are set.
    Class(String, Properties),
    /// A list.
    List(Vec<Self>),
}

/// A tile of which the file says nothing.
static PLAIN: Tile = Tile {
    line: 0,
    class: String::new(),
    properties: MapProperties(BTreeMap::new()),
    size: None,
    image: None,
    shapes: Vec::new(),
};

impl Tileset {
    /// One of its tiles. `None` if it does not have it.
    pub fn tile(&self, id: u32) -> Option<&Tile> {
        let is_there = match self.ids {
            Ids::Unreadable | Ids::Listed => false,
            Ids::Below(count) => id < count,
            Ids::Any => true,
        };
        self.tiles.get(&id).or(is_there.then_some(&PLAIN))
    }
}

impl TileRef {
    /// The class of the tile, or else of its tileset.
    pub fn class(&self) -> &str {
        let tile = self.tileset.tile(self.id).filter(|it| !it.class.is_empty());
        tile.map_or(&self.tileset.class, |tile| &tile.class)
    }

    /// The properties of the tile, and those of its tileset that it does not have.
    pub fn properties(&self) -> Properties {
        let mut properties = self.tileset.properties.clone();
        if let Some(tile) = self.tileset.tile(self.id) {
            properties.extend(tile.properties.clone().0);
        }
        properties
    }

    /// The size of the tile's image, in pixels.
    pub fn image_size(&self) -> Vec2 {
        let own = self.tileset.tile(self.id).and_then(|tile| tile.size);
        own.unwrap_or(self.tileset.tile_size).as_vec2()
    }

    /// What is wrong if the tileset does not have the tile.
    pub(crate) fn missing(&self, layer: &str, location: MapLocation) -> Option<TiledError> {
        let is_missing = self.tileset.ids != Ids::Unreadable;
        is_missing.then(|| {
            let problem = TiledProblem::UnknownTile { id: self.id };
            let error = TiledError::new(&self.tileset.source, problem);
            error
                .at_line(self.tileset.line)
                .in_layer(layer)
                .at(location)
        })
    }
}

impl Object {
    pub(crate) fn location(&self) -> MapLocation {
        MapLocation::Object {
            id: self.id,
            name: self.name.clone(),
        }
    }
}
