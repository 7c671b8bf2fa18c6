//! Circles.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Form, Grip, Handle, Kind, Pull};

const LEAST_RADIUS: f32 = 5.0;
const CORNERS: u16 = 96;

/// An arc as a line, from one angle to another, in radians.
pub fn arc(center: Vec2, radius: f32, from: f32, to: f32) -> Vec<Vec2> {
    let steps = (f32::from(CORNERS) * ((to - from) / TAU).abs())
        .ceil()
        .max(1.0) as u16;
    let angles = (0..=steps).map(|step| from + (to - from) * f32::from(step) / f32::from(steps));
    angles
        .map(|angle| center + Vec2::from_angle(angle) * radius)
        .collect()
}

/// All circles here are around the origin of their own frame.
impl Kind for CircleCollider {
    fn title(&self) -> &'static str {
        "circle"
    }

    fn measures(&self) -> Vec<(&'static str, String)> {
        vec![("radius", format!("{:.1}", self.radius))]
    }

    fn color(&self) -> Color {
        Color::srgb(0.40, 0.66, 1.0)
    }

    fn outlines(&self) -> Vec<Vec<Vec2>> {
        let mut outline = arc(Vec2::ZERO, self.radius, 0.0, TAU);
        outline.pop();
        vec![outline]
    }

    fn top(&self) -> Option<Vec2> {
        None
    }

    fn handles(&self) -> Vec<Handle> {
        let rim = arc(Vec2::ZERO, self.radius, 0.0, TAU);
        vec![Handle::new(Grip::Rim, Pull::Outwards, rim)]
    }

    fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<(Form, Vec2)> {
        if grip != Grip::Rim {
            return None;
        }
        let radius = self.radius + to.length() - from.length();
        let circle = CircleCollider::new(radius.max(LEAST_RADIUS));
        Some((Form::Circle(circle), Vec2::ZERO))
    }
}
