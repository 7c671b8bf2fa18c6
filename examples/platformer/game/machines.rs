//! What moves by itself: a ferry, a lift, a crusher, a seesaw, a wheel and a conveyor.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::LdtkFields;

use super::Score;

/// The map says which of them are [`Swept`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[require(Solid)]
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

/// A float of the map, where a pixel is a world unit.
fn float(fields: &LdtkFields, name: &str) -> Result<f32> {
    let value = fields.float(name);
    value.ok_or_else(|| format!("a machine of the map has no {name}").into())
}

/// The belt of a conveyor of the map.
pub fn belt(fields: &LdtkFields) -> Result<Conveyor> {
    Ok(Conveyor(Vec2::new(float(fields, "speed")?, 0.0)))
}

impl Motion {
    /// The motion of a machine of the map that rests at this position.
    pub fn shuttle(position: Vec2, fields: &LdtkFields) -> Result<Self> {
        let float = |name| float(fields, name);
        let travel = Vec2::new(float("travel_x")?, float("travel_y")?);
        Ok(Self::Shuttle {
            ends: [position, position + travel],
            seconds: [float("rest")?, float("go")?, float("wait")?, float("back")?],
        })
    }

    /// The motion of a machine of the map that tilts.
    pub fn tilt(fields: &LdtkFields) -> Result<Self> {
        let (angle, seconds) = (float(fields, "angle")?, float(fields, "period")?);
        Ok(Self::Tilt { angle, seconds })
    }

    /// The motion of a machine of the map that turns.
    pub fn turn(fields: &LdtkFields) -> Result<Self> {
        let rate = float(fields, "rate")?;
        Ok(Self::Turn { rate })
    }

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
