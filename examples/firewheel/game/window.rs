//! The game in a window.

use bevy::{app::AppExit, prelude::*, window::WindowResolution};

use super::{GamePlugin, Options, controls, look, status};

const RESOLUTION: UVec2 = UVec2::new(1280, 720);

/// Opens a window and plays until it is closed, or the time is over.
pub fn play(options: &Options) -> AppExit {
    let window = Window {
        title: "FireWheel".into(),
        resolution: WindowResolution::new(RESOLUTION.x, RESOLUTION.y),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    }))
    .add_plugins(GamePlugin {
        options: options.clone(),
    })
    .add_plugins((controls::plugin, look::plugin, status::plugin));
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
