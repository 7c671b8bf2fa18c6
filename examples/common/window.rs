//! The window of the examples.

use bevy::{
    app::{AppExit, PluginGroupBuilder},
    prelude::*,
    window::WindowResolution,
};

/// Bevy's plugins, with a window of 1280 by 720.
pub fn plugins(title: &str) -> PluginGroupBuilder {
    let window = Window {
        title: title.into(),
        resolution: WindowResolution::new(1280, 720),
        ..default()
    };
    DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    })
}

/// Closes the app after this many seconds, if given.
pub fn close_after(app: &mut App, seconds: Option<f32>) {
    if let Some(seconds) = seconds {
        let is_over = move |time: Res<Time<Real>>| time.elapsed_secs() > seconds;
        app.add_systems(Last, close.run_if(is_over));
    }
}

fn close(mut exit: MessageWriter<AppExit>) {
    exit.write_default();
}
