//! Blades that cross a row of thin targets in a few frames, the fastest in one or two.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::super::stage::{Paint, Scene, palette, pose};
use super::HERE;

/// The y coordinate of each lane, and the speed of its blade.
const LANES: [(f32, f32); 3] = [(245.0, 1500.0), (185.0, 8000.0), (125.0, 40_000.0)];
const END: f32 = 590.0;
/// How long a blade waits at the end of its lane, in seconds.
const WAIT: f32 = 0.8;
const TARGETS: i32 = 21;
const GAP: f32 = 52.0;
const FLASH_SECONDS: f32 = 0.5;

#[derive(Component, Default)]
pub struct Blade {
    speed: f32,
    /// 1 to the right, -1 to the left.
    direction: f32,
    wait: f32,
    passes: i32,
    hits: i32,
}

impl Blade {
    /// How often it has reached an end.
    pub fn passes(&self) -> i32 {
        self.passes
    }

    /// While it waits at an end: how many targets it should have hit and did not. Hits on arrival
    /// are reported in the next frame.
    pub fn missed(&self) -> i32 {
        let is_waiting = self.wait > 0.0 && self.wait < WAIT;
        if is_waiting {
            self.passes * TARGETS - self.hits
        } else {
            0
        }
    }
}

#[derive(Component)]
struct Target(f32);

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::Sweeping), spawn)
        .add_systems(Update, (cut, fade).run_if(in_state(Scene::Sweeping)));
}

fn spawn(mut commands: Commands) {
    for (y, speed) in LANES {
        for number in 0..TARGETS {
            let position = Vec2::new((number - TARGETS / 2) as f32 * GAP, y);
            let collider = RectCollider::new(2.0, 34.0);
            let target = (HERE, Target(0.0), Paint(palette::WALL), pose(position, 0.0));
            commands.spawn((collider, target)).observe(flash);
        }
        let blade = Blade {
            speed,
            direction: 1.0,
            wait: WAIT,
            ..default()
        };
        let looks = (Paint(palette::ORANGE), pose(Vec2::new(-END, y), 0.0));
        commands
            .spawn((HERE, blade, Swept, RectCollider::new(5.0, 46.0), looks))
            .observe(count);
    }
}

fn flash(start: On<CollisionStart>, mut targets: Query<&mut Target>) {
    if let Ok(mut target) = targets.get_mut(start.entity) {
        target.0 = 1.0;
    }
}

fn count(start: On<CollisionStart>, mut blades: Query<&mut Blade>) {
    if let Ok(mut blade) = blades.get_mut(start.entity) {
        blade.hits += 1;
    }
}

/// Moves from one end to the other. A line shows what a blade crossed in this frame.
fn cut(time: Res<Time>, mut blades: Query<(&mut Blade, &mut Transform)>, mut gizmos: Gizmos) {
    for (mut blade, mut transform) in &mut blades {
        blade.wait -= time.delta_secs();
        if blade.wait > 0.0 {
            continue;
        }
        let from = transform.translation;
        let step = blade.direction * blade.speed * time.delta_secs();
        transform.translation.x = (from.x + step).clamp(-END, END);
        gizmos.line(from, transform.translation, palette::ORANGE);
        if transform.translation.x == END * blade.direction {
            blade.direction = -blade.direction;
            blade.wait = WAIT;
            blade.passes += 1;
        }
    }
}

fn fade(time: Res<Time>, mut targets: Query<(&mut Target, &mut Paint)>) {
    for (mut target, mut paint) in &mut targets {
        target.0 = (target.0 - time.delta_secs() / FLASH_SECONDS).max(0.0);
        let steps = (target.0 * 16.0).ceil() / 16.0;
        paint.set_if_neq(Paint(palette::WALL.mix(&palette::GLOW, steps)));
    }
}
