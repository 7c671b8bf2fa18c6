//! A duel for two by rollback: `bevy_thud` for collisions, `bevy_ggrs` for the network.

#[path = "../../duel/mod.rs"]
mod duel;
mod headless;
mod loopback;
mod rollback;
mod socket;
#[cfg(feature = "window")]
mod window;

use std::{net::SocketAddr, process::ExitCode};

use argh::FromArgs;

/// A duel for two: WASD to move, space to fire. Without options, one machine plays against a bot.
#[derive(FromArgs, Clone, Debug)]
struct Options {
    /// play without a window and check each step by simulating it again
    #[argh(switch)]
    sync_test: bool,
    /// play without a window and over the network: starts both players, which are bots, and
    /// compares their hashes
    #[argh(switch)]
    loopback_test: bool,
    /// how many steps to play without a window
    #[argh(option, default = "10_000")]
    frames: i32,
    /// how many steps back the check simulates again
    #[argh(option, default = "8")]
    check_distance: usize,
    /// how many steps late inputs count
    #[argh(option, default = "2")]
    input_delay: usize,
    /// the seed of the bots, of the game and of the network's losses
    #[argh(option, default = "1")]
    seed: u64,
    /// which of the two players this one is, in a game over the network: 0 or 1
    #[argh(option)]
    player: Option<usize>,
    /// the port of this player
    #[argh(option, default = "7000")]
    local_port: u16,
    /// the address of the other player
    #[argh(option)]
    remote: Option<SocketAddr>,
    /// play over the network without a window, by bots
    #[argh(switch)]
    headless: bool,
    /// the fraction of packets that are lost
    #[argh(option, default = "0.0")]
    loss: f32,
    /// the time by which packets are late, in milliseconds
    #[argh(option, default = "0")]
    delay_ms: u64,
    /// the time by which some packets are later than others, in milliseconds
    #[argh(option, default = "0")]
    jitter_ms: u64,
}

fn main() -> ExitCode {
    let options: Options = argh::from_env();
    if options.sync_test {
        headless::sync_test(&options)
    } else if options.loopback_test {
        loopback::test(&options)
    } else if options.headless {
        headless::play_over_network(&options)
    } else {
        play_in_window(&options)
    }
}

#[cfg(feature = "window")]
fn play_in_window(options: &Options) -> ExitCode {
    window::play(options);
    ExitCode::SUCCESS
}

#[cfg(not(feature = "window"))]
fn play_in_window(_: &Options) -> ExitCode {
    println!("built without a window: --sync-test, --loopback-test or --headless");
    ExitCode::FAILURE
}
