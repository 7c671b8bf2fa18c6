//! The geometry under attack: against an independent library, and on numbers of any bits, in
//! scenes and queries as well.

mod fuzz;
mod oracle;
#[allow(dead_code, reason = "the oracle takes numbers in double precision")]
#[path = "../../src/strategies.rs"]
mod strategies;

use proptest::test_runner::Config;

/// This many random cases, or as many as the environment variable `PROPTEST_CASES` says. Failures
/// are kept in files.
fn cases(by_default: u32) -> Config {
    Config {
        failure_persistence: Config::default().failure_persistence,
        ..strategies::cases(by_default)
    }
}
