//! The example game, played without a window.

#[allow(dead_code, reason = "the window and its looks are not needed here")]
#[path = "../../examples/firewheel/game/mod.rs"]
mod game;

use game::{
    Options,
    headless::{Summary, summarize},
};

fn play(seconds: f32, players: usize) -> Summary {
    summarize(&options(seconds, players))
}

fn options(seconds: f32, players: usize) -> Options {
    Options {
        players,
        seed: 1,
        bots: true,
        headless: true,
        seconds: Some(seconds),
        status: None,
        no_blocking: false,
    }
}

#[test]
fn nobody_enters_a_wall_and_no_collision_is_lost() {
    let Summary { tally, audit, .. } = play(60.0, 2);
    assert!(audit.is_passed(), "{audit:?}");
    assert!(tally.wall_hits >= 1000, "{tally:?}");
    assert!(tally.kills >= 100, "{tally:?}");
    assert!(tally.collision_starts >= 1000, "{tally:?}");
}

#[test]
fn the_same_seed_makes_the_same_game() {
    let [first, second] = [play(20.0, 2), play(20.0, 2)];
    assert_eq!(first.tally, second.tally);
    let other_seed = Options {
        seed: 2,
        ..options(20.0, 2)
    };
    assert_ne!(first.tally, summarize(&other_seed).tally);
}

#[test]
fn the_audit_sees_that_nothing_blocks() {
    let unblocked = Options {
        no_blocking: true,
        ..options(20.0, 1)
    };
    let audit = summarize(&unblocked).audit;
    assert!(audit.breaches > 0, "{audit:?}");
    assert_eq!(audit.imbalances, 0, "{audit:?}");
}

#[test]
fn a_player_who_stands_still_dies_within_a_minute() {
    let standing = Options {
        bots: false,
        headless: false,
        ..options(60.0, 1)
    };
    assert_eq!(summarize(&standing).tally.deaths, 1);
}

/// On average: a single life depends on every rounding.
#[test]
fn a_bot_lives_two_to_six_minutes() {
    const SECONDS: f32 = 240.0;
    let deaths: Vec<u32> = (1..=5)
        .map(|seed| Options {
            seed,
            ..options(SECONDS, 1)
        })
        .map(|options| summarize(&options).tally.deaths)
        .collect();
    let life = SECONDS * deaths.len() as f32 / deaths.iter().sum::<u32>() as f32;
    assert!((120.0..360.0).contains(&life), "{deaths:?}");
}
