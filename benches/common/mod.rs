//! What the benchmarks share: the scenes, and how long those are run.

#![allow(dead_code, reason = "no benchmark needs all of it")]

#[path = "../scenes/mod.rs"]
pub mod scenes;

use std::time::Duration;

use criterion::Criterion;

/// How many colliders the scenes have.
pub const COUNTS: [usize; 2] = [10_000, 100_000];
/// How many frames of a scene pass before it is measured: everything starts in them.
pub const WARM_UP: usize = 20;
/// After how many frames more a scene begins anew, before it has dissolved.
pub const FRAMES: usize = 60;

/// Short runs, for there are many of them.
pub fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .nresamples(10_000)
        .configure_from_args()
}
