//! A click with Shift edits a figure: polygons gain and lose vertices, grids gain and lose cells.

use bevy::prelude::*;

use super::super::figure::{Figure, Form};
use super::{Figures, Hand, Pointer, View, Working};

/// The figure after a click, while Shift is held.
#[derive(Resource, Default)]
pub struct Editing {
    pub offer: Option<(Entity, Figure)>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Editing>()
        .add_systems(Update, (offer, accept).chain().in_set(Working::Editing));
}

/// The topmost figure counts.
fn offer(
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    view: View,
    figures: Figures,
    hand: Res<Hand>,
    mut editing: ResMut<Editing>,
) {
    editing.offer = None;
    let is_asked = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    if !is_asked || hand.is_dragging() || !pointer.is_in_window {
        return;
    }
    for (entity, figure) in figures.sorted().into_iter().rev() {
        let has_knob = hand.shows_knob(entity);
        let grip = figure.grip_at(pointer.world, view.pixel(), has_knob);
        let edited = figure.edited(grip, pointer.world);
        if grip.is_some() || edited.is_some() {
            editing.offer = edited.map(|edited| (entity, edited));
            return;
        }
    }
}

fn accept(
    buttons: Res<ButtonInput<MouseButton>>,
    editing: Res<Editing>,
    mut hand: ResMut<Hand>,
    mut figures: Query<(&mut Form, &mut Transform)>,
) {
    if let Some((entity, edited)) = &editing.offer
        && buttons.just_pressed(MouseButton::Left)
        && let Ok((mut form, mut transform)) = figures.get_mut(*entity)
    {
        *transform = edited.transform(transform.translation.z);
        *form = edited.form.clone();
        hand.selected = Some(*entity);
    }
}
