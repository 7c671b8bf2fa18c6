//! Rays, circle casts and overlaps among a field of boxes.

use std::time::{Duration, Instant};

use super::{
    c_api, ours,
    scene::{self, FieldQuery, QUERIES},
};
use crate::table::median;

/// Makes all queries of a kind in an engine, and returns the number of hits.
type RunQueries<'a> = Box<dyn FnMut(FieldQuery) -> u64 + 'a>;

/// Measures all engines in turns, and prints the table.
pub fn compare(rounds: usize) {
    let mut rng = fastrand::Rng::with_seed(1234);
    let boxes = scene::boxes(&mut rng);
    let casts = scene::casts(&mut rng);
    let (plain, rebuilt) = (c_api::Field::new(&boxes), c_api::Field::new(&boxes));
    rebuilt.rebuild_tree();
    let mut ours = ours::Field::new(&boxes);
    let mut engines: [(&str, RunQueries); 3] = [
        ("bevy_thud", Box::new(|query| ours.query(query, &casts))),
        ("Box2D", Box::new(|query| plain.query(query, &casts))),
        (
            "Box2D, rebuilt",
            Box::new(|query| rebuilt.query(query, &casts)),
        ),
    ];
    println!(
        "{:<28} {:<16} {:>10} {:>9}",
        "field", "", "one query", "hits"
    );
    for query in FieldQuery::ALL {
        let mut times = [const { Vec::new() }; 3];
        let mut hits = [0; 3];
        for _ in 0..rounds {
            for (index, (_, run)) in engines.iter_mut().enumerate() {
                let start = Instant::now();
                hits[index] = run(query);
                times[index].push(start.elapsed());
            }
        }
        for (index, (name, _)) in engines.iter().enumerate() {
            let time = median(times[index].clone()).unwrap_or_default() / QUERIES as u32;
            print_row(query, name, time, hits[index]);
        }
    }
}

fn print_row(query: FieldQuery, engine: &str, time: Duration, hits: u64) {
    let micros = time.as_secs_f64() * 1e6;
    println!(
        "{:<28} {engine:<16} {micros:>7.2} µs {hits:>9}",
        query.name()
    );
}
