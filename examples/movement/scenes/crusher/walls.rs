//! The jaws and the bar.

use std::f32::consts::TAU;

use bevy::prelude::*;

use super::super::super::stage::{Scene, SceneTime, pose, room, wall};
use super::{HERE, MIDDLE_OF_BAR, MIDDLE_OF_JAWS};

const AREA: Rect = Rect {
    min: Vec2::new(-610.0, -300.0),
    max: Vec2::new(610.0, 270.0),
};
const JAW: Vec2 = Vec2::new(70.0, 380.0);
/// The smallest and the largest gap between the jaws.
const GAP: [f32; 2] = [14.0, 330.0];
const SECONDS_TO_CLOSE: f32 = 2.5;
const BAR: Vec2 = Vec2::new(430.0, 36.0);
/// In radians per second.
const TURNING: f32 = 0.9;

/// A wall that closes: to the left of the gap, or to the right.
#[derive(Component)]
struct Jaw(f32);

#[derive(Component)]
struct Bar;

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::Crusher), spawn)
        .add_systems(Update, (close, turn).run_if(in_state(Scene::Crusher)));
}

fn spawn(mut commands: Commands) {
    room(&mut commands, Scene::Crusher, AREA, 12.0);
    for side in [-1.0, 1.0] {
        commands.spawn((HERE, Jaw(side), wall(JAW, pose(MIDDLE_OF_JAWS, 0.0))));
    }
    commands.spawn((HERE, Bar, wall(BAR, pose(MIDDLE_OF_BAR, 0.0))));
}

fn close(time: Res<SceneTime>, mut jaws: Query<(&Jaw, &mut Transform)>) {
    let openness = 0.5 + 0.7 * (time.0 * TAU / (2.0 * SECONDS_TO_CLOSE)).cos();
    let gap = GAP[0].lerp(GAP[1], openness.clamp(0.0, 1.0));
    for (jaw, mut transform) in &mut jaws {
        transform.translation.x = MIDDLE_OF_JAWS.x + jaw.0 * (gap + JAW.x) / 2.0;
    }
}

fn turn(time: Res<SceneTime>, mut bar: Single<&mut Transform, With<Bar>>) {
    bar.rotation = Quat::from_rotation_z(time.0 * TURNING);
}
