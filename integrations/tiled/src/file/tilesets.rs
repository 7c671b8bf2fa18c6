//! Reads tilesets.

use std::path::PathBuf;

use bevy::math::{IVec2, UVec2, Vec2};

use super::{Ids, Tile, Tileset, objects, properties, xml::Element};
use crate::error::TiledProblem;

/// A tileset of a file of its own, or within a map.
pub(crate) fn read(element: Element) -> Tileset {
    let number = |name| element.int(name).unwrap_or(0);
    let offset = element.child("tileoffset");
    let offset = offset.map(|it| IVec2::new(it.int("x").unwrap_or(0), it.int("y").unwrap_or(0)));
    let image = element.child("image");
    let mut tileset = Tileset {
        source: element.file.path.into(),
        line: element.line(),
        name: element.string("name"),
        class: element.get("class").unwrap_or_default().into(),
        properties: properties::read(element),
        tile_size: UVec2::new(number("tilewidth"), number("tileheight")),
        columns: element.int("columns"),
        margin: number("margin"),
        spacing: number("spacing"),
        image: image.and_then(source),
        offset: offset.unwrap_or_default(),
        fills_cells: element.get("tilerendersize") == Some("grid"),
        keeps_aspect: element.get("fillmode") == Some("preserve-aspect-fit"),
        alignment: alignment(element.get("objectalignment").unwrap_or_default()),
        ..Tileset::default()
    };
    if tileset.tile_size.min_element() == 0 {
        element.report(TiledProblem::NoTileSize);
        return tileset;
    }
    tileset.ids = match image {
        None => Ids::Listed,
        Some(_) => element.int("tilecount").map_or(Ids::Any, Ids::Below),
    };
    for tile in element.children_of("tile") {
        match tile.int("id") {
            Some(id) => {
                tileset.tiles.insert(id, read_tile(tile));
            }
            None => tile.report_attribute("id", tile.get("id").unwrap_or_default()),
        }
    }
    tileset
}

fn read_tile(element: Element) -> Tile {
    let image = element.child("image");
    // A tile may be a part of its image.
    let size = [Some(element), image].map(|it| it.and_then(size));
    let shapes = element.children_of("objectgroup");
    let shapes = shapes.flat_map(|it| it.children_of("object"));
    Tile {
        line: element.line(),
        class: element.class().unwrap_or_default().into(),
        properties: properties::read(element),
        size: size[0].or(size[1]),
        image: image.and_then(source),
        shapes: shapes.map(|it| objects::read(it, None)).collect(),
    }
}

fn source(image: Element) -> Option<PathBuf> {
    Some(image.file.relative(image.get("source")?))
}

/// The width and height of an image, if they are there.
fn size(element: Element) -> Option<UVec2> {
    let size = UVec2::new(element.int("width")?, element.int("height")?);
    Some(size).filter(|size| size.min_element() > 0)
}

/// The top left of an object's tile from its position, in sizes of the tile.
fn alignment(name: &str) -> Vec2 {
    let x = match name {
        "top" | "center" | "bottom" => -0.5,
        "topright" | "right" | "bottomright" => -1.0,
        _ => 0.0,
    };
    let y = match name {
        "topleft" | "top" | "topright" => 0.0,
        "left" | "center" | "right" => -0.5,
        _ => -1.0,
    };
    Vec2::new(x, y)
}
