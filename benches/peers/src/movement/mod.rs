//! Circles that walk among walls and slide along them.

#[cfg(feature = "avian")]
mod avian;
mod bare;
mod ours;
#[cfg(feature = "rapier")]
mod rapier;
mod table;
mod walk;

use std::time::Duration;

use crate::{
    scenes::{
        Body,
        among_walls::{self, RADIUS, Walls},
        staging::STEP,
    },
    stage::{Effort, Engine},
};
use walk::Walk;

/// How an engine fared in one round.
pub struct Round {
    /// What moves the movers, for one of them.
    pub one_move: Duration,
    /// A whole frame.
    pub frame: Duration,
    /// The same without movers.
    pub at_rest: Duration,
    /// How far a mover went in a second, on average, in world units.
    pub walked: f64,
    /// How far the worst mover was in a wall in any frame, in world units.
    pub deepest: f32,
    /// A line for each stage, where they were measured.
    pub stages: Vec<String>,
}

/// What only moves movers, and those that stop them at walls.
pub fn engines() -> Vec<Engine> {
    vec![
        bare::engine(),
        ours::engine(),
        #[cfg(feature = "avian")]
        avian::engine(),
        #[cfg(feature = "rapier")]
        rapier::engine(),
    ]
}

/// Lets the movers of each engine walk in the same scene, and prints how they fared.
pub fn compare(engines: &[Engine], rounds: usize, effort: &Effort) {
    let walls = among_walls::walls();
    let movers = among_walls::movers(&walls);
    let mut results: Vec<Vec<Option<Round>>> = Vec::new();
    results.resize_with(engines.len(), Vec::new);
    for _ in 0..rounds {
        for (engine, results) in engines.iter().zip(&mut results) {
            results.push(play_round(engine, &walls, &movers, effort));
        }
    }
    table::print(engines, results);
}

/// Runs the scene with an engine, without and with movers; nothing comes of it if that takes too long.
fn play_round(engine: &Engine, walls: &[Body], movers: &[Body], effort: &Effort) -> Option<Round> {
    let resting = walk::walk(engine, walls, effort)?;
    let moving = walk::walk(engine, &[walls, movers].concat(), effort)?;
    Some(Round {
        one_move: moving.median_move / movers.len() as u32,
        frame: moving.median_frame,
        at_rest: resting.median_frame,
        walked: mean_speed(&moving),
        deepest: depth(&moving, walls),
        stages: moving.stages,
    })
}

fn mean_speed(walk: &Walk) -> f64 {
    let steps = walk.tracks.iter().flat_map(|track| track.windows(2));
    let ways = steps.map(|step| f64::from(step[0].distance(step[1])));
    let (count, way) = ways.fold((0.0, 0.0), |(count, sum), way| (count + 1.0, sum + way));
    way / (count * STEP.as_secs_f64())
}

fn depth(walk: &Walk, walls: &[Body]) -> f32 {
    let walls = Walls::new(walls);
    let places = walk.tracks.iter().flatten();
    places
        .map(|&place| walls.depth(place, RADIUS))
        .fold(f32::NEG_INFINITY, f32::max)
}
