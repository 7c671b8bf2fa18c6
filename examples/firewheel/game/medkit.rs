//! Medkits: one lies in the vault, and brutes leave one behind.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    gate::VAULT,
    health::{Death, Health},
    layers::Layer,
    monsters::Monster,
    stage::UNTIL_NEXT_GAME,
};

pub const SIZE: f32 = 22.0;
const HEALING: f32 = 45.0;
const DELIVERY_SECONDS: f32 = 14.0;

#[derive(Component)]
pub struct Medkit;

/// When the next medkit is put into the vault.
#[derive(Resource, Deref, DerefMut)]
pub struct Delivery(Timer);

pub fn plugin(app: &mut App) {
    app.insert_resource(Delivery(Timer::from_seconds(
        DELIVERY_SECONDS,
        TimerMode::Repeating,
    )))
    .add_observer(drop_medkit);
}

/// Puts a medkit into the vault, unless one is there.
pub fn deliver(
    mut delivery: ResMut<Delivery>,
    medkits: Query<&Transform, With<Medkit>>,
    time: Res<Time>,
    mut commands: Commands,
) {
    if !medkits.iter().any(is_in_vault) && delivery.tick(time.delta()).just_finished() {
        spawn(&mut commands, VAULT);
    }
}

pub fn is_in_vault(medkit: &Transform) -> bool {
    medkit.translation.truncate() == VAULT
}

fn drop_medkit(death: On<Death>, monsters: Query<(&Monster, &Transform)>, mut commands: Commands) {
    if let Ok((Monster::Brute, at)) = monsters.get(death.entity) {
        spawn(&mut commands, at.translation.truncate());
    }
}

fn spawn(commands: &mut Commands, position: Vec2) {
    commands
        .spawn((
            Medkit,
            RectCollider::new(SIZE, SIZE),
            Layer::Pickup,
            Transform::from_translation(position.extend(0.4)),
            UNTIL_NEXT_GAME,
        ))
        .observe(heal);
}

/// A medkit collides only with players. If two of them touch it in the same step, the first one
/// gets it.
fn heal(start: On<CollisionStart>, mut healths: Query<&mut Health>, mut commands: Commands) {
    if let Ok(mut health) = healths.get_mut(start.other) {
        health.heal(HEALING);
        commands.entity(start.entity).despawn();
    }
}
