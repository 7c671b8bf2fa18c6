//! Where the duel takes place, and what walks there.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    Simulated,
    state::{Fighter, Match, Piston},
};

pub const CORNERS: [Vec2; 4] = [
    Vec2::new(-260.0, -140.0),
    Vec2::new(260.0, 140.0),
    Vec2::new(260.0, -140.0),
    Vec2::new(-260.0, 140.0),
];

/// How far up and down the piston goes.
pub const PISTON_TRAVEL: f32 = 110.0;

/// By half a radian. A sine that is computed may differ between platforms.
const TILTED: Quat = Quat::from_xyzw(0.0, 0.0, 0.247_403_96, 0.968_912_4);

pub fn spawn(mut commands: Commands, mut game: ResMut<Match>) {
    let mut wall = |center: [f32; 2], size: [f32; 2], rotation: Quat| {
        let at = Transform::from_xyz(center[0], center[1], 0.0).with_rotation(rotation);
        let shape = RectCollider::new(size[0], size[1]);
        commands.spawn((shape, Solid, at, game.key())).id()
    };
    for side in [-1.0, 1.0] {
        wall([0.0, 190.0 * side], [660.0, 20.0], Quat::IDENTITY);
        wall([320.0 * side, 0.0], [20.0, 400.0], Quat::IDENTITY);
        wall([130.0 * side, 60.0 * side], [90.0, 14.0], TILTED);
        wall([130.0 * side, -60.0 * side], [14.0, 90.0], Quat::IDENTITY);
    }
    let piston = wall([0.0, -PISTON_TRAVEL], [70.0, 16.0], Quat::IDENTITY);
    commands.entity(piston).insert((Piston, Swept, Simulated));
    for (player, corner) in CORNERS.into_iter().take(2).enumerate() {
        commands.spawn((Fighter::new(player), body(corner, 10.0), game.key()));
    }
}

/// What walks.
pub fn body(at: Vec2, radius: f32) -> impl Bundle {
    (
        CircleCollider::new(radius),
        Solid,
        Mover::default(),
        MoverHits::default(),
        Transform::from_translation(at.extend(0.0)),
        Simulated,
    )
}
