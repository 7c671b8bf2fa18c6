//! The outlines of the figures, and their letters.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::{
    board::{Editing, Figures, Hand},
    page::{Labels, palette},
};
use super::pen::{Pen, Stroke};

/// The brightness of the lines between the convex pieces of the focused figure.
const SEAMS: f32 = 0.25;

pub fn draw(
    figures: Figures,
    hand: Res<Hand>,
    editing: Res<Editing>,
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
        let is_lit = hand.shows_knob(entity) && editing.offer.is_none();
        if is_lit {
            for piece in figure.pieces().into_iter().chain(figure.frame()) {
                pen.outline(Stroke::Fine, &piece, color.with_alpha(SEAMS));
            }
        }
        let outline_color = color.mix(&palette::HANDLE, if is_lit { 0.45 } else { 0.0 });
        for outline in figure.outlines() {
            pen.outline(Stroke::Medium, &outline, outline_color);
        }
        labels.write_upon(figure.letter_place(), color, figures.name(entity));
    }
}
