//! Scenes, settings and measurements that benchmarks share.

#![allow(dead_code, reason = "no benchmark uses all of it")]

#[path = "../scenes/mod.rs"]
pub mod scenes;

use std::time::Duration;

use bevy::{
    app::App,
    diagnostic::{DiagnosticPath, DiagnosticsStore},
};
use criterion::Criterion;

/// The numbers of colliders in a scene.
pub const COUNTS: [usize; 2] = [10_000, 100_000];
/// The number of frames before the measured ones: all pairs of the initial state start in them.
pub const WARM_UP: usize = 20;
/// The number of measured frames after which a scene is reset, before it disperses.
pub const FRAMES: usize = 60;

/// Settings with short measurements, since there are many benchmarks.
pub fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .nresamples(10_000)
        .configure_from_args()
}

/// An app that is built again after every [`FRAMES`] frames.
pub struct ResetApp<Build> {
    build: Build,
    app: App,
    frame: usize,
}

impl<Build: Fn() -> App> ResetApp<Build> {
    /// The app that `build` returns after its warm-up.
    pub fn new(build: Build) -> Self {
        Self {
            app: build(),
            build,
            frame: 0,
        }
    }

    /// Runs this many frames with `measure`, and returns the sum of the durations it returns.
    pub fn run(&mut self, frames: u64, measure: impl Fn(&mut App) -> Duration) -> Duration {
        let mut time = Duration::ZERO;
        for _ in 0..frames {
            if self.frame == FRAMES {
                self.app = (self.build)();
                self.frame = 0;
            }
            self.frame += 1;
            time += measure(&mut self.app);
        }
        time
    }
}

/// Runs a frame and returns the duration of a stage.
pub fn time_stage(app: &mut App, stage: &DiagnosticPath) -> Duration {
    app.update();
    let diagnostic = app.world().resource::<DiagnosticsStore>().get(stage);
    let milliseconds = diagnostic.and_then(|diagnostic| diagnostic.value());
    Duration::from_secs_f64(milliseconds.expect("each stage is measured in each frame") / 1e3)
}
