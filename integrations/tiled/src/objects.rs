//! Spawns the objects of layers.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{Object, ObjectAlignment, ObjectShape, ObjectTile, Properties, TileData};

use crate::{
    components::{TiledFlips, TiledObject, TiledProperties, TiledTile, flip},
    error::{TiledError, TiledLocation, TiledProblem},
    kinds::{fitted, flipped, image_size, shapes_of_tile, tile_data},
    outline::{self, Layout, Outline, checked_size},
    role::TiledRole,
    shapes::{self, ColliderShape},
    spawn::Spawner,
};

/// An object of a layer.
struct Source<'a, 'map> {
    object: &'a Object<'map>,
    /// The name of the layer.
    layer: &'a str,
    /// The role by the object itself.
    role: TiledRole,
    layer_role: TiledRole,
}

impl Source<'_, '_> {
    fn location(&self) -> TiledLocation {
        TiledLocation::Object {
            id: self.object.id(),
            name: self.object.name.clone(),
        }
    }
}

/// What an object is made of.
struct Made {
    /// The center of the object from its position in Tiled, not rotated, y down.
    center: Vec2,
    size: Vec2,
    colliders: Vec<(ColliderShape, TiledRole)>,
}

/// Spawns an object as a child of its layer.
pub(crate) fn spawn(
    spawner: &mut Spawner,
    parent: Entity,
    object: &Object,
    layer: &str,
    layer_role: TiledRole,
) {
    let mut problems = Vec::new();
    let role = spawner
        .rules
        .role_of(&object.user_type, &object.properties, &mut |problem| {
            problems.push(problem);
        });
    let source = Source {
        object,
        layer,
        role,
        layer_role,
    };
    let tile = object.get_tile();
    let made = match &tile {
        Some(tile) => of_tile(spawner, &source, tile, &mut problems),
        None => of_shape(spawner, object, role.or(layer_role), &mut problems),
    };
    for problem in problems {
        spawner.report_problem(Some(layer), source.location(), problem);
    }
    let (class, properties) = data(object, tile.as_ref());
    let text = match &object.shape {
        ObjectShape::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    let tile = tile.map(|tile| {
        let found = tile.get_tile();
        tile_data(
            tile.get_tileset(),
            found.as_deref(),
            tile.id(),
            flips(&tile),
        )
    });
    let new = NewObject {
        parent,
        transform: transform(object, made.center),
        properties: TiledProperties(properties),
        tile,
        colliders: made.colliders,
        object: TiledObject {
            map: spawner.root,
            file: spawner.file.clone(),
            id: object.id(),
            name: object.name.clone(),
            class,
            size: made.size,
            is_visible: object.visible,
            text,
        },
    };
    let persistent = spawner.persistent.clone();
    spawner.commands.queue(move |world: &mut World| {
        if !persistent.contains(new.object.id) {
            new.spawn(&mut world.commands());
            world.flush();
        }
    });
}

/// An object to be spawned.
struct NewObject {
    parent: Entity,
    transform: Transform,
    properties: TiledProperties,
    tile: Option<TiledTile>,
    colliders: Vec<(ColliderShape, TiledRole)>,
    object: TiledObject,
}

impl NewObject {
    fn spawn(self, commands: &mut Commands) {
        let mut entity = commands.spawn((self.transform, ChildOf(self.parent)));
        if !self.object.name.is_empty() {
            entity.insert(Name::new(self.object.name.clone()));
        }
        if !self.properties.is_empty() {
            entity.insert(self.properties);
        }
        if let Some(tile) = self.tile {
            entity.insert(tile);
        }
        add_colliders(&mut entity, self.colliders);
        // At last, so that observers of it find the rest.
        entity.insert(self.object);
    }
}

/// The first collider is on the object. Others, with which it cannot be joined, are children, which
/// walls block as well if it is a mover. Sensors beside a collider that blocks are not blocked.
fn add_colliders(entity: &mut EntityCommands, colliders: Vec<(ColliderShape, TiledRole)>) {
    let mut colliders = colliders.into_iter();
    let Some((shape, own_role)) = colliders.next() else {
        return;
    };
    shape.insert(entity);
    own_role.insert(entity);
    for (shape, role) in colliders {
        entity.with_children(|children| {
            let mut child = children.spawn(Transform::IDENTITY);
            shape.insert(&mut child);
            role.insert(&mut child);
            if role.is_blocking() || role.acts_like(&own_role) {
                child.insert(Rigid);
            }
        });
    }
}

/// The colliders of outlines with y up: one for each role, if those of one role do not cross each
/// other. Those that block come first.
fn colliders_of(
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
        let (shapes, more) = shapes::of_outlines(of_role, line_radius);
        problems.extend(more);
        colliders.extend(shapes.into_iter().map(|shape| (shape, role)));
    }
    colliders
}

/// The class and the properties, with those that come from the tile.
fn data(object: &Object, tile: Option<&ObjectTile>) -> (String, Properties) {
    let mut class = object.user_type.clone();
    let mut properties = Properties::new();
    if let Some(tile) = tile.and_then(ObjectTile::get_tile) {
        properties.clone_from(&tile.properties);
        if class.is_empty() {
            class.clone_from(&tile.user_type);
        }
    }
    let own = object.properties.iter();
    properties.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    (class, properties)
}

fn transform(object: &Object, center: Vec2) -> Transform {
    // Clockwise with y down.
    let turn = Vec2::from_angle(object.rotation.to_radians());
    let position = Vec2::new(object.x, object.y) + turn.rotate(center);
    let mut transform = Transform::from_translation(flip(position).extend(0.0));
    if object.rotation != 0.0 {
        transform.rotate_z(-object.rotation.to_radians());
    }
    transform
}

fn flips(tile: &ObjectTile) -> TiledFlips {
    TiledFlips {
        horizontal: tile.flip_h,
        vertical: tile.flip_v,
        diagonal: tile.flip_d,
    }
}

fn of_shape(
    spawner: &Spawner,
    object: &Object,
    role: TiledRole,
    problems: &mut Vec<TiledProblem>,
) -> Made {
    let role = role.or(spawner.rules.objects);
    let mut made = Made {
        center: Vec2::ZERO,
        size: Vec2::ZERO,
        colliders: Vec::new(),
    };
    if let ObjectShape::Rect { width, height }
    | ObjectShape::Ellipse { width, height }
    | ObjectShape::Capsule { width, height }
    | ObjectShape::Text { width, height, .. } = object.shape
    {
        made.size = Vec2::new(width, height);
        made.center = made.size / 2.0;
    }
    if !role.collides() {
        return made;
    }
    let (shapes, more) = match colliders(&object.shape, spawner.rules.line_radius) {
        Ok(shapes) => shapes,
        Err(problem) => (Vec::new(), vec![problem]),
    };
    problems.extend(more);
    made.colliders = shapes.into_iter().map(|shape| (shape, role)).collect();
    made
}

/// The colliders of a shape around its center, and why some have none.
fn colliders(
    shape: &ObjectShape,
    line_radius: f32,
) -> Result<(Vec<ColliderShape>, Vec<TiledProblem>), TiledProblem> {
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
        ObjectShape::Point(..) | ObjectShape::Text { .. } => return Ok((Vec::new(), Vec::new())),
    };
    Ok((vec![one], Vec::new()))
}

fn of_tile(
    spawner: &mut Spawner,
    source: &Source,
    tile: &ObjectTile,
    problems: &mut Vec<TiledProblem>,
) -> Made {
    let tileset = tile.get_tileset();
    let found = tile.get_tile();
    let image = image_size(tileset, found.as_deref());
    let size = match source.object.shape {
        ObjectShape::Rect { width, height } if width != 0.0 || height != 0.0 => {
            Vec2::new(width, height)
        }
        _ => image,
    };
    // The top left of the object, from its position.
    let top_left = size * top_left(tileset.object_alignment);
    let colliders = match found {
        None => {
            spawner.report(TiledError {
                file: tileset.source.clone(),
                layer: Some(source.layer.into()),
                location: source.location(),
                problem: TiledProblem::UnknownTile { id: tile.id() },
            });
            Vec::new()
        }
        Some(found) => {
            match checked_size(size.x, size.y).and(checked_size(image.x, image.y)) {
                Ok(_) => {
                    // Around the center.
                    let layout = Layout::into_rect(image, flips(tile), -size / 2.0, size);
                    let layout = fitted(layout, tileset);
                    let outlines = outlines_of_tile(spawner, source, tile, &found, layout);
                    colliders_of(&outlines, spawner.rules.line_radius, problems)
                }
                Err(problem) => {
                    problems.push(problem);
                    Vec::new()
                }
            }
        }
    };
    Made {
        center: top_left + size / 2.0,
        size,
        colliders,
    }
}

/// The outlines of the tile of an object, laid out, with y up, and their roles.
fn outlines_of_tile(
    spawner: &mut Spawner,
    source: &Source,
    tile: &ObjectTile,
    found: &TileData,
    layout: Layout,
) -> Vec<(Outline, TiledRole)> {
    let mut errors = Vec::new();
    let mut report = |object, problem| {
        errors.push(TiledError {
            file: tile.get_tileset().source.clone(),
            layer: Some(source.layer.into()),
            location: TiledLocation::Tile {
                id: tile.id(),
                object,
            },
            problem,
        });
    };
    let rules = spawner.rules;
    let of_tile = rules.role_of(&found.user_type, &found.properties, &mut |problem| {
        report(None, problem);
    });
    let shapes = shapes_of_tile(found, rules, &mut |object, problem| {
        report(Some(object), problem);
    });
    for error in errors {
        spawner.report(error);
    }
    let flips = flips(tile);
    let around = flipped(of_tile, flips).or(source.layer_role);
    let has_shapes = (found.collision.as_ref()).is_some_and(|it| !it.object_data().is_empty());
    if !has_shapes {
        let all = Outline::convex(layout.vertices()).map(flip);
        return vec![(all, source.role.or(around).or(rules.objects))];
    }
    let with_role = |(outline, of_shape): (Outline, TiledRole)| {
        let outline = outline.map(|point| flip(layout.transform_point(point)));
        let around = flipped(of_shape, flips).or(around);
        (outline, source.role.or(around).or(rules.tiles))
    };
    shapes.into_iter().map(with_role).collect()
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
