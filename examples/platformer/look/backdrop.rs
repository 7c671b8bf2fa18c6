//! Hills and clouds in the distance, which move less than what is near.

use bevy::prelude::*;

use super::brush::{Brush, palette};

/// Moves with the camera by this fraction.
#[derive(Component)]
struct Distant(f32);

/// x, y and radius.
const FAR_HILLS: [[f32; 3]; 4] = [
    [60.0, -70.0, 230.0],
    [370.0, -130.0, 310.0],
    [700.0, -60.0, 240.0],
    [960.0, -120.0, 290.0],
];
const NEAR_HILLS: [[f32; 3]; 5] = [
    [-20.0, -60.0, 170.0],
    [260.0, -110.0, 220.0],
    [540.0, -70.0, 190.0],
    [820.0, -110.0, 220.0],
    [1120.0, -60.0, 190.0],
];
const CLOUDS: [[f32; 3]; 9] = [
    [130.0, 330.0, 18.0],
    [154.0, 336.0, 24.0],
    [182.0, 331.0, 17.0],
    [430.0, 250.0, 15.0],
    [450.0, 255.0, 20.0],
    [474.0, 251.0, 14.0],
    [700.0, 365.0, 20.0],
    [728.0, 371.0, 26.0],
    [760.0, 365.0, 18.0],
];

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(PostUpdate, shift.before(TransformSystems::Propagate));
}

fn spawn(mut brush: Brush, mut commands: Commands) {
    let layers: [(&[[f32; 3]], Color, f32, f32); 3] = [
        (&FAR_HILLS, palette::FAR_HILL, -9.0, 0.6),
        (&CLOUDS, palette::CLOUD, -8.0, 0.5),
        (&NEAR_HILLS, palette::NEAR_HILL, -7.0, 0.4),
    ];
    for (discs, color, z, distance) in layers {
        let layer = (
            Distant(distance),
            Transform::default(),
            Visibility::default(),
        );
        commands.spawn(layer).with_children(|layer| {
            for (number, [x, y, radius]) in discs.iter().enumerate() {
                let at = Vec3::new(*x, *y, z + 0.01 * number as f32);
                layer.spawn(brush.disc(color, at, *radius));
            }
        });
    }
}

fn shift(
    camera: Single<&Transform, With<Camera2d>>,
    mut layers: Query<(&Distant, &mut Transform), Without<Camera2d>>,
) {
    for (distant, mut transform) in &mut layers {
        transform.translation.x = camera.translation.x * distant.0;
    }
}
