//! Comparison of movement: circles that slide along walls.

#[cfg(feature = "avian")]
mod avian;
mod bare;
mod ours;
#[cfg(feature = "rapier")]
mod rapier;
mod recording;
mod table;

use std::time::Duration;

use crate::{
    runner::{Engine, MeasureOptions},
    scenes::{
        Body,
        among_walls::{self, RADIUS, SortedWalls},
        app::TIMESTEP,
    },
};
use recording::Recording;

/// The results of an engine in one round.
pub struct MovementResult {
    /// The time that moves the movers, per mover.
    pub time_per_mover: Duration,
    /// The duration of a whole frame.
    pub frame_time: Duration,
    /// The duration of a whole frame without movers.
    pub frame_time_at_rest: Duration,
    /// In world units per second.
    pub mean_speed: f64,
    /// The maximum penetration of any mover into a wall in any frame, in world units.
    pub max_penetration: f32,
    /// A line for each measured stage.
    pub stages: Vec<String>,
}

/// The bare app, and the engines whose movers are blocked by walls.
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

/// Runs the same scene with each engine and prints the table.
pub fn compare(engines: &[Engine], rounds: usize, options: &MeasureOptions) {
    let walls = among_walls::walls();
    let movers = among_walls::movers(&walls);
    let mut results: Vec<Vec<Option<MovementResult>>> = Vec::new();
    results.resize_with(engines.len(), Vec::new);
    for _ in 0..rounds {
        for (engine, results) in engines.iter().zip(&mut results) {
            results.push(measure(engine, &walls, &movers, options));
        }
    }
    table::print(engines, results);
}

/// Runs the scene with an engine, first without movers, then with them. Returns `None` if it
/// exceeds the time limit.
fn measure(
    engine: &Engine,
    walls: &[Body],
    movers: &[Body],
    options: &MeasureOptions,
) -> Option<MovementResult> {
    let resting = recording::record(engine, walls, options)?;
    let moving = recording::record(engine, &[walls, movers].concat(), options)?;
    Some(MovementResult {
        time_per_mover: moving.median_move / movers.len() as u32,
        frame_time: moving.median_frame,
        frame_time_at_rest: resting.median_frame,
        mean_speed: mean_speed(&moving),
        max_penetration: max_penetration(&moving, walls),
        stages: moving.stages,
    })
}

fn mean_speed(recording: &Recording) -> f64 {
    let trajectories = recording.trajectories.iter();
    let steps = trajectories.flat_map(|trajectory| trajectory.windows(2));
    let distances = steps.map(|step| f64::from(step[0].distance(step[1])));
    let (count, total) = distances.fold((0.0, 0.0), |(count, total), distance| {
        (count + 1.0, total + distance)
    });
    total / (count * TIMESTEP.as_secs_f64())
}

fn max_penetration(recording: &Recording, walls: &[Body]) -> f32 {
    let walls = SortedWalls::new(walls);
    let positions = recording.trajectories.iter().flatten();
    positions
        .map(|&position| walls.penetration(position, RADIUS))
        .fold(f32::NEG_INFINITY, f32::max)
}
