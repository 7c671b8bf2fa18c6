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
const ENTRY_DEPTH_RATIO: f32 = 4.0;
/// A ray that runs along an edge without entering is at most this many times the touching slop
/// behind it, because it starts up to one slop behind it.
const ALONG_DEPTH_RATIO: f32 = ENTRY_DEPTH_RATIO + 1.0;

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
        let (entry_depth, along_depth) = (ENTRY_DEPTH_RATIO * slop, ALONG_DEPTH_RATIO * slop);
        let max_fraction = Cell::new(f64::from(self.max_fraction));
        // The fraction, the speed along the normal, and the normal.
        let mut first: Option<(f64, f64, Vec2)> = None;
        // The edge that the ray crosses most steeply, among those at which it starts and enters: at
        // a corner it starts at two edges, and may enter only one.
        let mut entry: Option<(f64, Vec2)> = None;
        let entry_fraction = |speed: f64| f64::from(entry_depth) / -speed;
        let is_entered = |speed: f64| {
            let fraction = entry_fraction(speed);
            let there = (origin + direction * fraction).as_vec2();
            fraction <= max_fraction.get()
                && polygon.contains(placement.inverse_transform_point(there))
        };
        let may_be_hit = |aabb: &Aabb2d| self.may_hit(&grow(aabb, along_depth), max_fraction.get());
        for edge in polygon.edges_near(placement, may_be_hit) {
            let normal = edge.normal;
            let speed = normal.as_dvec2().dot(direction);
            if !(speed < 0.0) {
                continue;
            }
            let ends = [edge.start, edge.end].map(|point| point.as_dvec2() - origin);
            let is_at_start = is_near_segment(ends, slop.into());
            if is_at_start && entry.is_none_or(|entry| speed < entry.0) && is_entered(speed) {
                entry = Some((speed, normal));
            }
            let across = (!is_at_start).then(|| fraction_across(direction, ends));
            let are_reflex = || polygon.are_reflex(edge.index);
            let behind = || fraction_behind(direction, ends, slop.into(), are_reflex);
            let Some(fraction) = across.flatten().or_else(behind) else {
                continue;
            };
            let is_within = (0.0..=f64::from(self.max_fraction)).contains(&fraction);
            // Of two edges hit at once, the steeper one counts: the hill, not the floor at its
            // foot.
            if is_within && first.is_none_or(|first| (fraction, speed) < (first.0, first.1)) {
                first = Some((fraction, speed, normal));
                max_fraction.set(fraction);
            }
        }
        let entered = entry.filter(|(speed, _)| entry_fraction(*speed) <= max_fraction.get());
        if let Some((_, normal)) = entered {
            return Some(hit_at_start(normal, true));
        }
        first.map(|(fraction, _, normal)| CastOutput {
            fraction,
            normal,
            is_edge: true,
        })
    }

    /// Whether the ray may hit the contents of a box at a fraction of up to `max_fraction`: whether
    /// the box is not beside, behind or beyond the ray.
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

/// The fraction at which the line of a ray from the origin crosses a segment: negative behind it.
fn fraction_across(direction: DVec2, ends: [DVec2; 2]) -> Option<f64> {
    // Two edges share these numbers at their vertex, so that no ray slips between them.
    let [p, q] = ends.map(|end| direction.perp_dot(end));
    let edge = ends[1] - ends[0];
    let is_crossed = p.min(q) <= 0.0 && p.max(q) >= 0.0;
    is_crossed.then(|| ends[0].perp_dot(edge) / direction.perp_dot(edge))
}

/// The fraction at which a ray from the origin that does not cross an edge passes the edge's nearer
/// end, if that is a reflex vertex. Until then the ray may run along the vertex's other edge, or
/// slightly behind it: along a floor to the foot of a hill.
fn fraction_behind(
    direction: DVec2,
    ends: [DVec2; 2],
    slop: f64,
    are_reflex: impl Fn() -> [bool; 2],
) -> Option<f64> {
    let length_squared = direction.length_squared();
    let max_distance = f64::from(ALONG_DEPTH_RATIO) * slop;
    let across = ends.map(|end| direction.perp_dot(end).abs());
    // A ray that passes the edge beyond the other end clears it.
    let nearer = usize::from(across[1] < across[0]);
    let is_passed = across[nearer] * across[nearer] <= max_distance * max_distance * length_squared
        && ends[nearer].length_squared() > slop * slop
        && are_reflex()[nearer];
    is_passed.then(|| direction.dot(ends[nearer]) / length_squared)
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
    // The fraction is NaN if the segment has no length.
    let nearest = start + edge * if fraction > 0.0 { fraction } else { 0.0 };
    nearest.length_squared() <= square
}
