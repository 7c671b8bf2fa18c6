//! Casts of a convex shape against another one.

use bevy::math::Vec2;

use super::{
    minkowski::MinkowskiDifference,
    output::{CastOutput, SurfacePoint},
    shape::ConvexShape,
};

/// A cast: which shape moves where, and what it may come near.
pub(in crate::geometry) struct ConvexCast<'a> {
    pub moving: ConvexShape<'a>,
    pub displacement: Vec2,
    pub resting: ConvexShape<'a>,
    /// The distance at which the shapes count as touching, in world units. Negative to let the
    /// moving shape sink in that far.
    pub margin: f32,
    /// A difference to `margin` up to this is rounding, in world units.
    pub slop: f32,
}

impl ConvexCast<'_> {
    /// Returns where the shape comes as near as the margin. All numbers have to be finite.
    pub fn run(&self) -> Option<CastOutput> {
        let start = MinkowskiDifference::between(&self.moving, &self.resting, 0.0)
            .surface_point(f32::INFINITY)?;
        self.run_from(&start)
    }

    /// The same, if the surface point at the start is known.
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
        // get there misses it.
        if -self.displacement.dot(start.normal) <= (distance - self.slop).max(0.0) {
            return None;
        }
        let displacement = self.displacement.as_dvec2();
        if distance > self.slop {
            return MinkowskiDifference::between(&self.moving, &self.resting, self.margin)
                .cast_ray(displacement);
        }
        // Touching: on which side of the surface the ray starts is rounding, but whether it gets
        // through a surface behind that decides whether the shape moves in.
        let behind =
            MinkowskiDifference::between(&self.moving, &self.resting, start.distance - self.slop);
        Some(CastOutput {
            fraction: 0.0,
            ..behind.cast_ray(displacement)?
        })
    }
}
