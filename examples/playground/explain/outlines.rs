//! The outlines of the figures, and their letters.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::pen::{Pen, Stroke};
use crate::{
    board::{Figures, Hand},
    page::{Labels, palette},
};

/// How bright the lines are between the convex pieces of the figure that the user looks at.
const SEAMS: f32 = 0.25;

pub fn draw(
    figures: Figures,
    hand: Res<Hand>,
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
        let is_lit = hand.shows_knob(entity);
        if is_lit {
            for piece in figure.pieces() {
                pen.outline(Stroke::Fine, &piece, color.with_alpha(SEAMS));
            }
        }
        let outline_color = color.mix(&palette::HANDLE, if is_lit { 0.45 } else { 0.0 });
        for outline in figure.outlines() {
            pen.outline(Stroke::Medium, &outline, outline_color);
        }
        labels.write_upon(figure.place, color, figures.name(entity));
    }
}
