//! The handles that the mouse can grip, and what a drag would do.

use bevy::prelude::*;

use super::super::{
    board::{Editing, Figures, Hand, Pointer},
    figure::{Figure, Grip, Handle},
    page::palette,
};
use super::pen::{Pen, Stroke};

const KNOB: f32 = 6.0;

pub fn draw(
    figures: Figures,
    hand: Res<Hand>,
    editing: Res<Editing>,
    pointer: Res<Pointer>,
    mut pen: Pen,
) {
    if let Some((_, edited)) = &editing.offer {
        return draw_offer(edited, &mut pen);
    }
    for (_, figure) in (figures.sorted().into_iter()).filter(|(entity, _)| hand.shows_knob(*entity))
    {
        draw_corners(&figure, &mut pen);
        draw_knob(&figure, &mut pen);
    }
    let gripped = hand.grip.and_then(|(entity, grip)| {
        let figure = figures.get(entity)?;
        let handle = figure.handle(grip, pen.pixel())?;
        Some((figure, handle))
    });
    if let Some((figure, handle)) = gripped {
        if hand.is_refused {
            highlight(&figure, &handle, palette::REFUSED, &mut pen);
            draw_leash(&figure, &handle, pointer.world, &mut pen);
        } else {
            highlight(&figure, &handle, palette::HANDLE, &mut pen);
        }
    }
}

/// Draws what a click with Shift would make.
fn draw_offer(edited: &Figure, pen: &mut Pen) {
    for outline in edited.outlines() {
        pen.dashed_outline(&outline, palette::HANDLE);
    }
    draw_corners(edited, pen);
}

/// Draws the corners that can be dragged.
fn draw_corners(figure: &Figure, pen: &mut Pen) {
    let handles = figure.form.kind().handles().into_iter();
    for corner in handles.filter(Handle::is_point) {
        pen.ring(figure.to_world(corner.track[0]), 3.5, palette::HANDLE);
    }
}

fn draw_knob(figure: &Figure, pen: &mut Pen) {
    if let Some(stalk) = figure.stalk(pen.pixel()) {
        let [foot, knob] = stalk.map(|point| figure.to_world(point));
        let towards_foot = (foot - knob).normalize_or_zero() * KNOB * pen.pixel();
        pen.strip(Stroke::Fine, [foot, knob + towards_foot], palette::HANDLE);
        pen.ring(knob, KNOB, palette::HANDLE);
    }
}

/// Draws what the mouse would drag.
fn highlight(figure: &Figure, handle: &Handle, color: Color, pen: &mut Pen) {
    let track: Vec<Vec2> = (handle.track.iter())
        .map(|point| figure.to_world(*point))
        .collect();
    match (handle.grip, track.as_slice()) {
        (Grip::Knob, [_, end]) | (_, [end]) => pen.dot(*end, color),
        _ => pen.strip(Stroke::Bold, track, color),
    }
}

/// Draws a line from what cannot follow the mouse to the mouse.
fn draw_leash(figure: &Figure, handle: &Handle, mouse: Vec2, pen: &mut Pen) {
    if let Some(held) = handle.midpoint() {
        pen.dashed(&[figure.to_world(held), mouse], palette::REFUSED);
    }
}
