//! The line at the bottom: which keys, or what of a gamepad, do what.

use bevy::prelude::*;

use super::super::{game::player::PlayerCount, pads::Seat};

/// With keys, and with a gamepad.
const ALONE: [&str; 2] = [
    "WASD walk  |  mouse aims and fires  |  P pause  |  C colliders",
    "Left stick walks  |  right stick aims  |  right trigger fires  |  Start pause",
];
const EACH_OF_TWO: [[&str; 2]; 2] = [
    ["P1: WASD, mouse aims and fires", "P1: gamepad"],
    ["P2: arrows, right Ctrl fires", "P2: gamepad"],
];

#[derive(Component)]
pub struct KeysLine;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, show);
}

fn show(
    player_count: Res<PlayerCount>,
    seats: Query<&Seat, With<Gamepad>>,
    line: Single<&mut Text, With<KeysLine>>,
) {
    let device = |player| usize::from(seats.iter().any(|seat| seat.0 == player));
    let words = if player_count.0 == 2 {
        let [first, second] = [0, 1].map(|player| EACH_OF_TWO[player][device(player)]);
        format!("{first}  |  {second}  |  P pause  |  C colliders")
    } else {
        ALONE[device(0)].into()
    };
    line.into_inner().set_if_neq(Text(words));
}
