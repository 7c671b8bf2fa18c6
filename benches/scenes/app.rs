//! Apps that run a scene, for any engine.

use std::time::{Duration, Instant};

use bevy::{
    app::{TaskPoolOptions, TaskPoolPlugin},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};

use super::Body;

/// The simulated duration of a frame.
pub const TIMESTEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// Inserts the components of the bodies of a scene.
#[derive(Resource, Clone, Copy)]
pub struct BodySetup {
    /// Inserts the components that an engine needs.
    pub insert_components: fn(&mut EntityCommands, &Body),
    /// Inserts the components that move a body with a velocity.
    pub insert_velocity: fn(&mut EntityCommands, &Body),
}

/// World units per second, for bodies that no plugin moves.
#[derive(Component)]
struct Velocity(Vec2);

/// The initial state of a body that is respawned, and the time until then.
#[derive(Component)]
struct Lifetime {
    body: Body,
    seconds_left: f32,
}

/// An app that moves bodies and propagates transforms.
pub fn bare_app(task_pool_options: TaskPoolOptions) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin { task_pool_options },
        TimePlugin,
        TransformPlugin,
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(TIMESTEP))
    .add_systems(Update, (apply_velocity, respawn_expired));
    app
}

/// Spawns a scene into an app that has all its plugins.
pub fn spawn_scene(app: &mut App, bodies: &[Body], setup: BodySetup) {
    app.insert_resource(setup);
    let mut entities = Vec::with_capacity(bodies.len());
    for body in bodies {
        let parent = body.parent.map(|index| entities[index]);
        let mut commands = app.world_mut().commands();
        entities.push(spawn(&mut commands, setup, *body, parent));
    }
    app.world_mut().flush();
    app.finish();
    app.cleanup();
}

/// Moves a body along a straight line, through all others.
pub fn insert_velocity(entity: &mut EntityCommands, body: &Body) {
    entity.insert(Velocity(body.velocity));
}

/// Runs a frame and returns its duration.
pub fn time_frame(app: &mut App) -> Duration {
    let start = Instant::now();
    app.update();
    start.elapsed()
}

fn spawn(commands: &mut Commands, setup: BodySetup, body: Body, parent: Option<Entity>) -> Entity {
    let transform = Transform::from_translation(body.position.extend(0.0))
        .with_rotation(Quat::from_rotation_z(body.angle));
    let mut entity = commands.spawn(transform);
    if let Some(parent) = parent {
        entity.insert(ChildOf(parent));
    }
    if body.velocity != Vec2::ZERO {
        (setup.insert_velocity)(&mut entity, &body);
    }
    if let Some(seconds_left) = body.seconds_to_live {
        entity.insert(Lifetime { body, seconds_left });
    }
    (setup.insert_components)(&mut entity, &body);
    entity.id()
}

fn apply_velocity(mut bodies: Query<(&mut Transform, &Velocity)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut transform, velocity) in &mut bodies {
        transform.translation += (velocity.0 * seconds).extend(0.0);
    }
}

/// Respawns bodies in their initial state when their lifetime is over. They have no parent.
fn respawn_expired(
    mut lifetimes: Query<(Entity, &mut Lifetime)>,
    time: Res<Time>,
    setup: Res<BodySetup>,
    mut commands: Commands,
) {
    for (entity, mut lifetime) in &mut lifetimes {
        lifetime.seconds_left -= time.delta_secs();
        if lifetime.seconds_left < 0.0 {
            commands.entity(entity).despawn();
            spawn(&mut commands, *setup, lifetime.body, None);
        }
    }
}
