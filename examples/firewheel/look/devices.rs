//! What a player plays with: the screen, a gamepad, or keys.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::super::{pads::Seat, platform};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The page has a stick and buttons, with labels.
    Touch,
    Gamepad,
    /// The first player has the mouse as well.
    Keys,
}

/// Whether the first player has a screen to touch, and no keys.
#[derive(Resource)]
pub struct HasTouch(pub bool);

#[derive(SystemParam)]
pub struct Devices<'w, 's> {
    touch: Res<'w, HasTouch>,
    seats: Query<'w, 's, &'static Seat, With<Gamepad>>,
}

impl Devices<'_, '_> {
    /// The device of the player with this index.
    pub fn of(&self, player: usize) -> Device {
        if self.seats.iter().any(|seat| seat.0 == player) {
            Device::Gamepad
        } else if self.touch.0 && player == 0 {
            Device::Touch
        } else {
            Device::Keys
        }
    }

    /// Whether a player has a gamepad. Bots have none, though one may be connected.
    pub fn have_gamepad(&self) -> bool {
        !self.seats.is_empty()
    }
}

pub fn plugin(app: &mut App) {
    app.insert_resource(HasTouch(platform::is_touch_screen()));
}
