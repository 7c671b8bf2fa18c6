//! What is kept of a polygon with many vertices, so that not all of them are looked at for each question.

use std::{cell::Cell, ops::Range, sync::Arc};

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{Polygon, around, hierarchy::Hierarchy, turn};
use crate::{
    aabb::{contains, intersects, merge},
    geometry::{MAX_CORNERS, Placement, TOUCHING_SLOP},
};

/// How many sides in a row share a box: to look at one of them takes no longer than to look at a box. A polygon in one piece has no more.
pub(super) const SIDES_PER_BOX: usize = MAX_CORNERS;
/// How many vertices are looked at first for the box around a polygon.
const SAMPLES: usize = 32;

/// The convex pieces of a polygon, and where its pieces and sides are.
#[derive(Clone, Debug)]
pub(super) struct Many {
    pieces: Box<[Arc<Polygon>]>,
    piece_boxes: Hierarchy,
    /// Around some sides in a row each.
    side_boxes: Hierarchy,
    /// About how far a piece reaches from its middle.
    piece_size: f32,
}

impl Many {
    pub fn new(vertices: &[Vec2], pieces: Vec<Arc<Polygon>>) -> Self {
        let sizes = pieces
            .iter()
            .map(|piece| piece.bounds.half_size().max_element());
        Self {
            piece_size: sizes.sum::<f32>() / pieces.len() as f32,
            piece_boxes: Hierarchy::new(pieces.iter().map(|piece| piece.bounds)),
            side_boxes: boxes_around_sides(vertices),
            pieces: pieces.into(),
        }
    }

    pub fn pieces(&self) -> &[Arc<Polygon>] {
        &self.pieces
    }
}

/// Boxes around some sides in a row each, of which each ends at the vertex of the same index.
pub(super) fn boxes_around_sides(vertices: &[Vec2]) -> Hierarchy {
    let before = vertices.iter().cycle().skip(vertices.len().max(1) - 1);
    Hierarchy::new(
        (vertices
            .chunks(SIDES_PER_BOX)
            .zip(before.step_by(SIDES_PER_BOX)))
        .map(|(ends, start)| around(ends.iter().chain([start]).copied())),
    )
}

/// Those of so many sides that share a box.
pub(super) fn sides_in_box(number: usize, count: usize) -> Range<usize> {
    let first = number * SIDES_PER_BOX;
    first..(first + SIDES_PER_BOX).min(count)
}

impl Polygon {
    /// Those of its pieces that reach into an area of the world when it is at some place, and maybe some beside it, in their order.
    pub(in crate::geometry) fn pieces_near(
        &self,
        area: &Aabb2d,
        placement: &Placement,
    ) -> impl Iterator<Item = &Arc<Self>> {
        self.many.iter().flat_map(move |many| {
            let near = |aabb: &Aabb2d| intersects(area, &placement.apply_aabb(aabb));
            many.piece_boxes.find(near).map(|piece| &many.pieces[piece])
        })
    }

    /// About how far a convex piece of it reaches from its middle in its frame; none, if it is in one piece.
    pub(in crate::geometry) fn piece_size(&self) -> Option<f32> {
        self.many.as_ref().map(|many| many.piece_size)
    }

    /// Whether a point of its frame is inside: a ray from there crosses the sides an odd number of times.
    pub(in crate::geometry) fn contains(&self, point: Vec2) -> bool {
        let Aabb2d { min, max } = self.bounds;
        let furthest = point.x.abs().max(min.x.abs()).max(max.x.abs());
        // Further to the left no rounding lets the ray cross a side.
        let left = point.x - TOUCHING_SLOP * furthest;
        let may_be_crossed =
            |aabb: &Aabb2d| aabb.min.y <= point.y && aabb.max.y > point.y && !(aabb.max.x < left);
        let is_crossed = |&side: &usize| {
            let (start, end) = self.side(side);
            let is_left = turn(start, end, point) > 0.0;
            (start.y > point.y) != (end.y > point.y) && is_left == (end.y > start.y)
        };
        self.find_sides(may_be_crossed).filter(is_crossed).count() % 2 == 1
    }

    /// Its sides at some place in the world, each with its outward normal: those in a box there that is wanted, and maybe some beside it.
    pub(in crate::geometry) fn sides_near(
        &self,
        placement: &Placement,
        mut is_wanted: impl FnMut(&Aabb2d) -> bool,
    ) -> impl Iterator<Item = (Vec2, Vec2, Vec2)> {
        let rotation = placement.rotation();
        let sides = self.find_sides(move |aabb| is_wanted(&placement.apply_aabb(aabb)));
        sides.map(move |side| {
            let (start, end) = self.side(side);
            let normal = placement.apply_normal(self.normals[side], rotation);
            (
                placement.transform_point(start),
                placement.transform_point(end),
                normal,
            )
        })
    }

    /// The sides in a box of its frame that is wanted, and maybe some beside it, by the indices of the vertices at which they end.
    fn find_sides(&self, is_wanted: impl FnMut(&Aabb2d) -> bool) -> impl Iterator<Item = usize> {
        let many = self.many.as_ref();
        let boxes = many.map(|many| many.side_boxes.find(is_wanted));
        // In one piece it has no boxes, and no more sides than would be in one.
        let numbers = (boxes.into_iter().flatten()).chain(many.is_none().then_some(0));
        numbers.flat_map(|number| sides_in_box(number, self.vertices.len()))
    }

    /// The side that ends at a vertex.
    fn side(&self, end: usize) -> (Vec2, Vec2) {
        let start = end.checked_sub(1).unwrap_or(self.vertices.len() - 1);
        (self.vertices[start], self.vertices[end])
    }

    /// The box around it at some place in the world: that around a few of its vertices, and around those that are beyond it.
    pub(super) fn aabb_of_extremes(&self, placement: &Placement) -> Aabb2d {
        let vertices = &self.vertices;
        let at_place = |vertex: &Vec2| placement.transform_point(*vertex);
        let samples = vertices.iter().step_by(vertices.len().div_ceil(SAMPLES));
        let all = Cell::new(around(samples.map(at_place)));
        let is_beyond = |aabb: &Aabb2d| !contains(&all.get(), &placement.apply_aabb(aabb));
        for number in self
            .many
            .iter()
            .flat_map(|many| many.side_boxes.find(is_beyond))
        {
            let beyond = &vertices[sides_in_box(number, vertices.len())];
            all.set(merge(&all.get(), &around(beyond.iter().map(at_place))));
        }
        all.get()
    }
}
