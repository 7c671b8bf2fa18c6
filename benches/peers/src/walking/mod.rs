//! Comparison of character controllers: one walker in each section of a course, then many.

#[cfg(feature = "avian")]
mod avian;
mod course;
mod godot;
mod ours;
#[cfg(feature = "rapier")]
mod rapier;
mod recording;
mod table;

use std::time::Duration;

use bevy::prelude::*;

use crate::runner::MeasureOptions;
use course::{Part, Section};

/// A character controller.
pub struct WalkingEngine {
    /// The name in the table.
    pub name: &'static str,
    /// Adds the plugins and systems to an app.
    install: fn(&mut App),
    /// Inserts the components of a part of the course.
    insert_part: fn(&mut EntityCommands, &Part),
    /// Inserts the components of a walker that climbs steps up to this height.
    insert_walker: fn(&mut EntityCommands, f32),
    /// Whether a walker stands on a floor, by its own account.
    is_on_floor: fn(EntityRef) -> bool,
}

/// The result of an engine in a section.
#[derive(Clone)]
pub struct WalkResult {
    /// The distance walked, as a fraction of that at full speed.
    pub progress: f64,
    /// The maximum of the distance that the walker drifted, in world units.
    pub max_drift: f32,
    /// The distance that it has drifted at the end.
    pub final_drift: f32,
    /// The number of frames at whose end no floor or wall is within half a unit.
    pub frames_in_air: usize,
    /// The number of frames in which the walker is in the air by its own account.
    pub frames_reported_in_air: usize,
    /// The median of the time that the walkers of a frame take, per walker.
    pub time_per_walker: Duration,
}

/// All character controllers.
pub fn engines() -> Vec<WalkingEngine> {
    vec![
        ours::engine(),
        godot::engine(),
        #[cfg(feature = "avian")]
        avian::engine(),
        #[cfg(feature = "rapier")]
        rapier::engine(),
        #[cfg(feature = "rapier")]
        rapier::falling(),
    ]
}

/// Runs the course with each engine and prints the table.
pub fn compare(engines: &[WalkingEngine], rounds: usize, options: &MeasureOptions) {
    let mut sections = course::sections();
    sections.push(course::crowd());
    table::print_header(engines);
    for section in &sections {
        let results = measure(engines, section, rounds, options);
        table::print(section, &results);
    }
    table::print_notes();
}

/// One result for each engine. The engines take turns; the median time of the rounds counts.
fn measure(
    engines: &[WalkingEngine],
    section: &Section,
    rounds: usize,
    options: &MeasureOptions,
) -> Vec<WalkResult> {
    let mut results = vec![Vec::new(); engines.len()];
    for _ in 0..rounds {
        for (engine, results) in engines.iter().zip(&mut results) {
            results.push(recording::record(engine, section, options));
        }
    }
    results.into_iter().map(median_round).collect()
}

/// The round with the median time. The movement is the same in every round.
fn median_round(mut rounds: Vec<WalkResult>) -> WalkResult {
    rounds.sort_unstable_by_key(|round| round.time_per_walker);
    rounds.swap_remove(rounds.len() / 2)
}
