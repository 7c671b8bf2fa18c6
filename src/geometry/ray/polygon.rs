//! Rays against polygons that are not convex.

use std::cell::Cell;

use bevy::math::{DVec2, Vec2, Vec2Swizzles};

use super::{Ray, hit_at_start};
use crate::{
    aabb::{Aabb2d, grow},
    geometry::{
        compound::polygon::Polygon, convex::CastOutput, placement::Placement,
        tolerances::TOUCHING_SLOP,
    },
};

/// A ray that starts at the surface of a polygon enters it if it gets this many times deeper than
/// the touching slop: the polygon's frame is rounded as well.
const ENTRY_DEPTH_RATIO: f64 = 4.0;

impl Ray {
    /// Casts the ray against a polygon, from outside or from its surface: finds the first of the
    /// edges that face the ray.
    pub(super) fn cast_at_edges(
        &self,
        polygon: &Polygon,
        placement: &Placement,
    ) -> Option<CastOutput> {
        let (origin, direction) = (self.origin.as_dvec2(), self.direction.as_dvec2());
        let coordinates = self
            .origin
            .abs()
            .max(polygon.largest_coordinates_at(placement));
        let slop = TOUCHING_SLOP * coordinates.max_element();
        let max_fraction = Cell::new(f64::from(self.max_fraction));
        let mut first: Option<CastOutput> = None;
        // Of the edges at which the ray starts, the one that it crosses most steeply.
        let mut entry: Option<(f64, Vec2)> = None;
        let may_be_hit = |aabb: &Aabb2d| self.may_hit(&grow(aabb, slop), max_fraction.get());
        for (start, end, normal) in polygon.edges_near(placement, may_be_hit) {
            let speed = normal.as_dvec2().dot(direction);
            if !(speed < 0.0) {
                continue;
            }
            let ends = [start, end].map(|point| point.as_dvec2() - origin);
            if is_near_segment(ends, slop.into()) {
                entry = entry
                    .filter(|entry| entry.0 <= speed)
                    .or(Some((speed, normal)));
                continue;
            }
            // Edges share these numbers at their vertices, so that no ray slips between two.
            let [p, q] = ends.map(|end| direction.perp_dot(end));
            let edge = ends[1] - ends[0];
            let fraction = ends[0].perp_dot(edge) / direction.perp_dot(edge);
            let is_hit = p.min(q) <= 0.0
                && p.max(q) >= 0.0
                && (0.0..=f64::from(self.max_fraction)).contains(&fraction);
            if is_hit && first.is_none_or(|first| fraction < first.fraction) {
                first = Some(CastOutput {
                    fraction,
                    normal,
                    is_edge: true,
                });
                max_fraction.set(fraction);
            }
        }
        let entered = entry.filter(|(speed, _)| {
            let fraction = ENTRY_DEPTH_RATIO * f64::from(slop) / -speed;
            let there = (origin + direction * fraction).as_vec2();
            fraction <= max_fraction.get()
                && polygon.contains(placement.inverse_transform_point(there))
        });
        entered.map_or(first, |(_, normal)| Some(hit_at_start(normal, true)))
    }

    /// Whether the ray may hit the contents of a box at a fraction of up to `max_fraction`. It does
    /// not if the box is beside, behind or beyond it.
    fn may_hit(&self, aabb: &Aabb2d, max_fraction: f64) -> bool {
        let (min, max) = (aabb.min.as_dvec2(), aabb.max.as_dvec2());
        let (center, half) = ((min + max) / 2.0, (max - min) / 2.0);
        let (away, direction) = (center - self.origin.as_dvec2(), self.direction.as_dvec2());
        let (across, along) = (direction.perp_dot(away), direction.dot(away));
        let half_across = half.dot(direction.yx().abs());
        let half_along = half.dot(direction.abs());
        !(across.abs() > half_across
            || along < -half_along
            || along - half_along > max_fraction * direction.length_squared())
    }
}

/// Whether a segment is at most `max_distance` from the origin.
fn is_near_segment([start, end]: [DVec2; 2], max_distance: f64) -> bool {
    let (edge, square) = (end - start, max_distance * max_distance);
    let doubled_area = start.perp_dot(edge);
    // Usually not even the line is that near.
    if doubled_area * doubled_area > square * edge.length_squared() {
        return false;
    }
    let fraction = (-start.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
    // Without a length the fraction is NaN.
    let nearest = start + edge * if fraction > 0.0 { fraction } else { 0.0 };
    nearest.length_squared() <= square
}
