//! What is printed.

use std::time::Duration;

use super::Round;
use crate::{
    scenes::among_walls::{MOVERS, WALLS},
    stage::Engine,
    table::{median, millis},
};

/// What the columns mean.
const NOTES: &str = "\
a move: what moves the movers, for one of them and a frame. bevy_thud: the stage `Move`; avian2d: a system that calls `MoveAndSlide`;
rapier2d: the system that moves its character controllers.
frame, at rest: a whole frame, and the same without movers. added by each: the difference, for one mover.
walked: the mean way of a mover, in units per second. It would be 120 if nothing stopped it.
deepest: how far the worst mover was in a wall in any frame. Below zero, none was ever nearer to one than that.";

/// Prints a line for each engine, which has run as many rounds as there were.
pub fn print(engines: &[Engine], results: Vec<Vec<Option<Round>>>) {
    println!("{MOVERS} movers among {WALLS} walls");
    println!(
        "{:<12} {:>10} {:>10} {:>10} {:>14} {:>8} {:>8}",
        "engine", "a move", "frame", "at rest", "added by each", "walked", "deepest"
    );
    for (engine, rounds) in engines.iter().zip(results) {
        print!("{:<12} ", engine.name);
        let rounds: Option<Vec<Round>> = rounds.into_iter().collect();
        match rounds {
            Some(rounds) => print_rounds(&rounds),
            None => println!("given up"),
        }
    }
    println!("\n{NOTES}");
}

/// Prints the rest of the line of an engine that has not been given up.
fn print_rounds(rounds: &[Round]) {
    let median_of = |time: fn(&Round) -> Duration| {
        let times = rounds.iter().map(time).collect();
        median(times).unwrap_or_default()
    };
    let frame = median_of(|round| round.frame);
    let at_rest = median_of(|round| round.at_rest);
    // Every round goes the same ways.
    let Some(first) = rounds.first() else {
        return;
    };
    println!(
        "{:>10} {:>10} {:>10} {:>14} {:>8.1} {:>8.3}",
        micros(median_of(|round| round.one_move)),
        millis(frame),
        millis(at_rest),
        micros(frame.saturating_sub(at_rest) / MOVERS as u32),
        first.walked,
        first.deepest,
    );
    for line in &first.stages {
        println!("    {line}");
    }
}

fn micros(time: Duration) -> String {
    format!("{:.2} µs", time.as_secs_f64() * 1e6)
}
