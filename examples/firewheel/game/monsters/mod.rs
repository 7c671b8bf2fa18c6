//! The kinds of monsters. How each kind moves is in the files beside this one.

mod bite;
mod charge;
mod chase;
mod portal;
mod spit;

pub use bite::{Bite, bite};
pub use charge::{Charge, Mood, charge};
pub use chase::{Chaser, Skitterer, chase, skitter};
pub use portal::{Portal, emerge};
pub use spit::{GLOB_RADIUS, Glob, Spitter, hurt_by_spit, keep_away, spit};

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{exact, flow_field::FlowField, health::Health, layers::Layer, stage::UNTIL_NEXT_GAME};

/// How fast monsters change their velocity: the rate of an exponential, per second.
const AGILITY: f32 = 7.0;

/// A monster of some kind.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Monster {
    /// Walks straight to the player.
    Grunt,
    /// Small, fast, and never on a straight line.
    Skitterer,
    /// Big and slow, until it charges.
    Brute,
    /// Keeps its distance and spits.
    Spitter,
}

/// The numbers of a kind.
pub struct Traits {
    pub radius: f32,
    pub health: f32,
    pub speed: f32,
    pub weight: f32,
    pub bite: f32,
    pub bite_seconds: f32,
    pub score: u32,
}

impl Monster {
    pub const fn traits(self) -> Traits {
        match self {
            Self::Grunt => Traits {
                radius: 13.0,
                health: 40.0,
                speed: 95.0,
                weight: 1.0,
                bite: 6.0,
                bite_seconds: 0.8,
                score: 10,
            },
            Self::Skitterer => Traits {
                radius: 8.0,
                health: 20.0,
                speed: 190.0,
                weight: 0.5,
                bite: 4.0,
                bite_seconds: 0.6,
                score: 15,
            },
            Self::Brute => Traits {
                radius: 26.0,
                health: 260.0,
                speed: 58.0,
                weight: 8.0,
                bite: 22.0,
                bite_seconds: 1.2,
                score: 80,
            },
            Self::Spitter => Traits {
                radius: 15.0,
                health: 55.0,
                speed: 85.0,
                weight: 1.5,
                bite: 4.0,
                bite_seconds: 1.0,
                score: 30,
            },
        }
    }
}

pub fn plugin(app: &mut App) {
    app.add_observer(charge::end_charge_at_wall);
}

/// How fast a monster walks, in world units per second.
#[derive(Component)]
pub struct Pace(f32);

/// What multiplies the numbers of a kind: less than 1 in early waves, more in late ones.
#[derive(Clone, Copy, Debug)]
pub struct Fury {
    pub speed: f32,
    pub bite: f32,
}

fn spawn(commands: &mut Commands, kind: Monster, position: Vec2, fury: Fury) {
    let traits = kind.traits();
    let mut monster = commands.spawn((
        kind,
        Pace(traits.speed * fury.speed),
        Health::new(traits.health),
        Bite::new(traits.bite * fury.bite, traits.bite_seconds),
        CircleCollider::new(traits.radius),
        Solid,
        Mover {
            weight: traits.weight,
            ..default()
        },
        Layer::Monster,
        Transform::from_translation(position.extend(1.0)),
        UNTIL_NEXT_GAME,
    ));
    match kind {
        Monster::Grunt => monster.insert(Chaser),
        Monster::Skitterer => monster.insert(Skitterer::default()),
        Monster::Brute => monster.insert(Charge::default()),
        Monster::Spitter => monster.insert(Spitter::default()),
    };
}

/// Moves a velocity smoothly toward another one.
fn steer(velocity: &mut Vec2, wanted: Vec2, seconds: f32) {
    *velocity = velocity.lerp(wanted, 1.0 - exact::exp(-AGILITY * seconds));
}

/// The point that is nearest to a position.
pub fn nearest(points: impl Iterator<Item = Vec2>, position: Vec2) -> Option<Vec2> {
    points.min_by(|p, q| {
        let [p, q] = [p, q].map(|point| point.distance_squared(position));
        p.total_cmp(&q)
    })
}

/// Straight to the target if nothing is in between, otherwise around the walls.
fn approach(field: &FlowField, from: Vec2, target: Vec2) -> Vec2 {
    if field.is_clear(from, target) {
        (target - from).normalize_or_zero()
    } else {
        field.direction_from(from)
    }
}
