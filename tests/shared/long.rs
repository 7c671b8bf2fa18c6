//! The number of cases of tests that have a long form, which `.ci/long` runs.

/// Whether tests run in their long forms: the environment variable `LONG_TESTS` is set.
pub fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}

/// The first number, or in the long form the second.
pub fn cases<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}
