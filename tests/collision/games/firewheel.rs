//! The example game, played headless.

#[allow(dead_code, unused_imports, reason = "some of it is there to be drawn")]
#[path = "../../../examples/firewheel/game/mod.rs"]
mod game;
#[allow(dead_code, reason = "some of it is for the window")]
#[path = "../../../examples/firewheel/harness/mod.rs"]
mod harness;
#[path = "../../../examples/common/platform.rs"]
mod platform;

use argh::FromArgs;
use bevy::prelude::*;

use game::{
    health::Health,
    player::{Intent, Player},
};
use harness::{
    Options,
    audit::Audit,
    headless::{self, Summary, summarize},
    tally::Tally,
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

/// A game that two bots play, with one step in each update.
pub fn game_of(seed: u64) -> App {
    headless::build(&Options {
        seed,
        ..options(0.0, 2)
    })
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

/// A game with an idle player at this position, before the first wave.
struct Trial {
    app: App,
    player: Entity,
}

impl Trial {
    fn at(position: Vec2, no_blocking: bool) -> Self {
        let mut app = headless::build(&Options {
            bots: false,
            headless: false,
            no_blocking,
            ..options(0.0, 1)
        });
        app.update();
        let mut players = app.world_mut().query_filtered::<Entity, With<Player>>();
        let player = players.single(app.world()).unwrap();
        let mut at = app.world_mut().get_mut::<Transform>(player).unwrap();
        at.translation = position.extend(0.0);
        Self { app, player }
    }

    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds * 60.0) as usize {
            self.app.update();
        }
    }

    /// The position of the player after walking for a while.
    fn walk(&mut self, direction: Vec2, seconds: f32) -> Vec2 {
        let mut intent = self.app.world_mut().get_mut::<Intent>(self.player).unwrap();
        intent.walk = direction;
        self.run(seconds);
        let at = self.app.world().get::<Transform>(self.player).unwrap();
        at.translation.truncate()
    }
}

const BELOW_TURNSTILE: Vec2 = Vec2::new(20.0, -245.0);
const ABOVE_TURNSTILE: Vec2 = Vec2::new(20.0, -150.0);

#[test]
fn a_turnstile_lets_players_through_in_one_direction_only() {
    let up = Trial::at(BELOW_TURNSTILE, false).walk(Vec2::Y, 0.5);
    assert!(up.y > -170.0, "{up}");
    let down = Trial::at(ABOVE_TURNSTILE, false).walk(Vec2::NEG_Y, 0.5);
    assert!(down.y > -181.0, "{down}");
}

#[test]
fn the_audit_finds_who_passes_a_turnstile_in_the_wrong_direction() {
    for (position, direction, breaches) in [
        (BELOW_TURNSTILE, Vec2::Y, 0),
        (ABOVE_TURNSTILE, Vec2::NEG_Y, 1),
    ] {
        let mut trial = Trial::at(position, true);
        trial.walk(direction, 0.4);
        assert_eq!(trial.app.world().resource::<Audit>().breaches, breaches);
    }
}

#[test]
fn a_press_kills_who_stays_in_it_and_nobody_beside_it() {
    for (position, killed) in [(Vec2::new(-100.0, -10.0), 1), (Vec2::new(-100.0, 62.0), 0)] {
        let mut trial = Trial::at(position, false);
        trial.run(4.2);
        let world = trial.app.world();
        let (tally, audit) = (world.resource::<Tally>(), world.resource::<Audit>());
        assert_eq!([tally.crushed, tally.deaths], [killed; 2], "{position}");
        assert_eq!(audit.crushed, killed, "{position}");
        assert!(audit.is_passed(), "{audit:?}");
    }
}

#[test]
fn a_saw_misses_nobody_on_its_path() {
    for height in -8..=6 {
        let position = Vec2::new(-330.0, 10.0 * height as f32);
        let mut trial = Trial::at(position, false);
        trial.run(1.5);
        let health = trial.app.world().get::<Health>(trial.player).unwrap();
        assert!(health.now < health.full, "{position}");
        assert_eq!(trial.app.world().resource::<Tally>().cuts, 1, "{position}");
    }
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
#[ignore = "takes a minute, for twenty minutes of play"]
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

#[test]
fn options_of_which_no_game_can_be_made_are_refused() {
    for option in [
        ["--seconds", "-5"],
        ["--seconds", "0"],
        ["--seconds", "NaN"],
        ["--seconds", "inf"],
        ["--seconds", "soon"],
        ["--players", "0"],
        ["--players", "3"],
        ["--players", "-1"],
        ["--seed", "-1"],
        ["--status", ""],
    ] {
        let refusal = Options::from_args(&["firewheel"], &option).unwrap_err();
        assert!(refusal.status.is_err(), "{option:?}");
        assert!(refusal.output.contains(option[0]), "{}", refusal.output);
    }
    let good = ["--seconds", "0.5", "--players", "2", "--seed", "7"];
    assert!(Options::from_args(&["firewheel"], &good).is_ok());
}
