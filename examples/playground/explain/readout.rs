//! The numbers for the panel: of the board, of the focused figure, and of its nearest neighbor.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::{
    board::{Figures, Hand},
    page::{Readout, Section, palette},
};
use super::neighbors::Neighbors;

type Rows = Vec<(&'static str, String)>;

pub fn write(
    hand: Res<Hand>,
    figures: Figures,
    collisions: Collisions,
    neighbors: Res<Neighbors>,
    mut readout: ResMut<Readout>,
) {
    let counts = format!(
        "{}, {}",
        count(figures.count(), "shape"),
        count(collisions.len(), "overlap"),
    );
    readout.write(Section::Board, palette::INK, counts, &[]);
    match hand.focus() {
        Some(entity) => {
            write_figure(entity, &figures, &mut readout);
            write_pair(entity, &figures, &collisions, &neighbors, &mut readout);
        }
        None => {
            readout.clear(Section::Figure);
            readout.clear(Section::Pair);
        }
    }
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn write_figure(entity: Entity, figures: &Figures, readout: &mut Readout) {
    let Some(figure) = figures.get(entity) else {
        return readout.clear(Section::Figure);
    };
    let kind = figure.form.kind();
    let mut rows = kind.measures();
    rows.insert(0, ("position", point(figure.position)));
    if kind.top().is_some() {
        rows.push(("angle", degrees(figure.angle)));
    }
    let title = format!("{}  {}", figures.name(entity), kind.title());
    readout.write(Section::Figure, kind.color(), title, &rows);
}

/// The deepest contact, or else the nearest neighbor.
fn write_pair(
    entity: Entity,
    figures: &Figures,
    collisions: &Collisions,
    neighbors: &Neighbors,
    readout: &mut Readout,
) {
    let contacts = collisions.of(entity);
    let deepest = contacts.max_by(|a, b| a.1.depth.total_cmp(&b.1.depth));
    let (other, color, how, rows) = if let Some((other, contact)) = deepest {
        (
            other,
            palette::OVERLAP,
            "overlap",
            rows_of_contact([entity, other], &contact, figures),
        )
    } else if let Some(neighbor) = neighbors.of(entity) {
        let rows = vec![
            ("distance", format!("{:.2}", neighbor.separation.distance)),
            ("normal", direction(neighbor.separation.normal)),
            ("from", point(neighbor.separation.point_a)),
            ("to", point(neighbor.separation.point_b)),
        ];
        (neighbor.b, palette::DISTANCE, "are apart", rows)
    } else {
        return readout.clear(Section::Pair);
    };
    let title = format!("{} and {} {how}", figures.name(entity), figures.name(other));
    readout.write(Section::Pair, color, title, &rows);
}

fn rows_of_contact([a, b]: [Entity; 2], contact: &Contact, figures: &Figures) -> Rows {
    let mut rows = vec![
        ("depth", format!("{:.2}", contact.depth)),
        ("normal", direction(contact.normal)),
        ("point", point(contact.point)),
    ];
    for (entity, at) in [(a, contact.cell_a()), (b, contact.cell_b())] {
        let name = figures.name(entity);
        rows.extend(at.map(|at| ("cell", format!("{} of {name}", cell(at)))));
    }
    rows
}

/// The column and the row of a cell.
pub fn cell(UVec2 { x, y }: UVec2) -> String {
    format!("{x}, {y}")
}

/// The coordinates of a point.
pub fn point(Vec2 { x, y }: Vec2) -> String {
    format!("{x:.1}, {y:.1}")
}

/// An angle, given in radians. A value that rounds to zero has no sign.
pub fn degrees(angle: f32) -> String {
    let degrees = (angle.to_degrees() * 10.0).round() / 10.0 + 0.0;
    format!("{degrees:.1} deg")
}

/// The coordinates of a unit vector. A value that rounds to zero has no sign.
pub fn direction(direction: Vec2) -> String {
    let Vec2 { x, y } = (direction * 1000.0).round() / 1000.0 + 0.0;
    format!("{x:.3}, {y:.3}")
}
