//! Movement, to see with your own eyes: nothing tunnels, and nothing snags.
//!
//! `cargo run --example movement` opens a window with seven scenes; the number keys choose one. Each scene is a file in `scenes`
//! that can be read by itself; `stage` is what they have in common.

mod options;
mod scenes;
mod stage;

use bevy::{app::AppExit, prelude::*, window::WindowResolution};
use bevy_thud::{CollisionDebugPlugin, prelude::*};

use options::Options;

fn main() -> AppExit {
    let options: Options = argh::from_env();
    let window = Window {
        title: "Movement".into(),
        resolution: WindowResolution::new(1280, 720),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    }))
    .add_plugins((CollisionPlugin::default(), CollisionDebugPlugin))
    .insert_state(options.scene)
    .add_plugins((stage::plugin, scenes::plugin));
    if let Some(seconds) = options.seconds {
        app.add_systems(
            Last,
            close.run_if(move |time: Res<Time<Real>>| time.elapsed_secs() > seconds),
        );
    }
    app.run()
}

fn close(mut exit: MessageWriter<AppExit>) {
    exit.write_default();
}
