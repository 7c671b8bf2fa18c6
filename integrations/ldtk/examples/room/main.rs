//! A platformer room from a map of LDtk: slopes, half cells, one-way planks, spikes, crates, coins,
//! a switch that opens a door, and a lift along a path.
//!
//! `cargo run --example room` opens a window: A and D or the arrow keys walk, W or Space jumps.
//! Change `assets/room.ldtk` in LDtk, save, and press R: the hero keeps its coins.
//! `--headless` lets a bot play without a window.

mod game;
mod look;

use bevy::{app::AppExit, log::LogPlugin, prelude::*, time::TimeUpdateStrategy};

use game::{Bot, Purse};

/// A platformer room from a map of LDtk. A and D walk, W or Space jumps, R loads the map again.
#[derive(argh::FromArgs)]
struct Options {
    /// let a bot play without a window, as fast as it can
    #[argh(switch)]
    headless: bool,

    /// how many seconds to play (headless 20, in a window without end)
    #[argh(option)]
    seconds: Option<f32>,
}

fn main() -> AppExit {
    let options: Options = argh::from_env();
    if options.headless {
        play_headless(options.seconds.unwrap_or(20.0))
    } else {
        let mut app = App::new();
        app.add_plugins((look::plugin, game::plugin));
        if let Some(seconds) = options.seconds {
            let is_over = move |time: Res<Time<Real>>| time.elapsed_secs() > seconds;
            let close = |mut exit: MessageWriter<AppExit>| {
                exit.write_default();
            };
            app.add_systems(Last, close.run_if(is_over));
        }
        app.run()
    }
}

/// Fails if the bot collects nothing.
fn play_headless(seconds: f32) -> AppExit {
    const STEPS_PER_SECOND: f32 = 60.0;
    let step = std::time::Duration::from_secs_f32(1.0 / STEPS_PER_SECOND);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, LogPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(step))
        .init_resource::<ButtonInput<KeyCode>>()
        .init_resource::<Bot>()
        .add_plugins(game::plugin);
    app.finish();
    app.cleanup();
    for _ in 0..(seconds * STEPS_PER_SECOND) as usize {
        app.update();
    }
    let world = app.world_mut();
    let mut heroes = world.query::<(&Transform, &Purse)>();
    match heroes.single(world) {
        Ok((transform, purse)) => {
            let at = transform.translation.truncate();
            println!(
                "{} coins, {} falls into spikes, at {at}",
                purse.coins, purse.falls
            );
            if purse.coins > 0 {
                AppExit::Success
            } else {
                AppExit::error()
            }
        }
        Err(error) => {
            eprintln!("no hero: {error}");
            AppExit::error()
        }
    }
}
