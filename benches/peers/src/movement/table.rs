//! The table of movement.

use std::time::Duration;

use super::MovementResult;
use crate::{
    runner::Engine,
    scenes::among_walls::{MOVERS, WALLS},
    table::{median, millis},
};

/// The columns.
const NOTES: &str = "\
one mover: the time that moves the movers, per mover and frame. bevy_thud: the stage `Move`; \
avian2d: a system that calls `MoveAndSlide`; rapier2d: the system of its character controllers.
frame, at rest: a whole frame, and the same without movers. added each: the difference, per mover.
units/s: the mean speed of a mover. It would be 120 without walls.
deepest: the maximum penetration of any mover into a wall in any frame. If negative, no mover \
penetrated a wall, and its absolute value is the minimum separation.";

/// Prints a row for each engine, with one result for each round.
pub fn print(engines: &[Engine], results: Vec<Vec<Option<MovementResult>>>) {
    println!("{MOVERS} movers among {WALLS} walls");
    println!(
        "{:<12} {:>10} {:>10} {:>10} {:>14} {:>8} {:>8}",
        "engine", "one mover", "frame", "at rest", "added each", "units/s", "deepest"
    );
    for (engine, rounds) in engines.iter().zip(results) {
        print!("{:<12} ", engine.name);
        let rounds: Option<Vec<MovementResult>> = rounds.into_iter().collect();
        match rounds {
            Some(rounds) => print_rounds(&rounds),
            None => println!("timed out"),
        }
    }
    println!("\n{NOTES}");
}

/// Prints the rest of a row.
fn print_rounds(rounds: &[MovementResult]) {
    let median_of = |time: fn(&MovementResult) -> Duration| {
        let times = rounds.iter().map(time).collect();
        median(times).unwrap_or_default()
    };
    let frame = median_of(|round| round.frame_time);
    let at_rest = median_of(|round| round.frame_time_at_rest);
    // The movement is the same in every round.
    let Some(first) = rounds.first() else {
        return;
    };
    println!(
        "{:>10} {:>10} {:>10} {:>14} {:>8.1} {:>8.3}",
        micros(median_of(|round| round.time_per_mover)),
        millis(frame),
        millis(at_rest),
        micros(frame.saturating_sub(at_rest) / MOVERS as u32),
        first.mean_speed,
        first.max_penetration,
    );
    for line in &first.stages {
        println!("    {line}");
    }
}

fn micros(time: Duration) -> String {
    format!("{:.2} µs", time.as_secs_f64() * 1e6)
}
