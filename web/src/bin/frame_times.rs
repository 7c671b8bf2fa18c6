//! The mean time of an update on one thread, in a browser (`?example=frame_times`; the console has
//! the result) and on a desktop (`cargo run --release --bin frame_times`).

#[path = "../../../examples/common/platform.rs"]
mod platform;
#[allow(dead_code, reason = "other scenes are for the benchmarks")]
#[path = "../../../benches/scenes/mod.rs"]
mod scenes;

use std::time::Duration;

use bevy::{
    app::{AppExit, TaskPoolOptions},
    platform::time::Instant,
    prelude::*,
};
use bevy_thud::prelude::*;

use scenes::{
    Body, ColliderShape, SceneKind,
    app::{BodySetup, bare_app, insert_velocity, spawn_scene},
};

const COUNTS: [usize; 3] = [500, 2_000, 10_000];
/// All pairs of the initial state start in the frames before the measured ones.
const WARM_UP: usize = 20;
/// The measured frames of a scene, before it disperses.
const FRAMES: u32 = 60;
const ROUNDS: u32 = 5;

pub(crate) fn main() -> AppExit {
    for count in COUNTS {
        let [bare, whole] = [false, true].map(|collides| mean_time(count, collides));
        platform::print(format!(
            "{count} colliders: {:.3} ms, {:.3} ms without the plugin",
            whole.as_secs_f64() * 1e3,
            bare.as_secs_f64() * 1e3,
        ));
    }
    AppExit::Success
}

/// The mean time of an update while nine of ten colliders move.
fn mean_time(count: usize, collides: bool) -> Duration {
    let bodies = SceneKind::Moving.bodies(count);
    let mut sum = Duration::ZERO;
    for _ in 0..ROUNDS {
        let mut app = build(&bodies, collides);
        (0..WARM_UP).for_each(|_| app.update());
        // A browser's clock is coarse, so one frame cannot be measured.
        let start = Instant::now();
        (0..FRAMES).for_each(|_| app.update());
        sum += start.elapsed();
    }
    sum / (ROUNDS * FRAMES)
}

fn build(bodies: &[Body], collides: bool) -> App {
    let mut app = bare_app(TaskPoolOptions::with_num_threads(1));
    if collides {
        app.add_plugins(CollisionPlugin::default());
    }
    let setup = BodySetup {
        insert_components: if collides { insert_collider } else { |_, _| {} },
        insert_velocity,
    };
    spawn_scene(&mut app, bodies, setup);
    app
}

fn insert_collider(entity: &mut EntityCommands, body: &Body) {
    if body.solid {
        entity.insert(Solid);
    }
    match body.shape {
        Some(ColliderShape::Circle(radius)) => entity.insert(CircleCollider::new(radius)),
        Some(ColliderShape::Rect(size)) => entity.insert(RectCollider::new(size.x, size.y)),
        None => entity,
    };
}
