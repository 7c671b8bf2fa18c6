//! The table of queries.

use std::time::Duration;

use super::{
    ours,
    query_set::{INPUTS, QueryKind, QuerySet, QueryTotals},
};
use crate::{runner::Engine, scenes::among_walls::WALLS, table::median};

/// The columns, and why the results of the engines differ.
const NOTES: &str = "\
one query: the time of one query, run in sequence on one thread. ratio: that time divided by the \
time of bevy_thud.
hits, sum. ray, circle cast: the hits, and the sum of the distances to them. point: the points \
inside of walls, and the number of walls that contain each, added up. nearest collider: the points \
inside of the nearest wall, and the sum of the distances of the others. All walls are solid, so a \
query that starts inside of one hits it at distance 0.
bevy_thud: two rays start at a vertex of a wall and exit it within 0.004 units; within the \
tolerance, they graze the wall and do not hit it.
avian2d: 277 circles pass through the first wall in their path, which the cast of its parry 0.27 \
misses. The search for the nearest collider visits nearly all walls: its lower bound of the \
distance to a box is zero, unless the box is to the left of the point and above it, or to the \
right and below.
avian2d, rapier2d: some 50 circles stop 0.01 to 0.1 units before they touch a wall.";

/// Prints a row for each kind of query and each engine, with one query set for each round.
pub fn print(engines: &[Engine], results: &[Vec<Option<QuerySet>>]) {
    println!("{INPUTS} queries of each kind among {WALLS} walls");
    println!(
        "{:<24} {:<12} {:>10} {:>8} {:>10} {:>14}",
        "query", "engine", "one query", "ratio", "hits", "sum"
    );
    for kind in QueryKind::ALL {
        print_kind(kind, engines, results);
    }
    println!("\n{NOTES}");
}

/// Prints the rows of a kind.
fn print_kind(kind: QueryKind, engines: &[Engine], results: &[Vec<Option<QuerySet>>]) {
    let our_time = engines
        .iter()
        .position(|engine| engine.name == ours::engine().name)
        .and_then(|index| time(kind, &results[index]));
    for (engine, rounds) in engines.iter().zip(results) {
        print!("{:<24} {:<12} ", kind.name(), engine.name);
        match (time(kind, rounds), &rounds[..]) {
            // The results are the same in every round.
            (Some(time), [Some(set), ..]) => print_totals(time, our_time, set.totals(kind)),
            _ => println!("timed out"),
        }
    }
}

/// Prints the rest of a row.
fn print_totals(time: Duration, our_time: Option<Duration>, totals: &QueryTotals) {
    let ratio = |ours: Duration| format!("{:.2}", time.as_secs_f64() / ours.as_secs_f64());
    println!(
        "{:>10} {:>8} {:>10} {:>14.1}",
        nanos(time),
        our_time.map_or(String::new(), ratio),
        totals.hits,
        totals.sum,
    );
}

/// The time of all queries of a kind: the median over the rounds of the median over the passes.
/// Returns `None` if a round exceeded the time limit.
fn time(kind: QueryKind, rounds: &[Option<QuerySet>]) -> Option<Duration> {
    let of_round = |set: &Option<QuerySet>| median(set.as_ref()?.totals(kind).times.clone());
    median(rounds.iter().map(of_round).collect::<Option<_>>()?)
}

/// The time of one of the queries, in nanoseconds, as text.
fn nanos(time: Duration) -> String {
    format!("{:.0} ns", time.as_secs_f64() * 1e9 / INPUTS as f64)
}
