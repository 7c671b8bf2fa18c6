//! Contacts: the point, the normal and the depth.

use bevy::prelude::*;
use bevy_thud::{CollidingPair, prelude::*};

use super::super::{
    board::{Figures, Hand},
    page::{Labels, palette},
};
use super::pen::{Pen, Stroke};

/// Half the length of the strokes at both ends of the depth, in pixels.
const END: f32 = 6.0;
/// If more pairs overlap, only those of the focused figure have numbers.
const CROWD: usize = 10;

/// Normals point away from the focused figure, or else from the one with the lesser letter.
pub fn draw(
    collisions: Collisions,
    hand: Res<Hand>,
    figures: Figures,
    mut pen: Pen,
    mut labels: ResMut<Labels>,
) {
    let rank = |entity| (hand.focus() != Some(entity), figures.name(entity));
    for pair in collisions.iter() {
        let contact = if rank(pair.a) < rank(pair.b) {
            pair.contact
        } else {
            pair.contact.flipped()
        };
        draw_cells(&pair, &figures, &mut pen);
        draw_contact(&contact, &mut pen);
        let is_looked_at = hand
            .focus()
            .is_some_and(|focus| [pair.a, pair.b].contains(&focus));
        if is_looked_at || collisions.len() <= CROWD {
            write_contact(&contact, &pen, &mut labels);
        }
    }
}

/// Draws the cells of grids that are in contact.
fn draw_cells(pair: &CollidingPair, figures: &Figures, pen: &mut Pen) {
    let cells = [
        (pair.a, pair.contact.cell_a()),
        (pair.b, pair.contact.cell_b()),
    ];
    for (entity, cell) in cells {
        if let Some(outline) = figures.cell(entity, cell) {
            pen.outline(Stroke::Medium, &outline, palette::CONTACT);
        }
    }
}

/// Where the arrow of the normal starts, and its direction.
fn arrow(contact: &Contact, pen: &Pen) -> [Vec2; 2] {
    let from = contact.point + contact.normal * contact.depth / 2.0;
    [from, from + contact.normal * pen.normal_length()]
}

/// The bold line is as long as the contact is deep, with the contact's point at its center. Its
/// first end is the deepest point of the second figure in the first one, and its second end vice
/// versa.
fn draw_contact(contact: &Contact, pen: &mut Pen) {
    let color = palette::CONTACT;
    let [end, tip] = arrow(contact, pen);
    let ends = [end - contact.normal * contact.depth, end];
    let across = contact.normal.perp() * END * pen.pixel();
    for end in ends {
        pen.strip(Stroke::Fine, [end - across, end + across], color);
    }
    pen.arrow(end, tip, color);
    pen.strip(Stroke::Bold, ends, color);
    pen.dot(contact.point, palette::HANDLE);
}

fn write_contact(contact: &Contact, pen: &Pen, labels: &mut Labels) {
    let Contact {
        point,
        normal,
        depth,
        ..
    } = *contact;
    let [end, tip] = arrow(contact, pen);
    labels.keep_off([end - normal * depth, tip]);
    labels.write(
        point,
        normal.perp(),
        palette::CONTACT,
        format!("depth {depth:.1}"),
    );
    labels.write(tip, normal, palette::CONTACT, "n");
}
