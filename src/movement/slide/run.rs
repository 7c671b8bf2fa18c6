//! The loop of a move among obstacles: from surface to surface.

use super::{
    planes::contact_end_fraction,
    progress::{Slide, SlideBuffers},
    sweep::{ContactPlane, SweepHit},
};
use crate::{
    aabb::grow,
    geometry::Shape,
    movement::{
        body::{Footing, Motion, MoveEnd, Trajectory},
        escape::{Depenetration, depenetrate, record_crushing_walls},
        obstacles::{MoverPose, NearObstacle, SlideState},
        slide::response::Response,
        tolerances::{PRESSING_COSINE, SLOP_SKINS},
    },
};

/// Moves a shape that has obstacles near its path. The buffers are cleared.
///
/// 1. Depenetrate the mover from the walls in which it starts.
/// 2. Sweep to the first obstacle.
/// 3. Advance until the skin touches it, or until a slide loses contact with its surface.
/// 4. Collect the contact planes: the new ones, and those of earlier hits if the mover has hardly
///    moved since. In a seam, keep only the open one.
/// 5. Respond. Repeat from 2 with the rest of the displacement.
pub(crate) fn run(mut slide: Slide, response: &mut dyn Response) -> MoveEnd {
    let SlideBuffers {
        obstacles,
        intervals,
        ..
    } = &mut *slide.buffers;
    // 1.
    let start = match depenetrate(slide.blockers, &slide.motion, obstacles, intervals) {
        Depenetration::Free(start) => start,
        Depenetration::Crushed(site) => {
            let (hits, index) = (&mut slide.trajectory.hits, slide.blockers.index);
            record_crushing_walls(hits, index, &slide.motion, obstacles);
            return MoveEnd::crushed(Some(site));
        }
    };
    slide.state.position = start;
    slide.trajectory.push(0.0, start);
    response.begin(&mut slide);
    respond_where_pressing(&mut slide, response);
    let mut stalled = 0;
    while slide.may_continue(stalled) {
        let before = slide.state.position;
        if advance(&mut slide, response) {
            break;
        }
        (slide.trajectory).push(slide.state.fraction(), slide.state.position);
        let distance = slide.state.position.distance(before);
        stalled = if slide.makes_progress(distance) {
            0
        } else {
            stalled + 1
        };
    }
    let footing = response.end(&mut slide);
    MoveEnd {
        footing,
        ..end_move(&slide.motion, &slide.state, slide.trajectory)
    }
}

/// Does one iteration. Returns whether the move is complete.
fn advance(slide: &mut Slide, response: &mut dyn Response) -> bool {
    let pose = slide.pose();
    // 2.
    let ahead = slide.sweep_ahead(&pose);
    let SlideBuffers {
        obstacles,
        planes,
        intervals,
        ..
    } = &mut *slide.buffers;
    // 3.
    let free = ahead.free_sweep();
    let contact_end = contact_end_fraction(&free, &planes.held, obstacles, intervals);
    (slide.state).advance(ahead.fraction * contact_end, &slide.motion);
    match ahead.hit {
        _ if contact_end < 1.0 => response.lose_contact(slide),
        None => return ahead.fraction >= 1.0,
        Some(hit) => {
            // 4.
            slide.collect(&hit, ahead.free_distance());
            // 5.
            response.respond(slide, &hit);
        }
    }
    false
}

/// Lets a mover that is too slow for a sweep respond to what it touches and presses against.
fn respond_where_pressing(slide: &mut Slide, response: &dyn Response) {
    let pose = slide.pose();
    if !is_too_slow_to_sweep(&slide.motion, &pose) {
        return;
    }
    let around = grow(&pose.shape.aabb(), slide.motion.skin + pose.slop);
    let obstacles = &mut slide.buffers.obstacles;
    obstacles.select_near(slide.blockers, &pose, &around);
    let motion = slide.motion;
    let pressed = (obstacles.near()).filter(|near| presses_against(&motion, &pose, near));
    let mut hits = std::mem::take(&mut slide.buffers.hits);
    hits.clear();
    hits.extend(pressed.map(|near| SweepHit::at_rest(&near)));
    hits.sort_unstable_by(|p, q| p.order(q, &slide.buffers.obstacles));
    for hit in &hits {
        slide.record(hit);
        let plane = ContactPlane::of(hit, &slide.buffers.obstacles);
        slide.buffers.planes.held.push(plane);
        slide.state.velocity = response.velocity_after(slide, hit);
    }
    slide.buffers.hits = hits;
}

/// Whether a mover moves by so little that a sweep cannot distinguish it from rounding, as happens
/// far from the origin.
fn is_too_slow_to_sweep(motion: &Motion, pose: &MoverPose) -> bool {
    let length = motion.desired.per_update.length();
    length > SLOP_SKINS * motion.skin && PRESSING_COSINE * length <= pose.slop
}

/// Whether a mover touches an obstacle, presses against it, and is blocked by it.
fn presses_against(motion: &Motion, pose: &MoverPose, near: &NearObstacle) -> bool {
    let NearObstacle {
        obstacle, surface, ..
    } = near;
    let desired = motion.desired.per_update;
    let inward = -desired.dot(surface.normal);
    // Where a flush edge begins or ends, the normal at its vertex is rounding.
    let is_vertex = !surface.is_edge && !matches!(obstacle.shape, Shape::Circle { .. });
    inward >= PRESSING_COSINE * desired.length()
        && !is_vertex
        && surface.distance <= motion.skin + pose.slop
        && obstacle.blocks(surface.normal, desired)
}

/// Ends a path where the mover is.
pub(crate) fn end_move(
    motion: &Motion,
    state: &SlideState,
    trajectory: &mut Trajectory,
) -> MoveEnd {
    trajectory.push(motion.max_fraction, state.position);
    MoveEnd {
        displacement: state.position,
        velocity: state.velocity.per_second,
        is_crushed: false,
        crush_site: None,
        footing: Footing::NONE,
    }
}
