//! The outlines of the figures, their letters, and what the mouse can grip.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::pen::{Pen, Stroke};
use crate::{
    board::{Figures, Hand, Pointer},
    figure::{Figure, Grip},
    page::{Labels, palette},
};

const KNOB: f32 = 6.0;

pub fn draw(
    figures: Figures,
    hand: Res<Hand>,
    pointer: Res<Pointer>,
    collisions: Collisions,
    mut pen: Pen,
    mut labels: ResMut<Labels>,
) {
    for (entity, figure) in figures.sorted() {
        let color = if collisions.of(entity).next().is_some() {
            palette::OVERLAP
        } else {
            figure.form.kind().color()
        };
        let lit = if hand.shows_knob(entity) { 0.45 } else { 0.0 };
        for outline in figure.outlines() {
            let color = color.mix(&palette::HANDLE, lit);
            pen.outline(Stroke::Medium, &outline, color);
        }
        labels.write_upon(figure.place, color, figures.name(entity));
        if hand.shows_knob(entity) {
            draw_handles(&figure, &mut pen);
        }
    }
    if let Some((entity, grip)) = hand.grip
        && let Some(figure) = figures.get(entity)
    {
        let color = if hand.is_refused {
            palette::REFUSED
        } else {
            palette::HANDLE
        };
        highlight(&figure, grip, color, &mut pen);
        if hand.is_refused {
            draw_leash(&figure, grip, pointer.world, &mut pen);
        }
    }
}

/// The corners that can be dragged, and the knob.
fn draw_handles(figure: &Figure, pen: &mut Pen) {
    let handles = figure.form.kind().handles().into_iter();
    for corner in handles.filter(|handle| handle.is_point()) {
        pen.ring(figure.to_world(corner.track[0]), 3.5, palette::HANDLE);
    }
    if let Some(stalk) = figure.stalk(pen.pixel()) {
        let [foot, knob] = stalk.map(|point| figure.to_world(point));
        let towards_foot = (foot - knob).normalize_or_zero() * KNOB * pen.pixel();
        pen.strip(Stroke::Fine, [foot, knob + towards_foot], palette::HANDLE);
        pen.ring(knob, KNOB, palette::HANDLE);
    }
}

/// What the mouse would drag.
fn highlight(figure: &Figure, grip: Grip, color: Color, pen: &mut Pen) {
    let Some(handle) = figure.handle(grip, pen.pixel()) else {
        return;
    };
    let track: Vec<Vec2> = (handle.track.iter())
        .map(|point| figure.to_world(*point))
        .collect();
    match (grip, track.as_slice()) {
        (Grip::Knob, [_, end]) | (_, [end]) => pen.dot(*end, color),
        _ => pen.strip(Stroke::Bold, track, color),
    }
}

/// From what cannot follow the mouse to where that is.
fn draw_leash(figure: &Figure, grip: Grip, mouse: Vec2, pen: &mut Pen) {
    let Some(handle) = figure.handle(grip, pen.pixel()) else {
        return;
    };
    if let Some(held) = handle.middle() {
        pen.dashed(&[figure.to_world(held), mouse], palette::REFUSED);
    }
}
