//! What one can grip of a figure.

use bevy::prelude::*;

/// How a figure is gripped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// Inside: it moves.
    Body,
    /// The knob on the stalk: it turns.
    Knob,
    /// The rim of a circle.
    Rim,
    /// A side or a corner of a rectangle: on which side of the middle it lies, along each axis -1, 0 or 1.
    Side(Vec2),
    /// The upper (1) or the lower (-1) end of a capsule.
    End(f32),
    /// The right (1) or the left (-1) side of a capsule.
    Flank(f32),
    /// A vertex of a polygon, by its index.
    Vertex(usize),
    /// A side of a polygon, by the index of the vertex that it starts at.
    Edge(usize),
}

/// Which way something can be dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    Anywhere,
    /// Away from the middle of the figure, and towards it.
    Outwards,
    /// To and fro in this direction of the figure's own frame.
    Along(Vec2),
    /// Around the middle of the figure.
    Around,
}

/// A part of a figure that can be gripped. Points are in the figure's own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    pub grip: Grip,
    pub pull: Pull,
    /// The line that it is seen as: a single point for a corner, nothing at all for the inside.
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

    /// The middle between the ends of the track.
    pub fn middle(&self) -> Option<Vec2> {
        Some(self.track.first()?.midpoint(*self.track.last()?))
    }

    /// How far a point is from the track.
    pub fn distance(&self, point: Vec2) -> f32 {
        let ends = self.track.iter().map(|end| end.distance(point));
        let lines = self.track.windows(2).map(|line| {
            let segment = Segment2d::new(line[0], line[1]);
            segment.closest_point(point).distance(point)
        });
        ends.chain(lines).fold(f32::INFINITY, f32::min)
    }
}
