//! Corners of several angles, and movers that are pushed into them from alternating sides.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::stage::{Readout, Scene, SceneTime, body, heading, palette, pose, room, wall};

const HERE: DespawnOnExit<Scene> = DespawnOnExit(Scene::Wedges);
const AREA: Rect = Rect {
    min: Vec2::new(-615.0, -305.0),
    max: Vec2::new(615.0, 280.0),
};
/// The angle of a corner in degrees, its position, and the length of its walls.
const CORNERS: [(f32, Vec2, f32); 4] = [
    (10.0, Vec2::new(-525.0, -170.0), 330.0),
    (30.0, Vec2::new(-315.0, -170.0), 300.0),
    (60.0, Vec2::new(-15.0, -170.0), 280.0),
    (90.0, Vec2::new(380.0, -170.0), 280.0),
];
const THICKNESS: f32 = 20.0;
const PUSH: f32 = 300.0;
/// How far the push swings to each side, in radians: not far enough to lead out of a corner.
const SWING: f32 = 0.65;
/// Seconds that they are pushed, before they are pulled out for a second.
const PERIOD: f32 = 8.0;
/// How fast the measured step decays, per second.
const FORGET: f32 = 4.0;

/// A mover that is pushed into a corner.
#[derive(Component, Default)]
struct Pushed {
    corner: usize,
    last: Vec2,
    /// About the largest step of the last second.
    step: f32,
}

/// The text below a corner.
#[derive(Component)]
struct Sign(usize);

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::Wedges), spawn).add_systems(
        Update,
        (measure, push, tell)
            .chain()
            .run_if(in_state(Scene::Wedges)),
    );
}

fn spawn(mut commands: Commands) {
    room(&mut commands, Scene::Wedges, AREA, 8.0);
    for (corner, (degrees, apex, length)) in CORNERS.into_iter().enumerate() {
        let half = degrees.to_radians() / 2.0;
        for side in [-1.0, 1.0] {
            commands.spawn((HERE, side_wall(apex, half * side, length)));
        }
        let out = pose(apex + Vec2::Y * (length + 10.0), 0.0);
        let layer = |z| out * Transform::from_xyz(0.0, 0.0, z);
        let [large, small] = [22.0, 12.0].map(CircleCollider::new);
        let square = RectCollider::new(30.0, 30.0);
        commands.spawn((
            pushed_into(corner),
            body(large, palette::ORANGE, layer(0.0)),
        ));
        commands.spawn((
            pushed_into(corner),
            body(square, palette::VIOLET, layer(0.1)),
        ));
        commands.spawn((pushed_into(corner), body(small, palette::BLUE, layer(0.2))));
        commands.spawn((
            HERE,
            Sign(corner),
            Text2d::default(),
            TextLayout::justify(Justify::Center),
            TextFont::from_font_size(18.0),
            TextColor(palette::PALE),
            pose(apex - Vec2::Y * 70.0, 0.0),
        ));
    }
}

fn pushed_into(corner: usize) -> impl Bundle {
    let pushed = Pushed {
        corner,
        ..default()
    };
    (HERE, pushed)
}

/// The wall whose inner edge starts at the apex, at this angle from the bisector of the corner.
fn side_wall(apex: Vec2, off_middle: f32, length: f32) -> impl Bundle {
    let angle = FRAC_PI_2 - off_middle;
    let along = Vec2::from_angle(angle);
    let outwards = along.perp() * -off_middle.signum();
    let center = apex + along * (length - THICKNESS) / 2.0 + outwards * THICKNESS / 2.0;
    wall(
        Vec2::new(length + THICKNESS, THICKNESS),
        pose(center, angle),
    )
}

/// Pushes into the corner from alternating sides, out of it for a while, or wherever the keys
/// point.
fn push(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<SceneTime>,
    mut movers: Query<&mut Mover, With<Pushed>>,
    mut gizmos: Gizmos,
) {
    let heading = heading(&keys);
    let swing = SWING * (time.0 * 2.0).sin();
    let velocity = if heading != Vec2::ZERO {
        heading * PUSH
    } else if time.0 % PERIOD > PERIOD - 1.0 {
        Vec2::Y * PUSH / 2.0
    } else {
        Vec2::from_angle(swing - FRAC_PI_2) * PUSH
    };
    for (_, apex, length) in CORNERS {
        let start = apex + Vec2::Y * (length + 60.0);
        gizmos.arrow_2d(start, start + velocity / 6.0, palette::WHITE);
    }
    for mut mover in &mut movers {
        mover.velocity = velocity;
        if keys.just_pressed(KeyCode::Space) {
            mover.displacement = velocity;
        }
    }
}

fn measure(time: Res<Time>, mut movers: Query<(&Transform, &mut Pushed)>) {
    let kept = (-FORGET * time.delta_secs()).exp();
    for (transform, mut pushed) in &mut movers {
        let position = transform.translation.truncate();
        pushed.step = position.distance(pushed.last).max(pushed.step * kept);
        pushed.last = position;
    }
}

fn tell(
    movers: Query<&Pushed>,
    mut signs: Query<(&Sign, &mut Text2d)>,
    mut readout: ResMut<Readout>,
) {
    for (sign, mut text) in &mut signs {
        let here = movers.iter().filter(|pushed| pushed.corner == sign.0);
        let step = here.map(|pushed| pushed.step).fold(0.0, f32::max);
        text.0 = format!("{} degrees\n{step:.3} a frame", CORNERS[sign.0].0);
    }
    readout.0 = "below each corner: the largest step of its movers, in units".into();
}
