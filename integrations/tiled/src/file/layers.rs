//! Reads maps and their layers.

use bevy::math::{UVec2, Vec2};

use super::{
    Content, Layer, Map,
    cells::{self, Tilesets},
    objects, properties,
    xml::Element,
};

/// A map.
pub(crate) fn read(element: Element) -> Map {
    let number = |name| element.int(name).unwrap_or(0);
    let mut map = Map {
        source: element.file.path.into(),
        line: element.line(),
        orientation: element.get("orientation").unwrap_or("orthogonal").into(),
        size: UVec2::new(number("width"), number("height")),
        tile_size: UVec2::new(number("tilewidth"), number("tileheight")),
        is_infinite: element.get("infinite") == Some("1"),
        class: element.string("class"),
        properties: properties::read(element),
        layers: Vec::new(),
    };
    let tilesets = Tilesets::read(element);
    map.layers = read_layers(element, &map, &tilesets);
    map
}

fn read_layers(element: Element, map: &Map, tilesets: &Tilesets) -> Vec<Layer> {
    let layer = |layer| read_layer(layer, map, tilesets);
    element.children().filter_map(layer).collect()
}

fn read_layer(element: Element, map: &Map, tilesets: &Tilesets) -> Option<Layer> {
    let content = match element.tag() {
        "layer" => Content::Tiles(cells::read(element, map, tilesets)),
        "objectgroup" => {
            let objects = element.children_of("object");
            let objects = objects.map(|object| objects::read_of_layer(object, tilesets));
            Content::Objects(objects.collect())
        }
        "group" if element.is_too_deep() => return None,
        "group" => Content::Group(read_layers(element, map, tilesets)),
        "imagelayer" => Content::Image,
        _ => return None,
    };
    let offset = |name| element.float(name).unwrap_or(0.0);
    Some(Layer {
        line: element.line(),
        id: element.int("id").unwrap_or(0),
        name: element.string("name"),
        class: element.string("class"),
        offset: Vec2::new(offset("offsetx"), offset("offsety")),
        properties: properties::read(element),
        content,
    })
}
