//! Casts of a convex shape against another one.

use bevy::math::Vec2;

use super::{
    minkowski::MinkowskiDifference,
    output::{CastOutput, SurfacePoint},
    shape::ConvexShape,
};

/// A cast of a moving shape against a resting one.
pub(in crate::geometry) struct ConvexCast<'a> {
    pub moving: ConvexShape<'a>,
    pub displacement: Vec2,
    pub resting: ConvexShape<'a>,
    /// The distance at which the shapes count as touching, in world units. Negative to let the
    /// moving shape sink in that far.
    pub margin: f32,
    /// Distances that differ from `margin` by up to this, in world units, differ by rounding.
    pub slop: f32,
}

impl ConvexCast<'_> {
    /// Returns where the shape comes as near as the margin. All numbers have to be finite.
    pub fn run(&self) -> Option<CastOutput> {
        let start = MinkowskiDifference::between(&self.moving, &self.resting, 0.0)
            .surface_point(f32::INFINITY)?;
        self.run_from(&start)
    }

    /// Like [`run`](Self::run), given the surface point at the start.
    pub fn run_from(&self, start: &SurfacePoint) -> Option<CastOutput> {
        let distance = start.distance - self.margin;
        if distance < -self.slop {
            return Some(CastOutput {
                fraction: 0.0,
                normal: start.normal,
                is_edge: start.is_edge,
            });
        }
        // A convex shape lies behind the line through its nearest point: a motion that does not
        // reach that line misses it.
        if -self.displacement.dot(start.normal) <= (distance - self.slop).max(0.0) {
            return None;
        }
        let displacement = self.displacement.as_dvec2();
        if distance > self.slop {
            return MinkowskiDifference::between(&self.moving, &self.resting, self.margin)
                .cast_ray(displacement);
        }
        // The shapes touch: on which side of the surface the ray starts is rounding. The shape
        // moves in only if the ray gets through a surface that is deeper by the slop.
        let behind =
            MinkowskiDifference::between(&self.moving, &self.resting, start.distance - self.slop);
        Some(CastOutput {
            fraction: 0.0,
            ..behind.cast_ray(displacement)?
        })
    }
}
