//! Moving a shape among the colliders that block it.

use super::{
    body::{Motion, MoveEnd, Trajectory},
    obstacles::{Blockers, Obstacles, SlideState, swept_box},
    slide::{Bounce, Slide, SlideAlong, SlideBuffers, Stop, end_move, run},
    tolerances::SEARCH_MARGIN_SKINS,
    walk::Walking,
};
use crate::{aabb::grow, components::MoverResponse};

/// Moves a shape by its desired displacement among the colliders that block it, and writes its path
/// and its hits to `trajectory`.
pub(crate) fn move_and_slide(
    blockers: &Blockers,
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
    let slide = Slide {
        blockers,
        motion: *motion,
        state,
        buffers,
        trajectory,
    };
    match (motion.response, motion.walk) {
        (MoverResponse::Stop, _) => run(slide, &mut Stop),
        (MoverResponse::Bounce, _) => run(slide, &mut Bounce),
        (_, Some(walk)) => run(slide, &mut Walking::new(walk, motion)),
        (_, None) => run(slide, &mut SlideAlong),
    }
}

/// Whether nothing is near the straight path of a mover, as is usual. False for a standing walker,
/// which follows the floor, and for a mover in a one-way wall. Searches the whole area that the
/// mover may reach, unless that is far, so that later searches find it cached.
fn is_path_clear(
    blockers: &Blockers,
    motion: &Motion,
    state: &SlideState,
    obstacles: &mut Obstacles,
) -> bool {
    let displacement = motion.desired.per_update;
    let end = state.lookahead.end_of_window(displacement, 0.0);
    let straight = swept_box(motion.shape, displacement, [0.0, end]);
    let margin = SEARCH_MARGIN_SKINS * motion.skin;
    let descent = motion.walk.filter(|walk| walk.stood);
    let descent = descent.map(|walk| walk.rules.max_descent());
    let area = grow(&motion.area(&straight), descent.unwrap_or(0.0));
    obstacles.search(blockers, &area, margin);
    let around = grow(&straight, 2.0 * margin);
    let is_empty = obstacles.passed.is_empty() && obstacles.overlapping(around).next().is_none();
    end == 1.0 && descent.is_none() && is_empty
}
