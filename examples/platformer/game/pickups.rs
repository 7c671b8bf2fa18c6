//! Sensors that the hero walks into: coins, checkpoints and the goal.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{LevelPart, Score, hero::Hero};

#[derive(Component)]
#[require(LevelPart)]
pub struct Coin;

#[derive(Component)]
#[require(LevelPart)]
pub struct Checkpoint {
    pub is_reached: bool,
}

#[derive(Component)]
#[require(LevelPart)]
pub struct Goal;

/// Spawns a coin at a position.
pub fn spawn_coin(commands: &mut Commands, position: Vec2) {
    let at = Transform::from_translation(position.extend(0.0));
    commands
        .spawn((Coin, CircleCollider::new(5.0), at))
        .observe(collect);
}

/// Spawns a flag that stands at a position.
pub fn spawn_checkpoint(commands: &mut Commands, position: Vec2) {
    let at = Transform::from_translation(position.extend(0.0));
    let checkpoint = Checkpoint { is_reached: false };
    commands
        .spawn((checkpoint, RectCollider::new(8.0, 32.0), at))
        .observe(reach);
}

/// Spawns the goal, which stands at a position.
pub fn spawn_goal(commands: &mut Commands, position: Vec2) {
    let at = Transform::from_translation(position.extend(0.0));
    commands
        .spawn((Goal, RectCollider::new(8.0, 48.0), at))
        .observe(finish);
}

fn collect(
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

fn reach(
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

fn finish(start: On<CollisionStart>, heroes: Query<(), With<Hero>>, mut score: ResMut<Score>) {
    if heroes.contains(start.other) && score.finished.is_none() {
        score.finished = Some(score.seconds);
    }
}
