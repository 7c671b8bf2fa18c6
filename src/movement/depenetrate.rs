//! Depenetration: how a mover is moved out of the walls that it starts in.
//!
//! Not the search of `geometry/penetration.rs`, which separates two whole shapes: there are many
//! walls, some of them one-way, each a skin away. Its trees serve many pieces, of which there are
//! few around a mover; without them it would take 5 to 180 times as long (docs/measurements.md).

use std::f32::consts::TAU;

use bevy::math::Vec2;
use smallvec::SmallVec;

use super::{
    crowd::size_of,
    motion::{CrushSite, Crusher, Motion, Trajectory},
    obstacles::{Blockers, Obstacle, Obstacles},
    one_way,
    sweep::{covered_until, near_interval, near_interval_from},
    tolerances::{
        DEPENETRATION_DETOUR, DEPENETRATION_DIRECTIONS, MAX_DEPENETRATION_STEPS,
        MAX_MARGIN_DOUBLINGS, MAX_SIDED_DEPTH_SIZES, MIN_SKIN_FRACTION, SIDE_SLOP,
    },
};
use crate::{
    aabb::{grow, swept},
    events::BlockingHit,
    geometry::{Shape, TOUCHING_SLOP, penetration_within, separation, touching_slop, unit_vector},
    index::{ColliderEntry, ColliderIndex},
};

/// Where a mover may begin its motion.
pub(super) enum Depenetration {
    /// At this offset from where it is, in world units.
    Free(Vec2),
    /// Nowhere: it is in walls that it cannot leave.
    Crushed(Option<CrushSite>),
}

/// A wall that a mover overlaps.
struct StartWall {
    slot: u32,
    /// The outward normal of the side on which the mover may leave it; `None` if it may on any.
    side: Option<Vec2>,
}

/// How near a mover is to a wall.
#[derive(Clone, Copy)]
struct Penetration {
    /// The distance to the wall, negative inside.
    distance: f32,
    /// Out of the wall, unit length.
    normal: Vec2,
}

impl Penetration {
    /// The penetration of the skin, in world units.
    fn of_skin(&self, motion: &Motion) -> f32 {
        motion.skin - self.distance
    }

    fn is_too_near(&self, motion: &Motion) -> bool {
        self.distance < MIN_SKIN_FRACTION * motion.skin
    }
}

/// Where an iterative depenetration ended.
struct Iterated {
    offset: Vec2,
    /// How far from the start it came, in world units.
    farthest: f32,
    /// The penetration at the end.
    end: Option<Penetration>,
}

/// Moves the mover out of the walls that it starts in: out of a single one by the shortest
/// displacement; out of several iteratively, deepest first, or straight by the shortest of many
/// directions. `intervals` is a buffer.
pub(super) fn depenetrate(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    obstacles: &mut Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> Depenetration {
    let is_same = |site: &CrushSite| site.is_unchanged(blockers, motion, obstacles);
    if let Some(site) = motion.crush_site.filter(is_same) {
        return Depenetration::Crushed(Some(site));
    }
    if starts_clear(blockers, motion, obstacles) {
        return Depenetration::Free(Vec2::ZERO);
    }
    let is_too_near = |penetration: &Penetration| penetration.is_too_near(motion);
    let deepest = deepest(blockers, motion, Vec2::ZERO, obstacles);
    let Some(start) = deepest.filter(is_too_near) else {
        return Depenetration::Free(Vec2::ZERO);
    };
    let start = widen_search(blockers, motion, start, obstacles);
    let Iterated {
        offset,
        farthest,
        end,
    } = resolve_iteratively(blockers, motion, start, obstacles);
    let shortest = DEPENETRATION_DETOUR * start.of_skin(motion);
    obstacles.search(blockers, &swept(&motion.shape.aabb(), offset), motion.skin);
    let start_walls = walls_at(motion, obstacles);
    let is_open = crosses_no_wall(motion, offset, &start_walls, obstacles, intervals);
    if is_open && !end.as_ref().is_some_and(is_too_near) && offset.length() <= shortest {
        return Depenetration::Free(offset);
    }
    let slop = TOUCHING_SLOP * motion.shape.largest_coordinate();
    let overlaps = |penetration: &Penetration| penetration.distance < -slop;
    if !overlaps(&start) {
        let is_better = end.is_none_or(|end| end.distance > start.distance);
        return Depenetration::Free(if is_better { offset } else { Vec2::ZERO });
    }
    let max_distance = max_straight_distance(motion, &start);
    let straight = resolve_straight(
        blockers,
        motion,
        start.normal,
        max_distance,
        obstacles,
        intervals,
    );
    let is_out = is_open && !end.as_ref().is_some_and(overlaps);
    match straight {
        Some(straight) if !is_out || straight.length() < offset.length() => {
            Depenetration::Free(straight)
        }
        _ if is_out => Depenetration::Free(offset),
        _ => {
            let distance = farthest.max(max_distance) + motion.skin;
            Depenetration::Crushed(CrushSite::around(blockers, motion, distance, obstacles))
        }
    }
}

/// Whether no wall is too near at the start, nor may have come past the mover. The first sweep
/// shares the surface points.
fn starts_clear(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    obstacles: &mut Obstacles,
) -> bool {
    let aabb = motion.shape.aabb();
    obstacles.search(blockers, &aabb, motion.skin);
    let mut near = obstacles.overlapping_with_surfaces(grow(&aabb, motion.skin), motion.shape);
    near.all(|(obstacle, surface)| {
        let may_be_past = (obstacle.one_way.as_ref())
            .is_some_and(|one_way| motion.delta_of(&one_way.wall) != Vec2::ZERO);
        let is_clear = surface.distance >= MIN_SKIN_FRACTION * motion.skin && !may_be_past;
        !obstacle.is_wall || is_clear
    })
}

/// Widens the search as long as the mover is deeper in a piece of a wall than the margin: pieces of
/// grids end near the border of the searched area. Returns the deepest penetration.
fn widen_search(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    start: Penetration,
    obstacles: &mut Obstacles,
) -> Penetration {
    let aabb = motion.shape.aabb();
    let (mut start, mut margin) = (start, motion.skin);
    for _ in 0..MAX_MARGIN_DOUBLINGS {
        let is_in_piece = (obstacles.overlapping(aabb)).any(|wall| wall.is_wall && wall.is_piece);
        if !is_in_piece || -start.distance <= margin {
            break;
        }
        margin = -2.0 * start.distance;
        obstacles.search(blockers, &aabb, margin);
        start = deepest(blockers, motion, Vec2::ZERO, obstacles).unwrap_or(start);
    }
    start
}

/// Moves out of one wall after another by the shortest displacement, deepest first (Gauss-Seidel).
/// Where that does not converge, because there is no room for the skin on all sides, takes half of
/// each displacement, which ends in the middle.
fn resolve_iteratively(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    start: Penetration,
    obstacles: &mut Obstacles,
) -> Iterated {
    let (mut offset, mut farthest) = (Vec2::ZERO, 0.0f32);
    let mut penetration = Some(start);
    for step in 0..2 * MAX_DEPENETRATION_STEPS {
        let Some(wall) = penetration.filter(|wall| wall.is_too_near(motion)) else {
            break;
        };
        let fraction = if step < MAX_DEPENETRATION_STEPS {
            1.0
        } else {
            0.5
        };
        offset += wall.normal * wall.of_skin(motion) * fraction;
        farthest = farthest.max(offset.length());
        penetration = deepest(blockers, motion, offset, obstacles);
    }
    Iterated {
        offset,
        farthest,
        end: penetration,
    }
}

/// The penetration of the wall that the mover is deepest in, or nearest to within its skin.
fn deepest(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    offset: Vec2,
    obstacles: &mut Obstacles,
) -> Option<Penetration> {
    let shape = motion.shape.translated(offset);
    let aabb = shape.aabb();
    obstacles.search(blockers, &aabb, motion.skin);
    (obstacles.overlapping(grow(&aabb, motion.skin)))
        .filter(|wall| wall.is_wall)
        .filter_map(|wall| penetration(motion, &shape, wall))
        .min_by(|p, q| {
            (p.distance.total_cmp(&q.distance))
                .then(p.normal.x.total_cmp(&q.normal.x))
                .then(p.normal.y.total_cmp(&q.normal.y))
        })
}

/// The size of the mover and twice its depth together.
fn max_straight_distance(motion: &Motion, start: &Penetration) -> f32 {
    let aabb = motion.shape.aabb();
    (aabb.max - aabb.min).max_element() - 2.0 * start.distance + motion.skin
}

/// The shortest straight displacement out of all walls, or `None` if all lead through a wall or are
/// longer than `max_distance`. The directions are multiples of an angle from `normal`.
fn resolve_straight(
    blockers: &Blockers<impl Fn(&ColliderEntry) -> bool>,
    motion: &Motion,
    normal: Vec2,
    max_distance: f32,
    obstacles: &mut Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> Option<Vec2> {
    obstacles.search(blockers, &motion.shape.aabb(), max_distance + motion.skin);
    let mut found: SmallVec<[(f32, Vec2); DEPENETRATION_DIRECTIONS]> = (0
        ..DEPENETRATION_DIRECTIONS)
        .filter_map(|number| {
            let angle = TAU * number as f32 / DEPENETRATION_DIRECTIONS as f32;
            let direction = unit_vector(angle).rotate(normal);
            let fraction = free_fraction(motion, direction * max_distance, obstacles, intervals);
            (fraction < 1.0).then_some((fraction, direction * (max_distance * fraction)))
        })
        .collect();
    found.sort_by(|p, q| p.0.total_cmp(&q.0));
    let start_walls = walls_at(motion, obstacles);
    (found.into_iter().map(|(_, displacement)| displacement)).find(|&displacement| {
        crosses_no_wall(motion, displacement, &start_walls, obstacles, intervals)
    })
}

/// The fraction of a displacement at which the mover is first out of all walls, or at least 1.
/// `intervals` is a buffer.
fn free_fraction(
    motion: &Motion,
    displacement: Vec2,
    obstacles: &mut Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> f32 {
    // Rounding loses none of those within a skin width.
    let aabb = grow(&motion.shape.aabb(), 2.0 * motion.skin);
    let in_path = obstacles.overlapping_with_surfaces(swept(&aabb, displacement), motion.shape);
    let walls = in_path.filter(|(wall, _)| wall.is_wall && is_barrier(motion, wall));
    intervals.clear();
    intervals.extend(walls.filter_map(|(wall, surface)| {
        near_interval_from(
            &surface,
            motion.shape,
            displacement,
            &wall.shape,
            motion.skin,
        )
    }));
    covered_until(intervals)
}

/// Whether the center of the mover gets through no wall on its path, except out of those that it
/// starts in, on the side on which it is: what presses a mover against a wall does not press it
/// through, even where the two walls touch. `intervals` is a buffer.
fn crosses_no_wall(
    motion: &Motion,
    displacement: Vec2,
    start_walls: &[StartWall],
    obstacles: &Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> bool {
    let center = Shape::circle(motion.shape.center(), 0.0);
    intervals.clear();
    for wall in obstacles.walls() {
        let Some(interval) = near_interval(&center, displacement, &wall.shape, 0.0) else {
            continue;
        };
        let mut starts = start_walls.iter();
        if let Some(start) = starts.find(|start| start.slot == wall.slot) {
            let is_against =
                |side: Vec2| displacement.dot(side) < -SIDE_SLOP * displacement.length();
            if start.side.is_some_and(is_against) {
                return false;
            }
            intervals.push(interval);
        } else if is_barrier(motion, wall) {
            return false;
        }
    }
    let left = covered_until(intervals);
    intervals.iter().all(|&[_, end]| end <= left)
}

/// Whether a depenetration may not lead through a wall: a one-way wall only if it rests, and blocks
/// the mover from where that starts.
fn is_barrier(motion: &Motion, wall: &Obstacle) -> bool {
    wall.one_way.as_ref().is_none_or(|one_way| {
        motion.delta_of(&one_way.wall) == Vec2::ZERO
            && one_way::blocks_from(one_way, &wall.shape, &motion.start())
    })
}

/// The walls that a mover overlaps, in no order.
fn walls_at(motion: &Motion, obstacles: &Obstacles) -> SmallVec<[StartWall; 8]> {
    let near = obstacles.overlapping(motion.shape.aabb());
    near.filter(|wall| wall.is_wall && wall.one_way.is_none())
        .filter_map(|wall| {
            let slop = touching_slop(motion.shape, &wall.shape);
            let (depth, inward) = penetration_within(motion.shape, &wall.shape, -slop)?;
            let shallow = MAX_SIDED_DEPTH_SIZES * size_of(motion.shape).min(size_of(&wall.shape));
            let side = Crusher::side_of(motion.crushers, wall.order.entity);
            let is_known = depth < shallow && !wall.is_piece;
            Some(StartWall {
                slot: wall.slot,
                side: side.or(is_known.then_some(-inward)),
            })
        })
        .collect()
}

/// The penetration of a wall by a shape, or `None` if they are further apart than the skin or the
/// wall does not push the shape.
fn penetration(motion: &Motion, shape: &Shape, wall: &Obstacle) -> Option<Penetration> {
    // What is displaced by other walls does not come through a one-way wall.
    let is_displaced = shape.center() != motion.shape.center();
    let passable = (wall.one_way.as_ref()).filter(|_| !(is_displaced && is_barrier(motion, wall)));
    if let Some(one_way) = passable {
        let exit = one_way::exit_distance(one_way, &wall.shape, motion, shape)?;
        return Some(Penetration {
            distance: motion.skin - exit,
            normal: one_way.wall.direction,
        });
    }
    let (depth, inward) = penetration_within(shape, &wall.shape, motion.skin)?;
    Some(Penetration {
        distance: motion.skin - depth,
        normal: -inward,
    })
}

/// Records the walls that crush a mover: those that moved, then the others, each by entity.
pub(super) fn record_crushing_walls(
    trajectory: &mut Trajectory,
    index: &ColliderIndex,
    motion: &Motion,
    obstacles: &Obstacles,
) {
    let hits = &mut trajectory.hits;
    let near = obstacles.overlapping(motion.shape.aabb());
    for wall in near.filter(|wall| wall.is_wall) {
        let separation = separation(motion.shape, &wall.shape);
        if separation.distance < 0.0 {
            let known = Crusher::side_of(motion.crushers, wall.order.entity);
            let (point, normal) = (separation.point_b, known.unwrap_or(-separation.normal));
            hits.push(BlockingHit::at(
                index,
                (wall.order.entity, wall.slot),
                point,
                normal,
            ));
        }
    }
    // Of the pieces of a wall, the same one is always kept.
    hits.sort_unstable_by(|p, q| {
        (p.blocker.cmp(&q.blocker))
            .then(p.point.x.total_cmp(&q.point.x))
            .then(p.point.y.total_cmp(&q.point.y))
    });
    hits.dedup_by_key(|hit| hit.blocker);
    hits.sort_by_key(|hit| {
        let mut orders = (obstacles.walls()).map(|wall| (wall.delta == Vec2::ZERO, wall.order));
        orders.find(|(_, order)| order.entity == hit.blocker)
    });
}
