//! Comparison with Box2D 3 itself, a C library without an ECS, by its C interface.

mod c_api;
mod crowd;
mod field;
mod ours;
mod scene;

use crate::runner::MeasureOptions;

/// What is measured, and why counts differ.
const NOTES: &str = "\
field: 1000 by 1000 cells of one unit, a tenth of them with a box, in three layers of which one \
is queried; casts and rays from one random point to another. The scene of Box2D's sample \
BenchmarkCast. One query, on one thread. rebuilt: after b2World_RebuildStaticTree.
overlaps: Box2D compares bounding boxes, with a small margin: some more hits. Its rays go on \
where they start inside of a box: some fewer.
crowd: circles that move straight ahead, as sensors on kinematic bodies. Box2D moves them itself, \
on the threads of `--threads`, and fills an array with events, each pair twice, of which one is \
counted. The others are whole frames of Bevy, which move entities and propagate their transforms; \
bevy_thud also writes its messages.";

/// Measures both in turns, and prints two tables.
pub fn compare(rounds: usize, options: &MeasureOptions) {
    field::compare(rounds);
    println!();
    crowd::compare(rounds, options);
    println!("\n{NOTES}");
}
