//! Fast wheels in a room with thin walls and rotated posts.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::stage::{Readout, Ring, Scene, body, palette, pose, room, wall};

const HERE: DespawnOnExit<Scene> = DespawnOnExit(Scene::Bouncing);
const AREA: Rect = Rect {
    min: Vec2::new(-610.0, -305.0),
    max: Vec2::new(610.0, 280.0),
};
const THIN: f32 = 2.0;
const WHEELS: u8 = 30;
/// Posts: center, size and angle.
const POSTS: [(Vec2, Vec2, f32); 7] = [
    (Vec2::new(-420.0, 120.0), Vec2::new(160.0, THIN), PI / 6.0),
    (Vec2::new(-400.0, -150.0), Vec2::new(70.0, 70.0), PI / 5.0),
    (Vec2::new(-170.0, -30.0), Vec2::new(THIN, 220.0), PI / 9.0),
    (Vec2::new(0.0, 160.0), Vec2::new(110.0, 40.0), -PI / 7.0),
    (Vec2::new(110.0, -190.0), Vec2::new(200.0, THIN), -PI / 8.0),
    (Vec2::new(330.0, 120.0), Vec2::new(80.0, 80.0), PI / 4.0),
    (Vec2::new(450.0, -130.0), Vec2::new(THIN, 180.0), -PI / 5.0),
];
/// The length of the line behind a wheel.
const TRAIL: f32 = 170.0;

/// A wheel: its initial speed, and where it was.
#[derive(Component)]
struct Wheel {
    speed: f32,
    trail: Vec<Vec2>,
}

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::Bouncing), spawn)
        .add_systems(Update, tell.run_if(in_state(Scene::Bouncing)))
        .add_systems(
            PostUpdate,
            (lengthen_trails, draw_trails)
                .chain()
                .after(CollisionSystems::Report),
        );
}

fn spawn(mut commands: Commands) {
    room(&mut commands, Scene::Bouncing, AREA, THIN);
    for (position, size, angle) in POSTS {
        commands.spawn((HERE, wall(size, pose(position, angle))));
    }
    for (number, color) in (0..WHEELS).zip(palette::BODIES.into_iter().cycle()) {
        let number = f32::from(number);
        let position = Vec2::new(-570.0 + 39.0 * number, 250.0);
        let speed = 600.0 + 60.0 * number;
        let direction = Vec2::from_angle(-0.3 - 2.4 * (number * 0.618).fract());
        let mover = Mover {
            response: MoverResponse::Bounce,
            ..Mover::with_velocity(direction * speed)
        };
        let wheel = Wheel {
            speed,
            trail: vec![position],
        };
        let radius = 5.0 + number % 4.0 * 2.0;
        let looks = body(CircleCollider::new(radius), color, pose(position, 0.0));
        commands.spawn((HERE, wheel, looks)).insert(mover);
    }
}

/// Adds the points where it bounced as well, so that the line does not cut corners, and marks each
/// with a ring.
fn lengthen_trails(
    mut wheels: Query<(&mut Wheel, &Transform, &CircleCollider, &MoverHits)>,
    mut commands: Commands,
) {
    for (mut wheel, transform, circle, hits) in &mut wheels {
        let corners = hits
            .iter()
            .map(|hit| hit.point + hit.normal * circle.radius);
        wheel.trail.extend(corners);
        wheel.trail.push(transform.translation.truncate());
        for hit in hits.iter() {
            commands.spawn(Ring::new(hit.point, palette::GLOW));
        }
    }
}

fn draw_trails(mut wheels: Query<&mut Wheel>, mut gizmos: Gizmos) {
    for mut wheel in &mut wheels {
        let mut length = 0.0;
        let mut used = 1;
        for (number, legs) in (2..).zip(wheel.trail.windows(2).rev()) {
            let fade =
                |length: f32| palette::WHITE.with_alpha(0.5 * (1.0 - length / TRAIL).max(0.0));
            let start = length;
            length += legs[0].distance(legs[1]);
            gizmos.line_gradient_2d(legs[1], legs[0], fade(start), fade(length));
            used = number;
            if length > TRAIL {
                break;
            }
        }
        let unused = wheel.trail.len() - used;
        wheel.trail.drain(..unused);
    }
}

fn tell(wheels: Query<(&Wheel, &Mover, &Transform)>, mut readout: ResMut<Readout>) {
    let mean = |sum: f32| sum / f32::from(WHEELS);
    let at_first = mean(wheels.iter().map(|(wheel, ..)| wheel.speed).sum());
    let now = mean(
        wheels
            .iter()
            .map(|(_, mover, _)| mover.velocity.length())
            .sum(),
    );
    let is_outside = |at: &Transform| !AREA.contains(at.translation.truncate());
    let outside = wheels.iter().filter(|(.., at)| is_outside(at)).count();
    readout.0 = format!(
        "mean speed at first {at_first:.1}, now {now:.1} units a second  |  outside of the room: {outside}"
    );
}
