//! Comparison of collision plugins: runs the same scenes with each engine and prints the times.

#[path = "../../scenes/mod.rs"]
#[allow(dead_code, reason = "not every feature set uses all of it")]
mod scenes;

#[cfg(feature = "avian")]
mod avian;
mod bare;
#[cfg(feature = "box2d")]
mod box2d;
mod movement;
mod ours;
mod queries;
#[cfg(feature = "rapier")]
mod rapier;
mod runner;
mod table;
mod timer;
mod walking;

use std::time::Duration;

use argh::{FromArgValue, FromArgs};
use runner::{Engine, MeasureOptions};
use scenes::SceneKind;

/// A comparison.
#[derive(FromArgValue)]
enum Table {
    /// Collision detection: whole frames, relative to the bare app.
    Collisions,
    /// Movers that walls block.
    Movement,
    /// Spatial queries among walls.
    Queries,
    /// Character controllers on a course.
    Walking,
    /// Casts and a crowd, beside Box2D itself.
    #[cfg(feature = "box2d")]
    Box2d,
}

/// Compares collision plugins.
#[derive(FromArgs)]
struct Options {
    /// collisions (the default), movement, queries, walking or box2d
    #[argh(positional, default = "Table::Collisions")]
    table: Table,

    /// number of colliders in the collision scenes; repeatable (1000, 10000, 100000)
    #[argh(option)]
    count: Vec<usize>,

    /// number of frames to measure (60)
    #[argh(option, default = "60")]
    frames: usize,

    /// number of rounds, in which the engines take turns; the median counts (1)
    #[argh(option, default = "1")]
    rounds: usize,

    /// seconds after which an engine is stopped in a scene (300)
    #[argh(option, default = "300")]
    time_limit: u64,

    /// only the collision scenes whose name contains this
    #[argh(option, default = "String::new()")]
    scene: String,

    /// only the engines whose name contains this; the bare app always runs
    #[argh(option, default = "String::new()")]
    engine: String,

    /// number of threads of Bevy (all)
    #[argh(option)]
    threads: Option<usize>,

    /// print the durations of the stages of an engine
    #[argh(switch)]
    stages: bool,
}

fn main() {
    let options: Options = argh::from_env();
    match options.table {
        Table::Collisions => compare_collisions(&options),
        Table::Movement => {
            let engines = options.selected(movement::engines());
            movement::compare(&engines, options.rounds.max(1), &options.measure_options());
        }
        Table::Queries => {
            let engines = options.selected(queries::engines());
            queries::compare(&engines, options.rounds.max(1), &options.measure_options());
        }
        #[cfg(feature = "box2d")]
        Table::Box2d => box2d::compare(options.rounds.max(1), &options.measure_options()),
        Table::Walking => {
            let mut engines = walking::engines();
            engines.retain(|engine| engine.name.contains(&options.engine));
            walking::compare(&engines, options.rounds.max(1), &options.measure_options());
        }
    }
}

impl Options {
    /// The bare app and the selected engines.
    fn selected(&self, mut engines: Vec<Engine>) -> Vec<Engine> {
        engines.retain(|engine| engine.name == bare::NAME || engine.name.contains(&self.engine));
        engines
    }

    fn measure_options(&self) -> MeasureOptions {
        MeasureOptions {
            frames: self.frames.max(1),
            time_limit: Duration::from_secs(self.time_limit),
            threads: self.threads,
            stages: self.stages,
        }
    }
}

/// Runs all selected scenes at all counts.
fn compare_collisions(options: &Options) {
    let engines = options.selected(Engine::all());
    let counts = match &options.count[..] {
        [] => &[1_000, 10_000, 100_000],
        counts => counts,
    };
    table::print_header();
    for &count in counts {
        for kind in SceneKind::ALL {
            if kind.name().contains(&options.scene) {
                compare_scene(kind, count, &engines, options);
            }
        }
    }
    table::print_notes();
}

/// Runs a scene with each engine and prints the rows of the table.
fn compare_scene(kind: SceneKind, count: usize, engines: &[Engine], options: &Options) {
    let bodies = kind.bodies(count);
    let measure_options = options.measure_options();
    let mut reports = vec![Vec::new(); engines.len()];
    for _ in 0..options.rounds.max(1) {
        for (engine, reports) in engines.iter().zip(&mut reports) {
            reports.push(runner::measure(engine, &bodies, &measure_options));
        }
    }
    table::print(kind, count, engines, &reports);
}
