//! Runs the same scenes with each engine and prints how long a frame takes, over the bare app that only moves things.

#[path = "../../scenes/mod.rs"]
mod scenes;

mod bare;
mod ours;
mod stage;

use std::time::Duration;

use argh::FromArgs;
use scenes::Kind;
use stage::{Engine, Report};

/// Compares collision plugins.
#[derive(FromArgs)]
struct Options {
    /// how many colliders (100000)
    #[argh(option, default = "100_000")]
    count: usize,

    /// how many frames to measure (60)
    #[argh(option, default = "60")]
    frames: usize,

    /// only the scenes whose name contains this
    #[argh(option, default = "String::new()")]
    scene: String,

    /// how many threads (all)
    #[argh(option)]
    threads: Option<usize>,
}

fn main() {
    let options: Options = argh::from_env();
    println!(
        "{:<22} {:<12} {:>9} {:>9} {:>8} {:>9} {:>9}",
        "scene", "engine", "median", "worst", "ratio", "starts", "ends"
    );
    for kind in Kind::ALL {
        if !kind.name().contains(&options.scene) {
            continue;
        }
        let bodies = kind.bodies(options.count);
        let mut moving = None;
        for engine in Engine::all() {
            let report = stage::measure(&engine, &bodies, options.frames, options.threads);
            print(kind, &engine, &report, moving);
            moving.get_or_insert(report.median);
        }
    }
}

/// A line of the table. The ratio is that of what the engine adds to the bare app.
fn print(kind: Kind, engine: &Engine, report: &Report, moving: Option<Duration>) {
    let millis = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let ratio = moving.map_or(String::new(), |moving| {
        let over = report.median.as_secs_f64() - moving.as_secs_f64();
        format!("{:.2}", over / moving.as_secs_f64())
    });
    println!(
        "{:<22} {:<12} {:>9} {:>9} {:>8} {:>9} {:>9}",
        kind.name(),
        engine.name,
        millis(report.median),
        millis(report.worst),
        ratio,
        report.starts,
        report.ends
    );
}
