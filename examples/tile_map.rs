//! A tile map from rows of text, to dig in and to build on. A and D or the arrow keys walk, W or
//! Space jumps, the left mouse button digs, the right one places.

#[path = "common/kit.rs"]
mod kit;

use bevy::{app::AppExit, color::palettes::tailwind, input::InputSystems, prelude::*};
use bevy_thud::prelude::*;
use kit::Fill;

/// Everything but periods is solid. The first row is on top.
const MAP: [&str; 11] = [
    "####################",
    "#..................#",
    "#..................#",
    "#........##........#",
    "#.............##...#",
    "#...##......######.#",
    "#..####...#######..#",
    "##.####..####......#",
    "####.......#....##.#",
    "###....##......#####",
    "####################",
];
const CELL_SIZE: Vec2 = Vec2::splat(64.0);
const SPEED: f32 = 300.0;
const JUMP_SPEED: f32 = 800.0;
/// In world units per second squared.
const GRAVITY: f32 = 2200.0;
const JUMP_KEYS: [KeyCode; 3] = [KeyCode::KeyW, KeyCode::ArrowUp, KeyCode::Space];

/// Where the mouse points, in world units.
#[derive(Resource, Default)]
pub struct Cursor(pub Vec2);

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins((kit::show("Tile map"), game))
        .add_systems(PreUpdate, point.after(InputSystems))
        .add_systems(Update, outline)
        .run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<Cursor>()
        .add_systems(Startup, spawn)
        .add_systems(Update, (walk, dig_and_place));
}

fn spawn(mut commands: Commands) {
    let map = TileCollider::from_rows(MAP, CELL_SIZE);
    commands.spawn((map, Solid, Fill(tailwind::STONE_600)));
    let player = (CapsuleCollider::new(20.0, 16.0), Walker::default());
    let look = (
        Transform::from_xyz(-352.0, 160.0, 1.0),
        Fill(tailwind::LIME_400),
    );
    commands.spawn((player, look));
    commands.spawn(Text::new(
        "A, D: walk. W or Space: jump. Mouse: left digs, right places",
    ));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, player: Single<(&mut Mover, &Ground)>) {
    let (mut mover, ground) = player.into_inner();
    mover.velocity.x = kit::axes(&keys).x * SPEED;
    mover.velocity.y -= GRAVITY * time.delta_secs();
    if ground.is_on_floor() && keys.any_pressed(JUMP_KEYS) {
        mover.velocity.y = JUMP_SPEED;
    }
}

/// The map is at the origin, so that the cursor is in the frame of the map.
fn dig_and_place(
    buttons: Res<ButtonInput<MouseButton>>,
    cursor: Res<Cursor>,
    mut map: Single<&mut TileCollider>,
    query: SpatialQuery,
) {
    let Some(cell) = map.cell_at(cursor.0) else {
        return;
    };
    let is_solid = map.is_solid(cell);
    if buttons.pressed(MouseButton::Left) && is_solid {
        map.set(cell, false);
    } else if buttons.pressed(MouseButton::Right) && !is_solid {
        let square = Shape::rect(map.cell_center(cell), CELL_SIZE, Rot2::IDENTITY);
        let in_cell = query.shape_intersections(&square, &SpatialQueryFilter::default());
        // Nobody is walled in.
        if in_cell.is_empty() {
            map.set(cell, true);
        }
    }
}

fn point(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut cursor: ResMut<Cursor>,
) {
    let (camera, transform) = *camera;
    if let Some(position) = window.cursor_position()
        && let Ok(position) = camera.viewport_to_world_2d(transform, position)
    {
        cursor.0 = position;
    }
}

fn outline(map: Single<&TileCollider>, cursor: Res<Cursor>, mut gizmos: Gizmos) {
    if let Some(cell) = map.cell_at(cursor.0) {
        gizmos.rect_2d(map.cell_center(cell), CELL_SIZE, tailwind::AMBER_300);
    }
}
