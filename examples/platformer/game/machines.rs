//! What moves by itself: a ferry, a lift, a crusher, a seesaw, a wheel and a conveyor.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkFields};

use super::Score;

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Machine {
    Ferry,
    Lift,
    Crusher,
    Seesaw,
    Wheel,
    Conveyor,
}

/// How a machine moves with time. Whatever writes the [`Transform`] of a floor carries those who
/// stand on it.
#[derive(Component, Clone, Copy)]
pub enum Motion {
    /// Between two positions: rests at the first, goes to the second, rests there, and returns, for
    /// this many seconds each.
    Shuttle { ends: [Vec2; 2], seconds: [f32; 4] },
    /// Tilts to both sides, by this angle at most, in this period.
    Tilt { angle: f32, seconds: f32 },
    /// Turns, in radians per second.
    Turn { rate: f32 },
}

/// Makes an entity of the map the machine that its identifier names. The map says where it is, how
/// large, how it moves, and whether it is [`Swept`].
pub fn equip<'s, 'c>(
    spawned: &'s mut EntityCommands<'c>,
    entity: &LdtkEntity,
    fields: &LdtkFields,
    transform: &Transform,
) -> Result<&'s mut EntityCommands<'c>> {
    let position = transform.translation.truncate();
    let field = |name| {
        let why = || format!("{} without {name}", entity.identifier);
        fields.float(name).ok_or_else(why)
    };
    let shuttle = || -> Result<Motion> {
        let travel = Vec2::new(field("travel_x")?, field("travel_y")?);
        Ok(Motion::Shuttle {
            ends: [position, position + travel],
            seconds: [field("rest")?, field("go")?, field("wait")?, field("back")?],
        })
    };
    Ok(match entity.identifier.as_str() {
        "Ferry" => spawned.insert((Machine::Ferry, shuttle()?)),
        "Lift" => spawned.insert((Machine::Lift, shuttle()?)),
        "Crusher" => spawned.insert((Machine::Crusher, shuttle()?)),
        "Seesaw" => {
            let (angle, seconds) = (field("angle")?, field("period")?);
            spawned.insert((Machine::Seesaw, Motion::Tilt { angle, seconds }))
        }
        "Wheel" => {
            let rate = field("rate")?;
            let circle = CircleCollider::new(entity.size.x / 2.0);
            spawned.insert((Machine::Wheel, circle, Motion::Turn { rate }))
        }
        "Conveyor" => {
            let belt = Conveyor(Vec2::new(field("speed")?, 0.0));
            spawned.insert((Machine::Conveyor, belt))
        }
        other => return Err(format!("the game knows no {other}").into()),
    })
}

impl Motion {
    /// The position, if it changes, and the angle at a time.
    fn pose(&self, seconds: f32) -> (Option<Vec2>, f32) {
        match *self {
            Self::Shuttle {
                ends: [first, second],
                seconds: phases,
            } => {
                let fraction = shuttle_fraction(phases, seconds);
                (Some(first.lerp(second, fraction)), 0.0)
            }
            Self::Tilt {
                angle,
                seconds: period,
            } => (None, angle * (TAU * seconds / period).sin()),
            Self::Turn { rate } => (None, rate * seconds % TAU),
        }
    }
}

/// How far a shuttle is on the way to its second end.
fn shuttle_fraction([rest, go, wait, back]: [f32; 4], seconds: f32) -> f32 {
    let phase = seconds % (rest + go + wait + back);
    let gone = ((phase - rest) / go).clamp(0.0, 1.0);
    let returned = ((phase - rest - go - wait) / back).clamp(0.0, 1.0);
    smooth(gone) - smooth(returned)
}

/// Starts and ends without a jolt.
fn smooth(fraction: f32) -> f32 {
    fraction * fraction * (3.0 - 2.0 * fraction)
}

pub fn run(score: Res<Score>, mut machines: Query<(&Motion, &mut Transform)>) {
    for (motion, mut transform) in &mut machines {
        let (position, angle) = motion.pose(score.seconds);
        if let Some(position) = position {
            transform.translation = position.extend(transform.translation.z);
        }
        transform.rotation = Quat::from_rotation_z(angle);
    }
}
