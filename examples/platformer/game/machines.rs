//! What moves by itself: a ferry, a lift, a crusher, a seesaw, a wheel and a conveyor.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{LevelPart, Score};

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[require(LevelPart, Solid)]
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

const FERRY: Motion = Motion::Shuttle {
    ends: [Vec2::new(572.0, 90.0), Vec2::new(708.0, 90.0)],
    seconds: [1.2, 2.4, 1.2, 2.4],
};
const LIFT: Motion = Motion::Shuttle {
    ends: [Vec2::new(1368.0, 90.0), Vec2::new(1368.0, 314.0)],
    seconds: [1.2, 3.2, 1.2, 3.2],
};
const CRUSHER: Motion = Motion::Shuttle {
    ends: [Vec2::new(976.0, 177.0), Vec2::new(976.0, 129.0)],
    seconds: [1.0, 0.2, 0.5, 1.1],
};
const SEESAW: Motion = Motion::Tilt {
    angle: 0.28,
    seconds: 5.0,
};
const WHEEL: Motion = Motion::Turn { rate: 0.4 };
const BELT: Vec2 = Vec2::new(-50.0, 0.0);
const BELT_AT: Vec2 = Vec2::new(1104.0, 88.0);
const SEESAW_AT: Vec2 = Vec2::new(624.0, 314.0);
const WHEEL_AT: Vec2 = Vec2::new(864.0, 275.0);

pub fn spawn(commands: &mut Commands) {
    let sliding = [
        (Machine::Ferry, Vec2::new(48.0, 12.0), FERRY),
        (Machine::Lift, Vec2::new(46.0, 12.0), LIFT),
        (Machine::Crusher, Vec2::new(30.0, 62.0), CRUSHER),
    ];
    for (machine, size, motion) in sliding {
        let (position, _) = motion.pose(0.0);
        let at = Transform::from_translation(position.unwrap_or_default().extend(0.0));
        commands.spawn((
            machine,
            RectCollider::new(size.x, size.y),
            Swept,
            motion,
            at,
        ));
    }
    let at = |position: Vec2| Transform::from_translation(position.extend(0.0));
    let plate = RectCollider::new(128.0, 10.0);
    commands.spawn((Machine::Seesaw, plate, SEESAW, at(SEESAW_AT)));
    let wheel = CircleCollider::new(48.0);
    commands.spawn((Machine::Wheel, wheel, WHEEL, at(WHEEL_AT)));
    let belt = (RectCollider::new(128.0, 16.0), Conveyor(BELT));
    commands.spawn((Machine::Conveyor, belt, at(BELT_AT)));
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
