//! Each game is played by its bot, and the audit holds in each step.

use bevy::prelude::*;

use super::{
    breakout::Ball,
    games::{Game, Intent, Layer, Tally},
    headless::{build, start, summarize},
};

const SECONDS: f32 = 60.0;

fn play(game: Game) {
    for seed in 1..=3 {
        let summary = summarize(game, seed, SECONDS);
        assert!(summary.audit.is_passed(), "seed {seed}: {summary}");
        assert!(summary.record.score > 0, "seed {seed}: {summary}");
        assert!(summary.audit.steps > 3800, "seed {seed}: {summary}");
    }
}

#[test]
fn a_bot_plays_breakout_and_the_audit_passes() {
    play(Game::Breakout);
}

#[test]
fn a_bot_plays_asteroids_and_the_audit_passes() {
    play(Game::Asteroids);
}

#[test]
fn a_bot_plays_tower_defense_and_the_audit_passes() {
    play(Game::TowerDefense);
}

#[test]
fn a_bot_plays_racer_and_the_audit_passes() {
    play(Game::Racer);
}

#[test]
fn a_bot_plays_dungeon_and_the_audit_passes() {
    play(Game::Dungeon);
}

#[test]
fn a_bot_plays_brawler_and_the_audit_passes() {
    play(Game::Brawler);
}
