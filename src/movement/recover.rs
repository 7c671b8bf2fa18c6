//! How a mover leaves the walls that it starts in.

use std::f32::consts::TAU;

use bevy::math::Vec2;

use super::{
    one_way,
    spans::{first_gap, span_near},
    surroundings::Blocker,
    trace::{Motion, Tracer},
};
use crate::{
    aabb::grow,
    events::BlockingHit,
    geometry::{Shape, TOUCHING_SLOP, penetration_within, separation},
    index::{ColliderEntry, ColliderIndex},
};

/// How many steps a mover may take to leave the walls that it starts in, one after another.
const MAX_STEPS: usize = 8;
/// A mover that is nearer to a wall than this part of its skin is moved away from it.
pub(super) const RECOVER_BELOW: f32 = 0.9;
/// A way out of several walls that is longer than this multiple of what the deepest one asks for is compared with others.
const DETOUR: f32 = 1.2;
/// How often it is doubled how far around parts of walls are seen.
const MAX_DOUBLINGS: usize = 32;
/// In how many directions a way out is looked for.
const DIRECTIONS: usize = 64;

/// How a mover may begin its way.
pub(super) enum Start {
    /// From here, relative to where it is.
    Free(Vec2),
    /// It is in walls that it cannot leave.
    Crushed,
}

/// How near a mover is to a wall.
#[derive(Clone, Copy)]
struct Nearness {
    /// Negative inside.
    distance: f32,
    /// Away from the wall, unit length.
    away: Vec2,
}

impl Tracer {
    /// Leaves the walls in which the mover starts: a single one by the shortest way; several one after another, deepest first, or
    /// straight by the shortest of many directions.
    pub(super) fn recover(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Start {
        if self.starts_clear(index, motion, blocks) {
            return Start::Free(Vec2::ZERO);
        }
        let is_too_near = |near: &Nearness| near.distance < RECOVER_BELOW * motion.skin;
        let nearest = self.nearest(index, motion, Vec2::ZERO, blocks);
        let Some(start) = nearest.filter(is_too_near) else {
            return Start::Free(Vec2::ZERO);
        };
        let start = self.see_whole_parts(index, motion, start, blocks);
        let (stepped, end) = self.step_out(index, motion, start, blocks);
        let asked_for = motion.skin - start.distance;
        let is_free = !end.as_ref().is_some_and(is_too_near);
        if is_free && stepped.length() <= DETOUR * asked_for {
            return Start::Free(stepped);
        }
        let rounding = TOUCHING_SLOP * motion.shape.largest_coordinate();
        let overlaps = |near: &Nearness| near.distance < -rounding;
        if !overlaps(&start) {
            let is_better = end.is_none_or(|end| end.distance > start.distance);
            return Start::Free(if is_better { stepped } else { Vec2::ZERO });
        }
        let straight = self.shortest_exit(index, motion, start, blocks);
        let is_out = !end.as_ref().is_some_and(overlaps);
        match straight {
            Some(exit) if !is_out || exit.length() < stepped.length() => Start::Free(exit),
            _ if is_out => Start::Free(stepped),
            _ => Start::Crushed,
        }
    }

    /// Whether no wall is too near at the start, nor may have come past it. The gaps are kept for the first leg.
    fn starts_clear(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> bool {
        let Self {
            surroundings, near, ..
        } = self;
        let aabb = motion.shape.aabb();
        surroundings.search(index, &aabb, motion.skin, blocks);
        near.clear();
        near.extend(surroundings.measured(grow(&aabb, motion.skin), (motion.shape, Vec2::ZERO)));
        near.iter().all(|(number, gap)| {
            let blocker = &surroundings.blockers[*number];
            let is_past = (blocker.one_way).is_some_and(|wall| motion.step_of(&wall) != Vec2::ZERO);
            !blocker.is_wall || (gap.distance >= RECOVER_BELOW * motion.skin && !is_past)
        })
    }

    /// Looks further around, as long as a mover is deeper in a part of a wall than that is seen: parts of grids end where nobody looked.
    fn see_whole_parts(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        start: Nearness,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Nearness {
        let aabb = motion.shape.aabb();
        let (mut start, mut reach) = (start, motion.skin);
        for _ in 0..MAX_DOUBLINGS {
            let is_in_part =
                (self.surroundings.overlapping(aabb)).any(|(_, wall)| wall.is_wall && wall.is_part);
            if !is_in_part || -start.distance <= reach {
                break;
            }
            reach = -2.0 * start.distance;
            (self.surroundings).search(index, &aabb, reach, blocks);
            start = (self.nearest(index, motion, Vec2::ZERO, blocks)).unwrap_or(start);
        }
        start
    }

    /// Notes the walls in which a mover is stuck, in the order of entities.
    pub(super) fn add_crushing(&mut self, index: &ColliderIndex, motion: &Motion) {
        for wall in self.surroundings.walls() {
            let separation = separation(motion.shape, &wall.shape);
            if separation.distance < 0.0 {
                let (point, normal) = (separation.point_b, -separation.normal);
                let hit = BlockingHit::at(index, (wall.entity, wall.slot), point, normal);
                self.hits.push(hit);
            }
        }
        // Of several parts of a wall always the same one.
        self.hits.sort_unstable_by(|p, q| {
            (p.blocker.cmp(&q.blocker))
                .then(p.point.x.total_cmp(&q.point.x))
                .then(p.point.y.total_cmp(&q.point.y))
        });
        self.hits.dedup_by_key(|hit| hit.blocker);
    }

    /// Leaves one wall after another by the shortest way, deepest first; where that does not end, because there is no room for the skin on
    /// all sides, half of each way, which ends in the middle. Gives the displacement, and what is near there.
    fn step_out(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        start: Nearness,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> (Vec2, Option<Nearness>) {
        let mut position = Vec2::ZERO;
        let mut near = Some(start);
        for step in 0..2 * MAX_STEPS {
            let Some(Nearness { distance, away }) =
                near.filter(|near| near.distance < RECOVER_BELOW * motion.skin)
            else {
                break;
            };
            let part = if step < MAX_STEPS { 1.0 } else { 0.5 };
            position += away * (motion.skin - distance) * part;
            near = self.nearest(index, motion, position, blocks);
        }
        (position, near)
    }

    /// The wall that a mover is deepest in, or nearest to within the skin.
    fn nearest(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        position: Vec2,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Option<Nearness> {
        let shape = motion.shape.translated(position);
        let aabb = shape.aabb();
        (self.surroundings).search(index, &aabb, motion.skin, blocks);
        (self.surroundings.overlapping(grow(&aabb, motion.skin)))
            .filter(|(_, wall)| wall.is_wall)
            .filter_map(|(_, wall)| nearness(motion, &shape, wall))
            .min_by(|p, q| {
                (p.distance.total_cmp(&q.distance))
                    .then(p.away.x.total_cmp(&q.away.x))
                    .then(p.away.y.total_cmp(&q.away.y))
            })
    }

    /// The shortest straight way out of all walls, if it is not much longer than what the deepest one asks for.
    fn shortest_exit(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        start: Nearness,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Option<Vec2> {
        let size = motion.shape.aabb();
        let reach = (size.max - size.min).max_element() - 2.0 * start.distance + motion.skin;
        let Self {
            surroundings,
            spans,
            ..
        } = self;
        surroundings.search(index, &motion.shape.aabb(), reach + motion.skin, blocks);
        (0..DIRECTIONS)
            .filter_map(|number| {
                let angle = TAU * number as f32 / DIRECTIONS as f32;
                let direction = Vec2::from_angle(angle).rotate(start.away);
                spans.clear();
                let walls = surroundings.walls().filter(|wall| wall.one_way.is_none());
                spans.extend(walls.filter_map(|wall| {
                    span_near(motion.shape, direction * reach, &wall.shape, motion.skin)
                }));
                let part = first_gap(spans);
                (part < 1.0).then_some((part, direction * (reach * part)))
            })
            .min_by(|p, q| p.0.total_cmp(&q.0))
            .map(|(_, exit)| exit)
    }
}

/// How near a shape is to a wall; none, if the wall does not push it.
fn nearness(motion: &Motion, shape: &Shape, wall: &Blocker) -> Option<Nearness> {
    if let Some(one_way) = &wall.one_way {
        let exit = one_way::exit(one_way, &wall.shape, motion, shape)?;
        return Some(Nearness {
            distance: motion.skin - exit,
            away: one_way.direction,
        });
    }
    let (lacking, towards) = penetration_within(shape, &wall.shape, motion.skin)?;
    Some(Nearness {
        distance: motion.skin - lacking,
        away: -towards,
    })
}
