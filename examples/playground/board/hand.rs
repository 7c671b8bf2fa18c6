//! What the mouse is over, and what it drags.

use std::f32::consts::PI;

use bevy::prelude::*;

use super::super::figure::{Figure, Form, Grip};
use super::{Editing, Figures, Pointer, View, Working};

/// With Shift a figure is rotated in steps of this angle, in radians.
const TURN_STEP: f32 = PI / 12.0;

/// What the mouse is over, what it drags, and what it dragged last.
#[derive(Resource, Default)]
pub struct Hand {
    /// How the figure under the mouse is or would be gripped.
    pub grip: Option<(Entity, Grip)>,
    pub selected: Option<Entity>,
    /// Whether the figure cannot follow the mouse any further.
    pub is_refused: bool,
    drag: Option<Drag>,
}

/// A figure as it was when it was gripped, and where.
struct Drag {
    start: Figure,
    from: Vec2,
}

impl Hand {
    pub fn over(&self) -> Option<Entity> {
        self.grip.map(|(entity, _)| entity)
    }

    /// The focus: the figure under the mouse, or else the one that was dragged last.
    pub fn focus(&self) -> Option<Entity> {
        self.over().or(self.selected)
    }

    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Whether the knob of a figure is shown and can be gripped.
    pub fn shows_knob(&self, entity: Entity) -> bool {
        self.over() == Some(entity) || self.selected == Some(entity)
    }

    pub fn let_go_of(&mut self, entity: Entity) {
        self.selected = self.selected.filter(|selected| *selected != entity);
        if self.over() == Some(entity) {
            self.grip = None;
            self.drag = None;
        }
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Hand>()
        .add_systems(Update, (hover, grab, drag).chain().in_set(Working::Hand));
}

/// The topmost figure counts.
fn hover(pointer: Res<Pointer>, view: View, figures: Figures, mut hand: ResMut<Hand>) {
    if hand.is_dragging() {
        return;
    }
    let downwards = figures.sorted().into_iter().rev();
    let gripped = downwards
        .filter(|_| pointer.is_in_window)
        .find_map(|(entity, figure)| {
            let has_knob = hand.shows_knob(entity);
            let grip = figure.grip_at(pointer.world, view.pixel(), has_knob)?;
            Some((entity, grip))
        });
    hand.grip = gripped;
}

/// Brings a figure to the top when it is grabbed.
fn grab(
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<Pointer>,
    editing: Res<Editing>,
    mut hand: ResMut<Hand>,
    mut figures: ParamSet<(Figures, Query<&mut Transform, With<Form>>)>,
) {
    if buttons.just_pressed(MouseButton::Left) && editing.offer.is_none() {
        hand.selected = hand.over();
        let start = hand.over().and_then(|over| figures.p0().get(over));
        hand.drag = start.map(|start| Drag {
            start,
            from: pointer.world,
        });
        let top = figures.p0().top();
        if let Some(over) = hand.over()
            && let Ok(mut transform) = figures.p1().get_mut(over)
        {
            transform.translation.z = top;
        }
    }
    if !buttons.pressed(MouseButton::Left) {
        hand.drag = None;
    }
}

fn drag(
    mut hand: ResMut<Hand>,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    mut figures: Query<(&mut Form, &mut Transform)>,
) {
    hand.is_refused = false;
    let (Some((entity, grip)), Some(Drag { start, from })) = (hand.grip, &hand.drag) else {
        return;
    };
    let Ok((mut form, mut transform)) = figures.get_mut(entity) else {
        return;
    };
    let Some(mut dragged) = start.dragged(grip, *from, pointer.world) else {
        hand.is_refused = true;
        return;
    };
    if grip == Grip::Knob && keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        dragged = dragged.snapped(TURN_STEP);
    }
    transform.set_if_neq(dragged.transform(transform.translation.z));
    form.set_if_neq(dragged.form);
}
