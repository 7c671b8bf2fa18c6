//! The classic construction for a circle against a rotated rectangle: rotate both so that the
//! rectangle is axis-aligned, clamp the circle's center to the rectangle, and compare the distance
//! with the radius.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::{
    board::{Figures, Hand, Switch, Switches},
    figure::{Figure, Form, arc},
    page::{Labels, Readout, Section, palette},
};
use super::{
    clamping::Clamping,
    pen::{Pen, Stroke},
    readout::{degrees, point},
};

/// The smallest rotation for which an arc is drawn, in radians.
const LEAST_TURN: f32 = 0.02;

pub fn draw(
    switches: Res<Switches>,
    hand: Res<Hand>,
    figures: Figures,
    mut pen: Pen,
    mut labels: ResMut<Labels>,
    mut readout: ResMut<Readout>,
) {
    let is_on = switches.is_on(Switch::Construction);
    let chosen = is_on.then(|| choose(&figures, hand.focus())).flatten();
    let Some(construction) = chosen else {
        readout.clear(Section::Construction);
        return;
    };
    construction.draw_ghosts(&mut pen);
    construction.draw_clamping(&mut pen, &mut labels);
    construction.draw_turn(&mut pen, &mut labels);
    readout.write(
        Section::Construction,
        palette::CONSTRUCTION,
        "in the rectangle's frame",
        &construction.rows(),
    );
}

/// A circle and a rectangle: preferably with the focused figure, and then the nearest pair.
fn choose(figures: &Figures, focus: Option<Entity>) -> Option<Construction> {
    let all = figures.sorted();
    let pairs = all
        .iter()
        .flat_map(|circle| all.iter().map(move |rect| (circle, rect)));
    let constructions = pairs.filter_map(|((a, circle), (b, rect))| {
        let construction = Construction::of(circle, rect)?;
        let is_aside = focus.is_some_and(|focus| focus != *a && focus != *b);
        Some((is_aside, circle.clearance(rect), construction))
    });
    let first = constructions.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    first.map(|(.., construction)| construction)
}

/// Everything is in the rectangle's own frame, except for the pose of that frame.
struct Construction {
    position: Vec2,
    angle: f32,
    half_size: Vec2,
    center: Vec2,
    radius: f32,
}

impl Construction {
    fn of(circle: &Figure, rect: &Figure) -> Option<Self> {
        let (Form::Circle(round), Form::Rect(square)) = (&circle.form, &rect.form) else {
            return None;
        };
        Some(Self {
            position: rect.position,
            angle: rect.angle,
            half_size: square.size / 2.0,
            center: rect.to_own(circle.position),
            radius: round.radius,
        })
    }

    /// Where a point of the rectangle's frame is drawn: rotated back about the rectangle's center.
    fn ghost(&self, own: Vec2) -> Vec2 {
        self.position + own
    }

    fn draw_ghosts(&self, pen: &mut Pen) {
        let Vec2 { x, y } = self.half_size * 2.0;
        let rect = Form::Rect(RectCollider::new(x, y));
        let circle = Form::Circle(CircleCollider::new(self.radius));
        for (form, position) in [(rect, Vec2::ZERO), (circle, self.center)] {
            for outline in Figure::new(form, self.ghost(position), 0.0).outlines() {
                pen.dashed_outline(&outline, palette::CONSTRUCTION);
            }
        }
        self.draw_regions(pen);
    }

    /// Lines along the edges divide the plane: in the corner regions both coordinates are clamped.
    fn draw_regions(&self, pen: &mut Pen) {
        let reach = self.center.abs().max(self.half_size) + self.radius;
        for side in [-1.0, 1.0] {
            let (x, y) = (self.half_size.x * side, self.half_size.y * side);
            let upright = [Vec2::new(x, -reach.y), Vec2::new(x, reach.y)];
            let level = [Vec2::new(-reach.x, y), Vec2::new(reach.x, y)];
            for line in [upright, level] {
                let ends = line.map(|end| self.ghost(end));
                pen.strip(Stroke::Fine, ends, palette::CONSTRUCTION.with_alpha(0.18));
            }
        }
    }

    /// An arc from the circle to its ghost.
    fn draw_turn(&self, pen: &mut Pen, labels: &mut Labels) {
        let distance = self.center.length();
        if self.angle.abs() < LEAST_TURN || distance < self.radius / 4.0 {
            return;
        }
        let end = self.center.to_angle();
        let way = arc(self.position, distance, end + self.angle, end);
        let middle = self.position + Vec2::from_angle(end + self.angle / 2.0) * distance;
        let color = palette::CONSTRUCTION.with_alpha(0.6);
        pen.strip(Stroke::Fine, way.iter().copied(), color);
        if let [.., before, last] = way.as_slice() {
            pen.arrow_head(*last, last - before, distance, color);
        }
        labels.write(
            middle,
            middle - self.position,
            palette::CONSTRUCTION,
            degrees(-self.angle),
        );
    }

    fn draw_clamping(&self, pen: &mut Pen, labels: &mut Labels) {
        let clamping = Clamping::of(self.center, self.half_size);
        let [center, point] = [self.center, clamping.point()].map(|own| self.ghost(own));
        pen.strip(Stroke::Medium, [center, point], palette::CONSTRUCTION);
        pen.dot(center, palette::CONSTRUCTION);
        pen.dot(point, palette::HANDLE);
        labels.keep_off([center, point]);
        let length = format!("{:.1}", center.distance(point));
        let aside = (center - point).perp();
        labels.write(center.midpoint(point), aside, palette::CONSTRUCTION, length);
        labels.write(
            point,
            point - center,
            palette::CONSTRUCTION,
            clamping.title(),
        );
    }

    /// The same as a formula.
    fn rows(&self) -> Vec<(&'static str, String)> {
        let clamping = Clamping::of(self.center, self.half_size);
        let length = self.center.distance(clamping.point());
        let signed = if clamping.is_outside() {
            length
        } else {
            -length
        };
        vec![
            ("rotated", degrees(-self.angle)),
            ("center", point(self.center)),
            (clamping.title(), point(clamping.point())),
            (
                "distance",
                format!(
                    "{signed:.1} - {:.1} = {:.1}",
                    self.radius,
                    signed - self.radius
                ),
            ),
        ]
    }
}
