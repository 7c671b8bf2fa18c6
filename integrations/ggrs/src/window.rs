//! The game in a window.

#[path = "../../duel/window.rs"]
mod duel_window;

use bevy::prelude::*;
use bevy_ggrs::{LocalInputs, LocalPlayers, prelude::*};

use crate::{
    Options,
    duel::bots,
    headless,
    rollback::{self, DuelConfig},
};

/// Plays over the network, or against a bot if there is no other player.
pub fn play(options: &Options) {
    let session = match options.remote {
        Some(_) => headless::p2p(options),
        None => alone(),
    };
    let title = format!("duel: player {}", options.player.unwrap_or(0) + 1);
    let seed = options.seed;
    let press = move |mut commands: Commands,
                      keys: Res<ButtonInput<KeyCode>>,
                      players: Res<LocalPlayers>,
                      mut calls: Local<u32>| {
        *calls += 1;
        // The keys are those of the first local player; a bot plays the second one.
        let inputs = players.0.iter().enumerate().map(|(number, &player)| {
            let input = match number {
                0 => duel_window::pressed(&keys),
                _ => bots::input(seed, player, *calls),
            };
            (player, input)
        });
        commands.insert_resource(LocalInputs::<DuelConfig>(inputs.collect()));
    };
    App::new()
        .add_plugins((duel_window::plugin(title), rollback::plugin(seed)))
        .insert_resource(Session::P2P(session))
        .add_systems(ReadInputs, press)
        .run();
}

/// Both players on this machine.
fn alone() -> ggrs::P2PSession<DuelConfig> {
    let mut session = SessionBuilder::new()
        .with_num_players(2)
        .expect("two players");
    for player in 0..2 {
        session = session
            .add_player(PlayerType::Local, player)
            .expect("a player");
    }
    let socket = ggrs::UdpNonBlockingSocket::bind_to_port(0).expect("a free port");
    session.start_p2p_session(socket).expect("a session")
}
