//! Each game is played by its bot, with an audit after each step; a fast ball, and other games.

use bevy::prelude::*;

use super::{
    audit::Audit,
    breakout::{Ball, Paddle},
    games::{Game, Intent, Layer, Tally},
    headless::{build, start, summarize},
};

fn play(game: Game) {
    for seed in 1..=3 {
        let summary = summarize(game, seed, 60.0);
        assert!(summary.audit.is_passed(), "seed {seed}: {summary}");
        assert!(summary.record.score > 0, "seed {seed}: {summary}");
        assert_eq!(summary.audit.steps, 3840, "seed {seed}");
    }
}

#[test]
fn a_bot_plays_breakout() {
    play(Game::Breakout);
}

#[test]
fn a_bot_plays_asteroids() {
    play(Game::Asteroids);
}

#[test]
fn a_bot_plays_tower_defense() {
    play(Game::TowerDefense);
}

#[test]
fn a_bot_plays_racer() {
    play(Game::Racer);
}

#[test]
fn a_bot_plays_dungeon() {
    play(Game::Dungeon);
}

#[test]
fn a_bot_plays_brawler() {
    play(Game::Brawler);
}

/// The entities that a filter of layers keeps.
fn count(app: &mut App, layer: Layer) -> usize {
    let world = app.world_mut();
    let mut layers = world.query::<&Layer>();
    layers.iter(world).filter(|other| **other == layer).count()
}

/// At this speed it bounces several times per step between two bricks.
#[test]
fn a_fast_ball_breaks_each_brick_once() {
    let mut app = build(Game::Breakout, 1);
    start(&mut app);
    app.update();
    app.update();
    let before = count(&mut app, Layer::Foe);
    for _ in 0..320 {
        let world = app.world_mut();
        // Nobody plays.
        world.resource_mut::<Tally>().lives = 5;
        let mut balls = world.query::<&mut Ball>();
        for mut ball in balls.iter_mut(world) {
            ball.0 = ball.0.normalize() * 20_000.0;
        }
        app.update();
    }
    let audit = app.world().resource::<Audit>().clone();
    assert!(audit.is_passed(), "{:?}", audit.faults.first());
    let broken = app.world().resource::<Tally>().score as usize / 10;
    assert_eq!(before - count(&mut app, Layer::Foe), broken);
    assert!(broken > 10, "{broken}");
}

#[test]
fn another_game_begins_without_anything_of_the_last_one() {
    let mut app = build(Game::Dungeon, 1);
    start(&mut app);
    for game in Game::ALL.into_iter().chain(Game::ALL) {
        app.world_mut().resource_mut::<NextState<Game>>().set(game);
        (0..20).for_each(|_| app.update());
        let paddles = app.world_mut().query::<&Paddle>().iter(app.world()).count();
        assert_eq!(paddles, usize::from(game == Game::Breakout), "{game:?}");
        assert!(count(&mut app, Layer::Hero) > 0, "{game:?}");
        assert_eq!(app.world().resource::<Tally>().score, 0, "{game:?}");
    }
}

#[test]
fn a_game_that_is_over_starts_again_at_a_press() {
    let mut app = build(Game::Asteroids, 1);
    start(&mut app);
    app.update();
    app.world_mut().resource_mut::<Tally>().lives = 0;
    app.update();
    assert!(app.world().resource::<Tally>().is_over());
    app.world_mut().resource_mut::<Intent>().act = true;
    (0..3).for_each(|_| app.update());
    assert!(!app.world().resource::<Tally>().is_over());
}
