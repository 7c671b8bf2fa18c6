//! The floor, the walls, the door and its plates. Turnstiles, presses and saws are in `machines`.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::game::{
        arena::{BORDER, HALF_SIZE, Wall},
        gate::{Gate, Plate},
        medkit::{self, Medkit},
        press::Press,
    },
    brush::{Brush, palette},
};

const TILE: f32 = 56.0;
const SHADOW_OFFSET: Vec2 = Vec2::new(5.0, -6.0);

/// What is drawn of the door. It slides into the wall on the left when the door opens.
#[derive(Component)]
struct Leaf;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, draw_floor).add_systems(
        Update,
        (
            draw_walls,
            draw_plates,
            draw_medkits,
            light_plates,
            slide_door,
        ),
    );
}

fn draw_floor(mut brush: Brush, mut commands: Commands) {
    commands.spawn(brush.rect(palette::FLOOR, Vec3::new(0.0, 0.0, -10.0), HALF_SIZE * 2.0));
    let columns = (HALF_SIZE.x / TILE) as i32;
    let rows = (HALF_SIZE.y / TILE) as i32;
    for column in -columns..=columns {
        let position = Vec3::new(column as f32 * TILE, 0.0, -9.0);
        commands.spawn(brush.rect(
            palette::FLOOR_LINE,
            position,
            Vec2::new(2.0, 2.0 * HALF_SIZE.y),
        ));
    }
    for row in -rows..=rows {
        let position = Vec3::new(0.0, row as f32 * TILE, -9.0);
        commands.spawn(brush.rect(
            palette::FLOOR_LINE,
            position,
            Vec2::new(2.0 * HALF_SIZE.x, 2.0),
        ));
    }
}

fn draw_walls(
    walls: Query<
        (Entity, &Transform, &RectCollider, Has<Gate>, Has<Press>),
        (Added<Wall>, Without<OneWay>),
    >,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (wall, at, rect, is_door, is_press) in &walls {
        let (side, top) = if is_door {
            (palette::DOOR, palette::DOOR_TOP)
        } else if is_press {
            (palette::PRESS, palette::PRESS_TOP)
        } else {
            (palette::WALL, palette::WALL_TOP)
        };
        // The light comes from the same side, whatever the rotation of the wall.
        let fall = at.rotation.inverse() * SHADOW_OFFSET.extend(0.0);
        let is_border = rect.size.max_element() > 2.0 * HALF_SIZE.min_element();
        let inset = Vec2::splat(if is_border { BORDER / 2.0 } else { 6.0 });
        let looks = commands
            .spawn((Transform::default(), Visibility::default()))
            .with_child(brush.rect(palette::SHADOW, fall.truncate().extend(-8.0), rect.size))
            .with_child(brush.rect(side, Vec3::new(0.0, 0.0, 4.0), rect.size))
            .with_child(brush.rect(top, Vec3::new(0.0, 0.0, 4.1), rect.size - inset))
            .id();
        if is_door {
            commands.entity(looks).insert(Leaf);
        }
        commands
            .entity(wall)
            .insert(Visibility::default())
            .add_child(looks);
    }
}

fn slide_door(
    gate: Single<(&RectCollider, Has<ColliderDisabled>), With<Gate>>,
    leaf: Single<&mut Transform, With<Leaf>>,
    time: Res<Time>,
) {
    let (rect, is_open) = *gate;
    let width = if is_open { 0.0 } else { 1.0 };
    let mut leaf = leaf.into_inner();
    let part = 1.0 - (-14.0 * time.delta_secs()).exp();
    leaf.scale.x += (width - leaf.scale.x) * part;
    leaf.translation.x = rect.size.x * (leaf.scale.x - 1.0) / 2.0;
}

fn draw_plates(
    plates: Query<(Entity, &RectCollider), Added<Plate>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (plate, rect) in &plates {
        let color = palette::PLATE;
        commands
            .entity(plate)
            .insert(Visibility::default())
            .with_child(brush.rect(color, Vec3::new(0.0, 0.0, -7.0), rect.size))
            .with_child(brush.rect(palette::FLOOR, Vec3::new(0.0, 0.0, -6.9), rect.size - 6.0))
            .with_child(brush.rect(color, Vec3::new(0.0, 0.0, -6.8), rect.size - 12.0));
    }
}

fn light_plates(
    plates: Query<(&Plate, &Children), Changed<Plate>>,
    drawings: Query<&Transform>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (plate, children) in &plates {
        let color = if plate.standing > 0 {
            palette::PLATE_LIT
        } else {
            palette::PLATE
        };
        // The gap between the frame and the plate stays as dark as the floor.
        let lit = children
            .iter()
            .filter(|&child| drawings.get(child).is_ok_and(|at| at.translation.z != -6.9));
        for drawing in lit {
            commands.entity(drawing).insert(brush.paint(color));
        }
    }
}

fn draw_medkits(medkits: Query<Entity, Added<Medkit>>, mut brush: Brush, mut commands: Commands) {
    let [long, short] = [medkit::SIZE * 0.62, medkit::SIZE * 0.2];
    for medkit in &medkits {
        let size = Vec2::splat(medkit::SIZE);
        commands
            .entity(medkit)
            .insert(Visibility::default())
            .with_child(brush.rect(palette::SHADOW, Vec3::new(3.0, -3.0, -0.3), size))
            .with_child(brush.rect(palette::WHITE, Vec3::ZERO, size))
            .with_child(brush.rect(palette::CROSS, Vec3::Z * 0.1, Vec2::new(long, short)))
            .with_child(brush.rect(palette::CROSS, Vec3::Z * 0.1, Vec2::new(short, long)));
    }
}
