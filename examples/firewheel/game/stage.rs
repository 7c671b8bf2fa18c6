//! The states of a game: playing or over, and paused or not.

use bevy::prelude::*;

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    #[default]
    Playing,
    /// All players are dead, and the monsters walk on.
    Over,
}

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pause {
    #[default]
    Running,
    Paused,
}

/// On everything that is despawned when the next game begins.
pub const UNTIL_NEXT_GAME: DespawnOnExit<Stage> = DespawnOnExit(Stage::Over);

pub fn plugin(app: &mut App) {
    app.init_state::<Stage>()
        .init_state::<Pause>()
        .add_systems(OnEnter(Pause::Paused), stop_time)
        .add_systems(OnExit(Pause::Paused), resume_time);
}

/// The collision plugin moves movers by this clock, so nothing moves while it is paused.
fn stop_time(mut time: ResMut<Time<Virtual>>) {
    time.pause();
}

fn resume_time(mut time: ResMut<Time<Virtual>>) {
    time.unpause();
}
