//! The platformer, whose level is a map of LDtk.

#![allow(dead_code, reason = "only a run without a window is tested")]

#[path = "../examples/platformer/main.rs"]
mod platformer;

#[test]
fn a_bot_finishes_the_platformer_and_the_audit_finds_nothing() {
    let summary = platformer::harness::headless::summarize(90.0);
    assert!(summary.is_passed(), "{summary}");
    assert_eq!(summary.score.deaths, 0, "{summary}");
}
