//! Scenes and settings that all benchmarks share.

#![allow(dead_code, reason = "no benchmark uses all of it")]

#[path = "../scenes/mod.rs"]
pub mod scenes;

use std::time::Duration;

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
