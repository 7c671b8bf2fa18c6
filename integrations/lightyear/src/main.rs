//! A duel for two by client-side prediction: `bevy_thud` for collisions, `lightyear` for the
//! network.

mod client;
#[path = "../../duel/mod.rs"]
mod duel;
mod hash;
mod headless;
mod loopback;
mod offline;
mod protocol;
mod record;
mod rollback;
mod server;
mod step;
mod window;

use std::process::ExitCode;

use argh::FromArgs;

/// A duel for two. A server passes on inputs, and two clients simulate.
#[derive(FromArgs, Clone, Debug)]
struct Options {
    /// play a match of bots: start a server and two clients, and compare their hashes
    /// with those of a match without a network
    #[argh(switch)]
    loopback_test: bool,
    /// pass on the inputs of two clients
    #[argh(switch)]
    server: bool,
    /// play as this one of the two players: 0 or 1
    #[argh(option)]
    client: Option<usize>,
    /// play in a window, WASD to move, space to fire; without, a bot plays
    #[argh(switch)]
    window: bool,
    /// the port of the server
    #[argh(option, default = "7100")]
    port: u16,
    /// how many steps to play
    #[argh(option, default = "2000")]
    steps: u32,
    /// roll back whenever an input arrives, also if it is as predicted
    #[argh(switch)]
    roll_back_always: bool,
    /// the seed of the bots and of the game
    #[argh(option, default = "1")]
    seed: u64,
    /// the time by which packets are late on each of the two ways to the other client, in
    /// milliseconds
    #[argh(option, default = "30")]
    latency_ms: u64,
    /// the time by which packets are early or late at random, in milliseconds
    #[argh(option, default = "10")]
    jitter_ms: u64,
    /// the fraction of packets that are lost on each of the two ways
    #[argh(option, default = "0.05")]
    loss: f32,
}

fn main() -> ExitCode {
    let options: Options = argh::from_env();
    if options.loopback_test {
        loopback::test(&options)
    } else if options.server {
        server::run(&options)
    } else if let Some(player) = options.client {
        if options.window {
            window::play(&options, player);
            return ExitCode::SUCCESS;
        }
        headless::play(&options, player)
    } else {
        println!("one of --loopback-test, --server, --client; --help tells more");
        ExitCode::FAILURE
    }
}
