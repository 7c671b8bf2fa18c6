//! Runs the same scenes with each engine and prints how long a frame takes, over the bare app that only moves things.

#[path = "../../scenes/mod.rs"]
#[allow(dead_code, reason = "not every engine needs all of it")]
mod scenes;

#[cfg(feature = "avian")]
mod avian;
mod bare;
mod ours;
#[cfg(feature = "rapier")]
mod rapier;
mod stage;
mod table;

use std::time::Duration;

use argh::FromArgs;
use scenes::Kind;
use stage::{Effort, Engine};

/// Compares collision plugins.
#[derive(FromArgs)]
struct Options {
    /// how many colliders; may be given several times (1000, 10000, 100000)
    #[argh(option)]
    count: Vec<usize>,

    /// how many frames to measure (60)
    #[argh(option, default = "60")]
    frames: usize,

    /// how many times each engine runs each scene, in turns; their median counts (1)
    #[argh(option, default = "1")]
    rounds: usize,

    /// how many seconds an engine may take for a scene before it is given up (300)
    #[argh(option, default = "300")]
    patience: u64,

    /// only the scenes whose name contains this
    #[argh(option, default = "String::new()")]
    scene: String,

    /// only the engines whose name contains this; the bare app always runs
    #[argh(option, default = "String::new()")]
    engine: String,

    /// how many threads Bevy has (all)
    #[argh(option)]
    threads: Option<usize>,

    /// print what the stages of an engine take
    #[argh(switch)]
    stages: bool,
}

fn main() {
    let options: Options = argh::from_env();
    let mut engines = Engine::all();
    engines.retain(|engine| engine.name == bare::NAME || engine.name.contains(&options.engine));
    let counts = match &options.count[..] {
        [] => &[1_000, 10_000, 100_000],
        counts => counts,
    };
    table::print_head();
    for &count in counts {
        for kind in Kind::ALL {
            if kind.name().contains(&options.scene) {
                compare(kind, count, &engines, &options);
            }
        }
    }
    table::print_notes();
}

/// Runs a scene with each engine and prints their lines of the table.
fn compare(kind: Kind, count: usize, engines: &[Engine], options: &Options) {
    let bodies = kind.bodies(count);
    let effort = Effort {
        frames: options.frames.max(1),
        patience: Duration::from_secs(options.patience),
        threads: options.threads,
        stages: options.stages,
    };
    let mut reports = vec![Vec::new(); engines.len()];
    for _ in 0..options.rounds.max(1) {
        for (engine, reports) in engines.iter().zip(&mut reports) {
            reports.push(stage::measure(engine, &bodies, &effort));
        }
    }
    table::print(kind, count, engines, &reports);
}
