//! An app that measures the stages of its updates.

use std::time::Duration;

use bevy::{
    app::TaskPoolPlugin,
    diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};

/// The simulated duration of a frame.
pub const TIMESTEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// An empty world with the plugin and its diagnostics.
pub fn measured_app() -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionDiagnosticsPlugin::default(),
    ))
    .init_resource::<DiagnosticsStore>()
    .insert_resource(TimeUpdateStrategy::ManualDuration(TIMESTEP));
    app.finish();
    app.cleanup();
    app
}

/// The sum of the stages of the last update, in milliseconds.
pub fn time_of_stages(app: &App) -> f64 {
    type Plugin = CollisionDiagnosticsPlugin;
    let stages = [Plugin::SYNC, Plugin::MOVE, Plugin::DETECT, Plugin::REPORT];
    stages.iter().map(|path| diagnostic(app, path)).sum()
}

/// The value of a diagnostic after the last update.
pub fn diagnostic(app: &App, path: &DiagnosticPath) -> f64 {
    let diagnostics = app.world().resource::<DiagnosticsStore>();
    (diagnostics.get(path).and_then(Diagnostic::value)).unwrap_or_default()
}
