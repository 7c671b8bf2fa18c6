//! Movers on their way, timed and watched.

use std::time::{Duration, Instant};

use bevy::prelude::*;

use crate::{
    scenes::{Body, staging::Outfit},
    stage::{self, Effort, Engine, WARM_UP},
    table::median,
};

/// How fast they turn, in radians per second: each walks in a circle of 60 units where nothing is in its way, stays in its part of
/// the world, and comes away from any corner.
const TURN_RATE: f32 = 2.0;
/// Frames in which they stand, for not every engine knows the walls in its first one.
const STANDING: u32 = 5;

/// Where a mover wants to go, in world units per second.
#[derive(Component)]
pub struct Aim {
    /// Now.
    pub velocity: Vec2,
    /// When it may walk.
    heading: Vec2,
}

/// How long the movers of a frame took to move.
#[derive(Resource, Default)]
pub struct Stopwatch {
    since: Option<Instant>,
    time: Duration,
}

/// What came of a walk.
pub struct Walk {
    /// Of the time for a frame.
    pub median_frame: Duration,
    /// Of the time for moving all the movers.
    pub median_move: Duration,
    /// Where each mover was: at first, and after each frame.
    pub tracks: Vec<Vec<Vec2>>,
    /// A line for each stage, where they were measured.
    pub stages: Vec<String>,
}

/// Prepares an app for movers with an [`Aim`].
pub fn install(app: &mut App) {
    app.init_resource::<Stopwatch>()
        .add_systems(PreUpdate, turn);
}

/// Runs before an engine moves the movers.
pub fn start(mut watch: ResMut<Stopwatch>) {
    watch.since = Some(Instant::now());
}

/// Runs after an engine has moved the movers.
pub fn stop(mut watch: ResMut<Stopwatch>) {
    if let Some(since) = watch.since.take() {
        watch.time = since.elapsed();
    }
}

/// Lets movers walk; nothing comes of it if that takes too long.
pub fn walk(engine: &Engine, bodies: &[Body], effort: &Effort) -> Option<Walk> {
    let outfit = Outfit {
        equip: engine.equip,
        propel: aim,
    };
    let mut movers = Vec::new();
    let mut tracks = Vec::new();
    let mut moves = Vec::with_capacity(effort.frames);
    let (app, frames) = stage::run(engine, bodies, outfit, effort, |app, frame| {
        if frame == 0 {
            movers = movers_of(app.world_mut());
            tracks = vec![Vec::with_capacity(effort.frames + 1); movers.len()];
        }
        if frame + 1 >= WARM_UP {
            note_places(app.world(), &movers, &mut tracks);
        }
        if frame >= WARM_UP {
            moves.push(app.world().resource::<Stopwatch>().time);
        }
    })?;
    Some(Walk {
        median_frame: median(frames)?,
        median_move: median(moves)?,
        tracks,
        stages: stage::describe_stages(&app),
    })
}

fn aim(entity: &mut EntityCommands, body: &Body) {
    entity.insert(Aim {
        velocity: Vec2::ZERO,
        heading: body.velocity,
    });
}

fn turn(mut aims: Query<&mut Aim>, time: Res<Time>, mut frame: Local<u32>) {
    *frame += 1;
    if *frame <= STANDING {
        return;
    }
    let rotation = Rot2::radians(TURN_RATE * time.delta_secs());
    for mut aim in &mut aims {
        aim.heading = rotation * aim.heading;
        aim.velocity = aim.heading;
    }
}

fn movers_of(world: &mut World) -> Vec<Entity> {
    let mut movers = world.query_filtered::<Entity, With<Aim>>();
    movers.iter(world).collect()
}

fn note_places(world: &World, movers: &[Entity], tracks: &mut [Vec<Vec2>]) {
    for (&mover, track) in movers.iter().zip(tracks) {
        let transform = world.get::<Transform>(mover);
        track.extend(transform.map(|transform| transform.translation.xy()));
    }
}
