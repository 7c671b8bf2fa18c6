//! Rectangles.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Form, Grip, Handle, Kind, Pull};

const LEAST_SIZE: Vec2 = Vec2::splat(10.0);

/// Counter-clockwise.
pub const CORNERS: [Vec2; 4] = [
    Vec2::new(1.0, 1.0),
    Vec2::new(-1.0, 1.0),
    Vec2::new(-1.0, -1.0),
    Vec2::new(1.0, -1.0),
];
const SIDES: [Vec2; 4] = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];

/// All rectangles here are around the origin of their own frame.
impl Kind for RectCollider {
    fn title(&self) -> &'static str {
        "rectangle"
    }

    fn measures(&self) -> Vec<(&'static str, String)> {
        vec![("size", format!("{:.1} x {:.1}", self.size.x, self.size.y))]
    }

    fn color(&self) -> Color {
        Color::srgb(0.33, 0.80, 0.70)
    }

    fn outlines(&self) -> Vec<Vec<Vec2>> {
        let corner = |corner: Vec2| corner * self.size / 2.0;
        vec![CORNERS.map(corner).into()]
    }

    fn top(&self) -> Option<Vec2> {
        Some(Vec2::Y * self.size / 2.0)
    }

    fn handles(&self) -> Vec<Handle> {
        let at = |side: Vec2| side * self.size / 2.0;
        let corner = |side: Vec2| Handle::new(Grip::Side(side), Pull::Along(side), [at(side)]);
        let side = |side: Vec2| {
            let line = [at(side - side.perp()), at(side + side.perp())];
            Handle::new(Grip::Side(side), Pull::Along(side), line)
        };
        CORNERS
            .map(corner)
            .into_iter()
            .chain(SIDES.map(side))
            .collect()
    }

    /// The opposite edge or corner stays where it is.
    fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<(Form, Vec2)> {
        let Grip::Side(side) = grip else {
            return None;
        };
        let size = (self.size + side * (to - from)).max(LEAST_SIZE);
        let shift = side * (size - self.size) / 2.0;
        Some((Form::Rect(RectCollider::new(size.x, size.y)), shift))
    }
}
