//! Geometry against an oracle: an independent library, in double precision.

mod casts;
mod outlines;
mod pairs;
mod reference;
mod specimen;

use proptest::test_runner::Config;

/// This many random cases, or as many as `PROPTEST_CASES` says.
fn cases(by_default: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.map_or(by_default, |cases| cases.parse().expect("a number")),
        ..Config::default()
    }
}
