//! The outlines of Tiled's shapes, in pixels.

use std::f32::consts::TAU;

use bevy::math::{Vec2, Vec2Swizzles};
use bevy_thud::geometry::Polygon;

use crate::{
    error::TiledProblem,
    file::{Object, Shape},
    flips::TiledFlips,
};

/// What a shape is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    /// A polygon.
    Area {
        vertices: Vec<Vec2>,
        /// The same, cut into convex pieces.
        pieces: Vec<Vec<Vec2>>,
    },
    /// Points of a line, closed if the last one is the first one.
    Line(Vec<Vec2>),
}

impl Outline {
    /// A polygon that is convex.
    pub fn convex(vertices: Vec<Vec2>) -> Self {
        let pieces = vec![vertices.clone()];
        Self::Area { vertices, pieces }
    }

    /// With each point moved.
    pub fn map(&self, map: impl Fn(Vec2) -> Vec2) -> Self {
        let all = |points: &Vec<Vec2>| points.iter().map(|point| map(*point)).collect();
        match self {
            Self::Area { vertices, pieces } => Self::Area {
                vertices: all(vertices),
                pieces: pieces.iter().map(all).collect(),
            },
            Self::Line(points) => Self::Line(all(points)),
        }
    }
}

/// An object in the collision shapes of a tile, in pixels from the top left of the tile, y down.
pub(crate) fn of_tile_object(object: &Object) -> Result<Outline, TiledProblem> {
    let to_tile = |point: Vec2| {
        let rotated = Vec2::from_angle(object.rotation.to_radians()).rotate(point);
        rotated + object.position
    };
    let points = match &object.shape {
        Shape::Rect => {
            let size = checked_size(object.size)?;
            vec![
                Vec2::ZERO,
                Vec2::new(size.x, 0.0),
                size,
                Vec2::new(0.0, size.y),
            ]
        }
        Shape::Ellipse => {
            let size = checked_size(object.size)?;
            octagon(size, size / 2.0)
        }
        Shape::Capsule => {
            let size = checked_size(object.size)?;
            octagon(size, Vec2::splat(size.min_element() / 2.0))
        }
        Shape::Polygon(points) => points.clone(),
        Shape::Polyline(points) => return line(points).map(|it| it.map(to_tile)),
        Shape::Point | Shape::Text(_) => return Err(TiledProblem::NoArea),
    };
    let polygon = Polygon::new(points.into_iter().map(to_tile)).map_err(TiledProblem::Polygon)?;
    let vertices = polygon.vertices().to_vec();
    if polygon.is_single_piece() {
        return Ok(Outline::convex(vertices));
    }
    let pieces = polygon.pieces().iter();
    let pieces = pieces.map(|piece| piece.vertices().to_vec()).collect();
    Ok(Outline::Area { vertices, pieces })
}

/// The points of a polyline, without repetitions.
pub(crate) fn line(points: &[Vec2]) -> Result<Outline, TiledProblem> {
    let mut points = points.to_vec();
    points.dedup();
    if points.len() < 2 || !points.iter().all(|point| point.is_finite()) {
        return Err(TiledProblem::Polyline);
    }
    Ok(Outline::Line(points))
}

/// A width and a height that make an area.
pub(crate) fn checked_size(size: Vec2) -> Result<Vec2, TiledProblem> {
    if size.is_finite() && size.min_element() > 0.0 {
        Ok(size)
    } else {
        Err(TiledProblem::NoSize)
    }
}

/// A rectangle with rounded corners, as an octagon around it that touches all four edges.
fn octagon(size: Vec2, radii: Vec2) -> Vec<Vec2> {
    // An octagon around a circle has its vertices this far from the center of an edge.
    let cut = radii * (1.0 - (TAU / 16.0).tan());
    vec![
        Vec2::new(cut.x, 0.0),
        Vec2::new(size.x - cut.x, 0.0),
        Vec2::new(size.x, cut.y),
        Vec2::new(size.x, size.y - cut.y),
        Vec2::new(size.x - cut.x, size.y),
        Vec2::new(cut.x, size.y),
        Vec2::new(0.0, size.y - cut.y),
        Vec2::new(0.0, cut.y),
    ]
}

/// An ellipse that is not round, as a polygon of the same area around the origin. Its edges are
/// closer to the ellipse than a quarter of a pixel, up to ellipses of 400 pixels.
pub(crate) fn ellipse(size: Vec2) -> impl Iterator<Item = Vec2> {
    const MAX_ERROR: f32 = 0.25;
    let half_angle = (1.0 - MAX_ERROR / (size.max_element() / 2.0))
        .max(0.0)
        .acos();
    // A multiple of four, so that it is as symmetrical as the ellipse.
    let vertices = 4 * ((TAU / 8.0 / half_angle).ceil() as u32).clamp(2, 16);
    let angle = TAU / vertices as f32;
    let radii = size / 2.0 * (angle / angle.sin()).sqrt();
    (0..vertices).map(move |index| Vec2::from_angle(angle * index as f32) * radii)
}

/// How a tile is laid out: from pixels of its image, y down, to pixels of where it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    flips: TiledFlips,
    /// The size of the flipped image.
    size: Vec2,
    scale: Vec2,
    /// The top left of the scaled image.
    top_left: Vec2,
}

impl Layout {
    /// The image of a tile, stretched to `size`, then flipped on the same bottom left: as Tiled
    /// draws it.
    pub fn new(image: Vec2, flips: TiledFlips, bottom_left: Vec2, size: Vec2) -> Self {
        let [image, size] = [image, size].map(|size| flips.transpose(size));
        Self {
            flips,
            size: image,
            scale: size / image,
            top_left: bottom_left - Vec2::new(0.0, size.y),
        }
    }

    /// As large as fits without changing its proportions, centered in the rectangle.
    pub fn preserving_aspect(self) -> Self {
        let scale = Vec2::splat(self.scale.min_element());
        let spare = self.size * (self.scale - scale);
        Self {
            scale,
            top_left: self.top_left + spare / 2.0,
            ..self
        }
    }

    /// Moved by an offset that is stretched, but not flipped.
    pub fn moved(self, offset: Vec2) -> Self {
        Self {
            top_left: self.top_left + offset * self.flips.transpose(self.scale),
            ..self
        }
    }

    /// Where a point of the image lies.
    pub fn transform_point(&self, point: Vec2) -> Vec2 {
        self.top_left + self.flipped(point) * self.scale
    }

    /// The vertices of the image.
    pub fn vertices(&self) -> Vec<Vec2> {
        let [right, down] = [Vec2::new(self.size.x, 0.0), Vec2::new(0.0, self.size.y)];
        [Vec2::ZERO, right, self.size, down]
            .map(|vertex| self.top_left + vertex * self.scale)
            .to_vec()
    }

    fn flipped(&self, point: Vec2) -> Vec2 {
        let mut point = self.flips.transpose(point);
        if self.flips.horizontal {
            point.x = self.size.x - point.x;
        }
        if self.flips.vertical {
            point.y = self.size.y - point.y;
        }
        point
    }
}

/// A direction, y up, rotated with a flipped tile.
pub(crate) fn flip_direction(direction: Vec2, flips: TiledFlips) -> Vec2 {
    // With y up, swapping x and y of the image is this.
    let mut direction = if flips.diagonal {
        -direction.yx()
    } else {
        direction
    };
    if flips.horizontal {
        direction.x = -direction.x;
    }
    if flips.vertical {
        direction.y = -direction.y;
    }
    direction
}
