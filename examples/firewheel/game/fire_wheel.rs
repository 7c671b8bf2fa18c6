//! The weapon: a pistol that fires burning wheels. They bounce off walls and burn the monsters that
//! they hit.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    burning::Burning, health::Damage, layers::Layer, monsters::Monster, player::Intent,
    stage::UNTIL_NEXT_GAME,
};

pub const RADIUS: f32 = 8.0;
pub const SPEED: f32 = 500.0;
const DAMAGE: f32 = 26.0;
const BOUNCES: u32 = 4;
const LIFETIME: f32 = 3.0;
const RELOAD_SECONDS: f32 = 0.28;
/// How far a wheel pushes a monster of weight 1, in world units.
const KNOCKBACK: f32 = 9.0;

/// Fires wheels.
#[derive(Component)]
pub struct Pistol {
    reload: Timer,
}

impl Default for Pistol {
    fn default() -> Self {
        let mut reload = Timer::from_seconds(RELOAD_SECONDS, TimerMode::Once);
        reload.finish();
        Self { reload }
    }
}

/// A burning wheel.
#[derive(Component)]
pub struct FireWheel {
    pub bounces_left: u32,
    seconds_left: f32,
}

pub fn shoot(
    mut shooters: Query<(&Intent, &Transform, &mut Pistol)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (intent, at, mut pistol) in &mut shooters {
        if pistol.reload.tick(time.delta()).is_finished() && intent.fire {
            pistol.reload.reset();
            commands.spawn(fire_wheel(at.translation.truncate(), intent.aim));
        }
    }
}

/// A wheel starts inside the shooter, whose layer is not in its filters, so that it never starts
/// behind a wall.
fn fire_wheel(from: Vec2, direction: Vec2) -> impl Bundle {
    (
        FireWheel {
            bounces_left: BOUNCES,
            seconds_left: LIFETIME,
        },
        CircleCollider::new(RADIUS),
        Mover {
            velocity: direction * SPEED,
            response: MoverResponse::Bounce,
            blocked_by: Layer::Wall.mask(),
            ..default()
        },
        Layer::Wheel,
        Transform::from_translation(from.extend(3.0)),
        UNTIL_NEXT_GAME,
    )
}

/// A wheel passes through monsters: it is not solid, and only walls block it.
pub fn burn_what_they_meet(
    mut hits: Hits<With<FireWheel>, With<Monster>>,
    wheels: Query<&Mover, With<FireWheel>>,
    mut monsters: Query<&mut Mover, Without<FireWheel>>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        if let (Ok(wheel), Ok(mut monster)) = (wheels.get(hit.a), monsters.get_mut(hit.b)) {
            let push = wheel.velocity.normalize_or_zero() * KNOCKBACK / monster.weight;
            monster.displacement += push;
        }
        commands.entity(hit.b).try_insert(Burning::default());
        commands.trigger(Damage {
            entity: hit.b,
            amount: DAMAGE,
        });
    }
}

/// Every bounce is a [`MoverHit`], even if a wheel bounces twice within one step.
pub fn count_bounces(
    mut hits: MessageReader<MoverHit>,
    mut wheels: Query<&mut FireWheel>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        let Ok(mut wheel) = wheels.get_mut(hit.entity) else {
            continue;
        };
        match wheel.bounces_left.checked_sub(1) {
            Some(left) => wheel.bounces_left = left,
            None => commands.entity(hit.entity).try_despawn(),
        }
    }
}

pub fn burn_out(
    mut wheels: Query<(Entity, &mut FireWheel)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, mut wheel) in &mut wheels {
        wheel.seconds_left -= time.delta_secs();
        if wheel.seconds_left <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}
