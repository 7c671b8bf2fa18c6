//! A dash to the mouse, with a preview of exactly what it will do.

use std::f32::consts::PI;

use bevy::{ecs::system::SystemParam, prelude::*, window::PrimaryWindow};
use bevy_thud::{MoveOutcome, geometry::Shape, prelude::*};

use super::super::super::stage::{Player, Scene, body, palette, pose, room, wall};
use super::HERE;

const AREA: Rect = Rect {
    min: Vec2::new(-610.0, -305.0),
    max: Vec2::new(610.0, 80.0),
};
const RADIUS: f32 = 14.0;
const START: Vec2 = Vec2::new(-480.0, -110.0);
/// Walls: center, size and angle.
const WALLS: [(Vec2, Vec2, f32); 7] = [
    (Vec2::new(-250.0, -60.0), Vec2::new(150.0, 16.0), -PI / 5.0),
    (Vec2::new(-270.0, -220.0), Vec2::new(4.0, 120.0), 0.0),
    (Vec2::new(-60.0, -150.0), Vec2::new(90.0, 90.0), PI / 6.0),
    (Vec2::new(80.0, 10.0), Vec2::new(180.0, 4.0), PI / 9.0),
    (Vec2::new(190.0, -200.0), Vec2::new(16.0, 150.0), -PI / 7.0),
    (Vec2::new(390.0, -40.0), Vec2::new(100.0, 50.0), PI / 4.0),
    (Vec2::new(480.0, -220.0), Vec2::new(120.0, 4.0), -PI / 6.0),
];

/// The player of this scene.
#[derive(Component, Default)]
pub struct Dasher {
    /// Where the preview of the current dash ended.
    expected: Option<Vec2>,
    /// How far from its preview the last dash ended.
    pub error: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::Sweeping), spawn)
        .add_systems(Update, dash.run_if(in_state(Scene::Sweeping)))
        .add_systems(PostUpdate, check.after(CollisionSystems::Move));
}

fn spawn(mut commands: Commands) {
    room(&mut commands, Scene::Sweeping, AREA, 8.0);
    for (position, size, angle) in WALLS {
        commands.spawn((HERE, wall(size, pose(position, angle))));
    }
    let walks = Player {
        speed: 260.0,
        dash: 0.0,
    };
    let looks = body(
        CircleCollider::new(RADIUS),
        palette::PLAYER,
        pose(START, 0.0),
    );
    commands.spawn((HERE, Dasher::default(), walks, looks));
}

/// Draws the preview, and dashes when asked to.
fn dash(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    mouse: Mouse,
    query: SpatialQuery,
    player: Single<(Entity, &Transform, &mut Mover, &mut Dasher)>,
    mut gizmos: Gizmos,
) {
    let (entity, transform, mut mover, mut dasher) = player.into_inner();
    let start = transform.translation.truncate();
    let Some(aim) = mouse.position() else {
        return;
    };
    let planned = Mover {
        velocity: Vec2::ZERO,
        displacement: aim - start,
        ..mover.clone()
    };
    let shape = Shape::circle(start, RADIUS);
    let filter = SpatialQueryFilter::default().exclude_body(entity);
    let outcome = query.move_and_slide(&shape, &planned, time.delta_secs(), &filter);
    draw_preview(&mut gizmos, start, aim, &outcome);
    if keys.just_pressed(KeyCode::Space) {
        dasher.expected = Some(start + outcome.displacement);
        *mover = planned;
    }
}

fn draw_preview(gizmos: &mut Gizmos, start: Vec2, aim: Vec2, outcome: &MoveOutcome) {
    let end = start + outcome.displacement;
    let turns = outcome
        .hits
        .iter()
        .map(|hit| hit.point + hit.normal * RADIUS);
    let ghosts = turns.clone().chain([end]);
    for ghost in ghosts.clone() {
        gizmos.circle_2d(ghost, RADIUS, palette::GLOW.with_alpha(0.6));
    }
    gizmos.linestrip_2d([start].into_iter().chain(ghosts), palette::GLOW);
    for hit in &outcome.hits {
        gizmos.arrow_2d(hit.point, hit.point + hit.normal * 20.0, palette::ORANGE);
    }
    gizmos.line_2d(start, aim, palette::PALE.with_alpha(0.15));
    gizmos.circle_2d(aim, 4.0, palette::WHITE);
}

fn check(player: Option<Single<(&Transform, &mut Dasher)>>) {
    let Some((transform, mut dasher)) = player.map(Single::into_inner) else {
        return;
    };
    if let Some(expected) = dasher.expected.take() {
        dasher.error = transform.translation.truncate().distance(expected);
    }
}

/// The position of the mouse in the world.
#[derive(SystemParam)]
struct Mouse<'w, 's> {
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform)>,
}

impl Mouse<'_, '_> {
    fn position(&self) -> Option<Vec2> {
        let (camera, at) = *self.camera;
        let position = self.window.cursor_position()?;
        camera.viewport_to_world_2d(at, position).ok()
    }
}
