//! What is printed.

use std::time::Duration;

use crate::{
    scenes::Kind,
    stage::{Engine, Report},
};

/// What the columns mean, and why the engines do not all count the same.
const NOTES: &str = "\
ratio: what the engine adds to the bare app, divided by what the bare app takes.
movers: only what moves is a sensor, so two that rest are no pair; the others start those before the count begins.
bevy_thud: overlaps within the rounding of their coordinates count as touching: a few less, and some 2 % less far out.
rapier2d bodies: kinematic bodies follow one frame late, so its window is another one, and it misses what overlaps only
in the frame before a bullet despawns.";

/// Prints the names of the columns.
pub fn print_head() {
    println!(
        "{:<20} {:>8} {:<18} {:>10} {:>10} {:>8} {:>9} {:>9}",
        "scene", "count", "engine", "median", "worst", "ratio", "starts", "ends"
    );
}

/// Prints a line for each engine, of which the first one is the bare app; each has made as many reports as there were rounds.
pub fn print(kind: Kind, count: usize, engines: &[Engine], reports: &[Vec<Option<Report>>]) {
    let bare = reports[0].iter().flatten().map(|report| report.median);
    let bare = median(bare.collect());
    for (number, (engine, reports)) in engines.iter().zip(reports).enumerate() {
        print!("{:<20} {count:>8} {:<18} ", kind.name(), engine.name);
        let reports: Option<Vec<&Report>> = reports.iter().map(Option::as_ref).collect();
        match reports {
            Some(reports) => print_reports(&reports, bare.filter(|_| number > 0)),
            None => println!("given up"),
        }
    }
}

/// Prints the rest of the line of an engine that has not been given up; the bare app is not compared with itself.
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

/// Prints what there is to know about the table.
pub fn print_notes() {
    println!("\n{NOTES}");
}

/// The median, if there is any.
pub fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// A time for people.
pub fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn ratio(median: Duration, bare: Duration) -> String {
    let over = median.as_secs_f64() - bare.as_secs_f64();
    format!("{:.2}", over / bare.as_secs_f64())
}
