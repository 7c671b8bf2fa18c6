//! Grunts and skitterers: monsters that run straight to the player.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::{Dice, exact, flow_field::FlowField, player::Player},
    Pace, approach, nearest, steer,
};

/// How far a skitterer veers off its path, in radians.
const ZIGZAG: f32 = 0.95;
/// Within this distance it runs straight.
const LUNGE_DISTANCE: f32 = 80.0;

/// Walks to the nearest player.
#[derive(Component)]
pub struct Chaser;

/// Runs to the nearest player, alternately to the left and to the right of the path.
#[derive(Component, Default)]
pub struct Skitterer {
    slant: f32,
    seconds_left: f32,
}

pub fn chase(
    mut chasers: Query<(&Pace, &Transform, &mut Mover), With<Chaser>>,
    players: Query<&Transform, With<Player>>,
    field: Res<FlowField>,
    time: Res<Time>,
) {
    for (pace, at, mut mover) in &mut chasers {
        let position = at.translation.truncate();
        let direction = nearest(positions_of(&players), position)
            .map_or(Vec2::ZERO, |target| approach(&field, position, target));
        let wanted = direction * pace.0;
        steer(&mut mover.velocity, wanted, time.delta_secs());
    }
}

pub fn skitter(
    mut skitterers: Query<(&Pace, &Transform, &mut Skitterer, &mut Mover)>,
    players: Query<&Transform, With<Player>>,
    field: Res<FlowField>,
    time: Res<Time>,
    mut dice: ResMut<Dice>,
) {
    for (pace, at, mut skitterer, mut mover) in &mut skitterers {
        skitterer.seconds_left -= time.delta_secs();
        if skitterer.seconds_left <= 0.0 {
            skitterer.seconds_left = 0.25 + 0.35 * dice.f32();
            skitterer.slant = if dice.bool() { ZIGZAG } else { -ZIGZAG };
        }
        let position = at.translation.truncate();
        let Some(target) = nearest(positions_of(&players), position) else {
            steer(&mut mover.velocity, Vec2::ZERO, time.delta_secs());
            continue;
        };
        let mut direction = approach(&field, position, target);
        if position.distance(target) > LUNGE_DISTANCE {
            direction = exact::direction(skitterer.slant).rotate(direction);
        }
        steer(&mut mover.velocity, direction * pace.0, time.delta_secs());
    }
}

fn positions_of(players: &Query<&Transform, With<Player>>) -> impl Iterator<Item = Vec2> {
    players.iter().map(|at| at.translation.truncate())
}
