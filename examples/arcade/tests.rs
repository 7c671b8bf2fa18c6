//! Each game is played by its bot, with an audit after each step; rules of the games, and what is
//! there when a game starts.

use bevy::prelude::*;
use bevy_thud::CollisionEvent;

use super::{
    asteroids::Rock,
    audit::Audit,
    brawler::{Fighter, Hero},
    breakout::{Ball, Paddle},
    clock::Clock,
    games::{Game, Health, Intent, LIVES, Layer, Tally},
    headless::{build, start, summarize},
    racer::{Car, GATES, LAPS, Player},
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

/// It recovers when it has pushed a crate to where no other push leads to the plate.
#[test]
fn a_bot_in_the_dungeon_is_never_stuck_for_good() {
    for seed in [2, 3, 8] {
        let summary = summarize(Game::Dungeon, seed, 120.0);
        assert!(summary.record.score > 300, "seed {seed}: {summary}");
    }
}

#[test]
fn a_bot_plays_brawler() {
    play(Game::Brawler);
}

/// How many entities are in a layer.
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
    assert_eq!(count(&mut app, Layer::Foe) + broken, before);
    assert!(broken > 10, "{broken}");
}

#[test]
fn new_bricks_wait_until_no_ball_is_among_them() {
    let mut app = build(Game::Breakout, 1);
    start(&mut app);
    app.update();
    app.update();
    let world = app.world_mut();
    let mut layers = world.query::<(Entity, &Layer)>();
    let layers = layers.iter(world);
    let bricks = layers.filter(|(_, layer)| **layer == Layer::Foe);
    let bricks: Vec<Entity> = bricks.map(|(brick, _)| brick).collect();
    for brick in bricks {
        world.despawn(brick);
    }
    let mut balls = world.query::<(&mut Ball, &mut Transform)>();
    let (mut ball, mut at) = balls.single_mut(world).unwrap();
    (ball.0, at.translation.y) = (Vec2::new(60.0, 300.0), 180.0);
    let steps = (0..640).find(|_| {
        app.update();
        count(&mut app, Layer::Foe) > 0
    });
    // It flies up to the wall at the top and back.
    assert!(steps.is_some_and(|steps| steps > 64), "{steps:?}");
    app.update();
    let audit = app.world().resource::<Audit>();
    assert!(audit.is_passed(), "{:?}", audit.faults.first());
}

#[test]
fn the_third_hit_is_a_kick_that_throws_a_foe_at_another() {
    let mut app = build(Game::Brawler, 1);
    start(&mut app);
    app.update();
    let world = app.world_mut();
    let mut foes = world
        .query_filtered::<(Entity, &mut Transform, &mut Clock), (With<Fighter>, Without<Hero>)>();
    let mut found = Vec::new();
    for (x, (entity, mut at, mut clock)) in [44.0, 320.0].into_iter().zip(foes.iter_mut(world)) {
        at.translation = Vec3::new(x, 0.0, 1.0);
        // It stands still.
        clock.stun = 9.0;
        found.push(entity);
    }
    let mut healths = Vec::new();
    for _ in 0..160 {
        let health = |foe: &Entity| app.world().get::<Health>(*foe).unwrap().0;
        let [first, second] = [health(&found[0]), health(&found[1])];
        healths.push([first, second]);
        // After the kick it stands still, far from the other foe.
        *app.world_mut().resource_mut() = Intent {
            steer: if first > 1 { Vec2::X } else { Vec2::ZERO },
            act: first > 1,
            holds_act: false,
        };
        app.update();
    }
    healths.dedup();
    assert_eq!(healths, [[4, 4], [3, 4], [2, 4], [1, 4], [1, 3]]);
}

/// A rival that is ahead at the end of a race need not go around once more.
#[test]
fn a_rival_keeps_its_lead_in_the_next_race() {
    let mut app = build(Game::Racer, 1);
    start(&mut app);
    let gates_of_rivals = |app: &mut App| {
        let world = app.world_mut();
        let mut rivals = world.query_filtered::<&Car, Without<Player>>();
        let passed = rivals.iter(world).map(|car| car.passed);
        passed.max().unwrap_or_default()
    };
    while gates_of_rivals(&mut app) < 4 {
        app.update();
    }
    let world = app.world_mut();
    for (mut car, is_player) in world.query::<(&mut Car, Has<Player>)>().iter_mut(world) {
        car.passed += LAPS * GATES + usize::from(is_player);
    }
    let before = gates_of_rivals(&mut app);
    (0..192).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Tally>().level, 2);
    assert_eq!(app.world().resource::<Tally>().lives, LIVES - 3);
    let passed = gates_of_rivals(&mut app) - before;
    assert!((1..GATES).contains(&passed), "{passed}");
}

/// Chooses a game, and returns how many entities have a layer a moment later.
fn visit(app: &mut App, game: Game) -> usize {
    app.world_mut().resource_mut::<NextState<Game>>().set(game);
    (0..20).for_each(|_| app.update());
    let paddles = app.world_mut().query::<&Paddle>().iter(app.world()).count();
    assert_eq!(paddles, usize::from(game == Game::Breakout), "{game:?}");
    assert_eq!(app.world().resource::<Tally>().score, 0, "{game:?}");
    assert_eq!(app.world().resource::<Tally>().lives, LIVES, "{game:?}");
    assert!(count(app, Layer::Hero) > 0, "{game:?}");
    app.world_mut().query::<&Layer>().iter(app.world()).count()
}

#[test]
fn a_game_starts_with_the_same_entities_after_others_and_after_itself() {
    let mut app = build(Game::Dungeon, 1);
    start(&mut app);
    let first = Game::ALL.map(|game| visit(&mut app, game));
    for (game, first) in Game::ALL.into_iter().zip(first) {
        assert_eq!(visit(&mut app, game), first, "{game:?} after another game");
        assert_eq!(visit(&mut app, game), first, "{game:?} after itself");
    }
}

#[test]
fn a_hit_just_before_a_restart_costs_no_life_after_it() {
    let mut app = build(Game::Asteroids, 1);
    start(&mut app);
    app.update();
    let world = app.world_mut();
    let mut rocks = world.query_filtered::<&mut Transform, With<Rock>>();
    for mut at in rocks.iter_mut(world) {
        at.translation = Vec3::ZERO;
    }
    app.update();
    let collisions = app.world().resource::<Messages<CollisionEvent>>();
    assert!(!collisions.is_empty());
    let mut next = app.world_mut().resource_mut::<NextState<Game>>();
    next.set(Game::Asteroids);
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Tally>().lives, LIVES);
}

#[test]
fn a_game_that_is_over_starts_again_at_a_press_after_a_second() {
    let mut app = build(Game::Asteroids, 1);
    start(&mut app);
    app.update();
    app.world_mut().resource_mut::<Tally>().lives = 0;
    let mut play = |steps: u32, act: bool| {
        for _ in 0..steps {
            app.world_mut().resource_mut::<Intent>().act = act;
            app.update();
        }
        app.world().resource::<Tally>().is_over()
    };
    assert!(play(63, true));
    assert!(play(64, false));
    assert!(!play(3, true));
}
