//! A move in progress: what it reads, how far it is, and its buffers.

use bevy::math::Vec2;

use super::{
    motion::{Motion, MoverPose, SlideState, Trajectory, Velocity},
    obstacles::{Blockers, Obstacles},
    planes::ContactPlanes,
    sweep::{ContactPlane, ShapeSweep, SweepHit},
};
use crate::{aabb::swept, index::ColliderEntry};

/// Buffers of a move, kept so that moves allocate nothing. Their contents mean nothing between
/// calls.
#[derive(Default)]
pub(crate) struct SlideBuffers {
    pub(super) obstacles: Obstacles,
    pub(super) planes: ContactPlanes,
    pub(super) hits: Vec<SweepHit>,
    pub(super) intervals: Vec<[f32; 2]>,
}

impl SlideBuffers {
    pub(super) fn clear(&mut self) {
        self.obstacles.clear();
        self.planes.clear();
    }
}

/// A move in progress among obstacles.
pub(super) struct Slide<'a, B> {
    pub blockers: &'a Blockers<'a, B>,
    /// What it wants. The desired velocity of a walker follows the floor.
    pub motion: Motion<'a>,
    pub state: SlideState,
    pub buffers: &'a mut SlideBuffers,
    pub trajectory: &'a mut Trajectory,
    /// How it moves if it is a walker.
    pub gait: Gait,
}

/// Whether a walker stands or is in the air.
#[derive(Clone, Copy)]
pub(super) struct Gait {
    /// Its desired velocity in the air.
    pub air_velocity: Velocity,
    pub is_standing: bool,
    /// The speed at which it landed, in world units per second.
    pub landing_speed: f32,
}

/// Where a short cast hits.
pub(super) struct CastPlane {
    pub fraction: f32,
    pub plane: ContactPlane,
}

impl<'a, B: Fn(&ColliderEntry) -> bool> Slide<'a, B> {
    pub fn new(
        blockers: &'a Blockers<'a, B>,
        motion: &Motion<'a>,
        state: SlideState,
        buffers: &'a mut SlideBuffers,
        trajectory: &'a mut Trajectory,
    ) -> Self {
        Self {
            blockers,
            motion: *motion,
            state,
            buffers,
            trajectory,
            gait: Gait {
                air_velocity: motion.desired,
                is_standing: false,
                landing_speed: 0.0,
            },
        }
    }

    /// The shape where it is now.
    pub fn pose(&self) -> MoverPose {
        MoverPose::new(&self.motion, self.state.position)
    }

    /// Sweeps the shape from a position along a short displacement. Of surfaces that it hits at
    /// once, returns one for which `is_preferred` holds.
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
        let displacements = [displacement, displacement];
        let sweep = ShapeSweep::new(&self.motion, &pose, displacements, None, obstacles);
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
}
