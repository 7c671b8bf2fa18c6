//! The displacement from a point in a grid to its surface: to the nearest edge of a convex piece
//! that no other piece covers.

use bevy::math::Vec2;
use smallvec::SmallVec;

use super::{shape::Shape, tolerances::TOUCHING_SLOP};
use crate::aabb::{Aabb2d, grow, half_size};

/// An edge of a convex piece, relative to the point. The piece is to the left of it.
#[derive(Clone, Copy)]
struct Edge {
    start: Vec2,
    end: Vec2,
}

/// Returns the displacement from a point in a grid to the nearest point of its surface.
pub(super) fn to_exposed_edge(shape: &Shape, point: Vec2) -> Option<Vec2> {
    let slop = 2.0 * TOUCHING_SLOP * shape.largest_coordinate();
    let farthest = 2.0 * half_size(&shape.aabb()).element_sum();
    let mut max_distance = shape.piece_half_extent();
    loop {
        let edges = edges_near(shape, point, max_distance);
        let near = edges
            .iter()
            .filter_map(|edge| edge.nearest_exposed(&edges, slop));
        let nearest = near.min_by(|p, q| p.length().total_cmp(&q.length()));
        // Rectangles of a grid are cut where the search ends.
        let is_cut = |nearest: &Vec2| nearest.length() > max_distance;
        let may_double = 0.0 < max_distance && max_distance < farthest;
        if !may_double || !nearest.as_ref().is_none_or(is_cut) {
            return nearest;
        }
        max_distance *= 2.0;
    }
}

/// The edges of the pieces that reach into a square around a point.
fn edges_near(shape: &Shape, point: Vec2, max_distance: f32) -> SmallVec<[Edge; 32]> {
    let area = Aabb2d {
        min: point,
        max: point,
    };
    let mut edges = SmallVec::new();
    shape.visit_convex_pieces(&grow(&area, max_distance), &mut |piece| {
        let Some(piece) = piece.as_convex() else {
            return;
        };
        let to_center = piece.center() - point;
        let mut start = piece.vertices().last().unwrap_or_default() + to_center;
        edges.extend(piece.vertices().map(|end| {
            let end = end + to_center;
            Edge {
                start: std::mem::replace(&mut start, end),
                end,
            }
        }));
    });
    edges
}

impl Edge {
    /// The point nearest to the origin of what no other edge covers, if anything is left.
    fn nearest_exposed(&self, others: &[Edge], slop: f32) -> Option<Vec2> {
        let along = (self.end - self.start).try_normalize()?;
        let length = along.dot(self.end - self.start);
        let from_start = |point: Vec2| point - self.start;
        // An edge of a piece on the other side runs back.
        let covered = others.iter().filter_map(|other| {
            let [end, start] = [other.start, other.end].map(from_start);
            let is_on_line = [start, end]
                .iter()
                .all(|it| along.perp_dot(*it).abs() <= slop);
            let range = [start, end].map(|point| along.dot(point));
            (is_on_line && range[0] < range[1]).then_some(range)
        });
        let mut covered: SmallVec<[[f32; 2]; 4]> = covered.collect();
        covered.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]));
        let wanted = along.dot(-self.start);
        let mut free_from = 0.0f32;
        let mut nearest: Option<f32> = None;
        for [start, end] in covered.into_iter().chain([[length, length]]) {
            let free_to = start.min(length);
            if free_to - free_from > slop {
                let here = wanted.clamp(free_from, free_to);
                nearest = nearest
                    .filter(|it| (it - wanted).abs() <= (here - wanted).abs())
                    .or(Some(here));
            }
            free_from = free_from.max(end);
        }
        nearest.map(|distance| self.start + along * distance)
    }
}
