//! Line of sight: guards see by casting rays. Walls block their sight, puddles do not. WASD or the
//! arrow keys walk.

#[path = "common/kit.rs"]
mod kit;

use bevy::{app::AppExit, color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;
use kit::Fill;

const SPEED: f32 = 230.0;
const PATROL_SPEED: f32 = 90.0;
const CHASE_SPEED: f32 = 190.0;
/// How far a guard sees, in world units, and how far to each side, in radians.
const SIGHT: f32 = 300.0;
const SIGHT_ANGLE: f32 = 0.5;
/// How fast a guard turns its head: the rate of an exponential, per second.
const TURN_RATE: f32 = 6.0;
const START: Vec3 = Vec3::new(-540.0, -260.0, 1.0);

/// The one that the keys move.
#[derive(Component)]
pub struct Player;

/// It looks ahead, in a direction of length 1.
#[derive(Component)]
struct Guard {
    ahead: Vec2,
}

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins((kit::show("Line of sight"), game))
        .add_systems(Update, draw_sight.after(guard))
        .run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, (walk, guard).chain());
}

fn spawn(mut commands: Commands) {
    commands.spawn_batch(kit::room());
    commands.spawn(kit::wall([-380.0, -200.0, 40.0, 240.0]));
    commands.spawn(kit::wall([-160.0, 140.0, 40.0, 220.0]));
    commands.spawn(kit::wall([-80.0, -140.0, 240.0, 40.0]));
    commands.spawn(kit::wall([220.0, 100.0, 240.0, 40.0]));
    commands.spawn(kit::wall([300.0, -200.0, 40.0, 160.0]));
    for (x, y) in [(-500.0, 160.0), (180.0, -60.0), (500.0, -60.0)] {
        let look = (Transform::from_xyz(x, y, -1.0), Fill(tailwind::SKY_900));
        commands.spawn((CircleCollider::new(70.0), look));
    }
    for (x, y) in [(-270.0, 0.0), (70.0, 240.0), (440.0, 0.0)] {
        let ahead = Vec2::Y;
        let mut mover = Mover::with_velocity(ahead * PATROL_SPEED);
        mover.response = MoverResponse::Bounce;
        let look = (Transform::from_xyz(x, y, 0.0), Fill(tailwind::AMBER_400));
        commands.spawn((Guard { ahead }, CircleCollider::new(18.0), mover, look));
    }
    let look = (Transform::from_translation(START), Fill(tailwind::LIME_400));
    let player = (Player, CircleCollider::new(16.0), Mover::default(), look);
    commands.spawn(player).observe(start_again);
    commands.spawn(Text::new("WASD: walk. Walls hide you, puddles do not"));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Mover, With<Player>>) {
    player.velocity = kit::axes(&keys).normalize_or_zero() * SPEED;
}

/// How far a guard sees in a direction. Nothing but what is solid blocks its sight: neither
/// puddles nor other guards nor the player.
fn sight(query: &SpatialQuery, eye: Vec2, direction: Vec2) -> f32 {
    let ray = Ray2d::new(eye, Dir2::new(direction).unwrap_or(Dir2::X));
    let walls = SpatialQueryFilter::default().only_solid();
    let hit = query.cast_ray(ray, SIGHT, &walls);
    hit.map_or(SIGHT, |(_, hit)| hit.distance)
}

/// A guard that sees the player goes there. Otherwise it walks on, and turns around at walls.
fn guard(
    mut guards: Query<(&mut Guard, &mut Mover, &mut Fill, &Transform)>,
    player: Single<&Transform, With<Player>>,
    query: SpatialQuery,
    time: Res<Time>,
) {
    for (mut guard, mut mover, mut fill, transform) in &mut guards {
        let to_player = (player.translation - transform.translation).truncate();
        let eye = transform.translation.truncate();
        let is_ahead = guard.ahead.angle_to(to_player).abs() < SIGHT_ANGLE;
        if is_ahead && to_player.length() < sight(&query, eye, to_player) {
            mover.velocity = to_player.normalize_or_zero() * CHASE_SPEED;
            fill.set_if_neq(Fill(tailwind::RED_500));
        } else {
            mover.velocity = mover.velocity.normalize_or(guard.ahead) * PATROL_SPEED;
            fill.set_if_neq(Fill(tailwind::AMBER_400));
        }
        let fraction = 1.0 - (-TURN_RATE * time.delta_secs()).exp();
        let turn = guard.ahead.angle_to(mover.velocity) * fraction;
        guard.ahead = Vec2::from_angle(turn).rotate(guard.ahead).normalize();
    }
}

fn start_again(
    start: On<CollisionStart>,
    guards: Query<(), With<Guard>>,
    mut player: Single<&mut Transform, With<Player>>,
) {
    if guards.contains(start.other) {
        player.translation = START;
    }
}

/// Draws the sight of each guard as a fan of rays.
fn draw_sight(guards: Query<(&Guard, &Fill, &Transform)>, query: SpatialQuery, mut gizmos: Gizmos) {
    for (guard, fill, transform) in &guards {
        let eye = transform.translation.truncate();
        for ray in -40..=40 {
            let angle = SIGHT_ANGLE * ray as f32 / 40.0;
            let direction = Vec2::from_angle(angle).rotate(guard.ahead);
            let end = eye + direction * sight(&query, eye, direction);
            gizmos.line_2d(eye, end, fill.0.with_alpha(0.2));
        }
    }
}
