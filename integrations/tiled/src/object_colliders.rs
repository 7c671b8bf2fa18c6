//! What objects are made of: center, size, colliders.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{Object, ObjectAlignment, ObjectShape, ObjectTile};

use crate::{
    components::{TiledFlips, flip},
    error::{TiledError, TiledLocation, TiledProblem},
    outline::{self, Layout, Outline, checked_size},
    role::TiledRole,
    shapes::{self, ColliderShape},
    spawn::Spawner,
    tile_shapes::{TileInstance, TileShapes, fitted, image_size},
};

/// An object of a layer.
pub(crate) struct Source<'a, 'map> {
    pub object: &'a Object<'map>,
    /// The name of the layer.
    pub layer: &'a str,
    /// The role by the object itself.
    pub role: TiledRole,
    pub layer_role: TiledRole,
}

impl Source<'_, '_> {
    pub fn location(&self) -> TiledLocation {
        TiledLocation::Object {
            id: self.object.id(),
            name: self.object.name.clone(),
        }
    }
}

/// What an object is made of.
#[derive(Default)]
pub(crate) struct Made {
    /// The center of the object from its position in Tiled, not rotated, y down.
    pub center: Vec2,
    pub size: Vec2,
    pub colliders: Vec<(ColliderShape, TiledRole)>,
    pub problems: Vec<TiledProblem>,
}

impl Made {
    pub fn new(spawner: &mut Spawner, source: &Source, tile: Option<&ObjectTile>) -> Self {
        match tile {
            Some(tile) => of_tile(spawner, source, tile),
            None => of_shape(spawner, source),
        }
    }
}

pub(crate) fn flips(tile: &ObjectTile) -> TiledFlips {
    TiledFlips::new([tile.flip_h, tile.flip_v, tile.flip_d])
}

fn of_shape(spawner: &Spawner, source: &Source) -> Made {
    let shape = &source.object.shape;
    let role = source.role.or(source.layer_role).or(spawner.rules.objects);
    let mut made = Made::default();
    if let ObjectShape::Rect { width, height }
    | ObjectShape::Ellipse { width, height }
    | ObjectShape::Capsule { width, height }
    | ObjectShape::Text { width, height, .. } = *shape
    {
        made.size = Vec2::new(width, height);
        made.center = made.size / 2.0;
    }
    if !role.collides() {
        return made;
    }
    match collider(shape, spawner.rules.line_radius) {
        Ok((shape, problems)) => {
            made.colliders = shape.map(|shape| (shape, role)).into_iter().collect();
            made.problems = problems;
        }
        Err(problem) => made.problems.push(problem),
    }
    made
}

/// The collider of a shape around its center, and why it has none.
fn collider(
    shape: &ObjectShape,
    line_radius: f32,
) -> Result<(Option<ColliderShape>, Vec<TiledProblem>), TiledProblem> {
    let one = match shape {
        ObjectShape::Rect { width, height } => {
            let size = checked_size(*width, *height)?;
            ColliderShape::Rect(RectCollider::new(size.x, size.y))
        }
        ObjectShape::Ellipse { width, height } => {
            let size = checked_size(*width, *height)?;
            if (size.x - size.y).abs() <= 1e-3 * size.max_element() {
                ColliderShape::Circle(CircleCollider::new(size.x / 2.0))
            } else {
                let polygon = PolygonCollider::new(outline::ellipse(size));
                ColliderShape::Polygon(polygon.map_err(TiledProblem::Polygon)?)
            }
        }
        ObjectShape::Capsule { width, height } => {
            let size = checked_size(*width, *height)?;
            let radius = size.min_element() / 2.0;
            let end = size / 2.0 - radius;
            ColliderShape::Capsule(CapsuleCollider::between(-end, end, radius))
        }
        ObjectShape::Polygon { points } => {
            let points = points.iter().map(|point| flip(Vec2::from(*point)));
            let polygon = PolygonCollider::new(points).map_err(TiledProblem::Polygon)?;
            ColliderShape::Polygon(polygon)
        }
        ObjectShape::Polyline { points } => {
            let line = outline::line(points)?.map(flip);
            return Ok(shapes::of_outlines([&line], line_radius));
        }
        ObjectShape::Point(..) | ObjectShape::Text { .. } => return Ok((None, Vec::new())),
    };
    Ok((Some(one), Vec::new()))
}

fn of_tile(spawner: &mut Spawner, source: &Source, tile: &ObjectTile) -> Made {
    let tileset = tile.get_tileset();
    let found = tile.get_tile();
    let flips = flips(tile);
    let image = image_size(tileset, found.as_deref());
    let size = match source.object.shape {
        ObjectShape::Rect { width, height } if width != 0.0 || height != 0.0 => {
            Vec2::new(width, height)
        }
        _ => image,
    };
    let bottom_left = size * (top_left(tileset.object_alignment) + Vec2::Y);
    let to_center = flips.transpose(size) * Vec2::new(0.5, -0.5);
    let mut made = Made {
        center: bottom_left + to_center,
        size,
        ..default()
    };
    let Some(found) = found else {
        spawner.report(TiledError {
            file: tileset.source.clone(),
            layer: Some(source.layer.into()),
            location: source.location(),
            problem: TiledProblem::UnknownTile { id: tile.id() },
        });
        return made;
    };
    if let Err(problem) = checked_size(size.x, size.y).and(checked_size(image.x, image.y)) {
        made.problems.push(problem);
        return made;
    }
    let layout = fitted(Layout::new(image, flips, -to_center, size), tileset);
    let instance = TileInstance {
        tile: &found,
        id: tile.id(),
        flips,
        layer: source.layer,
    };
    let read = TileShapes::read(&instance, &layout, spawner.rules);
    for error in &read.errors {
        spawner.report(error.clone());
    }
    let outlines = outlines(spawner, source, &layout, read);
    made.colliders = joined(&outlines, spawner.rules.line_radius, &mut made.problems);
    made
}

/// The outlines of the tile of an object, with y up, and their roles.
fn outlines(
    spawner: &Spawner,
    source: &Source,
    layout: &Layout,
    read: TileShapes,
) -> Vec<(Outline, TiledRole)> {
    let role = |inner: TiledRole| source.role.or(inner).or(source.layer_role);
    if !read.has_shapes {
        let all = Outline::convex(layout.vertices()).map(flip);
        return vec![(all, role(read.role).or(spawner.rules.objects))];
    }
    let shapes = read.shapes.into_iter();
    shapes
        .map(|(outline, of_shape)| (outline, role(of_shape).or(spawner.rules.tiles)))
        .collect()
}

/// The colliders of outlines with y up: one for each role. Those that block come first.
fn joined(
    outlines: &[(Outline, TiledRole)],
    line_radius: f32,
    problems: &mut Vec<TiledProblem>,
) -> Vec<(ColliderShape, TiledRole)> {
    let mut roles: Vec<TiledRole> = Vec::new();
    for (_, role) in outlines {
        if role.collides() && !roles.iter().any(|known| known.acts_like(role)) {
            roles.push(*role);
        }
    }
    roles.sort_by_key(|role| !role.is_blocking());
    let mut colliders = Vec::new();
    for role in roles {
        let of_role = outlines.iter().filter(|(_, other)| other.acts_like(&role));
        let of_role = of_role.map(|(outline, _)| outline);
        let (shape, more) = shapes::of_outlines(of_role, line_radius);
        problems.extend(more);
        colliders.extend(shape.map(|shape| (shape, role)));
    }
    colliders
}

/// Where the top left of an object with a tile is from its position, in sizes, y down.
fn top_left(alignment: ObjectAlignment) -> Vec2 {
    let x = match alignment {
        ObjectAlignment::Top | ObjectAlignment::Center | ObjectAlignment::Bottom => -0.5,
        ObjectAlignment::TopRight | ObjectAlignment::Right | ObjectAlignment::BottomRight => -1.0,
        _ => 0.0,
    };
    let y = match alignment {
        ObjectAlignment::TopLeft | ObjectAlignment::Top | ObjectAlignment::TopRight => 0.0,
        ObjectAlignment::Left | ObjectAlignment::Center | ObjectAlignment::Right => -0.5,
        _ => -1.0,
    };
    Vec2::new(x, y)
}
