//! Runs the same scenes with each engine and prints how long that takes.

#[path = "../../scenes/mod.rs"]
#[allow(dead_code, reason = "not every engine needs all of it")]
mod scenes;

#[cfg(feature = "avian")]
mod avian;
mod bare;
mod movement;
mod ours;
mod questions;
#[cfg(feature = "rapier")]
mod rapier;
mod stage;
mod table;

use std::time::Duration;

use argh::{FromArgValue, FromArgs};
use scenes::Kind;
use stage::{Effort, Engine};

/// What is compared.
#[derive(FromArgValue)]
enum Table {
    /// Finding collisions: whole frames, over the bare app that only moves things.
    Collisions,
    /// Moving what walls stop.
    Movement,
    /// Answering questions about walls.
    Questions,
}

/// Compares collision plugins.
#[derive(FromArgs)]
struct Options {
    /// collisions (if nothing is said), movement or questions
    #[argh(positional, default = "Table::Collisions")]
    table: Table,

    /// how many colliders collide; may be given several times (1000, 10000, 100000)
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

    /// only the scenes of the collisions whose name contains this
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
    match options.table {
        Table::Collisions => compare_collisions(&options),
        Table::Movement => {
            let engines = options.chosen(movement::engines());
            movement::compare(&engines, options.rounds.max(1), &options.effort());
        }
        Table::Questions => {
            let engines = options.chosen(questions::engines());
            questions::compare(&engines, options.rounds.max(1), &options.effort());
        }
    }
}

impl Options {
    /// The bare app and the engines that were asked for.
    fn chosen(&self, mut engines: Vec<Engine>) -> Vec<Engine> {
        engines.retain(|engine| engine.name == bare::NAME || engine.name.contains(&self.engine));
        engines
    }

    fn effort(&self) -> Effort {
        Effort {
            frames: self.frames.max(1),
            patience: Duration::from_secs(self.patience),
            threads: self.threads,
            stages: self.stages,
        }
    }
}

/// Runs all scenes in all sizes.
fn compare_collisions(options: &Options) {
    let engines = options.chosen(Engine::all());
    let counts = match &options.count[..] {
        [] => &[1_000, 10_000, 100_000],
        counts => counts,
    };
    table::print_head();
    for &count in counts {
        for kind in Kind::ALL {
            if kind.name().contains(&options.scene) {
                compare_scene(kind, count, &engines, options);
            }
        }
    }
    table::print_notes();
}

/// Runs a scene with each engine and prints their lines of the table.
fn compare_scene(kind: Kind, count: usize, engines: &[Engine], options: &Options) {
    let bodies = kind.bodies(count);
    let effort = options.effort();
    let mut reports = vec![Vec::new(); engines.len()];
    for _ in 0..options.rounds.max(1) {
        for (engine, reports) in engines.iter().zip(&mut reports) {
            reports.push(stage::measure(engine, &bodies, &effort));
        }
    }
    table::print(kind, count, engines, &reports);
}
