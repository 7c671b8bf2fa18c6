use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Form, Grip, Handle, Kind, Pull, circle::arc};

const LEAST_RADIUS: f32 = 5.0;
const LEAST_LENGTH: f32 = 5.0;

fn length(capsule: &CapsuleCollider) -> f32 {
    capsule.end.y - capsule.start.y
}

/// The upper half circle (1) or the lower one (-1), counter-clockwise.
fn end(capsule: &CapsuleCollider, side: f32) -> Vec<Vec2> {
    let from = if side > 0.0 { 0.0 } else { PI };
    let center = Vec2::Y * side * length(capsule) / 2.0;
    arc(center, capsule.radius, from, from + PI)
}

/// The right line (1) or the left one (-1).
fn flank(capsule: &CapsuleCollider, side: f32) -> [Vec2; 2] {
    let right = Vec2::X * capsule.radius * side;
    [capsule.start + right, capsule.end + right]
}

/// All capsules here stand upright in their own frame, around its origin.
impl Kind for CapsuleCollider {
    fn title(&self) -> &'static str {
        "capsule"
    }

    fn size(&self) -> String {
        format!("radius {:.1}, length {:.1}", self.radius, length(self))
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

    /// The other end stays where it is. The sides move together, around the segment.
    fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> (Form, Vec2) {
        let pulled = to - from;
        let (mut radius, mut shift) = (self.radius, Vec2::ZERO);
        let mut longer = length(self);
        match grip {
            Grip::End(side) => {
                longer = (longer + side * pulled.y).max(LEAST_LENGTH);
                shift.y = side * (longer - length(self)) / 2.0;
            }
            Grip::Flank(side) => radius = (radius + side * pulled.x).max(LEAST_RADIUS),
            _ => {}
        }
        (Form::Capsule(CapsuleCollider::new(radius, longer)), shift)
    }
}
