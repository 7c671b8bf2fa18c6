//! A row of flush tiles, and one long wall. Sliding along one is the same as sliding along the
//! other.

mod rows;

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::stage::{Readout, Scene, body, heading, palette, pose};

const HERE: DespawnOnExit<Scene> = DespawnOnExit(Scene::Seams);
const ANGLE: f32 = PI / 9.0;
/// The center of the row of tiles, and of the long wall.
const TILED: Vec2 = Vec2::new(0.0, 25.0);
const LONG: Vec2 = Vec2::new(0.0, -155.0);
/// How far from the center the sliders turn around.
const TURN: f32 = 420.0;
const SPEED: f32 = 300.0;

/// A pair of movers with the same shape and the same velocity.
#[derive(Component)]
struct Twins {
    on_tiles: Entity,
    on_wall: Entity,
    /// Whether up or down along the wall.
    direction: f32,
    /// The largest difference of their paths.
    difference: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::Seams), (rows::spawn, spawn_twins))
        .add_systems(Update, (steer, tell).run_if(in_state(Scene::Seams)))
        .add_systems(
            PostUpdate,
            compare
                .after(CollisionSystems::Report)
                .run_if(in_state(Scene::Seams)),
        );
}

/// The direction along the walls.
fn along() -> Vec2 {
    Vec2::from_angle(ANGLE)
}

fn spawn_twins(mut commands: Commands) {
    let square = RectCollider::new(28.0, 28.0);
    spawn_pair(&mut commands, CircleCollider::new(15.0), -300.0, 0.0);
    spawn_pair(&mut commands, square, -200.0, ANGLE);
    spawn_pair(&mut commands, square, -100.0, 0.0);
}

fn spawn_pair(commands: &mut Commands, collider: impl Collider + Copy, offset: f32, angle: f32) {
    let [on_tiles, on_wall] =
        [(TILED, palette::ORANGE), (LONG, palette::BLUE)].map(|(center, color)| {
            let start = center + along() * offset + along().perp() * 60.0;
            let twin = body(collider, color, pose(start, angle));
            commands.spawn((HERE, twin)).id()
        });
    let twins = Twins {
        on_tiles,
        on_wall,
        direction: 1.0,
        difference: 0.0,
    };
    commands.spawn((HERE, twins));
}

/// The sliders go back and forth and press into the wall, unless the keys steer them.
fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    mut pairs: Query<&mut Twins>,
    mut movers: Query<(&Transform, &mut Mover)>,
) {
    let heading = heading(&keys);
    for mut pair in &mut pairs {
        let Ok((transform, _)) = movers.get(pair.on_wall) else {
            continue;
        };
        let progress = (transform.translation.truncate() - LONG).dot(along());
        if progress.abs() > TURN {
            pair.direction = -progress.signum();
        }
        let velocity = if heading == Vec2::ZERO {
            (along() * pair.direction - along().perp()) * SPEED
        } else {
            heading * SPEED * 1.4
        };
        for twin in [pair.on_tiles, pair.on_wall] {
            let Ok((_, mut mover)) = movers.get_mut(twin) else {
                continue;
            };
            mover.velocity = velocity;
            if keys.just_pressed(KeyCode::Space) {
                mover.displacement = velocity;
            }
        }
    }
}

/// Draws where the twin on the long wall would be on the tiles.
fn compare(
    mut pairs: Query<&mut Twins>,
    twins: Query<(&Transform, Option<&CircleCollider>)>,
    mut gizmos: Gizmos,
) {
    for mut pair in &mut pairs {
        let Ok([(on_tiles, _), (on_wall, circle)]) = twins.get_many([pair.on_tiles, pair.on_wall])
        else {
            continue;
        };
        let ghost = on_wall.translation.truncate() - LONG + TILED;
        let difference = on_tiles.translation.truncate().distance(ghost);
        pair.difference = pair.difference.max(difference);
        match circle {
            Some(_) => drop(gizmos.circle_2d(ghost, 20.0, palette::GLOW)),
            None => {
                let turn = Rot2::radians(on_wall.rotation.to_scaled_axis().z);
                gizmos.rect_2d(
                    Isometry2d::new(ghost, turn),
                    Vec2::splat(38.0),
                    palette::GLOW,
                );
            }
        }
    }
}

fn tell(pairs: Query<&Twins>, mut readout: ResMut<Readout>) {
    let largest = pairs.iter().map(|pair| pair.difference).fold(0.0, f32::max);
    readout.0 = format!("largest difference from the twins on the long wall: {largest:.3} units");
}
