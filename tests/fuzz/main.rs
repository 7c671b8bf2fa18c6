//! Whatever bits the numbers have: no panic, no answer that is not finite, and none that takes long.

mod bits;
mod geometry;

use proptest::test_runner::Config;

/// This many random cases, or as many as `PROPTEST_CASES` says.
fn cases(by_default: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.map_or(by_default, |cases| cases.parse().expect("a number")),
        ..Config::default()
    }
}
