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
    monsters::Monster,
    player::{Intent, Player},
    press, saw,
    score::{PastScores, Score},
    stage::Stage,
    waves::Waves,
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
        wave: 1,
        bots: true,
        headless: true,
        seconds: Some(seconds),
        status: None,
        no_blocking: false,
    }
}

/// A game that two bots play after the lessons, with one step in each update.
pub fn game_of(seed: u64) -> App {
    headless::build(&Options {
        seed,
        wave: saw::FIRST_WAVE + 1,
        ..options(0.0, 2)
    })
}

#[test]
fn nobody_enters_a_wall_and_no_collision_is_lost() {
    let Summary { tally, audit, .. } = play(90.0, 2);
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

/// A game with an idle player at this position, with all machines at work, before the next wave.
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
        app.world_mut().resource_mut::<Waves>().number = saw::FIRST_WAVE;
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
fn no_machine_works_before_its_wave() {
    for (position, first_wave) in [
        (Vec2::new(-100.0, -10.0), press::FIRST_WAVE),
        (Vec2::new(-330.0, 10.0), saw::FIRST_WAVE),
    ] {
        for (wave, is_hurt) in [(first_wave - 1, false), (first_wave, true)] {
            let mut trial = Trial::at(position, false);
            for _ in 0..250 {
                trial.app.world_mut().resource_mut::<Waves>().number = wave;
                trial.run(1.0 / 60.0);
            }
            let tally = trial.app.world().resource::<Tally>();
            let is_working = tally.crushed + tally.cuts > 0;
            assert_eq!(is_working, is_hurt, "{position} in wave {wave}");
        }
    }
}

#[test]
fn a_game_begins_with_the_wave_of_the_options() {
    for wave in [1, 4, 14] {
        let mut app = headless::build(&Options {
            wave,
            ..options(0.0, 1)
        });
        (0..150).for_each(|_| app.update());
        assert_eq!(app.world().resource::<Waves>().number, wave);
    }
}

/// How many monsters there are at most at the same time, until this wave is over.
fn count_monsters(wave: usize, player_count: usize) -> usize {
    let mut app = headless::build(&Options {
        wave,
        ..options(0.0, player_count)
    });
    let mut most = 0;
    while app.world().resource::<Waves>().number <= wave {
        app.update();
        let mut monsters = app.world_mut().query::<&Monster>();
        most = monsters.iter(app.world()).len().max(most);
    }
    most
}

#[test]
fn the_first_wave_has_one_monster_at_a_time_for_each_player() {
    assert_eq!(count_monsters(1, 1), 1);
    assert_eq!(count_monsters(1, 2), 2);
}

#[test]
fn the_best_score_and_the_last_five_are_remembered() {
    let mut app = game_of(1);
    for points in [30, 120, 10, 20, 40, 50] {
        for stage in [Stage::Playing, Stage::Over] {
            let world = app.world_mut();
            world.resource_mut::<Score>().points = points;
            world.resource_mut::<NextState<Stage>>().set(stage);
            app.update();
        }
    }
    let past = app.world().resource::<PastScores>();
    assert_eq!(past.best, 120);
    assert_eq!(past.latest, [50, 40, 20, 10, 120]);
}

/// For how many seconds a player without input lives.
fn idle_life(seed: u64) -> f32 {
    let mut app = headless::build(&Options {
        bots: false,
        headless: false,
        seed,
        ..options(0.0, 1)
    });
    let mut updates = 0;
    while app.world().resource::<Tally>().deaths == 0 {
        app.update();
        updates += 1;
        assert!(updates < 10_000, "seed {seed}: nobody dies");
    }
    updates as f32 / 60.0
}

#[test]
fn an_idle_player_has_time_to_find_the_keys_and_dies_in_the_end() {
    let lives: Vec<f32> = (1..=8).map(idle_life).collect();
    assert!(
        lives.iter().all(|life| (45.0..90.0).contains(life)),
        "{lives:?}"
    );
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
        ["--wave", "0"],
        ["--wave", "-1"],
        ["--status", ""],
    ] {
        let refusal = Options::from_args(&["firewheel"], &option).unwrap_err();
        assert!(refusal.status.is_err(), "{option:?}");
        assert!(refusal.output.contains(option[0]), "{}", refusal.output);
    }
    let good = ["--seconds", "0.5", "--players", "2", "--seed", "7"];
    assert!(Options::from_args(&["firewheel"], &good).is_ok());
}
