//! The window of the dungeon: tiles as sprites, everybody else as meshes.

use bevy::{
    app::PluginGroupBuilder, color::palettes::tailwind, prelude::*, window::WindowResolution,
};
use bevy_thud::prelude::*;
use bevy_thud_tiled::{
    TiledFlips, TiledLayer, TiledMapRoot, TiledObject, TiledTile, file::Content,
};

use super::{Exit, Hero, Monster, Score, mechanisms::Opens};

const TILE: f32 = 16.0;

/// Bevy's plugins with a window in which a pixel of the map takes 2.5.
pub fn plugins(assets: &str) -> impl Plugin + use<> {
    let assets = assets.to_owned();
    move |app: &mut App| {
        app.add_plugins(window(&assets))
            .insert_resource(ClearColor(tailwind::SLATE_950.into()))
            .add_systems(Startup, spawn_camera)
            .add_systems(Last, (draw_layers, draw_objects, draw_bodies, caption));
        // What is drawn inherits its visibility from its ancestors.
        app.register_required_components::<TiledMapRoot, Visibility>();
        app.register_required_components::<TiledLayer, Visibility>();
        app.register_required_components::<TiledObject, Visibility>();
    }
}

fn window(assets: &str) -> PluginGroupBuilder {
    let window = Window {
        title: "Dungeon".into(),
        resolution: WindowResolution::new(1280, 720),
        ..default()
    };
    DefaultPlugins
        .set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        })
        .set(AssetPlugin {
            file_path: assets.into(),
            ..default()
        })
        .set(ImagePlugin::default_nearest())
}

fn spawn_camera(mut commands: Commands) {
    let projection = OrthographicProjection {
        scale: 0.4,
        ..OrthographicProjection::default_2d()
    };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
    let node = Node {
        margin: UiRect::all(px(8)),
        ..default()
    };
    commands.spawn((Text::default(), TextFont::from_font_size(18.0), node));
}

/// Tiles of layers that are new, from the map that they are of.
fn draw_layers(
    layers: Query<(Entity, &TiledLayer, &ChildOf), Added<TiledLayer>>,
    maps: Query<&TiledMapRoot>,
    assets: Res<AssetServer>,
    mut commands: Commands,
) {
    for (entity, layer, map) in &layers {
        let Ok(root) = maps.get(map.parent()) else {
            continue;
        };
        let mut layers = root.map.data().layers.iter();
        let found = layers.find(|found| found.id == layer.id);
        let Some(Content::Tiles(cells)) = found.map(|found| &found.content) else {
            continue;
        };
        for (position, tile) in cells {
            let at = (position.as_vec2() + 0.5) * Vec2::new(TILE, -TILE);
            let sprite = sprite(&assets, tile.id, tile.flips, at);
            commands.spawn((sprite, ChildOf(entity)));
        }
    }
}

fn sprite(assets: &AssetServer, id: u32, flips: TiledFlips, at: Vec2) -> (Sprite, Transform) {
    let top_left = Vec2::new(id as f32 * TILE, 0.0);
    // With x and y swapped, the image is flipped, then rotated; other flips come before that.
    let [flip_x, flip_y] = if flips.diagonal {
        [flips.vertical, !flips.horizontal]
    } else {
        [flips.horizontal, flips.vertical]
    };
    let sprite = Sprite {
        image: assets.load("tiles.png"),
        rect: Some(Rect::from_corners(top_left, top_left + TILE)),
        flip_x,
        flip_y,
        ..default()
    };
    let mut transform = Transform::from_translation(at.extend(0.0));
    if flips.diagonal {
        transform.rotate_z(-std::f32::consts::FRAC_PI_2);
    }
    (sprite, transform)
}

fn draw_objects(
    objects: Query<(Entity, &TiledObject, &TiledTile), Added<TiledObject>>,
    assets: Res<AssetServer>,
    mut commands: Commands,
) {
    for (entity, object, tile) in &objects {
        let (mut sprite, _) = sprite(&assets, tile.id, default(), Vec2::ZERO);
        sprite.custom_size = Some(object.size);
        commands.entity(entity).insert(sprite);
    }
}

type Bodies = (
    Option<&'static CircleCollider>,
    Option<&'static RectCollider>,
    Option<&'static PolygonCollider>,
    Has<Hero>,
    Has<Monster>,
    Has<Exit>,
    Has<Opens>,
);

/// Objects without a tile.
fn draw_bodies(
    objects: Query<(Entity, Bodies), (Added<TiledObject>, Without<TiledTile>)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, (circle, rect, polygon, is_hero, is_monster, is_exit, is_lever)) in &objects {
        let circle = circle.map(|it| Mesh::from(Circle::new(it.radius)));
        let rect = rect.map(|it| Mesh::from(Rectangle::from_size(it.size)));
        let polygon = polygon.and_then(mesh_of);
        let Some(mesh) = circle.or(rect).or(polygon) else {
            continue;
        };
        let color = match (is_hero, is_monster, is_exit, is_lever) {
            (true, _, _, _) => tailwind::LIME_400,
            (_, true, _, _) => tailwind::ROSE_500,
            (_, _, true, _) => tailwind::AMBER_300,
            (_, _, _, true) => tailwind::SKY_400,
            _ => tailwind::STONE_500,
        };
        let mesh = Mesh2d(meshes.add(mesh));
        let material = MeshMaterial2d(materials.add(Color::from(color)));
        commands.entity(entity).insert((mesh, material));
    }
}

fn mesh_of(polygon: &PolygonCollider) -> Option<Mesh> {
    let pieces = polygon.polygon().pieces().iter();
    let meshes = pieces.map(|piece| {
        ConvexPolygon::new(piece.vertices().to_vec())
            .ok()
            .map(Mesh::from)
    });
    meshes
        .collect::<Option<Vec<Mesh>>>()?
        .into_iter()
        .reduce(|mut all, piece| {
            let merged = all.merge(&piece);
            merged.expect("all pieces have the same attributes");
            all
        })
}

fn caption(score: Res<Score>, mut text: Single<&mut Text>) {
    let line = format!(
        "WASD: walk. {} falls, {} wins. Edit assets/dungeon.tmx while you play",
        score.falls, score.wins
    );
    if text.0 != line {
        text.0 = line;
    }
}
