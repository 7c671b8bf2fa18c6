//! The camera shows the whole arena at any window size, and shakes when a player is hurt.

use bevy::{camera::ScalingMode, prelude::*};
use bevy_thud::prelude::*;

use super::{
    super::game::{health::Damage, player::Player},
    brush::palette,
};

const VIEW: Vec2 = Vec2::new(1280.0, 720.0);
/// World units for each point of damage.
const SHAKE: f32 = 0.5;
const CALMING_PER_SECOND: f32 = 9.0;

/// How far the camera may be off its position, in world units.
#[derive(Component, Default)]
struct Shake(f32);

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(palette::VOID))
        .add_systems(Startup, set_up)
        .add_systems(
            PostUpdate,
            shake
                .after(CollisionSystems::Report)
                .before(TransformSystems::Propagate),
        )
        .add_observer(start_shaking);
}

fn set_up(mut commands: Commands) {
    commands.spawn((
        Camera2d,
        Shake::default(),
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: ScalingMode::AutoMin {
                min_width: VIEW.x,
                min_height: VIEW.y,
            },
            ..OrthographicProjection::default_2d()
        }),
    ));
}

fn start_shaking(
    damage: On<Damage>,
    players: Query<(), With<Player>>,
    mut camera: Single<&mut Shake>,
) {
    if players.contains(damage.entity) {
        camera.0 = (camera.0 + SHAKE * damage.amount).min(12.0);
    }
}

fn shake(camera: Single<(&mut Shake, &mut Transform)>, time: Res<Time>) {
    let (mut shake, mut at) = camera.into_inner();
    if shake.0 == 0.0 {
        return;
    }
    shake.0 *= (-CALMING_PER_SECOND * time.delta_secs()).exp();
    if shake.0 < 0.05 {
        shake.0 = 0.0;
    }
    let phase = time.elapsed_secs() * 60.0;
    let offset = Vec2::new(phase.sin(), (phase * 1.3).cos()) * shake.0;
    at.translation = offset.extend(at.translation.z);
}
