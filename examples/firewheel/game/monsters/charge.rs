//! Brutes: they walk until they see a player, wind up, and charge until they run into a wall.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::{arena::Wall, flow_field::FlowField, player::Player},
    Pace, approach, nearest, steer,
};

const SIGHT: f32 = 300.0;
const CHARGE_SPEED: f32 = 430.0;
const BREATH_SECONDS: f32 = 0.65;
const CHARGE_SECONDS: f32 = 1.1;
const DAZED_SECONDS: f32 = 1.4;
const PATIENCE_SECONDS: f32 = 2.0;

/// What a brute is doing, and for how much longer.
#[derive(Component, Clone, Copy, Debug)]
pub struct Charge {
    pub mood: Mood,
    seconds_left: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mood {
    /// Walks. It may charge once the time is up.
    Trudging,
    /// Stands still before a charge in this direction.
    DrawingBreath(Vec2),
    Charging(Vec2),
    /// Stunned by a wall.
    Dazed,
}

impl Default for Charge {
    fn default() -> Self {
        Self {
            mood: Mood::Trudging,
            seconds_left: PATIENCE_SECONDS,
        }
    }
}

impl Charge {
    fn turn(&mut self, mood: Mood, seconds: f32) {
        *self = Self {
            mood,
            seconds_left: seconds,
        };
    }
}

pub fn charge(
    mut brutes: Query<(&Pace, &Transform, &mut Charge, &mut Mover)>,
    players: Query<&Transform, With<Player>>,
    field: Res<FlowField>,
    time: Res<Time>,
) {
    let seconds = time.delta_secs();
    for (pace, at, mut charge, mut mover) in &mut brutes {
        let position = at.translation.truncate();
        let target = nearest(players.iter().map(|at| at.translation.truncate()), position);
        charge.seconds_left -= seconds;
        let is_over = charge.seconds_left <= 0.0;
        match charge.mood {
            Mood::Trudging => {
                let direction =
                    target.map_or(Vec2::ZERO, |target| approach(&field, position, target));
                steer(&mut mover.velocity, direction * pace.0, seconds);
                let prey = target.filter(|&target| {
                    is_over && position.distance(target) < SIGHT && field.is_clear(position, target)
                });
                if let Some(prey) = prey {
                    let direction = (prey - position).normalize_or_zero();
                    charge.turn(Mood::DrawingBreath(direction), BREATH_SECONDS);
                }
            }
            Mood::DrawingBreath(direction) => {
                steer(&mut mover.velocity, Vec2::ZERO, seconds);
                if is_over {
                    charge.turn(Mood::Charging(direction), CHARGE_SECONDS);
                }
            }
            Mood::Charging(direction) => {
                mover.velocity = direction * CHARGE_SPEED;
                if is_over {
                    charge.turn(Mood::Trudging, PATIENCE_SECONDS);
                }
            }
            Mood::Dazed => {
                steer(&mut mover.velocity, Vec2::ZERO, seconds);
                if is_over {
                    charge.turn(Mood::Trudging, PATIENCE_SECONDS);
                }
            }
        }
    }
}

/// [`MoverHits`] lists everything that blocked a mover. Only walls count here, and only head-on.
pub fn end_charge_at_wall(
    hit: On<MoverHit>,
    mut brutes: Query<(&mut Charge, &mut Mover)>,
    walls: Query<(), With<Wall>>,
) {
    let Ok((mut charge, mut mover)) = brutes.get_mut(hit.entity) else {
        return;
    };
    let is_charging = matches!(charge.mood, Mood::Charging(_));
    if is_charging && walls.contains(hit.blocker) && hit.speed > CHARGE_SPEED / 2.0 {
        charge.turn(Mood::Dazed, DAZED_SECONDS);
        mover.velocity = hit.normal * 60.0;
    }
}
