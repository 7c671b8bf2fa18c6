//! A move in progress, and its buffers.

use bevy::math::Vec2;

use super::{
    hits::record_hit,
    planes::ContactPlanes,
    sweep::{ContactPlane, ShapeSweep, SweepAhead, SweepHit},
};
use crate::{
    aabb::swept,
    components::MoverResponse,
    geometry::separation,
    movement::{
        body::{Motion, Trajectory},
        obstacles::{Blockers, MoverPose, Obstacles, SlideState, swept_box},
        tolerances::{MAX_BOUNCES, MAX_STALLED_SLIDES},
    },
};

/// Buffers of a move, kept so that moves allocate nothing. Their contents mean nothing between
/// calls.
#[derive(Default)]
pub(crate) struct SlideBuffers {
    pub obstacles: Obstacles,
    pub planes: ContactPlanes,
    pub hits: Vec<SweepHit>,
    pub intervals: Vec<[f32; 2]>,
}

impl SlideBuffers {
    pub fn clear(&mut self) {
        self.obstacles.clear();
        self.planes.clear();
    }
}

/// A move in progress among obstacles.
pub(crate) struct Slide<'a> {
    pub blockers: &'a Blockers<'a>,
    /// The desired motion. The desired velocity of a walker follows the floor.
    pub motion: Motion<'a>,
    pub state: SlideState,
    pub buffers: &'a mut SlideBuffers,
    pub trajectory: &'a mut Trajectory,
}

/// Where a short cast hits.
pub(crate) struct CastPlane {
    pub fraction: f32,
    pub plane: ContactPlane,
}

impl Slide<'_> {
    /// The shape where it is now.
    pub fn pose(&self) -> MoverPose {
        MoverPose::new(&self.motion, self.state.position)
    }

    /// Sweeps the rest of the displacement to the first hit, window by window. Along planes, which
    /// the mover may leave anywhere, only the first window is swept.
    pub fn sweep_ahead<'p>(&mut self, pose: &'p MoverPose) -> SweepAhead<'p> {
        let SlideBuffers {
            obstacles,
            planes: ContactPlanes {
                held, simultaneous, ..
            },
            hits,
            ..
        } = &mut *self.buffers;
        let (motion, state) = (&self.motion, &mut self.state);
        let displacement = state.remaining_displacement(motion);
        let mut end = state.lookahead.end_of_window(displacement, 0.0);
        let area = swept_box(&pose.shape, displacement, [0.0, end]);
        obstacles.select_near(self.blockers, pose, &area);
        let plane = match held.as_slice() {
            [plane] => Some(plane),
            _ => None,
        };
        let sweep = ShapeSweep::new(motion, pose, displacement, plane, obstacles);
        loop {
            let hit = sweep.first_hit(motion, obstacles, hits, simultaneous);
            // A hit beyond the window is left to a later one: obstacles before it may be missing.
            let hit = hit.filter(|hit| hit.cast.fraction <= end);
            let free_distance = hit.map(|hit| displacement.length() * hit.cast.fraction as f32);
            (state.lookahead).adapt(obstacles.near().len(), free_distance);
            if hit.is_some() || end >= 1.0 || !held.is_empty() {
                let fraction = hit.map_or(end, |hit| hit.cast.fraction);
                return SweepAhead {
                    sweep,
                    hit,
                    fraction,
                };
            }
            let start = end;
            end = state.lookahead.end_of_window(displacement, start);
            let area = swept_box(&pose.shape, displacement, [start, end]);
            obstacles.select_near(self.blockers, pose, &area);
        }
    }

    /// Sweeps the shape from a position along a short displacement. If it hits several surfaces at
    /// once, returns one whose normal `is_preferred` accepts, if any.
    pub fn cast(
        &mut self,
        position: Vec2,
        displacement: Vec2,
        is_preferred: impl Fn(Vec2) -> bool,
    ) -> Option<CastPlane> {
        let pose = MoverPose::new(&self.motion, position);
        let SlideBuffers {
            obstacles,
            planes,
            hits,
            ..
        } = &mut *self.buffers;
        let area = swept(&pose.shape.aabb(), displacement);
        obstacles.select_near(self.blockers, &pose, &area);
        let sweep = ShapeSweep::new(&self.motion, &pose, displacement, None, obstacles);
        let hit = sweep.first_hit(&self.motion, obstacles, hits, &mut planes.simultaneous)?;
        let first = ContactPlane::of(&hit, obstacles);
        let others = planes.simultaneous.drain(..);
        let mut all = std::iter::once(first.clone()).chain(others);
        let preferred = all.find(|plane| is_preferred(plane.normal));
        Some(CastPlane {
            fraction: hit.cast.fraction as f32,
            plane: preferred.unwrap_or(first),
        })
    }

    /// How far the shape can move from a position along a short displacement, as a fraction of it.
    pub fn free_fraction(&mut self, position: Vec2, displacement: Vec2) -> f32 {
        let hit = self.cast(position, displacement, |_| false);
        hit.map_or(1.0, |hit| hit.fraction)
    }

    /// Turns back to the desired velocity, along no plane.
    pub fn turn_back(&mut self) {
        self.buffers.planes.held.clear();
        self.state.velocity = self.motion.desired;
    }

    /// Sets the velocity at the end of a slide to that along the surface there.
    pub fn turn_along_last_surface(&mut self) {
        let SlideBuffers {
            obstacles, planes, ..
        } = &mut *self.buffers;
        self.state.velocity =
            planes.end_velocity(self.blockers, &self.motion, &self.state, obstacles);
    }

    /// Records a hit. If the mover slides, collects the contact planes. `distance` is that of
    /// the sweep before it, in world units.
    pub fn collect(&mut self, hit: &SweepHit, distance: f32) {
        self.record(hit);
        let SlideBuffers {
            obstacles, planes, ..
        } = &mut *self.buffers;
        let (motion, position) = (&self.motion, self.state.position);
        planes.collect(self.blockers, motion, position, hit, distance, obstacles);
    }

    /// The displacement of a wall that pushes, in this update, where the mover hits it, in world
    /// units.
    pub fn surface_displacement(&self, hit: &SweepHit) -> Vec2 {
        let obstacle = &self.buffers.obstacles.all[hit.obstacle];
        if !obstacle.motion.is_any() {
            return Vec2::ZERO;
        }
        let mover = self.motion.shape.translated(self.state.position);
        obstacle
            .motion
            .delta_at(separation(&mover, &obstacle.shape).point_b)
    }

    /// Records a hit.
    pub fn record(&mut self, hit: &SweepHit) {
        let (index, obstacles) = (self.blockers.index, &self.buffers.obstacles);
        let hits = &mut self.trajectory.hits;
        record_hit(hits, hit, index, obstacles, &self.motion, &self.state);
    }

    /// Whether to iterate further after `stalled` iterations without progress.
    pub fn may_continue(&self, stalled: usize) -> bool {
        let most = match self.motion.response {
            MoverResponse::Bounce => MAX_BOUNCES,
            _ => MAX_STALLED_SLIDES,
        };
        stalled < most && self.state.remaining_displacement(&self.motion) != Vec2::ZERO
    }

    /// Whether an iteration over this distance (world units) made progress, and did not stall.
    pub fn makes_progress(&self, distance: f32) -> bool {
        self.motion.response == MoverResponse::Slide && distance > self.motion.skin
    }
}
