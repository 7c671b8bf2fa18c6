//! What a player presses.

use bevy::{
    ecs::entity::{EntityMapper, MapEntities},
    prelude::*,
};
use serde::{Deserialize, Serialize};

/// The buttons of a player, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
pub struct Input(pub u8);

impl Input {
    pub const UP: u8 = 1;
    pub const DOWN: u8 = 2;
    pub const LEFT: u8 = 4;
    pub const RIGHT: u8 = 8;
    pub const FIRE: u8 = 16;

    pub fn has(self, button: u8) -> bool {
        self.0 & button != 0
    }

    /// The direction that is pressed, of unit length, or zero.
    pub fn direction(self) -> Vec2 {
        let axis = |plus, minus| f32::from(i8::from(self.has(plus)) - i8::from(self.has(minus)));
        let pressed = Vec2::new(axis(Self::RIGHT, Self::LEFT), axis(Self::UP, Self::DOWN));
        pressed.normalize_or_zero()
    }
}

impl MapEntities for Input {
    /// Buttons refer to no entity.
    fn map_entities<M: EntityMapper>(&mut self, _: &mut M) {}
}
