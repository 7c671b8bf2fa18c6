//! What is printed.

use std::time::Duration;

use super::{
    exam::{Exam, Kind, Marks, QUESTIONS},
    ours,
};
use crate::{scenes::among_walls::WALLS, stage::Engine, table::median};

/// What the columns mean, and why the engines do not all find the same.
const NOTES: &str = "\
one: the time for one question, asked once after another on one thread. ratio: how many times as long as bevy_thud it takes.
yes, sum: how many rays or circles hit a wall, and their ways until then; how many points are inside of walls, and of how many
walls in all; how many points are inside of what is nearest, and the distances of the others from it. All walls are solid, so
that what starts in one hits it at once.
bevy_thud: two rays start in a corner of a wall and leave it within 0.004 units; by its tolerance they only touch it, and go on.
avian2d: 277 circles go through the first wall in their way, for the cast of its parry 0.27 does not see it. It looks at nearly
all walls for the nearest one: its bound of the distance of a box is zero, unless the box is to the left of the point and above it,
or to the right and below.
avian2d, rapier2d: some 50 circles stop 0.01 to 0.1 units before they touch a wall.";

/// Prints a line for each kind of question and engine, which has run as many rounds as there were.
pub fn print(engines: &[Engine], results: &[Vec<Option<Exam>>]) {
    println!("{QUESTIONS} questions of each kind about {WALLS} walls");
    println!(
        "{:<24} {:<12} {:>10} {:>8} {:>10} {:>14}",
        "question", "engine", "one", "ratio", "yes", "sum"
    );
    for kind in Kind::ALL {
        print_kind(kind, engines, results);
    }
    println!("\n{NOTES}");
}

/// Prints the lines of a kind.
fn print_kind(kind: Kind, engines: &[Engine], results: &[Vec<Option<Exam>>]) {
    let of_ours = engines
        .iter()
        .position(|engine| engine.name == ours::engine().name)
        .and_then(|number| time(kind, &results[number]));
    for (engine, rounds) in engines.iter().zip(results) {
        print!("{:<24} {:<12} ", kind.name(), engine.name);
        match (time(kind, rounds), &rounds[..]) {
            // Every round gets the same answers.
            (Some(time), [Some(exam), ..]) => print_marks(time, of_ours, exam.marks(kind)),
            _ => println!("given up"),
        }
    }
}

/// Prints the rest of the line of an engine that has not been given up.
fn print_marks(time: Duration, of_ours: Option<Duration>, marks: &Marks) {
    let ratio = |ours: Duration| format!("{:.2}", time.as_secs_f64() / ours.as_secs_f64());
    println!(
        "{:>10} {:>8} {:>10} {:>14.1}",
        nanos(time),
        of_ours.map_or(String::new(), ratio),
        marks.yes,
        marks.sum,
    );
}

/// For all questions of a kind: the median of the rounds, of which each is the median of its turns. None, if one was given up.
fn time(kind: Kind, rounds: &[Option<Exam>]) -> Option<Duration> {
    let of_round = |exam: &Option<Exam>| median(exam.as_ref()?.marks(kind).times.clone());
    median(rounds.iter().map(of_round).collect::<Option<_>>()?)
}

fn nanos(time: Duration) -> String {
    format!("{:.0} ns", time.as_secs_f64() * 1e9 / QUESTIONS as f64)
}
