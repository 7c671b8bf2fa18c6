//! The table of character controllers.

use std::time::Duration;

use super::{
    WalkResult, WalkingEngine,
    course::{Measure, Section},
};

/// The width of the column of an engine.
const WIDTH: usize = 24;

/// A walker that drifts further than this, in world units, has fallen off.
const LOST: f32 = 100.0;

/// The columns.
const NOTES: &str = "\
slopes, hills: the distance along the surface, relative to that at full speed. flat tiles, stairs: \
the same along the horizon. Both below the center of the walker, whose path around a crest is \
shorter than the surface.
rest, platforms: the maximum of the drift in 10 s, and the drift at the end, in world units; \
relative to the platform, from which a walker can be lost.
air: the frames at whose end nothing is within half a unit of the walker, and in brackets those in \
which it is in the air by its own account.
µs: the time that one walker takes in a frame. bevy_thud: the stage `Move`; rapier2d: the system \
of its character controllers; others: the systems that move the walkers.
Godot's rules: upon the casts of bevy_thud, so the time is not Godot's.";

/// Prints the names of the columns.
pub fn print_header(engines: &[WalkingEngine]) {
    print!("{:<20}", "section");
    for engine in engines {
        print!(" {:>WIDTH$}", engine.name);
    }
    println!();
}

/// Prints the rows of a section, with one result for each engine.
pub fn print(section: &Section, results: &[WalkResult]) {
    let name = format!("{} ({})", section.name, section.frames);
    print_row(&name, results, |result| {
        let distance = match section.measure {
            Measure::AlongHorizon | Measure::AlongSurface(_) => {
                format!("{:.1}%", 100.0 * result.progress)
            }
            Measure::Drift if result.max_drift > LOST => "lost".into(),
            Measure::Drift => format!("{:.2}, {:.2}", result.max_drift, result.final_drift),
        };
        let air = (result.frames_in_air, result.frames_reported_in_air);
        format!("{distance}; {} ({})", air.0, air.1)
    });
    print_row("    µs", results, |result| micros(result.time_per_walker));
}

/// Prints the notes on the table.
pub fn print_notes() {
    println!(
        "\nwalked or drifted; frames in the air. In brackets after the names: frames.\n{NOTES}"
    );
}

fn print_row(name: &str, results: &[WalkResult], cell: impl Fn(&WalkResult) -> String) {
    print!("{name:<20}");
    for result in results {
        print!(" {:>WIDTH$}", cell(result));
    }
    println!();
}

fn micros(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e6)
}
