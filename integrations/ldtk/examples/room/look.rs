//! What is drawn: the shapes of the cells, and rectangles for entities.

use bevy::{
    asset::RenderAssetUsages,
    color::palettes::tailwind,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
    window::WindowResolution,
};
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkGrid, LdtkLevel, LdtkRole};

use crate::game::Purse;

#[derive(Component)]
struct Status;

pub fn plugin(app: &mut App) {
    let window = Window {
        title: "Room".into(),
        resolution: WindowResolution::new(1280, 720),
        ..default()
    };
    app.add_plugins(DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    }))
    .insert_resource(ClearColor(tailwind::SLATE_900.into()))
    .register_required_components::<LdtkLevel, Visibility>()
    .add_observer(draw_entity)
    .add_systems(Startup, spawn_camera)
    .add_systems(Last, (draw_grids, write_status));
}

fn spawn_camera(mut commands: Commands) {
    let projection = OrthographicProjection {
        scale: 0.5,
        ..OrthographicProjection::default_2d()
    };
    // The room is 640 by 352 units, right of the origin and below it.
    let center = Transform::from_xyz(320.0, -172.0, 0.0);
    commands.spawn((Camera2d, Projection::Orthographic(projection), center));
    let node = Node {
        margin: UiRect::all(px(20)),
        ..default()
    };
    commands.spawn((Text::default(), node, Status));
}

fn write_status(purse: Single<&Purse>, mut status: Single<&mut Text, With<Status>>) {
    let text = format!(
        "A, D: walk. W or Space: jump. R: load the map again. Coins: {}",
        purse.coins
    );
    status.set_if_neq(Text(text));
}

fn draw_grids(
    grids: Query<(Entity, &TileCollider, &LdtkGrid), Changed<TileCollider>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, tiles, grid) in &grids {
        let color = match grid.role {
            LdtkRole {
                is_solid: false, ..
            } => tailwind::RED_500,
            LdtkRole {
                one_way: Some(_), ..
            } => tailwind::TEAL_600,
            _ => tailwind::STONE_500,
        };
        let mesh = Mesh2d(meshes.add(mesh_of(tiles)));
        let material = MeshMaterial2d(materials.add(Color::from(color)));
        commands.entity(entity).insert((mesh, material));
    }
}

/// The shapes of all solid cells.
fn mesh_of(tiles: &TileCollider) -> Mesh {
    let mut positions = Vec::new();
    let mut indices = Vec::new();
    for cell in tiles.solid_cells() {
        let shape = tiles.cell_shape(cell).unwrap_or(&CellShape::FULL);
        let first = positions.len() as u32;
        let lower_left = tiles.cell_center(cell) - tiles.cell_size() / 2.0;
        let vertices = shape.vertices();
        let position = |vertex: &Vec2| {
            (lower_left + vertex * tiles.cell_size())
                .extend(0.0)
                .to_array()
        };
        positions.extend(vertices.iter().map(position));
        for last in 2..vertices.len() as u32 {
            indices.extend([first, first + last - 1, first + last]);
        }
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_indices(Indices::U32(indices))
}

fn draw_entity(
    added: On<Add, LdtkEntity>,
    entities: Query<&LdtkEntity>,
    mut commands: Commands,
) -> Result {
    let entity = entities.get(added.entity)?;
    let color = match entity.identifier.as_str() {
        "Hero" => tailwind::LIME_400,
        "Coin" => tailwind::AMBER_400,
        "Door" => tailwind::PURPLE_600,
        "Switch" => tailwind::PURPLE_400,
        "Lift" => tailwind::SKY_400,
        _ => tailwind::AMBER_700,
    };
    let sprite = Sprite::from_color(color, entity.size);
    commands.entity(added.entity).insert(sprite);
    Ok(())
}
