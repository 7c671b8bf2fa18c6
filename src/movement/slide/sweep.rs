//! Sweeping a mover along a straight displacement to the first obstacle.
//!
//! A mover slides to the right over two tiles. Where it is nearer to them than its skin width, by
//! the *skin penetration*, the edge of the next tile is ahead of it, at the seam:
//!
//! ```text
//!      +-----------+
//!      |   mover   | -> displacement
//!      +-----------+          ^
//!                             | skin width
//!   - - - - - - - - - - - - - | - -   what enters this line is hit, but not before
//!   . . . . . . . . . . . . . | . .   it is deeper than the tolerance: the slop for an
//!                             v       edge, and the skin penetration too for a vertex
//!   ===========+=================
//!     a tile   |   next tile
//!              ^ seam: missed by the mover if shifted up by the seam offset, so it
//!                does not block
//! ```

use std::cmp::Ordering;

use bevy::math::Vec2;

use crate::{
    components::EntityOrder,
    geometry::{
        CastOutput, Shape, SurfacePoint, cast_from, cast_with_margin, has_edge, surface_point,
    },
    movement::{
        body::Motion,
        obstacles::{MoverPose, NearObstacle, Obstacles},
        tolerances::{MAX_SKIN_PENETRATION, PARALLEL_SINE, SAME_PLANE_COSINE},
        world_order::by_world,
    },
};

/// The surface of a blocker where it blocks a mover.
#[derive(Clone)]
pub(crate) struct ContactPlane {
    /// The shape of the blocker.
    pub shape: Shape,
    pub normal: Vec2,
}

impl ContactPlane {
    pub fn of(hit: &SweepHit, obstacles: &Obstacles) -> Self {
        Self {
            shape: obstacles.all[hit.obstacle].shape.clone(),
            normal: hit.cast.normal,
        }
    }
}

/// A mover swept from a pose along a displacement.
pub(crate) struct ShapeSweep<'a> {
    pub pose: &'a MoverPose,
    /// In world units.
    pub displacement: Vec2,
    /// How much nearer than its skin width the mover is to the nearest obstacle, in world units.
    skin_penetration: f32,
    /// An offset out of the plane along which the mover slides, or zero. An obstacle that the mover
    /// misses when shifted by the offset is flush with the plane: a seam, which does not block.
    seam_offset: Vec2,
}

/// Where a sweep hits an obstacle.
#[derive(Clone, Copy)]
pub(crate) struct SweepHit {
    /// The index of the obstacle.
    pub obstacle: usize,
    /// The index of the obstacle to report to users. If several are hit at once with one normal, it
    /// is the first in the order of entities.
    pub reported: usize,
    pub entity: EntityOrder,
    pub cast: CastOutput,
}

impl SweepHit {
    /// The hit of a mover at rest on an obstacle.
    pub fn at_rest(near: &NearObstacle) -> Self {
        Self {
            obstacle: near.index,
            reported: near.index,
            entity: near.obstacle.order,
            cast: CastOutput {
                fraction: 0.0,
                normal: near.surface.normal,
                is_edge: near.surface.is_edge,
            },
        }
    }

    /// The order of hits: earlier ones first, ties broken independently of slots.
    pub fn order(&self, other: &Self, obstacles: &Obstacles) -> Ordering {
        let (p, q) = (&self.cast, &other.cast);
        let shape = |hit: &Self| &obstacles.all[hit.obstacle].shape;
        (p.fraction.total_cmp(&q.fraction))
            .then(p.normal.x.total_cmp(&q.normal.x))
            .then(p.normal.y.total_cmp(&q.normal.y))
            .then_with(|| by_world(shape(self), shape(other)))
            .then(self.entity.cmp(&other.entity))
    }
}

impl<'a> ShapeSweep<'a> {
    /// A sweep among the obstacles selected as near; a slide, if it goes along a plane.
    #[inline]
    pub fn new(
        motion: &Motion,
        pose: &'a MoverPose,
        displacement: Vec2,
        plane: Option<&ContactPlane>,
        obstacles: &Obstacles,
    ) -> Self {
        let skin_penetration = |surface: &SurfacePoint| {
            (motion.skin - surface.distance).clamp(0.0, MAX_SKIN_PENETRATION * motion.skin)
        };
        let seam_offset = plane.map_or(Vec2::ZERO, |plane| {
            let surface = surface_point(&pose.shape, &plane.shape);
            plane.normal * (surface.as_ref().map_or(0.0, skin_penetration) + pose.slop)
        });
        let deepest =
            (obstacles.near().map(|near| skin_penetration(near.surface))).fold(0.0, f32::max);
        Self {
            pose,
            displacement,
            skin_penetration: deepest,
            seam_offset,
        }
    }

    /// Returns the sweep over the first `fraction` of its displacement.
    fn shortened(&self, fraction: f64) -> Self {
        Self {
            displacement: (self.displacement.as_dvec2() * fraction).as_vec2(),
            ..*self
        }
    }

    /// Whether any obstacle near the sweep blocks it.
    pub fn is_blocked(&self, motion: &Motion, obstacles: &Obstacles) -> bool {
        (obstacles.near()).any(|near| self.is_blocked_by(motion, &near))
    }

    /// The mover at a fraction of the sweep.
    fn shape_at(&self, fraction: f64) -> Shape {
        let displacement = self.displacement.as_dvec2() * fraction;
        self.pose.shape.translated(displacement.as_vec2())
    }

    /// The motion into a surface during this fraction of the sweep, in world units.
    fn inward(&self, normal: Vec2, fraction: f64) -> f32 {
        -normal.dot(self.displacement) * fraction as f32
    }

    /// Returns where the mover comes nearer to an obstacle than `distance` (world units). Only an
    /// edge of the obstacle counts as one: a vertex at an edge of the mover may be flush as well.
    fn cast_to_distance(&self, distance: f32, near: &NearObstacle) -> Option<CastOutput> {
        let shape = &near.obstacle.shape;
        let piece = near.piece(self.pose);
        let output = cast_from(near.surface, piece, self.displacement, shape, distance)?;
        Some(CastOutput {
            is_edge: output.is_edge && has_edge(shape, output.normal),
            ..output
        })
    }

    /// Where an obstacle blocks the sweep, or `None` if it does not.
    fn cast_against(&self, motion: &Motion, near: &NearObstacle) -> Option<CastOutput> {
        let NearObstacle {
            obstacle, surface, ..
        } = near;
        let slop = self.pose.slop;
        // Both are convex: the obstacle lies behind the line through its nearest point, so the
        // mover comes no nearer to it than this.
        let nearest = surface.distance - self.inward(surface.normal, 1.0).max(0.0);
        if nearest >= motion.skin - slop {
            return None;
        }
        let at_skin = self.cast_to_distance(motion.skin, near)?;
        let is_slide = self.seam_offset != Vec2::ZERO;
        let inward = self.inward(at_skin.normal, 1.0 - at_skin.fraction);
        // An obstacle nearer than the skin is hit at once, even if the mover moves along it or
        // away.
        let is_parallel = || inward <= slop.min(PARALLEL_SINE * self.displacement.length());
        let may_be_parallel = !is_slide || at_skin.fraction == 0.0;
        if inward < 0.0 || may_be_parallel && is_parallel() {
            return None;
        }
        let tolerance = self.tolerance(at_skin.is_edge);
        let behind = self.cast_to_distance(motion.skin - tolerance, near)?;
        if is_slide {
            self.cast_above_seam(motion, near)?;
        }
        let surface = if behind.is_edge { behind } else { at_skin };
        let is_blocked = obstacle.blocks(surface.normal, self.displacement)
            && obstacle.is_outside(&self.shape_at(at_skin.fraction));
        is_blocked.then_some(CastOutput {
            fraction: at_skin.fraction,
            ..surface
        })
    }

    /// Where the mover, shifted off the plane by the seam offset, hits an obstacle.
    fn cast_above_seam(&self, motion: &Motion, near: &NearObstacle) -> Option<CastOutput> {
        let shifted = near.piece(self.pose).translated(self.seam_offset);
        cast_with_margin(
            &shifted,
            self.displacement,
            &near.obstacle.shape,
            motion.skin,
        )
    }

    /// The depth, in world units, by which an obstacle has to enter the skin to block. Vertices get
    /// more tolerance, because one may be flush with the edge that the mover is at, however near
    /// that is.
    fn tolerance(&self, is_edge: bool) -> f32 {
        if is_edge {
            self.pose.slop
        } else {
            self.pose.slop + self.skin_penetration
        }
    }

    /// Whether an obstacle blocks the sweep. Cheaper than [`cast_against`](Self::cast_against).
    fn is_blocked_by(&self, motion: &Motion, near: &NearObstacle) -> bool {
        let obstacle = near.obstacle;
        let are_circles = [near.piece(self.pose), &obstacle.shape]
            .map(|shape| matches!(shape, Shape::Circle { .. }))
            == [true; 2];
        if !are_circles || obstacle.one_way.is_some() || self.seam_offset == Vec2::ZERO {
            return self.cast_against(motion, near).is_some();
        }
        // Circles have no edges, which would need the full cast.
        let distance = motion.skin - self.tolerance(false);
        self.cast_to_distance(distance, near).is_some()
            && self.cast_above_seam(motion, near).is_some()
    }

    /// Finds the first hit among the obstacles near the sweep. `simultaneous` receives the planes
    /// of the others that are hit at the same time; `hits` is a buffer.
    pub fn first_hit(
        &self,
        motion: &Motion,
        obstacles: &Obstacles,
        hits: &mut Vec<SweepHit>,
        simultaneous: &mut Vec<ContactPlane>,
    ) -> Option<SweepHit> {
        hits.clear();
        hits.extend(obstacles.near().filter_map(|near| {
            Some(SweepHit {
                cast: self.cast_against(motion, &near)?,
                ..SweepHit::at_rest(&near)
            })
        }));
        // The order of the broad phase depends on earlier updates.
        hits.sort_unstable_by(|p, q| p.order(q, obstacles));
        simultaneous.clear();
        let earliest = hits.first()?;
        let mut first = self.edge_at_vertex(earliest, hits).unwrap_or(*earliest);
        first.reported = reported(&first, hits, obstacles);
        let tied = hits.iter().filter(|hit| self.is_simultaneous(&first, hit));
        simultaneous.extend(tied.map(|hit| ContactPlane::of(hit, obstacles)));
        Some(first)
    }

    /// Whether another surface is hit together with the first one, except for rounding.
    fn is_simultaneous(&self, first: &SweepHit, other: &SweepHit) -> bool {
        let CastOutput {
            fraction, normal, ..
        } = other.cast;
        normal.dot(first.cast.normal) < SAME_PLANE_COSINE
            && (other.cast.is_edge || !first.cast.is_edge)
            && self.inward(normal, fraction - first.cast.fraction) <= self.pose.slop
    }

    /// The edge that is hit together with a vertex, except for rounding. It takes precedence,
    /// because the vertex may be flush with it. `hits` is sorted.
    fn edge_at_vertex(&self, vertex: &SweepHit, hits: &[SweepHit]) -> Option<SweepHit> {
        if vertex.cast.is_edge {
            return None;
        }
        let fraction = vertex.cast.fraction;
        let is_hit_together = |other: &&SweepHit| {
            let delay = other.cast.fraction - fraction;
            other.cast.is_edge && self.inward(other.cast.normal, delay) <= self.pose.slop
        };
        let edge = hits.iter().find(is_hit_together)?;
        Some(SweepHit {
            cast: CastOutput {
                fraction,
                ..edge.cast
            },
            ..*edge
        })
    }
}

/// The index of the obstacle to report for a hit.
fn reported(first: &SweepHit, hits: &[SweepHit], obstacles: &Obstacles) -> usize {
    let is_same = |other: &&SweepHit| {
        let (p, q) = (&first.cast, &other.cast);
        p.fraction == q.fraction && p.normal == q.normal
    };
    (hits.iter().filter(is_same).chain([first]))
        .min_by(|p, q| (p.entity.cmp(&q.entity)).then_with(|| p.order(q, obstacles)))
        .map_or(first.obstacle, |reported| reported.obstacle)
}

/// The result of a sweep ahead.
pub(crate) struct SweepAhead<'a> {
    pub sweep: ShapeSweep<'a>,
    pub hit: Option<SweepHit>,
    /// The fraction up to which the displacement is free: that of the hit, or of the end.
    pub fraction: f64,
}

impl<'a> SweepAhead<'a> {
    /// The free part of the sweep.
    pub fn free_sweep(&self) -> ShapeSweep<'a> {
        self.sweep.shortened(self.fraction)
    }

    /// The length of the free part of the displacement, in world units.
    pub fn free_distance(&self) -> f32 {
        self.sweep.displacement.length() * self.fraction as f32
    }
}
