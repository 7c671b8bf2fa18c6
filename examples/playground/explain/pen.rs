//! Draws lines of the same width at any zoom.

use bevy::{ecs::system::SystemParam, gizmos::config::GizmoLineConfig, prelude::*};

use super::super::board::View;

/// In pixels.
const DASH: f32 = 6.0;
const GAP: f32 = 5.0;
const DOT_RINGS: [f32; 2] = [0.9, 2.7];
const ARROW_HEAD: f32 = 9.0;
const NORMAL: f32 = 46.0;
/// The view counts as far away if a pixel is wider than this many world units.
const NEAR: f32 = 2.0;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct FineLines;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct BoldLines;

/// The width of a line.
#[derive(Clone, Copy)]
pub enum Stroke {
    Fine,
    Medium,
    Bold,
}

#[derive(SystemParam)]
pub struct Pen<'w, 's> {
    pub view: View<'w, 's>,
    fine: Gizmos<'w, 's, FineLines>,
    medium: Gizmos<'w, 's>,
    bold: Gizmos<'w, 's, BoldLines>,
}

pub fn plugin(app: &mut App) {
    app.init_gizmo_group::<FineLines>()
        .init_gizmo_group::<BoldLines>()
        .add_systems(Update, choose_widths);
}

/// Bevy's line widths are in physical pixels, whatever the window's scale factor.
fn choose_widths(
    window: Single<&Window>,
    mut chosen_for: Local<f32>,
    mut gizmos: ResMut<GizmoConfigStore>,
) {
    let scale = window.scale_factor();
    if std::mem::replace(&mut *chosen_for, scale) == scale {
        return;
    }
    let line = |width: f32| GizmoLineConfig {
        width: width * scale,
        joints: GizmoLineJoint::Miter,
        ..default()
    };
    gizmos.config_mut::<FineLines>().0.line = line(1.2);
    gizmos.config_mut::<DefaultGizmoConfigGroup>().0.line = line(2.0);
    gizmos.config_mut::<BoldLines>().0.line = line(3.5);
}

impl Pen<'_, '_> {
    /// World units per pixel.
    pub fn pixel(&self) -> f32 {
        self.view.pixel()
    }

    /// The length of a normal's arrow, in world units: the same on the screen, but shorter when
    /// seen from far away.
    pub fn normal_length(&self) -> f32 {
        NORMAL * self.pixel().min(NEAR)
    }

    /// A line through points.
    pub fn strip(
        &mut self,
        stroke: Stroke,
        points: impl IntoIterator<Item = Vec2>,
        color: impl Into<Color>,
    ) {
        match stroke {
            Stroke::Fine => self.fine.linestrip_2d(points, color),
            Stroke::Medium => self.medium.linestrip_2d(points, color),
            Stroke::Bold => self.bold.linestrip_2d(points, color),
        }
    }

    /// A line through points and back to the first of them.
    pub fn outline(&mut self, stroke: Stroke, points: &[Vec2], color: impl Into<Color>) {
        // Once more around the first corner, so that it is joined like the others.
        let closed = points.iter().chain(points.iter().take(2));
        self.strip(stroke, closed.copied(), color);
    }

    pub fn dashed(&mut self, points: &[Vec2], color: Color) {
        let pixel = self.pixel();
        for [from, to] in dashes(points, DASH * pixel, GAP * pixel) {
            self.fine.line_2d(from, to, color);
        }
    }

    pub fn dashed_outline(&mut self, points: &[Vec2], color: Color) {
        let closed = points.iter().chain(points.first());
        self.dashed(&closed.copied().collect::<Vec<_>>(), color);
    }

    /// A disk of concentric rings. It covers bold lines that were drawn before.
    pub fn dot(&mut self, at: Vec2, color: Color) {
        let pixel = self.pixel();
        for radius in DOT_RINGS {
            let ring = self.bold.circle_2d(at, radius * pixel, color);
            ring.resolution(24);
        }
    }

    /// A ring with a radius of this many pixels.
    pub fn ring(&mut self, at: Vec2, radius: f32, color: impl Into<Color>) {
        let radius = radius * self.pixel();
        self.fine.circle_2d(at, radius, color).resolution(32);
    }

    pub fn arrow(&mut self, from: Vec2, tip: Vec2, color: Color) {
        self.medium.line_2d(from, tip, color);
        self.arrow_head(tip, tip - from, from.distance(tip) / 2.0, color);
    }

    /// The head of an arrow, at most this many world units long.
    pub fn arrow_head(&mut self, tip: Vec2, direction: Vec2, most: f32, color: Color) {
        let length = most.min(ARROW_HEAD * self.pixel());
        let back = -direction.normalize_or_zero() * length;
        let [left, right] = [0.4, -0.4].map(|turn| tip + Vec2::from_angle(turn).rotate(back));
        self.medium.linestrip_2d([left, tip, right], color);
    }
}

/// The dashes of a line through points.
fn dashes(points: &[Vec2], dash: f32, gap: f32) -> Vec<[Vec2; 2]> {
    let mut dashes = Vec::new();
    // How far into a dash and its gap the line starts.
    let mut phase = 0.0;
    for line in points.windows(2) {
        let (start, length) = (line[0], line[0].distance(line[1]));
        let along = (line[1] - line[0]).normalize_or_zero();
        let mut from = -phase;
        while from < length {
            let (begin, end) = (from.max(0.0), (from + dash).min(length));
            if begin < end {
                dashes.push([start + along * begin, start + along * end]);
            }
            from += dash + gap;
        }
        phase = length - (from - dash - gap);
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_on_around_a_corner() {
        let corner = [Vec2::ZERO, Vec2::X * 10.0, Vec2::new(10.0, 10.0)];
        let dashes = dashes(&corner, 6.0, 3.0);
        let expected = [
            [Vec2::ZERO, Vec2::X * 6.0],
            [Vec2::X * 9.0, Vec2::X * 10.0],
            [Vec2::new(10.0, 0.0), Vec2::new(10.0, 5.0)],
            [Vec2::new(10.0, 8.0), Vec2::new(10.0, 10.0)],
        ];
        assert_eq!(dashes, expected);
    }

    #[test]
    fn a_line_without_a_length_has_no_dashes() {
        assert!(dashes(&[Vec2::ONE, Vec2::ONE], 6.0, 3.0).is_empty());
    }
}
