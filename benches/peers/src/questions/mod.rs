//! Rays, points and circles among walls: what an engine knows about them, and how soon it tells.

#[cfg(feature = "avian")]
mod avian;
mod exam;
mod ours;
#[cfg(feature = "rapier")]
mod rapier;
mod table;

use crate::{
    scenes::{
        Body, among_walls,
        staging::{self, Outfit},
    },
    stage::{self, Effort, Engine},
};
use exam::Exam;

/// Those that answer; the bare app knows nothing.
pub fn engines() -> Vec<Engine> {
    vec![
        ours::engine(),
        #[cfg(feature = "avian")]
        avian::engine(),
        #[cfg(feature = "rapier")]
        rapier::engine(),
    ]
}

/// Asks each engine the same about the same walls, and prints what came of it.
pub fn compare(engines: &[Engine], rounds: usize, effort: &Effort) {
    let walls = among_walls::walls();
    let mut results: Vec<Vec<Option<Exam>>> = Vec::new();
    results.resize_with(engines.len(), Vec::new);
    for _ in 0..rounds {
        for (engine, results) in engines.iter().zip(&mut results) {
            results.push(play_round(engine, &walls, effort));
        }
    }
    table::print(engines, &results);
}

/// Asks an engine once it has had its frames to put its walls in order; nothing comes of it if they take too long.
fn play_round(engine: &Engine, walls: &[Body], effort: &Effort) -> Option<Exam> {
    let outfit = Outfit {
        equip: engine.equip,
        propel: staging::drift,
    };
    let (mut app, _) = stage::run(engine, walls, outfit, effort, |_, _| {})?;
    exam::hold(&mut app)
}
