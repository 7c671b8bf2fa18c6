//! Rays along a seam: between two convex pieces that touch there, each of which the ray only
//! grazes.

use bevy::math::Vec2;
use smallvec::SmallVec;

use super::Ray;
use crate::geometry::{
    convex::{CastOutput, RoundedBox},
    shape::Shape,
};

/// How far inside of a piece the ray is moved to find where it enters, in slops.
const INSIDE_SLOPS: f32 = 4.0;

/// The edges of pieces along which a ray runs.
#[derive(Default)]
pub(super) struct Seams(SmallVec<[GrazedEdge; 4]>);

/// An edge along which a ray runs.
struct GrazedEdge {
    /// The fractions at which the ray arrives at it and leaves it.
    fractions: [f64; 2],
    /// Whether the piece is to the left of the ray.
    is_left: bool,
    /// The output of a ray beside this one, in the piece.
    inside: Option<CastOutput>,
}

impl Seams {
    /// Adds the edge of a convex piece along which the ray runs, no farther from it than `slop`
    /// (world units). Returns whether there is one. Round shapes have none.
    pub fn add(&mut self, ray: &Ray, piece: &Shape, slop: f32) -> bool {
        let Some((along, convex)) = ray.direction.try_normalize().zip(piece.as_convex()) else {
            return false;
        };
        let is_round = |rounded: RoundedBox| rounded.radius > 0.0;
        if convex.rounded_box().is_some_and(is_round) {
            return false;
        }
        let to_center = convex.center() - ray.origin;
        for left in [along.perp(), -along.perp()] {
            let mut fractions = [f64::INFINITY, f64::NEG_INFINITY];
            let mut farthest = f32::NEG_INFINITY;
            for vertex in convex.vertices().map(|vertex| vertex + to_center) {
                let across = vertex.dot(left);
                farthest = farthest.max(across);
                if across.abs() <= slop {
                    let fraction = ray.fraction_at(vertex);
                    fractions = [fractions[0].min(fraction), fractions[1].max(fraction)];
                }
            }
            // At a vertex, the two are one.
            if farthest > slop || !(fractions[1] - fractions[0] > shortest(ray, slop)) {
                continue;
            }
            let origin = ray.origin - left * (INSIDE_SLOPS * slop);
            self.0.push(GrazedEdge {
                fractions,
                is_left: left.perp_dot(along) > 0.0,
                inside: Ray { origin, ..*ray }.cast(piece),
            });
            return true;
        }
        false
    }

    /// The first place from which on there are pieces on both sides of the ray, for longer than
    /// `slop` (world units).
    pub fn first(&self, ray: &Ray, slop: f32) -> Option<CastOutput> {
        let edges_on = |left: bool| self.0.iter().filter(move |edge| edge.is_left == left);
        let pairs = edges_on(true).flat_map(|p| edges_on(false).map(move |q| (p, q)));
        let entries = pairs.filter_map(|(p, q)| {
            let later = if q.fractions[0] > p.fractions[0] {
                q
            } else {
                p
            };
            let enter = later.fractions[0].max(0.0);
            let exit = p.fractions[1].min(q.fractions[1]);
            let is_seam = exit - enter > shortest(ray, slop) && enter <= ray.max_fraction.into();
            Some(CastOutput {
                fraction: enter,
                ..later.inside.filter(|_| is_seam)?
            })
        });
        entries.min_by(|p, q| p.fraction.total_cmp(&q.fraction))
    }
}

impl Ray {
    /// The fraction at which the ray is nearest to a point, given relative to its origin.
    fn fraction_at(&self, point: Vec2) -> f64 {
        let direction = self.direction.as_dvec2();
        direction.dot(point.as_dvec2()) / direction.length_squared()
    }
}

/// The fraction of a ray that is as long as rounding.
fn shortest(ray: &Ray, slop: f32) -> f64 {
    f64::from(slop) / ray.direction.as_dvec2().length()
}
