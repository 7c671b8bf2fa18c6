//! Proptest strategies shared by the tests of several modules.

use proptest::prelude::*;

/// One of a million numbers in a range. (Ranges of floats trip over an assertion in proptest 1.12,
/// once in 100,000 cases.)
pub(crate) fn between(low: f32, high: f32) -> impl Strategy<Value = f32> + Clone {
    (0..=1_000_000u32).prop_map(move |fraction| low + (high - low) * (fraction as f32 / 1e6))
}

/// Runs this many cases, or as many as the environment variable `PROPTEST_CASES` says. Failures are
/// printed, not kept in files.
pub(crate) fn cases(by_default: u32) -> ProptestConfig {
    let requested = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: requested.map_or(by_default, |cases| cases.parse().expect("a number")),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
