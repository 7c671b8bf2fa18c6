//! Sensors that the hero walks into: coins, checkpoints and the goal.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Score, hero::Hero};

pub const COIN_RADIUS: f32 = 5.0;

#[derive(Component)]
#[require(CircleCollider::new(COIN_RADIUS))]
pub struct Coin;

#[derive(Component, Default)]
pub struct Checkpoint {
    pub is_reached: bool,
}

#[derive(Component)]
pub struct Goal;

/// Observes a coin.
pub fn collect(
    start: On<CollisionStart>,
    heroes: Query<(), With<Hero>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    if heroes.contains(start.other) {
        score.coins += 1;
        commands.entity(start.entity).despawn();
    }
}

/// Observes a checkpoint.
pub fn reach(
    start: On<CollisionStart>,
    mut heroes: Query<&mut Hero>,
    mut checkpoints: Query<(&mut Checkpoint, &Transform)>,
) -> Result {
    if let Ok(mut hero) = heroes.get_mut(start.other) {
        let (mut checkpoint, transform) = checkpoints.get_mut(start.entity)?;
        hero.checkpoint = transform.translation.truncate();
        checkpoint.is_reached = true;
    }
    Ok(())
}

/// Observes the goal.
pub fn finish(start: On<CollisionStart>, heroes: Query<(), With<Hero>>, mut score: ResMut<Score>) {
    if heroes.contains(start.other) && score.finished.is_none() {
        score.finished = Some(score.seconds);
    }
}
