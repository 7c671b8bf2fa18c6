//! Spitters keep their distance and spit.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::{
        flow_field::FlowField, health::Damage, layers::Layer, player::Player,
        stage::UNTIL_NEXT_GAME,
    },
    Pace, approach, nearest, steer,
};

pub const GLOB_RADIUS: f32 = 6.0;
const GLOB_SPEED: f32 = 230.0;
const GLOB_DAMAGE: f32 = 9.0;
const RANGE: f32 = 330.0;
const SPIT_SECONDS: f32 = 1.9;
/// A spitter steps back from a player nearer than this.
const TOO_NEAR: f32 = 170.0;

/// Spits whenever its timer finishes.
#[derive(Component)]
pub struct Spitter {
    spit: Timer,
}

impl Default for Spitter {
    fn default() -> Self {
        Self {
            spit: Timer::from_seconds(SPIT_SECONDS, TimerMode::Once),
        }
    }
}

/// What a spitter spits.
#[derive(Component)]
pub struct Glob;

/// Walks until it sees a player, then circles that player.
pub fn keep_away(
    mut spitters: Query<(&Pace, &Transform, &mut Mover), With<Spitter>>,
    players: Query<&Transform, With<Player>>,
    field: Res<FlowField>,
    time: Res<Time>,
) {
    for (pace, at, mut mover) in &mut spitters {
        let position = at.translation.truncate();
        let target = nearest(players.iter().map(|at| at.translation.truncate()), position);
        let direction = target.map_or(Vec2::ZERO, |target| {
            let direction = approach(&field, position, target);
            let distance = position.distance(target);
            if distance > RANGE * 0.8 || !field.is_clear(position, target) {
                direction
            } else if distance < TOO_NEAR {
                -direction
            } else {
                direction.perp() * 0.6
            }
        });
        steer(&mut mover.velocity, direction * pace.0, time.delta_secs());
    }
}

pub fn spit(
    mut spitters: Query<(&Transform, &mut Spitter)>,
    players: Query<&Transform, With<Player>>,
    field: Res<FlowField>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (at, mut spitter) in &mut spitters {
        if !spitter.spit.tick(time.delta()).is_finished() {
            continue;
        }
        let position = at.translation.truncate();
        let target = nearest(players.iter().map(|at| at.translation.truncate()), position);
        let in_reach =
            |target: &Vec2| position.distance(*target) < RANGE && field.is_clear(position, *target);
        if let Some(target) = target.filter(in_reach) {
            spitter.spit.reset();
            commands.spawn(glob(position, (target - position).normalize_or_zero()));
        }
    }
}

fn glob(from: Vec2, direction: Vec2) -> impl Bundle {
    (
        Glob,
        CircleCollider::new(GLOB_RADIUS),
        Mover {
            response: MoverResponse::Stop,
            blocked_by: Layer::Wall.mask(),
            ..Mover::with_velocity(direction * GLOB_SPEED)
        },
        Layer::Spit,
        Transform::from_translation(from.extend(3.0)),
        UNTIL_NEXT_GAME,
    )
}

/// A glob bursts at the first thing that it hits, wall or player.
pub fn hurt_by_spit(
    mut hits: Hits<With<Glob>, With<Player>>,
    mut walls: MessageReader<MoverHit>,
    globs: Query<(), With<Glob>>,
    mut commands: Commands,
) {
    for hit in hits.first_per_a() {
        commands.trigger(Damage {
            entity: hit.b,
            amount: GLOB_DAMAGE,
        });
        commands.entity(hit.a).try_despawn();
    }
    for hit in walls.read().filter(|hit| globs.contains(hit.entity)) {
        commands.entity(hit.entity).try_despawn();
    }
}
