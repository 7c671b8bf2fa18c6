//! What the small examples share: a window, walls, colors for colliders, and keys to walk with.

#[allow(dead_code, reason = "most of these examples run until they are closed")]
#[path = "window.rs"]
pub mod window;

use bevy::{color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;

/// Opens a window and draws every collider that has a [`Fill`].
pub fn show(title: &'static str) -> impl Plugin {
    move |app: &mut App| {
        app.add_plugins(window::plugins(title))
            .insert_resource(ClearColor(tailwind::SLATE_900.into()))
            .add_observer(inset_text)
            .add_systems(Startup, spawn_camera)
            .add_systems(Last, fill);
    }
}

fn spawn_camera(mut commands: Commands) {
    commands.spawn(Camera2d);
}

/// Keeps text off the edges of the window.
fn inset_text(added: On<Add, Text>, mut nodes: Query<&mut Node>) {
    if let Ok(mut node) = nodes.get_mut(added.entity) {
        node.margin = UiRect::all(px(12));
    }
}

/// The color of a collider.
#[derive(Component, Clone, Copy, PartialEq)]
pub struct Fill(pub Srgba);

fn fill(
    filled: Query<(Entity, &Fill, AnyOf<Colliders>), Or<(Changed<Fill>, Changed<TileCollider>)>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, fill, (circle, rect, capsule, polygon, tiles)) in &filled {
        let circle = circle.map(|circle| Circle::new(circle.radius).into());
        let rect = rect.map(|rect| Rectangle::from_size(rect.size).into());
        let capsule = capsule.map(upright_capsule);
        let polygon = polygon.and_then(convex);
        let round: Option<Mesh> = circle.or(rect).or(capsule);
        let mesh = round.or(polygon).or(tiles.and_then(cells));
        let mesh = mesh.map(|mesh| Mesh2d(meshes.add(mesh)));
        let material = MeshMaterial2d(materials.add(Color::from(fill.0)));
        let drawn = (mesh.unwrap_or_default(), material);
        commands.entity(entity).try_insert(drawn);
    }
}

type Colliders = (
    &'static CircleCollider,
    &'static RectCollider,
    &'static CapsuleCollider,
    &'static PolygonCollider,
    &'static TileCollider,
);

fn upright_capsule(capsule: &CapsuleCollider) -> Mesh {
    Capsule2d::new(capsule.radius, capsule.start.distance(capsule.end)).into()
}

/// `None` if it is not convex.
fn convex(polygon: &PolygonCollider) -> Option<Mesh> {
    let vertices = polygon.polygon().vertices().to_vec();
    ConvexPolygon::new(vertices).ok().map(Mesh::from)
}

/// The solid cells, with narrow gaps between them; `None` if there are none.
fn cells(tiles: &TileCollider) -> Option<Mesh> {
    let cell = Mesh::from(Rectangle::from_size(tiles.cell_size() - 2.0));
    let cells = tiles.solid_cells().map(|at| {
        let center = tiles.cell_center(at);
        cell.clone().translated_by(center.extend(0.0))
    });
    cells.reduce(|mut mesh, cell| {
        let merged = mesh.merge(&cell);
        merged.expect("all cells have the same attributes");
        mesh
    })
}

#[allow(dead_code, reason = "a tile map has no other walls")]
type Wall = (RectCollider, Solid, Transform, Fill);

#[allow(dead_code, reason = "a tile map has no other walls")]
/// A wall from `[x, y, width, height]`.
pub fn wall([x, y, width, height]: [f32; 4]) -> Wall {
    (
        RectCollider::new(width, height),
        Solid,
        Transform::from_xyz(x, y, 0.0),
        Fill(tailwind::SLATE_600),
    )
}

#[allow(dead_code, reason = "a tile map has no other walls")]
/// The walls along the edges of the window. Between them there are 1200 by 640 units.
pub fn room() -> [Wall; 4] {
    [
        [0.0, 340.0, 1280.0, 40.0],
        [0.0, -340.0, 1280.0, 40.0],
        [-620.0, 0.0, 40.0, 640.0],
        [620.0, 0.0, 40.0, 640.0],
    ]
    .map(wall)
}

/// The directions of the pressed keys, WASD or arrows: x and y are -1, 0 or 1 each.
pub fn axes(keys: &ButtonInput<KeyCode>) -> Vec2 {
    let is_pressed = |key, arrow| f32::from(keys.any_pressed([key, arrow]));
    Vec2::new(
        is_pressed(KeyCode::KeyD, KeyCode::ArrowRight)
            - is_pressed(KeyCode::KeyA, KeyCode::ArrowLeft),
        is_pressed(KeyCode::KeyW, KeyCode::ArrowUp) - is_pressed(KeyCode::KeyS, KeyCode::ArrowDown),
    )
}
