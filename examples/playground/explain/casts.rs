//! A ray or a shape on its way to the mouse, and what it hits.

use bevy::prelude::*;
use bevy_thud::{geometry::CastHit, prelude::*};

use super::super::{
    board::{Caster, Casting, Figures, Pointer},
    figure::Figure,
    page::{Labels, Readout, Section, palette},
};
use super::{
    pen::{Pen, Stroke},
    readout::{cell, direction, point},
};

/// What is cast, in the world.
struct Cast {
    caster: Caster,
    origin: Vec2,
    way: Vec2,
}

pub fn draw(
    casting: Res<Casting>,
    pointer: Res<Pointer>,
    query: SpatialQuery,
    figures: Figures,
    mut pen: Pen,
    mut labels: ResMut<Labels>,
    mut readout: ResMut<Readout>,
) {
    let Some(caster) = casting.caster else {
        readout.clear(Section::Cast);
        return;
    };
    let cast = Cast {
        caster,
        origin: casting.origin,
        way: pointer.world - casting.origin,
    };
    let found = cast.ask(&query);
    cast.draw_way(found.map(|(_, hit)| hit), &mut pen);
    labels.keep_off([cast.origin, pointer.world]);
    if let Some((entity, hit)) = &found {
        if let Some(cell) = figures.cell(*entity, hit.cell) {
            pen.outline(Stroke::Medium, &cell, palette::CAST);
        }
        draw_hit(hit, &mut pen, &mut labels);
    }
    let rows = found.map(|(entity, hit)| rows(entity, &hit, &figures));
    let rows = rows.unwrap_or_else(|| vec![("hits", "nothing".into())]);
    readout.write(Section::Cast, palette::CAST, caster.title(), &rows);
}

impl Cast {
    fn ask(&self, query: &SpatialQuery) -> Option<(Entity, CastHit)> {
        let everything = SpatialQueryFilter::default();
        if let Some(figure) = self.caster.figure(self.origin) {
            return query.cast_shape(&figure.shape(), self.way, &everything);
        }
        let ray = Ray2d::new(self.origin, Dir2::new(self.way).ok()?);
        query.cast_ray(ray, self.way.length(), &everything)
    }

    /// Solid up to the first hit, and dashed beyond it.
    fn draw_way(&self, hit: Option<CastHit>, pen: &mut Pen) {
        let direction = self.way.normalize_or_zero();
        let end = self.origin + self.way;
        let stop = hit.map_or(end, |hit| self.origin + direction * hit.distance);
        pen.dot(self.origin, palette::CAST);
        let Some(figure) = self.caster.figure(self.origin) else {
            pen.arrow(self.origin, stop, palette::CAST);
            pen.dashed(&[stop, end], faded());
            return;
        };
        for flank in flanks(&figure, direction) {
            pen.strip(Stroke::Fine, [flank, flank + stop - self.origin], faded());
        }
        pen.dashed(&[self.origin, end], faded());
        for position in [self.origin, end] {
            draw_ghost(&figure, position, pen);
        }
        for outline in moved(&figure, stop).outlines() {
            pen.outline(Stroke::Medium, &outline, palette::CAST);
        }
    }
}

fn draw_hit(hit: &CastHit, pen: &mut Pen, labels: &mut Labels) {
    let tip = hit.point + hit.normal * pen.normal_length();
    pen.arrow(hit.point, tip, palette::CONTACT);
    pen.dot(hit.point, palette::HANDLE);
    labels.keep_off([hit.point, tip]);
    labels.write(tip, hit.normal, palette::CONTACT, "n");
    let text = format!("hit at {:.1}", hit.distance);
    labels.write(hit.point, hit.normal.perp(), palette::CAST, text);
}

fn rows(entity: Entity, hit: &CastHit, figures: &Figures) -> Vec<(&'static str, String)> {
    let kind = figures
        .get(entity)
        .map_or("", |figure| figure.form.kind().title());
    let mut rows = vec![
        ("hits", format!("{kind} {}", figures.name(entity))),
        ("distance", format!("{:.1}", hit.distance)),
        ("point", point(hit.point)),
        ("normal", direction(hit.normal)),
    ];
    rows.extend(hit.cell.map(|at| ("cell", cell(at))));
    rows
}

fn faded() -> Color {
    palette::CAST.with_alpha(0.45)
}

fn moved(figure: &Figure, position: Vec2) -> Figure {
    Figure {
        position,
        ..figure.clone()
    }
}

fn draw_ghost(figure: &Figure, position: Vec2, pen: &mut Pen) {
    for outline in moved(figure, position).outlines() {
        pen.dashed_outline(&outline, faded());
    }
}

/// The outermost points of a figure on both sides of its path.
fn flanks(figure: &Figure, direction: Vec2) -> impl Iterator<Item = Vec2> {
    let sides = [direction.perp(), -direction.perp()];
    let points: Vec<Vec2> = figure.outlines().concat();
    sides.into_iter().filter_map(move |side| {
        let points = points.iter().copied();
        points.max_by(|a, b| a.dot(side).total_cmp(&b.dot(side)))
    })
}
