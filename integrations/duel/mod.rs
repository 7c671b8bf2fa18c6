//! A duel for two, for any crate that rolls back: fighters, monsters, bullets, walls and a piston.
//! What draws it is in `window.rs`, which games with a window take in beside this module.

mod arena;
pub mod bots;
mod input;
mod rules;
pub mod state;

use bevy::{ecs::schedule::ScheduleLabel, prelude::*};
use bevy_thud::prelude::*;

pub use input::Input;

/// The systems of a step before and after the collisions.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Act,
    React,
}

/// What is rolled back. Rollback crates require their own marker with this one.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Simulated;

/// Takes an entity out of the game. An observer of the rollback crate does so: a rollback may have
/// to bring the entity back.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct Gone {
    pub entity: Entity,
}

/// What the two players press in the next step.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Inputs(pub [Input; 2]);

/// Adds the game to the schedule in which [`CollisionPlugin`] updates collisions.
pub fn plugin(schedule: impl ScheduleLabel, seed: u64) -> impl Plugin {
    let schedule = schedule.intern();
    move |app: &mut App| {
        app.insert_resource(state::Match::new(seed))
            .init_resource::<Inputs>()
            .add_systems(Startup, arena::spawn);
        rules::add_systems(app, schedule);
        app.configure_sets(
            schedule,
            (
                Step::Act.before(CollisionSystems::Sync),
                Step::React.after(CollisionSystems::Report),
            ),
        );
    }
}
