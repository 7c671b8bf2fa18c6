//! Reads objects and their templates.

use bevy::math::Vec2;

use super::{Object, Shape, cells::Tilesets, properties, xml::Element};
use crate::error::TiledProblem;

/// An object whose global numbers are of `tilesets`. Without them it has no tile of its own.
pub(crate) fn read(element: Element, tilesets: Option<&Tilesets>) -> Object {
    let template = element.get("template");
    let template = template.map(|path| element.file.relative(path));
    let template = template.map(|path| element.file.files.template(&path));
    let base = template.as_deref().cloned().unwrap_or_default();
    let number = |name| element.float(name);
    let mut properties = base.properties;
    properties.extend(properties::read(element).0);
    let tile = match tilesets.and_then(|it| Some((it, element.int("gid")?))) {
        Some((tilesets, gid)) => tilesets.tile(gid).unwrap_or_else(|gid| {
            element.report(TiledProblem::UnknownGid { gid });
            None
        }),
        None => base.tile,
    };
    let own = |name: &str, base| element.get(name).map_or(base, String::from);
    Object {
        line: element.line(),
        id: element.int("id").unwrap_or(0),
        has_unique_id: false,
        name: own("name", base.name),
        class: element.class().map_or(base.class, String::from),
        position: Vec2::new(number("x").unwrap_or(0.0), number("y").unwrap_or(0.0)),
        size: Vec2::new(
            number("width").unwrap_or(base.size.x),
            number("height").unwrap_or(base.size.y),
        ),
        rotation: number("rotation").unwrap_or(base.rotation),
        is_hidden: element
            .get("visible")
            .map_or(base.is_hidden, |it| it == "0"),
        shape: element.children().find_map(shape).unwrap_or(base.shape),
        tile,
        properties,
    }
}

/// An object of a layer. Its id is reported if it is not its own.
pub(crate) fn read_of_layer(element: Element, tilesets: &Tilesets) -> Object {
    let mut object = read(element, Some(tilesets));
    let is_shared = element.file.shared_ids.contains(&object.id);
    object.has_unique_id = object.id != 0 && !is_shared;
    if object.id == 0 {
        element.report(TiledProblem::NoId);
    } else if is_shared {
        element.report(TiledProblem::SharedId);
    }
    object
}

/// The object of a template.
pub(crate) fn read_template(element: Element) -> Option<Object> {
    let tilesets = Tilesets::read(element);
    Some(read(element.child("object")?, Some(&tilesets)))
}

fn shape(element: Element) -> Option<Shape> {
    match element.tag() {
        "ellipse" => Some(Shape::Ellipse),
        "capsule" => Some(Shape::Capsule),
        "point" => Some(Shape::Point),
        "polygon" => Some(Shape::Polygon(element.points())),
        "polyline" => Some(Shape::Polyline(element.points())),
        "text" => Some(Shape::Text(element.text())),
        _ => None,
    }
}
