//! Monsters bite the players that they touch.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::{health::Damage, player::Player};

#[derive(Component)]
pub struct Bite {
    damage: f32,
    recovery: Timer,
}

impl Bite {
    pub fn new(damage: f32, seconds: f32) -> Self {
        let mut recovery = Timer::from_seconds(seconds, TimerMode::Once);
        recovery.finish();
        Self { damage, recovery }
    }
}

/// A monster that a player blocks stops a skin width short of it. The two are a pair all the same:
/// a mover collides with what blocks it.
pub fn bite(
    mut monsters: Query<(Entity, &mut Bite)>,
    players: Query<(), With<Player>>,
    collisions: Collisions,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (monster, mut bite) in &mut monsters {
        if !bite.recovery.tick(time.delta()).is_finished() {
            continue;
        }
        let mut touched = collisions.of(monster).map(|(other, _)| other);
        if let Some(entity) = touched.find(|&other| players.contains(other)) {
            bite.recovery.reset();
            let amount = bite.damage;
            commands.trigger(Damage { entity, amount });
        }
    }
}
