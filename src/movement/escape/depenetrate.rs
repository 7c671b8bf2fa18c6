//! Depenetration: how a mover is moved out of the walls that it starts in.

use std::f32::consts::TAU;

use bevy::math::Vec2;
use smallvec::SmallVec;

use crate::{
    aabb::{Aabb2d, grow, merge, swept},
    events::BlockingHit,
    geometry::{
        Shape, TOUCHING_SLOP, cast_with_margin, penetration_within, separation, touching_slop,
        unit_vector,
    },
    index::ColliderIndex,
    movement::{
        body::{CrushSite, Crusher, Motion, size_of},
        obstacles::{
            Blockers, Exit, Obstacle, Obstacles, covered_until, near_interval, near_interval_from,
        },
        tolerances::{
            AGAINST_NORMAL_SLOP, DEPENETRATION_DETOUR, DEPENETRATION_DIRECTIONS,
            MAX_DEPENETRATION_STEPS, MAX_KNOWN_NORMAL_DEPTH_SIZES, MAX_MARGIN_DOUBLINGS,
            MIN_SKIN_FRACTION, TURN_DEPENETRATION_STEPS,
        },
    },
};

/// Where a mover may begin its motion.
pub(crate) enum Depenetration {
    /// At this offset from where it is, in world units.
    Free(Vec2),
    /// Nowhere: no displacement separates it from the walls.
    Crushed(CrushSite),
}

/// A wall that a mover overlaps.
struct StartWall {
    slot: u32,
    /// The outward normal against which the mover is not depenetrated; `None` if it may be
    /// depenetrated in any direction.
    normal: Option<Vec2>,
    /// Whether it crushed the mover in the last update.
    is_crusher: bool,
}

/// How near a mover is to a wall.
#[derive(Clone, Copy)]
struct Penetration {
    /// The distance to the wall, in world units, negative inside.
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

    fn is_overlap(&self, motion: &Motion) -> bool {
        self.distance < -TOUCHING_SLOP * motion.shape.largest_coordinate()
    }
}

/// Where an iterative depenetration ended.
struct Iterated {
    offset: Vec2,
    /// The greatest distance from the start on the way, in world units.
    farthest: f32,
    /// The penetration at the end.
    end: Option<Penetration>,
}

/// Moves the mover out of the walls that it starts in: out of a single one by the shortest
/// displacement; out of several iteratively, deepest first, or straight by the shortest of many
/// directions. `intervals` is a buffer.
pub(crate) fn depenetrate(
    blockers: &Blockers,
    motion: &Motion,
    obstacles: &mut Obstacles,
    intervals: &mut Vec<[f32; 2]>,
) -> Depenetration {
    let is_same = |site: &&CrushSite| site.is_unchanged(blockers, motion, obstacles);
    if let Some(site) = motion.crush_site.filter(is_same) {
        return Depenetration::Crushed(*site);
    }
    Escape::new(blockers, motion, obstacles, intervals).find()
}

/// Whether the mover overlaps no wall, or a few iterations move it out of all by no more than
/// `longest` (world units). `intervals` is a buffer.
pub(super) fn has_room(
    blockers: &Blockers,
    motion: &Motion,
    obstacles: &mut Obstacles,
    intervals: &mut Vec<[f32; 2]>,
    longest: f32,
) -> bool {
    Escape::new(blockers, motion, obstacles, intervals).fits_within(longest)
}

/// A mover that may start in walls.
struct Escape<'a> {
    blockers: &'a Blockers<'a>,
    motion: &'a Motion<'a>,
    obstacles: &'a mut Obstacles,
    intervals: &'a mut Vec<[f32; 2]>,
}

impl<'a> Escape<'a> {
    fn new(
        blockers: &'a Blockers<'a>,
        motion: &'a Motion<'a>,
        obstacles: &'a mut Obstacles,
        intervals: &'a mut Vec<[f32; 2]>,
    ) -> Self {
        Self {
            blockers,
            motion,
            obstacles,
            intervals,
        }
    }

    fn find(mut self) -> Depenetration {
        let motion = self.motion;
        let Some(start) = self.penetration_at_start() else {
            return Depenetration::Free(Vec2::ZERO);
        };
        let Iterated {
            offset,
            farthest,
            end,
        } = self.resolve_iteratively(start, 2 * MAX_DEPENETRATION_STEPS);
        let shortest = DEPENETRATION_DETOUR * start.of_skin(motion);
        self.search(&swept(&motion.shape.aabb(), offset), motion.skin);
        let start_walls = self.walls_at_start();
        let is_still_crushed =
            !start_walls.is_empty() && start_walls.iter().all(|wall| wall.is_crusher);
        let most = max_displacement(motion, &start, is_still_crushed);
        let is_open = offset.abs().cmple(most).all() && self.crosses_no_wall(offset, &start_walls);
        let is_too_near = end.is_some_and(|end| end.is_too_near(motion));
        if is_open && !is_too_near && offset.length() <= shortest {
            return Depenetration::Free(offset);
        }
        if !start.is_overlap(motion) {
            let is_better = end.is_none_or(|end| end.distance > start.distance);
            return Depenetration::Free(if is_better { offset } else { Vec2::ZERO });
        }
        let straight = self.resolve_straight(start.normal, most);
        let is_out = is_open && !end.is_some_and(|end| end.is_overlap(motion));
        match straight {
            Some(straight) if !is_out || straight.length() < offset.length() => {
                Depenetration::Free(straight)
            }
            _ if is_out => Depenetration::Free(offset),
            _ => {
                let distance = farthest.max(most.max_element()) + motion.skin;
                let site = CrushSite::around(self.blockers, motion, distance, self.obstacles);
                Depenetration::Crushed(site)
            }
        }
    }

    /// Whether the mover overlaps no wall, or a few iterations move it out by at most `longest`.
    fn fits_within(mut self, longest: f32) -> bool {
        let motion = self.motion;
        let start = self.penetration_at_start();
        let Some(start) = start.filter(|start| start.is_overlap(motion)) else {
            return true;
        };
        let Iterated { offset, end, .. } =
            self.resolve_iteratively(start, TURN_DEPENETRATION_STEPS);
        if offset.length() > longest || end.is_some_and(|end| end.is_too_near(motion)) {
            return false;
        }
        self.search(&swept(&motion.shape.aabb(), offset), motion.skin);
        let start_walls = self.walls_at_start();
        self.crosses_no_wall(offset, &start_walls)
    }

    /// The deepest penetration at the start, or `None` if no wall is too near.
    fn penetration_at_start(&mut self) -> Option<Penetration> {
        if self.starts_clear() {
            return None;
        }
        let start = self.deepest(Vec2::ZERO)?;
        start
            .is_too_near(self.motion)
            .then(|| self.widen_search(start))
    }

    fn search(&mut self, area: &Aabb2d, margin: f32) {
        self.obstacles.search(self.blockers, area, margin);
    }

    /// Whether no wall is too near at the start, or may have swept over the mover. The surface
    /// points stay cached for the first sweep.
    fn starts_clear(&mut self) -> bool {
        let motion = self.motion;
        let aabb = motion.shape.aabb();
        self.search(&aabb, motion.skin);
        let area = grow(&aabb, motion.skin);
        let mut near = (self.obstacles).overlapping_with_surfaces(area, motion.shape);
        near.all(|(obstacle, surface)| {
            let is_clear = surface.distance >= MIN_SKIN_FRACTION * motion.skin;
            match obstacle.exit {
                Exit::None => true,
                Exit::Shortest => {
                    is_clear || !obstacle.blocks(surface.normal, motion.desired.per_update)
                }
                Exit::Along(_) => is_clear && obstacle.faces(surface.normal),
            }
        })
    }

    /// Widens the search as long as the mover is deeper in a piece of a wall than the margin:
    /// pieces of grids end near the border of the searched area. Returns the deepest penetration.
    fn widen_search(&mut self, start: Penetration) -> Penetration {
        let aabb = self.motion.shape.aabb();
        let (mut start, mut margin) = (start, self.motion.skin);
        for _ in 0..MAX_MARGIN_DOUBLINGS {
            let is_in_piece = (self.obstacles.overlapping(aabb))
                .any(|wall| wall.exit != Exit::None && wall.is_piece);
            if !is_in_piece || -start.distance <= margin {
                break;
            }
            margin = -2.0 * start.distance;
            self.search(&aabb, margin);
            start = self.deepest(Vec2::ZERO).unwrap_or(start);
        }
        start
    }

    /// Moves out of one wall after another by the shortest displacement, deepest first
    /// (Gauss-Seidel), at most this many times. If that does not converge, because there is no room
    /// for the skin on all sides, takes half of each displacement, which ends in the middle.
    fn resolve_iteratively(&mut self, start: Penetration, steps: usize) -> Iterated {
        let (mut offset, mut farthest) = (Vec2::ZERO, 0.0f32);
        let mut penetration = Some(start);
        for step in 0..steps {
            let Some(wall) = penetration.filter(|wall| wall.is_too_near(self.motion)) else {
                break;
            };
            let fraction = if step < MAX_DEPENETRATION_STEPS {
                1.0
            } else {
                0.5
            };
            offset += wall.normal * wall.of_skin(self.motion) * fraction;
            farthest = farthest.max(offset.length());
            penetration = self.deepest(offset);
        }
        Iterated {
            offset,
            farthest,
            end: penetration,
        }
    }

    /// The penetration of the wall that the mover at `offset` is deepest in, or nearest to within
    /// its skin.
    fn deepest(&mut self, offset: Vec2) -> Option<Penetration> {
        let motion = self.motion;
        let shape = motion.shape.translated(offset);
        let aabb = shape.aabb();
        self.search(&aabb, motion.skin);
        (self.obstacles.overlapping(grow(&aabb, motion.skin)))
            .filter_map(|wall| penetration(motion, &shape, wall))
            .min_by(|p, q| {
                (p.distance.total_cmp(&q.distance))
                    .then(p.normal.x.total_cmp(&q.normal.x))
                    .then(p.normal.y.total_cmp(&q.normal.y))
            })
    }

    /// The shortest straight displacement out of all walls, or `None` if all lead through a wall or
    /// are longer than `most` (world units) along the axes. Tries directions all around `normal`.
    fn resolve_straight(&mut self, normal: Vec2, most: Vec2) -> Option<Vec2> {
        let motion = self.motion;
        let longest = most.max_element();
        self.search(&motion.shape.aabb(), longest + motion.skin);
        let mut found: SmallVec<[(f32, Vec2); DEPENETRATION_DIRECTIONS]> = (0
            ..DEPENETRATION_DIRECTIONS)
            .filter_map(|number| {
                let angle = TAU * number as f32 / DEPENETRATION_DIRECTIONS as f32;
                let direction = unit_vector(angle).rotate(normal);
                let most = (most / direction.abs()).min_element().min(longest);
                let fraction = self.free_fraction(direction * most);
                let distance = most * fraction;
                (fraction < 1.0).then_some((distance, direction * distance))
            })
            .collect();
        found.sort_by(|p, q| p.0.total_cmp(&q.0));
        let start_walls = self.walls_at_start();
        let mut by_length = found.into_iter().map(|(_, displacement)| displacement);
        by_length.find(|&displacement| self.crosses_no_wall(displacement, &start_walls))
    }

    /// The fraction of a displacement at which the mover is first out of all walls, or at least 1.
    fn free_fraction(&mut self, displacement: Vec2) -> f32 {
        let motion = self.motion;
        // Grown by twice the skin width, so that rounding loses no wall within the skin width.
        let path = swept(&grow(&motion.shape.aabb(), 2.0 * motion.skin), displacement);
        let in_path = (self.obstacles).overlapping_with_surfaces(path, motion.shape);
        let walls = in_path.filter(|(wall, _)| wall.exit == Exit::Shortest);
        self.intervals.clear();
        self.intervals.extend(walls.filter_map(|(wall, surface)| {
            let (shape, skin) = (motion.shape, motion.skin);
            near_interval_from(&surface, shape, displacement, &wall.shape, skin)
        }));
        covered_until(self.intervals)
    }

    /// Whether the center of the mover crosses no wall on its path. It may leave the walls that it
    /// starts in, but only toward the side that it is on, so that a wall that presses the mover
    /// against another one cannot press it through.
    fn crosses_no_wall(&mut self, displacement: Vec2, start_walls: &[StartWall]) -> bool {
        let center = Shape::circle(self.motion.shape.center(), 0.0);
        let is_against =
            |normal: Vec2| displacement.dot(normal) < -AGAINST_NORMAL_SLOP * displacement.length();
        self.intervals.clear();
        let all = self.obstacles.all.iter();
        for wall in all.filter(|wall| wall.exit == Exit::Shortest) {
            let Some(interval) = near_interval(&center, displacement, &wall.shape, 0.0) else {
                continue;
            };
            match start_walls.iter().find(|start| start.slot == wall.slot) {
                Some(StartWall { normal, .. }) if !normal.is_some_and(is_against) => {
                    self.intervals.push(interval);
                }
                _ => return false,
            }
        }
        let left = covered_until(self.intervals);
        self.intervals.iter().all(|&[_, end]| end <= left)
    }

    /// The walls that the mover overlaps at its start, in no order.
    fn walls_at_start(&self) -> SmallVec<[StartWall; 8]> {
        let motion = self.motion;
        let near = self.obstacles.overlapping(motion.shape.aabb());
        near.filter(|wall| wall.exit == Exit::Shortest)
            .filter_map(|wall| {
                let slop = touching_slop(motion.shape, &wall.shape);
                let (depth, inward) = penetration_within(motion.shape, &wall.shape, -slop)?;
                let size = size_of(motion.shape).min(size_of(&wall.shape));
                let is_known = depth < MAX_KNOWN_NORMAL_DEPTH_SIZES * size && !wall.is_piece;
                let normal = Crusher::normal_of(motion.crushers, wall.order.entity);
                Some(StartWall {
                    slot: wall.slot,
                    normal: normal.or(is_known.then_some(-inward)),
                    is_crusher: normal.is_some(),
                })
            })
            .collect()
    }
}

/// The longest displacements along the axes, in world units: the size of the
/// mover's box plus twice its depth, so that nothing that is tall is thrown far aside. Walls that
/// close in further on a mover that they crushed before do not throw it aside in the end: then no
/// more than the shorter side.
fn max_displacement(motion: &Motion, start: &Penetration, is_still_crushed: bool) -> Vec2 {
    let aabb = motion.shape.aabb();
    let most = if is_still_crushed {
        Vec2::splat(size_of(motion.shape))
    } else {
        aabb.max - aabb.min - 2.0 * start.distance
    };
    most + motion.skin
}

/// The penetration of a wall by a shape, or `None` if they are farther apart than the skin, or the
/// wall does not move the shape out.
fn penetration(motion: &Motion, shape: &Shape, wall: &Obstacle) -> Option<Penetration> {
    match wall.exit {
        Exit::None => None,
        Exit::Shortest => {
            let (depth, inward) = penetration_within(shape, &wall.shape, motion.skin)?;
            Some(Penetration {
                distance: motion.skin - depth,
                normal: -inward,
            })
        }
        Exit::Along(direction) => {
            // The mover comes back to the wall from far in that direction.
            let around = merge(&shape.aabb(), &wall.aabb);
            let far = direction * (around.max - around.min + motion.skin).element_sum();
            let back = cast_with_margin(&shape.translated(far), -far, &wall.shape, motion.skin)?;
            Some(Penetration {
                distance: motion.skin - far.length() * (1.0 - back.fraction as f32),
                normal: direction,
            })
        }
    }
}

/// Records the walls that crush a mover: first those that moved, then those that rest, each
/// group sorted by entity.
pub(crate) fn record_crushing_walls(
    hits: &mut Vec<BlockingHit>,
    index: &ColliderIndex,
    motion: &Motion,
    obstacles: &Obstacles,
) {
    let near = obstacles.overlapping(motion.shape.aabb());
    for wall in near.filter(|wall| wall.exit != Exit::None) {
        let entity = wall.order.entity;
        let separation = separation(motion.shape, &wall.shape);
        if separation.distance < 0.0 {
            let known = Crusher::normal_of(motion.crushers, entity);
            let normal = known.unwrap_or(-separation.normal);
            let point = separation.point_b;
            hits.push(BlockingHit::at(index, entity, wall.slot, point, normal));
        }
    }
    // Keeps always the same piece of each wall.
    hits.sort_unstable_by(|p, q| {
        (p.blocker.cmp(&q.blocker))
            .then(p.point.x.total_cmp(&q.point.x))
            .then(p.point.y.total_cmp(&q.point.y))
    });
    hits.dedup_by_key(|hit| hit.blocker);
    hits.sort_by_key(|hit| {
        let mut orders = (obstacles.walls()).map(|wall| (!wall.motion.is_any(), wall.order));
        orders.find(|(_, order)| order.entity == hit.blocker)
    });
}
