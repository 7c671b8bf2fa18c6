//! A crowd of moving circles that report each other.

use std::{thread, time::Duration};

use super::c_api;
use crate::{
    bare, ours,
    runner::{self, MeasureOptions, WARM_UP},
    scenes::{Body, ColliderShape, SceneKind},
    table::{median, millis},
};

const CIRCLES: usize = 40_000;

/// Measures all engines in turns, and prints the table.
pub fn compare(rounds: usize, options: &MeasureOptions) {
    // A tenth of that scene are rectangles.
    let mut bodies = SceneKind::Moving.bodies(CIRCLES * 10 / 9 + 10);
    bodies.retain(|body| matches!(body.shape, Some(ColliderShape::Circle(_))));
    bodies.truncate(CIRCLES);
    let engines = [bare::engine(), ours::engine()];
    let mut rows: Vec<(&str, Vec<Duration>, u64)> = (engines.iter().map(|engine| engine.name))
        .chain(["Box2D"])
        .map(|name| (name, Vec::new(), 0))
        .collect();
    for _ in 0..rounds {
        for (engine, row) in engines.iter().zip(&mut rows) {
            if let Some(report) = runner::measure(engine, &bodies, options) {
                row.1.push(report.median);
                row.2 = report.starts;
            }
        }
        let (time, starts) = measure_box2d(&bodies, options);
        rows[2].1.push(time);
        rows[2].2 = starts;
    }
    println!("{:<28} {:<16} {:>10} {:>9}", "crowd", "", "frame", "starts");
    for (name, times, starts) in rows {
        let time = millis(median(times).unwrap_or_default());
        println!("{:<28} {name:<16} {time:>10} {starts:>9}", "40,000 circles");
    }
}

/// The median of the steps, and how many pairs began to overlap in them.
fn measure_box2d(bodies: &[Body], options: &MeasureOptions) -> (Duration, u64) {
    let all_threads = || thread::available_parallelism().map_or(1, usize::from);
    let mut crowd = c_api::Crowd::new(bodies, options.threads.unwrap_or_else(all_threads));
    for _ in 0..WARM_UP {
        crowd.step();
    }
    let steps: Vec<(Duration, u64)> = (0..options.frames).map(|_| crowd.step()).collect();
    let times = steps.iter().map(|(time, _)| *time).collect();
    let starts = steps.iter().map(|(_, starts)| starts).sum();
    (median(times).unwrap_or_default(), starts)
}
