//! The camera follows the hero, and stays in the level.

use bevy::{app::RunFixedMainLoopSystems, camera::ScalingMode, prelude::*};
use bevy_thud_ldtk::LdtkLevel;

use super::{super::game::hero::Hero, brush::palette, smooth::Before};

/// What it shows, in world units.
const VIEW: Vec2 = Vec2::new(720.0, 405.0);

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(palette::SKY))
        .add_systems(Startup, set_up)
        .add_systems(
            RunFixedMainLoop,
            follow.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
}

fn set_up(mut commands: Commands) {
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::AutoMax {
            max_width: VIEW.x,
            max_height: VIEW.y,
        },
        ..OrthographicProjection::default_2d()
    };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
}

fn follow(
    time: Res<Time<Fixed>>,
    hero: Single<(&Transform, &Before), With<Hero>>,
    level: Single<&LdtkLevel>,
    mut camera: Single<&mut Transform, (With<Camera2d>, Without<Hero>)>,
) {
    let (now, before) = *hero;
    let position = before.pose(now, &time).translation.truncate();
    let inset = VIEW / 2.0;
    let position = position.clamp(inset, level.size - inset);
    camera.translation = position.extend(camera.translation.z);
}
