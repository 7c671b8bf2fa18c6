//! The table of collision detection, and the format of durations.

use std::time::Duration;

use crate::{
    runner::{Engine, Report},
    scenes::SceneKind,
};

/// The columns, and why the counts of the engines differ.
const NOTES: &str = "\
ratio: the time that the engine adds to the bare app, divided by the time of the bare app.
movers: only moving colliders are sensors, so two resting colliders are not a pair; the other \
engines start those pairs before the count begins.
bevy_thud: overlaps within the rounding of the coordinates count as touching: slightly fewer \
events, and some 2% fewer far from the origin.
rapier2d bodies: kinematic bodies follow one frame late, which shifts the counted frames by one, \
and overlaps that exist only in the last frame of a bullet are missed.";

/// Prints the names of the columns.
pub fn print_header() {
    println!(
        "{:<28} {:>8} {:<18} {:>10} {:>10} {:>8} {:>9} {:>9}",
        "scene", "count", "engine", "median", "worst", "ratio", "starts", "ends"
    );
}

/// Prints a row for each engine, with one report for each round. The first engine is the bare app.
pub fn print(kind: SceneKind, count: usize, engines: &[Engine], reports: &[Vec<Option<Report>>]) {
    let bare = reports[0].iter().flatten().map(|report| report.median);
    let bare = median(bare.collect());
    for (index, (engine, reports)) in engines.iter().zip(reports).enumerate() {
        print!("{:<28} {count:>8} {:<18} ", kind.name(), engine.name);
        let reports: Option<Vec<&Report>> = reports.iter().map(Option::as_ref).collect();
        match reports {
            Some(reports) => print_reports(&reports, bare.filter(|_| index > 0)),
            None => println!("timed out"),
        }
    }
}

/// Prints the rest of a row. `bare` is the time of the bare app, or `None` in the row of that app.
fn print_reports(reports: &[&Report], bare: Option<Duration>) {
    let median = median(reports.iter().map(|report| report.median).collect()).unwrap_or_default();
    let worst = reports.iter().map(|report| report.worst).max();
    println!(
        "{:>10} {:>10} {:>8} {:>9} {:>9}",
        millis(median),
        millis(worst.unwrap_or_default()),
        bare.map_or(String::new(), |bare| ratio(median, bare)),
        reports[0].starts,
        reports[0].ends
    );
    for line in &reports[0].stages {
        println!("    {line}");
    }
}

/// Prints the notes on the table.
pub fn print_notes() {
    println!("\n{NOTES}");
}

/// The median, or `None` if there are no times.
pub fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// A duration in milliseconds, as text.
pub fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn ratio(median: Duration, bare: Duration) -> String {
    let over = median.as_secs_f64() - bare.as_secs_f64();
    format!("{:.2}", over / bare.as_secs_f64())
}
