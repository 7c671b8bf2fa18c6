//! The stages of a game: it is played, it is over, and it may be paused meanwhile.

use bevy::prelude::*;

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    #[default]
    Playing,
    /// Everybody is dead, the monsters stroll on.
    Over,
}

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pause {
    #[default]
    Running,
    Paused,
}

/// For everything that is gone when the next game begins.
pub const UNTIL_NEXT_GAME: DespawnOnExit<Stage> = DespawnOnExit(Stage::Over);

pub fn plugin(app: &mut App) {
    app.init_state::<Stage>()
        .init_state::<Pause>()
        .add_systems(OnEnter(Pause::Paused), stop_time)
        .add_systems(OnExit(Pause::Paused), resume_time);
}

/// The collision plugin moves by this clock, so nothing moves while it stands still.
fn stop_time(mut time: ResMut<Time<Virtual>>) {
    time.pause();
}

fn resume_time(mut time: ResMut<Time<Virtual>>) {
    time.unpause();
}
