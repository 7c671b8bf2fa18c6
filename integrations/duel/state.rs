//! What the game remembers from step to step.

use bevy::prelude::*;
use bevy_thud::prelude::*;

pub const FULL_HEALTH: u32 = 5;

/// What belongs to nobody.
#[derive(Resource, Clone, Debug, Hash)]
pub struct Match {
    pub step: u32,
    next_key: u64,
    random: u64,
}

#[derive(Component, Clone, Debug, Hash)]
pub struct Fighter {
    pub player: usize,
    pub health: u32,
    pub score: u32,
    pub cooldown: u32,
    /// Where it looks, in -1..=1 on each axis.
    pub facing: IVec2,
}

#[derive(Component, Clone, Debug, Hash)]
pub struct Bullet {
    pub owner: usize,
    pub steps_left: u32,
}

#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Monster;

/// A wall that moves up and down.
#[derive(Component)]
pub struct Piston;

impl Match {
    pub fn new(seed: u64) -> Self {
        Self {
            step: 0,
            next_key: 0,
            random: seed.wrapping_mul(2).wrapping_add(1),
        }
    }

    /// A key that no other entity has.
    pub fn key(&mut self) -> StableKey {
        self.next_key += 1;
        StableKey(self.next_key)
    }

    /// Marsaglia, "Xorshift RNGs" (2003).
    pub fn random(&mut self, count: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % count
    }
}

impl Fighter {
    pub fn new(player: usize) -> Self {
        Self {
            player,
            health: FULL_HEALTH,
            score: 0,
            cooldown: 0,
            facing: IVec2::new(1 - 2 * player as i32, 0),
        }
    }
}
