//! Apps with a scene in them, whatever else they do with it.

use std::time::{Duration, Instant};

use bevy::{
    app::{TaskPoolOptions, TaskPoolPlugin},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};

use super::Body;

/// The length of a frame.
pub const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// Makes entities of the bodies of a scene.
#[derive(Resource, Clone, Copy)]
pub struct Outfit {
    /// Adds what makes a body collide.
    pub equip: fn(&mut EntityCommands, &Body),
    /// Adds what makes it move, if it has a velocity.
    pub propel: fn(&mut EntityCommands, &Body),
}

/// World units per second, for what no plugin moves.
#[derive(Component)]
struct Velocity(Vec2);

/// What it was when it was spawned, and how long it has to live.
#[derive(Component)]
struct Mortal {
    body: Body,
    seconds_left: f32,
}

/// An app that moves things and propagates their transforms.
pub fn bare_app(task_pool_options: TaskPoolOptions) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin { task_pool_options },
        TimePlugin,
        TransformPlugin,
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
    .add_systems(Update, (walk, pass_away));
    app
}

/// Spawns a scene into an app that has all its plugins.
pub fn populate(app: &mut App, bodies: &[Body], outfit: Outfit) {
    app.insert_resource(outfit);
    let mut entities = Vec::with_capacity(bodies.len());
    for body in bodies {
        let parent = body.parent.map(|number| entities[number]);
        let mut commands = app.world_mut().commands();
        entities.push(spawn(&mut commands, outfit, *body, parent));
    }
    app.world_mut().flush();
    app.finish();
    app.cleanup();
}

/// Makes a body move straight on, through everything.
pub fn drift(entity: &mut EntityCommands, body: &Body) {
    entity.insert(Velocity(body.velocity));
}

/// Runs a frame, and tells how long it took.
pub fn time_frame(app: &mut App) -> Duration {
    let start = Instant::now();
    app.update();
    start.elapsed()
}

fn spawn(commands: &mut Commands, outfit: Outfit, body: Body, parent: Option<Entity>) -> Entity {
    let transform = Transform::from_translation(body.position.extend(0.0))
        .with_rotation(Quat::from_rotation_z(body.angle));
    let mut entity = commands.spawn(transform);
    if let Some(parent) = parent {
        entity.insert(ChildOf(parent));
    }
    if body.velocity != Vec2::ZERO {
        (outfit.propel)(&mut entity, &body);
    }
    if let Some(seconds_left) = body.seconds_to_live {
        entity.insert(Mortal { body, seconds_left });
    }
    (outfit.equip)(&mut entity, &body);
    entity.id()
}

fn walk(mut bodies: Query<(&mut Transform, &Velocity)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut transform, velocity) in &mut bodies {
        transform.translation += (velocity.0 * seconds).extend(0.0);
    }
}

/// Those whose time is over begin again where they began first; they hang on nothing.
fn pass_away(
    mut mortals: Query<(Entity, &mut Mortal)>,
    time: Res<Time>,
    outfit: Res<Outfit>,
    mut commands: Commands,
) {
    for (entity, mut mortal) in &mut mortals {
        mortal.seconds_left -= time.delta_secs();
        if mortal.seconds_left < 0.0 {
            commands.entity(entity).despawn();
            spawn(&mut commands, *outfit, mortal.body, None);
        }
    }
}
