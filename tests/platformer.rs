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

#[test]
fn a_restart_brings_everything_back() {
    let mut app = headless::build();
    app.finish();
    app.cleanup();
    let mut look = |updates| {
        for _ in 0..updates {
            app.update();
            let mut heroes = app.world_mut().query_filtered::<&mut Intent, With<Hero>>();
            let mut intent = heroes.single_mut(app.world_mut()).expect("one hero");
            intent.walk = 1.0;
            intent.jump = true;
            intent.holds_jump = true;
        }
        let world = app.world_mut();
        let mut levels = world.query_filtered::<(), With<LdtkLevel>>();
        assert_eq!(levels.iter(world).len(), 1);
        let mut entities = world.query_filtered::<(), With<LdtkEntity>>();
        let count = entities.iter(world).len();
        let mut heroes = world.query_filtered::<&Transform, With<Hero>>();
        let at = heroes.single(world).expect("one hero").translation;
        let all_coins = world.resource::<Score>().all_coins;
        world.trigger(Restart);
        (count, at, all_coins)
    };
    let start = look(1);
    let later = look(100);
    assert!(later.0 < start.0, "a coin was collected: {later:?}");
    assert!(later.1.x > start.1.x + 50.0, "{later:?}");
    let again = look(1);
    assert_eq!((again.0, again.2), (start.0, start.2));
    assert!(again.1.distance(start.1) < 0.1, "{again:?}");
}
