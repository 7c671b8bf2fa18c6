//! Comparison of spatial queries: rays, points and circles among walls.

#[cfg(feature = "avian")]
mod avian;
mod ours;
mod query_set;
#[cfg(feature = "rapier")]
mod rapier;
mod table;

use crate::{
    runner::{self, Engine, MeasureOptions},
    scenes::{
        Body, among_walls,
        app::{self, BodySetup},
    },
};
use query_set::QuerySet;

/// The engines with spatial queries. The bare app has none.
pub fn engines() -> Vec<Engine> {
    vec![
        ours::engine(),
        #[cfg(feature = "avian")]
        avian::engine(),
        #[cfg(feature = "rapier")]
        rapier::engine(),
    ]
}

/// Runs the same queries among the same walls with each engine, and prints the table.
pub fn compare(engines: &[Engine], rounds: usize, options: &MeasureOptions) {
    let walls = among_walls::walls();
    let mut results: Vec<Vec<Option<QuerySet>>> = Vec::new();
    results.resize_with(engines.len(), Vec::new);
    for _ in 0..rounds {
        for (engine, results) in engines.iter().zip(&mut results) {
            results.push(measure(engine, &walls, options));
        }
    }
    table::print(engines, &results);
}

/// Runs the frames of an engine, in which it may optimize its index, then the queries. Returns
/// `None` if the frames exceed the time limit.
fn measure(engine: &Engine, walls: &[Body], options: &MeasureOptions) -> Option<QuerySet> {
    let setup = BodySetup {
        insert_components: engine.insert_components,
        insert_velocity: app::insert_velocity,
    };
    let (mut app, _) = runner::run(engine, walls, setup, options, |_, _| {})?;
    query_set::run(&mut app)
}
