//! The platformer, whose level is a map of LDtk.

#![allow(dead_code, reason = "the window is not tested")]

#[path = "../examples/platformer/main.rs"]
mod platformer;

use bevy::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkLevel};
use platformer::{
    game::{
        Restart, Score,
        hero::{Hero, Intent},
    },
    harness::headless,
};

#[test]
fn a_bot_finishes_the_platformer_and_the_audit_finds_nothing() {
    let summary = headless::summarize(90.0);
    assert!(summary.is_passed(), "{summary}");
    assert_eq!(summary.score.deaths, 0, "{summary}");
}

/// What a restart brings back.
#[derive(Debug, PartialEq)]
struct Seen {
    levels: usize,
    entities: usize,
    hero_at: Vec2,
    coins: u32,
    all_coins: u32,
}

fn look(app: &mut App) -> Seen {
    let world = app.world_mut();
    let mut levels = world.query_filtered::<(), With<LdtkLevel>>();
    let mut entities = world.query_filtered::<(), With<LdtkEntity>>();
    let mut heroes = world.query_filtered::<&Transform, With<Hero>>();
    let hero = heroes.single(world).expect("one hero");
    let hero_at = hero.translation.truncate().round();
    let score = world.resource::<Score>();
    Seen {
        levels: levels.iter(world).len(),
        entities: entities.iter(world).len(),
        hero_at,
        coins: score.coins,
        all_coins: score.all_coins,
    }
}

#[test]
fn a_restart_brings_everything_back() {
    let mut app = headless::build();
    app.finish();
    app.cleanup();
    app.update();
    let start = look(&mut app);
    for _ in 0..100 {
        let world = app.world_mut();
        let mut intents = world.query::<&mut Intent>();
        let mut intent = intents.single_mut(world).expect("one hero");
        (intent.walk, intent.jump, intent.holds_jump) = (1.0, true, true);
        app.update();
    }
    let later = look(&mut app);
    assert!(later.coins > 0 && later.entities < start.entities);
    assert!(later.hero_at.x > start.hero_at.x + 50.0);
    app.world_mut().trigger(Restart);
    app.update();
    assert_eq!(look(&mut app), start);
}
