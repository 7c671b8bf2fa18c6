//! The parts of a figure that can be gripped.

use bevy::prelude::*;

/// How a figure is gripped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// Inside: it moves.
    Body,
    /// The knob on the stalk: it rotates.
    Knob,
    /// The rim of a circle.
    Rim,
    /// An edge or a corner of a rectangle: its direction from the center, -1, 0 or 1 along each
    /// axis.
    Side(Vec2),
    /// The upper (1) or the lower (-1) end of a capsule.
    End(f32),
    /// The right (1) or the left (-1) edge of a capsule.
    Flank(f32),
    /// A vertex of a polygon, by its index.
    Vertex(usize),
    /// An edge of a polygon, by the index of its first vertex.
    Edge(usize),
}

/// The direction in which something can be dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    Anywhere,
    /// Away from the center of the figure, and toward it.
    Outwards,
    /// Back and forth in this direction of the figure's own frame.
    Along(Vec2),
    /// Around the center of the figure.
    Around,
}

/// A part of a figure that can be gripped. Points are in the figure's own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    pub grip: Grip,
    pub pull: Pull,
    /// The line that it is drawn as: a single point for a corner, nothing for the inside.
    pub track: Vec<Vec2>,
}

impl Handle {
    pub fn new(grip: Grip, pull: Pull, track: impl Into<Vec<Vec2>>) -> Self {
        let track = track.into();
        Self { grip, pull, track }
    }

    pub fn body() -> Self {
        Self::new(Grip::Body, Pull::Anywhere, [])
    }

    pub fn knob(stalk: [Vec2; 2]) -> Self {
        Self::new(Grip::Knob, Pull::Around, stalk)
    }

    pub fn is_point(&self) -> bool {
        self.track.len() == 1
    }

    /// The midpoint between the ends of the track.
    pub fn midpoint(&self) -> Option<Vec2> {
        Some(self.track.first()?.midpoint(*self.track.last()?))
    }

    /// The distance of a point to the track.
    pub fn distance(&self, point: Vec2) -> f32 {
        let ends = self.track.iter().map(|end| end.distance(point));
        let lines = self.track.windows(2).map(|line| {
            let segment = Segment2d::new(line[0], line[1]);
            segment.closest_point(point).distance(point)
        });
        ends.chain(lines).fold(f32::INFINITY, f32::min)
    }
}
