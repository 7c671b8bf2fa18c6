//! The geometry under attack: against an independent library, and on numbers of any bits, in
//! scenes and queries as well.

mod fuzz;
mod oracle;

use proptest::test_runner::Config;

/// This many random cases, or as many as the environment variable `PROPTEST_CASES` says.
fn cases(by_default: u32) -> Config {
    let requested = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: requested.map_or(by_default, |cases| cases.parse().expect("a number")),
        ..Config::default()
    }
}
