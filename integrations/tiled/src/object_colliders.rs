//! What objects are made of: center, size, colliders.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    components::flip,
    error::TiledProblem,
    file::{Layer, Object, Shape, TileRef},
    outline::{self, Layout, Outline, checked_size},
    role::TiledRole,
    shapes::{self, ColliderShape},
    spawner::Spawner,
    tile_shapes::{TileShapes, fitted},
};

/// An object of a layer.
pub(crate) struct Source<'a> {
    pub object: &'a Object,
    pub layer: &'a Layer,
    /// The role by the object itself.
    pub role: TiledRole,
    pub layer_role: TiledRole,
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
    pub fn new(spawner: &mut Spawner, source: &Source) -> Self {
        match &source.object.tile {
            Some(tile) => of_tile(spawner, source, tile),
            None => of_shape(spawner, source),
        }
    }
}

fn of_shape(spawner: &Spawner, source: &Source) -> Made {
    let Object { shape, size, .. } = source.object;
    let role = source.role.or(source.layer_role).or(spawner.rules.objects);
    let mut made = Made::default();
    let has_size = !matches!(shape, Shape::Point | Shape::Polygon(_) | Shape::Polyline(_));
    if has_size {
        made.size = *size;
        made.center = *size / 2.0;
    }
    // Before it had points, Tiled wrote rectangles without size for them.
    let is_point = *shape == Shape::Rect && *size == Vec2::ZERO && !source.role.collides();
    if !role.collides() || is_point {
        return made;
    }
    match collider(source.object, spawner.rules.line_radius) {
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
    object: &Object,
    line_radius: f32,
) -> Result<(Option<ColliderShape>, Vec<TiledProblem>), TiledProblem> {
    let polygon = |points: &mut dyn Iterator<Item = Vec2>| {
        let polygon = PolygonCollider::new(points).map_err(TiledProblem::Polygon);
        polygon.map(ColliderShape::Polygon)
    };
    let one = match &object.shape {
        Shape::Rect => {
            let size = checked_size(object.size)?;
            ColliderShape::Rect(RectCollider::new(size.x, size.y))
        }
        Shape::Ellipse => {
            let size = checked_size(object.size)?;
            if (size.x - size.y).abs() <= 1e-3 * size.max_element() {
                ColliderShape::Circle(CircleCollider::new(size.x / 2.0))
            } else {
                polygon(&mut outline::ellipse(size))?
            }
        }
        Shape::Capsule => {
            let size = checked_size(object.size)?;
            let radius = size.min_element() / 2.0;
            let end = size / 2.0 - radius;
            ColliderShape::Capsule(CapsuleCollider::between(-end, end, radius))
        }
        Shape::Polygon(points) => polygon(&mut points.iter().copied().map(flip))?,
        Shape::Polyline(points) => {
            let line = outline::line(points)?.map(flip);
            return Ok(shapes::of_outlines([&line], line_radius));
        }
        Shape::Point | Shape::Text(_) => return Ok((None, Vec::new())),
    };
    Ok((Some(one), Vec::new()))
}

fn of_tile(spawner: &mut Spawner, source: &Source, tile: &TileRef) -> Made {
    let Source { object, layer, .. } = source;
    let TileRef { tileset, flips, .. } = tile;
    let image = tile.image_size();
    let size = if object.size == Vec2::ZERO {
        image
    } else {
        object.size
    };
    let bottom_left = size * (tileset.alignment + Vec2::Y);
    let to_center = flips.transpose(size) * Vec2::new(0.5, -0.5);
    let mut made = Made {
        center: bottom_left + to_center,
        size,
        ..default()
    };
    let Some(found) = tileset.tile(tile.id) else {
        if let Some(error) = tile.missing(&layer.name, object.location()) {
            spawner.report(error);
        }
        return made;
    };
    if let Err(problem) = checked_size(size).and(checked_size(image)) {
        made.problems.push(problem);
        return made;
    }
    let layout = fitted(Layout::new(image, *flips, -to_center, size), tileset);
    let read = TileShapes::read(tile, found, &layer.name, &layout, spawner.rules);
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
