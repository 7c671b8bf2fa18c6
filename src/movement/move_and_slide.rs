//! Moving a shape among the obstacles that block it.

use bevy::math::Vec2;

use super::{
    depenetrate::{Depenetration, depenetrate, record_crushing_walls},
    hits::record_hit,
    lookahead::swept_box,
    motion::{Motion, MoveEnd, SlideState, Trajectory},
    obstacles::{Blockers, Obstacles},
    planes::contact_end_fraction,
    respond::{is_too_slow_to_sweep, presses_against, respond},
    slide::{Slide, SlideBuffers},
    sweep::{ContactPlane, SweepHit, sweep_ahead},
    tolerances::SEARCH_MARGIN_SKINS,
    walk_rules::Footing,
};
use crate::{aabb::grow, components::MoverResponse, index::ColliderEntry};

/// Moves a shape by its desired displacement among the colliders that block it, and writes its path
/// and its hits to `trajectory`.
pub(crate) fn move_and_slide(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    buffers: &mut SlideBuffers,
    trajectory: &mut Trajectory,
) -> MoveEnd {
    trajectory.clear();
    buffers.clear();
    let mut state = SlideState::at_start(motion);
    let is_free = motion.response == MoverResponse::Pass
        || is_path_clear(blockers, motion, &state, &mut buffers.obstacles);
    if is_free {
        trajectory.push(0.0, state.position);
        state.advance(1.0, motion);
        return end_move(motion, &state, trajectory);
    }
    Slide::new(blockers, motion, state, buffers, trajectory).run()
}

impl<B: Fn(&ColliderEntry) -> bool> Slide<'_, B> {
    /// Moves a shape that has obstacles near its path. The buffers are cleared.
    fn run(mut self) -> MoveEnd {
        // 1. Depenetrate: leave the walls in which the mover starts.
        // 2. Sweep to the first obstacle.
        // 3. Advance until the skin touches it. A slide whose surface curves away or ends advances
        //    only that far, and turns back to the desired velocity; a walker follows the floor.
        // 4. Collect the contact planes: the new ones, and those of earlier hits if the mover has
        //    hardly moved since; of planes that meet in a seam only the open one.
        // 5. Respond: walk or slide along the planes, stop, bounce, or pass. Repeat from 2 with the
        //    rest.
        let SlideBuffers {
            obstacles,
            intervals,
            ..
        } = &mut *self.buffers;
        let start = match depenetrate(self.blockers, &self.motion, obstacles, intervals) {
            Depenetration::Free(start) => start,
            Depenetration::Crushed(site) => {
                let index = self.blockers.index;
                record_crushing_walls(self.trajectory, index, &self.motion, obstacles);
                return MoveEnd::crushed(site);
            }
        };
        self.state.position = start;
        self.trajectory.push(0.0, start);
        self.find_first_floor();
        self.respond_where_pressing();
        let mut stalled = 0;
        while stalled < self.motion.max_stalled_iterations()
            && self.state.remaining_displacement(&self.motion) != Vec2::ZERO
        {
            let before = self.state.position;
            if self.advance() {
                break;
            }
            (self.trajectory).push(self.state.fraction(), self.state.position);
            let gets_on = (self.motion).gets_on(self.state.position.distance(before));
            stalled = if gets_on { 0 } else { stalled + 1 };
        }
        self.end()
    }

    /// One iteration. Returns whether the move is complete.
    fn advance(&mut self) -> bool {
        let pose = self.pose();
        let SlideBuffers {
            obstacles,
            planes,
            hits,
            intervals,
        } = &mut *self.buffers;
        let ahead = sweep_ahead(
            self.blockers,
            &self.motion,
            (&mut self.state, &pose),
            &planes.held,
            obstacles,
            (hits, &mut planes.simultaneous),
        );
        let slide = ahead.free_sweep();
        let contact_end = contact_end_fraction(&slide, &planes.held, obstacles, intervals);
        (self.state).advance(ahead.fraction * contact_end, &self.motion);
        match ahead.hit {
            _ if contact_end < 1.0 => self.lose_contact(),
            None => return ahead.fraction >= 1.0,
            Some(hit) => {
                let world = (self.blockers.index, &*obstacles);
                let hits = &mut self.trajectory.hits;
                record_hit(hits, &hit, world, &self.motion, &self.state);
                let hit_after = (&hit, ahead.free_distance());
                let position = self.state.position;
                planes.collect(self.blockers, &self.motion, position, hit_after, obstacles);
                self.respond(&hit);
            }
        }
        false
    }

    /// Turns back to the desired velocity where the surface ends along which the mover slid.
    fn lose_contact(&mut self) {
        if !self.follow_floor() {
            self.buffers.planes.held.clear();
            self.state.velocity = self.motion.desired;
        }
    }

    fn respond(&mut self, hit: &SweepHit) {
        if let Some(walk) = self.motion.walk {
            self.respond_walking(&walk);
        } else {
            let planes = &self.buffers.planes.held;
            let normal = hit.cast.normal;
            self.state.velocity = respond(&self.motion, self.state.velocity, normal, planes);
        }
    }

    /// Lets a mover that is too slow for a sweep respond to what it touches and presses against.
    fn respond_where_pressing(&mut self) {
        let pose = self.pose();
        if !is_too_slow_to_sweep(&self.motion, &pose) {
            return;
        }
        let SlideBuffers {
            obstacles,
            planes,
            hits,
            ..
        } = &mut *self.buffers;
        let around = grow(&pose.shape.aabb(), self.motion.skin + pose.slop);
        obstacles.select_near(self.blockers, &pose, &around);
        let motion = self.motion;
        let pressed = (obstacles.near()).filter(|near| presses_against(&motion, &pose, near));
        hits.clear();
        hits.extend(pressed.map(|near| SweepHit::at_rest(&near)));
        hits.sort_unstable_by(|p, q| p.order(q, obstacles));
        for hit in hits {
            let world = (self.blockers.index, &*obstacles);
            record_hit(&mut self.trajectory.hits, hit, world, &motion, &self.state);
            planes.held.push(ContactPlane::of(hit, obstacles));
            let normal = hit.cast.normal;
            self.state.velocity = respond(&motion, self.state.velocity, normal, &planes.held);
        }
    }

    /// Ends the move where the mover is.
    fn end(mut self) -> MoveEnd {
        let footing = self.end_walk();
        if footing.surfaces.floor.is_none() {
            let SlideBuffers {
                obstacles, planes, ..
            } = &mut *self.buffers;
            self.state.velocity =
                planes.end_velocity(self.blockers, &self.motion, &self.state, obstacles);
        }
        MoveEnd {
            footing,
            ..end_move(&self.motion, &self.state, self.trajectory)
        }
    }
}

/// Whether nothing is near the straight path of a mover, as for most. Searches the whole area that
/// the mover may reach, unless that is far, so that later searches find it cached. A walker that
/// stands follows the floor instead.
fn is_path_clear(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    state: &SlideState,
    obstacles: &mut Obstacles,
) -> bool {
    let displacement = motion.desired.per_update;
    let end = state.lookahead.end_of_window(displacement, 0.0);
    let straight = swept_box(motion.shape, displacement, [0.0, end]);
    let margin = SEARCH_MARGIN_SKINS * motion.skin;
    let descent = motion.walk.filter(|walk| walk.stood);
    let descent = descent.map(|walk| walk.max_descent());
    let area = grow(&motion.area(&straight), descent.unwrap_or(0.0));
    obstacles.search(blockers, &area, margin);
    let around = grow(&straight, 2.0 * margin);
    end == 1.0 && descent.is_none() && obstacles.overlapping(around).next().is_none()
}

/// Ends a path where the mover is.
fn end_move(motion: &Motion, state: &SlideState, trajectory: &mut Trajectory) -> MoveEnd {
    trajectory.push(motion.max_fraction, state.position);
    MoveEnd {
        displacement: state.position,
        velocity: state.velocity.per_second,
        is_crushed: false,
        crush_site: None,
        footing: Footing::NONE,
    }
}
