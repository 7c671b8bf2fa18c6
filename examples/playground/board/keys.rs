//! The keys that add and remove shapes.

use bevy::prelude::*;

use super::super::figure::{Figure, Form};
use super::{Hand, Pointer, Working, bodies::Board};

const DIGITS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (add, remove).chain().in_set(Working::Keys));
}

fn add(
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    mut hand: ResMut<Hand>,
    mut board: Board,
) {
    for (digit, form) in DIGITS.into_iter().zip(Form::starters()) {
        if keys.just_pressed(digit) && pointer.is_in_window {
            hand.selected = Some(board.add(Figure::new(form, pointer.world, 0.0)));
        }
    }
}

fn remove(keys: Res<ButtonInput<KeyCode>>, mut hand: ResMut<Hand>, mut commands: Commands) {
    let removing = [KeyCode::KeyX, KeyCode::Delete, KeyCode::Backspace];
    if keys.any_just_pressed(removing)
        && let Some(entity) = hand.over()
    {
        hand.let_go_of(entity);
        commands.entity(entity).despawn();
    }
}
