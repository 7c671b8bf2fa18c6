//! Moving a shape among the obstacles that block it.

use bevy::math::Vec2;

use super::{
    depenetrate::{Depenetration, depenetrate, record_crushing_walls},
    hits::record_hit,
    lookahead::swept_box,
    motion::{Motion, MoveEnd, MoverPose, SlideState, Trajectory},
    obstacles::{Blockers, Obstacles},
    planes::{ContactPlanes, contact_end_fraction},
    respond::{is_too_slow_to_sweep, presses_against, respond},
    sweep::{ContactPlane, SweepHit, sweep_ahead},
    tolerances::SEARCH_MARGIN_SKINS,
};
use crate::{aabb::grow, components::MoverResponse, index::ColliderEntry};

/// Buffers of [`move_and_slide`], kept so that moves allocate nothing. Their contents mean nothing
/// between calls.
#[derive(Default)]
pub(crate) struct SlideBuffers {
    obstacles: Obstacles,
    planes: ContactPlanes,
    hits: Vec<SweepHit>,
    intervals: Vec<[f32; 2]>,
}

impl SlideBuffers {
    fn clear(&mut self) {
        self.obstacles.clear();
        self.planes.clear();
    }
}

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
    move_among_obstacles(blockers, motion, state, buffers, trajectory)
}

/// Moves a shape that has obstacles near its path. The buffers are cleared.
fn move_among_obstacles(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    mut state: SlideState,
    buffers: &mut SlideBuffers,
    trajectory: &mut Trajectory,
) -> MoveEnd {
    let SlideBuffers {
        obstacles,
        planes,
        hits,
        intervals,
    } = buffers;
    // 1. Depenetrate: leave the walls in which the mover starts.
    // 2. Sweep to the first obstacle.
    // 3. Advance until the skin touches it. A slide whose surface curves away or ends advances only
    //    that far, and turns back to the desired velocity.
    // 4. Collect the contact planes: the new ones, and those of earlier hits if the mover has
    //    hardly moved since; of planes that meet in a seam only the open one.
    // 5. Respond: slide along the planes, stop, bounce, or pass. Repeat from 2 with the rest.
    let Depenetration::Free(start) = depenetrate(blockers, motion, obstacles, intervals) else {
        record_crushing_walls(trajectory, blockers.index, motion, obstacles);
        return MoveEnd::CRUSHED;
    };
    state.position = start;
    trajectory.push(0.0, start);
    respond_where_pressing(blockers, motion, &mut state, obstacles, planes, trajectory);
    let mut stalled = 0;
    while stalled < motion.max_stalled_iterations()
        && state.remaining_displacement(motion) != Vec2::ZERO
    {
        let pose = MoverPose::new(motion, state.position);
        let mover = (&mut state, &pose);
        let ahead = sweep_ahead(
            blockers,
            motion,
            mover,
            &planes.held,
            obstacles,
            (hits, &mut planes.simultaneous),
        );
        let slide = ahead.free_sweep();
        let contact_end = contact_end_fraction(&slide, &planes.held, obstacles, intervals);
        state.advance(ahead.fraction * contact_end, motion);
        match ahead.hit {
            _ if contact_end < 1.0 => {
                planes.held.clear();
                state.velocity = motion.desired;
            }
            None if ahead.fraction >= 1.0 => break,
            None => (),
            Some(hit) => {
                let world = (blockers.index, &*obstacles);
                record_hit(&mut trajectory.hits, &hit, world, motion, &state);
                let hit_after = (&hit, ahead.free_distance());
                planes.collect(blockers, motion, state.position, hit_after, obstacles);
                state.velocity = respond(motion, state.velocity, hit.cast.normal, &planes.held);
            }
        }
        trajectory.push(state.fraction(), state.position);
        let gets_on = motion.gets_on(state.position.distance(pose.position));
        stalled = if gets_on { 0 } else { stalled + 1 };
    }
    state.velocity = planes.end_velocity(blockers, motion, &state, obstacles);
    end_move(motion, &state, trajectory)
}

/// Whether nothing is near the straight path of a mover, as for most. Searches the whole area that
/// the mover may reach, unless that is far, so that later searches find it cached.
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
    obstacles.search(blockers, &motion.area(&straight), margin);
    let around = grow(&straight, 2.0 * margin);
    end == 1.0 && obstacles.overlapping(around).next().is_none()
}

/// Lets a mover that is too slow for a sweep respond to what it touches and presses against.
fn respond_where_pressing(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    state: &mut SlideState,
    obstacles: &mut Obstacles,
    planes: &mut ContactPlanes,
    trajectory: &mut Trajectory,
) {
    let pose = MoverPose::new(motion, state.position);
    if !is_too_slow_to_sweep(motion, &pose) {
        return;
    }
    let around = grow(&pose.shape.aabb(), motion.skin + pose.slop);
    obstacles.select_near(blockers, &pose, &around);
    let pressed = (obstacles.near()).filter(|near| presses_against(motion, &pose, near));
    for near in pressed {
        let hit = SweepHit::at_rest(&near);
        let world = (blockers.index, &*obstacles);
        record_hit(&mut trajectory.hits, &hit, world, motion, state);
        planes.held.push(ContactPlane::of(&hit, obstacles));
        state.velocity = respond(motion, state.velocity, hit.cast.normal, &planes.held);
    }
}

/// Ends a path where the mover is.
fn end_move(motion: &Motion, state: &SlideState, trajectory: &mut Trajectory) -> MoveEnd {
    trajectory.push(motion.max_fraction, state.position);
    MoveEnd {
        displacement: state.position,
        velocity: state.velocity.per_second,
        is_crushed: false,
    }
}
