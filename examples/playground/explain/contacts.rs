//! What overlaps: where, which way is the shortest out, and how long it is.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::pen::{Pen, Stroke};
use crate::{
    board::{Figures, Hand},
    page::{Labels, palette},
};

/// The arrow of the normal, in pixels.
const ARROW: f32 = 46.0;
/// Half of the strokes at both ends of the depth, in pixels.
const END: f32 = 6.0;

/// Normals go from the figure that the user looks at, or else from the one with the lesser letter.
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
        draw_contact(&contact, &mut pen, &mut labels);
    }
}

/// The bold line is as long as the overlap is deep, with the contact's point in its middle. Its first end is the deepest point of the second
/// figure in the first, its second end the other way round.
fn draw_contact(contact: &Contact, pen: &mut Pen, labels: &mut Labels) {
    let Contact {
        point,
        normal,
        depth,
        ..
    } = *contact;
    let color = palette::CONTACT;
    let half = normal * depth / 2.0;
    let ends = [point - half, point + half];
    let across = normal.perp() * END * pen.pixel();
    for end in ends {
        pen.strip(Stroke::Fine, [end - across, end + across], color);
    }
    let tip = ends[1] + normal * ARROW * pen.pixel();
    pen.arrow(ends[1], tip, color);
    pen.strip(Stroke::Bold, ends, color);
    pen.dot(point, palette::HANDLE);
    labels.keep_off([ends[0], tip]);
    labels.write(point, across, color, format!("depth {depth:.1}"));
    labels.write(tip, normal, color, "n");
}
