//! Platforms to jump through from below: static ones, rotated ones, and lifts.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::stage::{
    Paint, Readout, Scene, SceneTime, body, heading, palette, pose, room, wall,
};

const HERE: DespawnOnExit<Scene> = DespawnOnExit(Scene::OneWay);
const AREA: Rect = Rect {
    min: Vec2::new(-610.0, -300.0),
    max: Vec2::new(610.0, 270.0),
};
const GRAVITY: f32 = 1400.0;
const JUMP: f32 = 640.0;
const WALK: f32 = 280.0;
const DASH: f32 = 160.0;
/// The downward speed of what stands, which keeps it on a platform that sinks.
const PRESS: f32 = 150.0;
/// A surface is ground if the y component of its normal is larger than this.
const GROUND: f32 = 0.6;
/// Seconds after which the circles drop again.
const PERIOD: f32 = 7.0;
/// Platforms: center, width and angle.
const PLATFORMS: [(Vec2, f32, f32); 6] = [
    (Vec2::new(-470.0, -180.0), 200.0, 0.0),
    (Vec2::new(-470.0, -60.0), 200.0, 0.0),
    (Vec2::new(-470.0, 60.0), 200.0, 0.0),
    (Vec2::new(-180.0, -120.0), 220.0, PI / 9.0),
    (Vec2::new(-90.0, 80.0), 240.0, -PI / 5.0),
    (Vec2::new(140.0, -180.0), 180.0, 0.0),
];

/// Affected by gravity.
#[derive(Component)]
struct Falling;

/// Dropped from here again and again.
#[derive(Component)]
struct Dropped(Vec2);

/// The player of this scene, who jumps.
#[derive(Component)]
struct Jumper;

/// A platform that moves up and down.
#[derive(Component)]
struct Lift {
    center: Vec2,
    /// How far it moves. Positive is upward first.
    height: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::OneWay), spawn).add_systems(
        Update,
        (lift, fall, jump, drop_again)
            .chain()
            .run_if(in_state(Scene::OneWay)),
    );
}

fn spawn(mut commands: Commands, mut readout: ResMut<Readout>) {
    readout.0 = "the arrows through a platform point in the open direction".into();
    room(&mut commands, Scene::OneWay, AREA, 12.0);
    for (position, width, angle) in PLATFORMS {
        commands.spawn((HERE, platform(width, position, angle)));
    }
    for (x, height) in [(320.0, 150.0), (510.0, -150.0)] {
        let center = Vec2::new(x, -60.0);
        let lift = Lift { center, height };
        commands.spawn((HERE, platform(150.0, center, 0.0), lift));
    }
    let door = wall(Vec2::new(12.0, 110.0), pose(Vec2::new(-10.0, -245.0), 0.0));
    let to_the_right = (OneWay(Dir2::X), Paint(palette::WAY));
    commands.spawn(HERE).insert(door).insert(to_the_right);
    let player = RectCollider::new(26.0, 38.0);
    let start = pose(Vec2::new(-250.0, -270.0), 0.0);
    commands.spawn((HERE, Jumper, Falling, body(player, palette::PLAYER, start)));
    for (number, color) in (0u8..14).zip(palette::BODIES.into_iter().cycle()) {
        let start = Vec2::new(-560.0 + 84.0 * f32::from(number), 240.0);
        let circle = body(CircleCollider::new(11.0), color, pose(start, 0.0));
        commands.spawn((HERE, Dropped(start), Falling, circle));
    }
}

fn platform(width: f32, position: Vec2, angle: f32) -> impl Bundle {
    (
        RectCollider::new(width, 14.0),
        Solid,
        OneWay(Dir2::Y),
        Paint(palette::WAY),
        pose(position, angle),
    )
}

fn lift(time: Res<SceneTime>, mut lifts: Query<(&Lift, &mut Transform)>) {
    for (lift, mut transform) in &mut lifts {
        transform.translation.y = lift.center.y + lift.height * time.0.sin();
    }
}

fn stands(hits: &MoverHits) -> bool {
    hits.iter().any(|hit| hit.normal.y > GROUND)
}

fn fall(time: Res<Time>, mut movers: Query<(&mut Mover, &MoverHits), With<Falling>>) {
    for (mut mover, hits) in &mut movers {
        mover.velocity.y -= GRAVITY * time.delta_secs();
        if stands(hits) {
            mover.velocity.y = mover.velocity.y.min(-PRESS);
        }
    }
}

fn jump(keys: Res<ButtonInput<KeyCode>>, player: Single<(&mut Mover, &MoverHits), With<Jumper>>) {
    let (mut mover, hits) = player.into_inner();
    let side = Vec2::new(heading(&keys).x, 0.0).normalize_or_zero();
    mover.velocity.x = side.x * WALK;
    if keys.any_pressed([KeyCode::ArrowUp, KeyCode::KeyW]) && stands(hits) {
        mover.velocity.y = JUMP;
    }
    if keys.just_pressed(KeyCode::Space) {
        mover.displacement = side * DASH;
    }
}

fn drop_again(
    mut rounds: Local<u32>,
    time: Res<SceneTime>,
    mut circles: Query<(&Dropped, &mut Transform, &mut Mover)>,
) {
    let round = (time.0 / PERIOD) as u32;
    if std::mem::replace(&mut *rounds, round) == round {
        return;
    }
    for (dropped, mut transform, mut mover) in &mut circles {
        transform.translation = dropped.0.extend(transform.translation.z);
        mover.velocity = Vec2::ZERO;
    }
}
