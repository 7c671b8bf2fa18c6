//! The steering of movers, and a recording of their positions and times.

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    runner::{self, Engine, MeasureOptions, WARM_UP},
    scenes::{Body, app::BodySetup},
    table::median,
    timer::MoveTimer,
};

/// The angular velocity of the steering, in radians per second: where nothing blocks it, a mover
/// moves in a circle of 60 units. It stays in its region, and gets out of any corner.
const TURN_RATE: f32 = 2.0;
/// The number of frames before movers start, since some engines have no walls in their first frame.
const STANDSTILL: u32 = 5;

/// The steering of a mover, in world units per second.
#[derive(Component)]
pub struct Steering {
    /// The desired velocity in this frame.
    pub velocity: Vec2,
    /// The desired velocity once the movers start.
    heading: Vec2,
}

/// The recording of a scene.
pub struct Recording {
    /// The median duration of a frame.
    pub median_frame: Duration,
    /// The median time that moves all movers.
    pub median_move: Duration,
    /// The positions of each mover: the initial one, and that after each frame.
    pub trajectories: Vec<Vec<Vec2>>,
    /// A line for each measured stage.
    pub stages: Vec<String>,
}

/// Prepares an app for movers with [`Steering`].
pub fn install(app: &mut App) {
    app.init_resource::<MoveTimer>()
        .add_systems(PreUpdate, rotate_steering);
}

/// Runs a scene with an engine. Returns `None` if it exceeds the time limit.
pub fn record(engine: &Engine, bodies: &[Body], options: &MeasureOptions) -> Option<Recording> {
    let setup = BodySetup {
        insert_components: engine.insert_components,
        insert_velocity: insert_steering,
    };
    let mut movers = Vec::new();
    let mut trajectories = Vec::new();
    let mut moves = Vec::with_capacity(options.frames);
    let (app, frames) = runner::run(engine, bodies, setup, options, |app, frame| {
        if frame == 0 {
            movers = find_movers(app.world_mut());
            trajectories = vec![Vec::with_capacity(options.frames + 1); movers.len()];
        }
        if frame + 1 >= WARM_UP {
            record_positions(app.world(), &movers, &mut trajectories);
        }
        if frame >= WARM_UP {
            moves.push(app.world().resource::<MoveTimer>().time);
        }
    })?;
    Some(Recording {
        median_frame: median(frames)?,
        median_move: median(moves)?,
        trajectories,
        stages: runner::describe_stages(&app),
    })
}

fn insert_steering(entity: &mut EntityCommands, body: &Body) {
    entity.insert(Steering {
        velocity: Vec2::ZERO,
        heading: body.velocity,
    });
}

fn rotate_steering(mut movers: Query<&mut Steering>, time: Res<Time>, mut frame: Local<u32>) {
    *frame += 1;
    if *frame <= STANDSTILL {
        return;
    }
    let rotation = Rot2::radians(TURN_RATE * time.delta_secs());
    for mut steering in &mut movers {
        steering.heading = rotation * steering.heading;
        steering.velocity = steering.heading;
    }
}

fn find_movers(world: &mut World) -> Vec<Entity> {
    let mut movers = world.query_filtered::<Entity, With<Steering>>();
    movers.iter(world).collect()
}

fn record_positions(world: &World, movers: &[Entity], trajectories: &mut [Vec<Vec2>]) {
    for (&mover, trajectory) in movers.iter().zip(trajectories) {
        let transform = world.get::<Transform>(mover);
        trajectory.extend(transform.map(|transform| transform.translation.xy()));
    }
}
