//! Players that press buttons at random.

use bevy::prelude::*;
use bevy_ggrs::{LocalInputs, LocalPlayers};
use fastrand::Rng;

use crate::input::{DuelConfig, Input};

/// The seed of the bots.
#[derive(Resource)]
pub struct BotSeed(pub u64);

/// Presses the buttons of all local players. Each choice lasts for a third of a second.
pub fn press(
    mut commands: Commands,
    players: Res<LocalPlayers>,
    seed: Res<BotSeed>,
    mut calls: Local<u64>,
) {
    let inputs = (players.0.iter()).map(|&player| (player, input(seed.0, player, *calls / 20)));
    commands.insert_resource(LocalInputs::<DuelConfig>(inputs.collect()));
    *calls += 1;
}

/// What a bot presses at a time.
pub fn input(seed: u64, player: usize, time: u64) -> Input {
    let mut rng = Rng::with_seed(seed ^ (player as u64) << 32 ^ time << 40);
    Input(rng.u8(0..32))
}
