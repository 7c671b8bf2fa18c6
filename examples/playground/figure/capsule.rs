//! Capsules.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Form, Grip, Handle, Kind, Pull, circle::arc};

const LEAST_RADIUS: f32 = 5.0;
const LEAST_LENGTH: f32 = 5.0;

fn length(capsule: &CapsuleCollider) -> f32 {
    capsule.end.y - capsule.start.y
}

/// The upper (1) or the lower (-1) half circle, counter-clockwise.
fn end(capsule: &CapsuleCollider, side: f32) -> Vec<Vec2> {
    let from = if side > 0.0 { 0.0 } else { PI };
    let center = Vec2::Y * side * length(capsule) / 2.0;
    arc(center, capsule.radius, from, from + PI)
}

/// The right (1) or the left (-1) edge.
fn flank(capsule: &CapsuleCollider, side: f32) -> [Vec2; 2] {
    let right = Vec2::X * capsule.radius * side;
    [capsule.start + right, capsule.end + right]
}

/// All capsules here stand upright in their own frame, around its origin.
impl Kind for CapsuleCollider {
    fn title(&self) -> &'static str {
        "capsule"
    }

    fn measures(&self) -> Vec<(&'static str, String)> {
        vec![
            ("radius", format!("{:.1}", self.radius)),
            ("length", format!("{:.1}", length(self))),
        ]
    }

    fn color(&self) -> Color {
        Color::srgb(0.72, 0.60, 1.0)
    }

    fn outlines(&self) -> Vec<Vec<Vec2>> {
        vec![[end(self, 1.0), end(self, -1.0)].concat()]
    }

    fn top(&self) -> Option<Vec2> {
        Some(self.end + Vec2::Y * self.radius)
    }

    fn handles(&self) -> Vec<Handle> {
        let sides = [1.0, -1.0];
        let ends = sides.map(|side| {
            let pull = Pull::Along(Vec2::Y * side);
            Handle::new(Grip::End(side), pull, end(self, side))
        });
        let flanks = sides.map(|side| {
            let pull = Pull::Along(Vec2::X * side);
            Handle::new(Grip::Flank(side), pull, flank(self, side))
        });
        ends.into_iter().chain(flanks).collect()
    }

    /// The opposite end stays where it is. The two edges move symmetrically.
    fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<(Form, Vec2)> {
        let (pulled, old_length) = (to - from, length(self));
        let (radius, length, shift) = match grip {
            Grip::End(side) => {
                let length = (old_length + side * pulled.y).max(LEAST_LENGTH);
                let shift = Vec2::Y * side * (length - old_length) / 2.0;
                (self.radius, length, shift)
            }
            Grip::Flank(side) => {
                let radius = (self.radius + side * pulled.x).max(LEAST_RADIUS);
                (radius, old_length, Vec2::ZERO)
            }
            _ => return None,
        };
        Some((Form::Capsule(CapsuleCollider::new(radius, length)), shift))
    }
}
