//! A bot for each game: it looks at the world before each step, and writes what it wants.

mod explorer;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    asteroids::{Rock, Ship},
    brawler,
    breakout::{Ball, Paddle},
    games::{Dice, Game, Intent, Tally, playing, start_again},
    maps::{PADS, steering},
    racer::Player,
    tower_defense::{Builder, COST, Pad},
};

pub fn plugin(app: &mut App) {
    let bots = (
        play_breakout.run_if(playing(Game::Breakout)),
        play_asteroids.run_if(playing(Game::Asteroids)),
        build_towers.run_if(playing(Game::TowerDefense)),
        race.run_if(playing(Game::Racer)),
        explorer::explore.run_if(playing(Game::Dungeon)),
        fight.run_if(playing(Game::Brawler)),
    );
    let bots = (bots, slip, play_again).chain().before(start_again);
    app.init_resource::<Slip>()
        .add_systems(FixedPreUpdate, bots);
}

/// Where a bot goes by mistake, and for how many more steps.
#[derive(Resource, Default)]
struct Slip {
    steer: Vec2,
    steps: u32,
}

/// Now and then a bot slips, so that each seed makes another game.
fn slip(mut slip: ResMut<Slip>, mut dice: ResMut<Dice>, mut intent: ResMut<Intent>) {
    slip.steps = slip.steps.saturating_sub(1);
    if dice.0.u32(0..100) == 0 {
        let steer = Vec2::new(dice.signed(), dice.signed());
        *slip = Slip { steer, steps: 12 };
    }
    if slip.steps > 0 {
        intent.steer = slip.steer;
    }
}

fn play_again(tally: Res<Tally>, mut intent: ResMut<Intent>) {
    intent.act |= tally.is_over();
}

/// Goes to where the ball comes down that does so first, and hits it with changing parts of the
/// paddle.
fn play_breakout(
    balls: Query<(&Ball, &Transform)>,
    paddle: Single<&Transform, With<Paddle>>,
    time: Res<Time>,
    mut intent: ResMut<Intent>,
) {
    let paddle = paddle.translation.truncate();
    let falls = balls.iter().map(|(ball, at)| {
        let drop = at.translation.y - paddle.y;
        let seconds = if ball.0.y < 0.0 {
            -drop / ball.0.y
        } else {
            2.0
        };
        (seconds, at.translation.x + ball.0.x * seconds)
    });
    let first = falls.min_by(|(a, _), (b, _)| a.total_cmp(b));
    // Walls reflect the ball.
    let x = first.map_or(0.0, |(_, x)| {
        592.0 - ((x + 592.0).rem_euclid(2368.0) - 1184.0).abs()
    });
    let aim = x + 40.0 * (1.7 * time.elapsed_secs()).sin();
    let steer = Vec2::X * ((aim - paddle.x) / 20.0).clamp(-1.0, 1.0);
    *intent = Intent { steer, ..default() };
}

/// Turns to the nearest rock, shoots at it, and flies off if it comes too near.
fn play_asteroids(
    ship: Single<(&Transform, &Mover), With<Ship>>,
    rocks: Query<(&Transform, &Mover), With<Rock>>,
    mut intent: ResMut<Intent>,
) {
    let (transform, mover) = *ship;
    let offsets = rocks.iter().map(|(at, rock)| {
        let offset = (at.translation - transform.translation).truncate();
        offset + (rock.velocity - mover.velocity) * offset.length() / 560.0
    });
    let nearest = offsets.min_by(|a, b| a.length().total_cmp(&b.length()));
    let Some(offset) = nearest else { return };
    let angle = transform.local_y().truncate().angle_to(offset);
    let is_near = offset.length() < 120.0 && angle.abs() > 1.5;
    *intent = Intent {
        steer: Vec2::new(-(6.0 * angle).clamp(-1.0, 1.0), f32::from(is_near)),
        act: false,
        holds_act: angle.abs() < 0.15,
    };
}

/// Which pad becomes a gun, or frost, one after the other.
const PLAN: [(usize, usize); 13] = [
    (1, 1),
    (3, 1),
    (4, 1),
    (0, 1),
    (7, 1),
    (6, 1),
    (2, 2),
    (5, 1),
    (8, 1),
    (5, 2),
    (8, 2),
    (7, 2),
    (0, 2),
];

fn build_towers(
    builder: Single<&Transform, With<Builder>>,
    pads: Query<(&Pad, &Transform)>,
    tally: Res<Tally>,
    mut intent: ResMut<Intent>,
) {
    let is_missing = |&&(pad, tower): &&(usize, usize)| {
        let found = pads
            .iter()
            .find(|(_, at)| at.translation.truncate() == PADS[pad]);
        found.is_some_and(|(pad, _)| pad.0 < tower)
    };
    let Some((pad, _)) = PLAN.iter().find(is_missing) else {
        return;
    };
    let offset = PADS[*pad] - builder.translation.truncate();
    let is_there = offset.length() < 10.0;
    *intent = Intent {
        steer: if is_there {
            Vec2::ZERO
        } else {
            offset.normalize()
        },
        act: is_there && tally.coins >= COST,
        holds_act: false,
    };
}

/// Follows the outer lane, past the mud and the rivals, and brakes a little where it has to turn.
fn race(player: Single<&Transform, With<Player>>, mut intent: ResMut<Intent>) {
    let turn = steering(*player, -25.0);
    let steer = Vec2::new(-turn, 1.0 - 0.1 * turn.abs());
    *intent = Intent { steer, ..default() };
}

/// Goes to the side of the nearest foe, looks at it, and punches.
fn fight(
    hero: Single<&Transform, With<brawler::Hero>>,
    foes: Query<&Transform, (With<brawler::Fighter>, Without<brawler::Hero>)>,
    mut intent: ResMut<Intent>,
) {
    let offsets = foes
        .iter()
        .map(|at| (at.translation - hero.translation).truncate());
    let nearest = offsets.min_by(|a, b| a.length().total_cmp(&b.length()));
    let Some(offset) = nearest else { return };
    let gap = offset - Vec2::X * 44.0 * offset.x.signum();
    let is_there = gap.abs().cmplt(Vec2::new(12.0, 16.0)).all();
    *intent = Intent {
        steer: if is_there {
            offset.with_y(0.0) * 0.001
        } else {
            gap
        },
        act: is_there,
        holds_act: false,
    };
}
