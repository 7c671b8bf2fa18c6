//! The obstacles around a mover: a cache of what blocks it, with the distances to it.

use bevy::math::Vec2;

use super::{
    one_way::{MoverStart, OneWayObstacle},
    pose::MoverPose,
};
use crate::{
    aabb::{Aabb2d, contains, grow, intersects},
    components::EntityOrder,
    geometry::{RigidMotion, Shape, SurfacePoint, has_edge, surface_point},
    index::{ColliderEntry, ColliderIndex, Observer, OneWayWall, faces},
};

/// The colliders that block a mover: the solid ones of the index for which `blocks` holds.
#[derive(Clone, Copy)]
pub(crate) struct Blockers<'a> {
    pub index: &'a ColliderIndex,
    /// The mover, if it is a collider of the index.
    pub observer: Option<Observer<'a>>,
    /// The mover when the update began, even if it has moved since.
    pub start: MoverStart<'a>,
    /// The fractions of the update between which walls that push move.
    pub during: [f32; 2],
    pub blocks: &'a dyn Fn(&ColliderEntry) -> bool,
}

/// All of an update.
pub(crate) const WHOLE_UPDATE: [f32; 2] = [0.0, 1.0];

/// How a mover that is in an obstacle, or within its skin of it, is moved out before its motion.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Exit {
    /// Not at all: the obstacle is a mover, or a one-way wall that the mover was behind.
    None,
    /// By the shortest displacement.
    Shortest,
    /// In the free direction of a one-way wall, which moved and may have come past the mover.
    Along(Vec2),
}

/// A collider that blocks a mover, or a convex piece of one.
pub(crate) struct Obstacle {
    pub order: EntityOrder,
    /// The slot of the collider.
    pub slot: u32,
    pub shape: Shape,
    pub aabb: Aabb2d,
    /// Whether it is not carried by a mover.
    pub is_wall: bool,
    pub exit: Exit,
    pub one_way: Option<OneWayObstacle>,
    /// The motion of a wall that pushes, as the mover sees it. The shape is that after it.
    pub motion: RigidMotion,
    /// Whether the collider has other convex pieces.
    pub is_piece: bool,
    /// The position of the mover for which the surface point was last computed, and that point.
    cached_surface: Option<(Vec2, Option<SurfacePoint>)>,
}

impl Obstacle {
    /// Whether a surface with this outward normal may block.
    pub fn faces(&self, normal: Vec2) -> bool {
        (self.one_way.as_ref()).is_none_or(|one_way| faces(&one_way.wall, normal))
    }

    /// Whether a surface with this outward normal blocks this displacement.
    ///
    /// At a vertex, or where a one-way wall is round, the normal depends on the mover. There only
    /// motion against the free direction is blocked, so that the ends of a wall let through what
    /// moves along it.
    pub fn blocks(&self, normal: Vec2, displacement: Vec2) -> bool {
        (self.one_way.as_ref()).is_none_or(|OneWayObstacle { wall, .. }| {
            let is_edge = has_edge(&self.shape, normal);
            let outward = if is_edge { normal } else { wall.direction };
            faces(wall, normal) && displacement.dot(outward) < 0.0
        })
    }

    /// Whether a mover is outside of the whole wall, if that is one-way. For a mover in one piece,
    /// the edges of others do not count as surfaces.
    #[inline]
    pub fn is_outside(&self, mover: &Shape) -> bool {
        (self.one_way.as_ref()).is_none_or(|one_way| one_way.is_outside(mover))
    }

    /// The surface point of this obstacle nearest to a mover at `position` of its path. It is
    /// cached for sweeps from the same position.
    #[inline]
    fn surface(&mut self, mover: &Shape, position: Vec2) -> Option<SurfacePoint> {
        match self.cached_surface {
            Some((cached, surface)) if cached == position => surface,
            _ => {
                let surface = surface_point(mover, &self.shape);
                self.cached_surface = Some((position, surface));
                surface
            }
        }
    }
}

/// An obstacle near a convex piece of a mover.
#[derive(Clone, Copy)]
pub(crate) struct NearObstacle<'a> {
    /// The index of the obstacle.
    pub index: usize,
    pub obstacle: &'a Obstacle,
    /// The piece of the mover, or `None` if the mover is one.
    piece: Option<&'a Shape>,
    /// Its surface point nearest to the piece at the start of the sweep.
    pub surface: &'a SurfacePoint,
}

impl<'a> NearObstacle<'a> {
    /// The convex piece of the mover, given its pose.
    pub fn piece(&self, pose: &'a MoverPose) -> &'a Shape {
        self.piece.unwrap_or(&pose.shape)
    }
}

/// The indices of an obstacle and of the piece of a mover that it is near, with the obstacle's
/// surface point nearest to the piece.
type NearPiece = (usize, usize, SurfacePoint);

/// The obstacles in the area around a mover. Valid during one move, in which no collider changes.
#[derive(Default)]
pub(crate) struct Obstacles {
    /// The area that was searched: `all` holds every obstacle in it.
    searched: Option<Aabb2d>,
    pub all: Vec<Obstacle>,
    /// The one-way walls in that area in which the mover started, or which it drops through.
    pub passed: Vec<Shape>,
    /// The obstacles near the sweep.
    near: Vec<NearPiece>,
    /// The convex pieces of the mover at the start of the sweep, if it has several.
    pieces: Vec<Shape>,
}

impl Obstacles {
    pub fn clear(&mut self) {
        self.searched = None;
        self.all.clear();
        self.passed.clear();
        self.near.clear();
    }

    /// Forgets the surface points of a mover that has another shape now.
    pub fn forget_surfaces(&mut self) {
        let all = self.all.iter_mut();
        all.for_each(|obstacle| obstacle.cached_surface = None);
    }

    /// Makes sure that all obstacles nearer to `area` than `margin` (world units) are present.
    /// Searches a little farther to serve the next searches as well.
    #[inline]
    pub fn search(&mut self, blockers: &Blockers, area: &Aabb2d, margin: f32) {
        let area = grow(area, margin);
        if !(self.searched).is_some_and(|searched| contains(&searched, &area)) {
            self.search_exactly(blockers, grow(&area, margin));
        }
    }

    /// Searches exactly this area, whatever was searched before, so that the same walls always give
    /// the same obstacles.
    pub fn search_exactly(&mut self, blockers: &Blockers, area: Aabb2d) {
        self.clear();
        blockers.index.visit_overlapping(&area, |entry| {
            if entry.role.is_solid() && (blockers.blocks)(&entry) {
                self.add(blockers, &entry, &area);
            }
        });
        self.searched = Some(area);
    }

    fn add(&mut self, blockers: &Blockers, entry: &ColliderEntry, area: &Aabb2d) {
        let motion = (blockers.index).push_motion(entry, blockers.observer);
        let one_way = (blockers.index).one_way_wall(entry, blockers.observer);
        if one_way.is_some_and(|wall| !blockers.start.is_outside(&wall, entry.shape)) {
            self.passed.push(entry.shape.clone());
            return;
        }
        let [_, end] = blockers.during;
        // If the wall moved, includes the pieces that passed the area.
        entry
            .shape
            .visit_convex_pieces(&motion.swept(area), &mut |piece| {
                let shape = if end < 1.0 && motion.is_any() {
                    motion.at(piece, end)
                } else {
                    piece.clone()
                };
                self.all.push(Obstacle {
                    order: entry.order(),
                    slot: entry.slot,
                    aabb: shape.aabb(),
                    shape,
                    is_wall: entry.role.is_wall(),
                    exit: exit_of(entry, piece, one_way, &blockers.start),
                    one_way: one_way.map(|wall| OneWayObstacle {
                        wall,
                        whole: entry.shape.clone(),
                        is_floor: blockers.start.stands_on(&wall),
                    }),
                    motion: motion.during(blockers.during),
                    is_piece: !entry.shape.is_convex(),
                    cached_surface: None,
                });
            });
    }

    /// Searches `area` with the pose's contact distance as margin, and selects the obstacles there
    /// as those near the sweep.
    pub fn select_near(&mut self, blockers: &Blockers, pose: &MoverPose, area: &Aabb2d) {
        self.search(blockers, area, pose.contact_distance);
        let area = grow(area, pose.contact_distance);
        self.near.clear();
        self.pieces.clear();
        if !pose.shape.is_convex() {
            self.select_near_pieces(&pose.shape, &area);
            return;
        }
        for (index, obstacle) in self.all.iter_mut().enumerate() {
            if intersects(&area, &obstacle.aabb)
                && let Some(surface) = obstacle.surface(&pose.shape, pose.position)
            {
                self.near.push((index, 0, surface));
            }
        }
    }

    /// Selects the obstacles that a piece of a mover may reach, given the area that the whole may.
    fn select_near_pieces(&mut self, mover: &Shape, area: &Aabb2d) {
        let whole = mover.aabb();
        mover.visit_convex_pieces(&whole, &mut |piece| {
            let own = piece.aabb();
            let area = Aabb2d {
                min: area.min + (own.min - whole.min),
                max: area.max + (own.max - whole.max),
            };
            let in_area = self.all.iter().enumerate();
            let in_area = in_area.filter(|(_, obstacle)| intersects(&area, &obstacle.aabb));
            let number = self.pieces.len();
            self.near.extend(in_area.filter_map(|(index, obstacle)| {
                Some((index, number, surface_point(piece, &obstacle.shape)?))
            }));
            self.pieces.push(piece.clone());
        });
    }

    /// The obstacles that were selected last.
    pub fn near(&self) -> impl ExactSizeIterator<Item = NearObstacle<'_>> {
        self.near
            .iter()
            .map(|(index, piece, surface)| NearObstacle {
                index: *index,
                obstacle: &self.all[*index],
                piece: self.pieces.get(*piece),
                surface,
            })
    }

    /// The obstacles whose boxes overlap `area`.
    pub fn overlapping(&self, area: Aabb2d) -> impl Iterator<Item = &Obstacle> {
        (self.all.iter()).filter(move |obstacle| intersects(&area, &obstacle.aabb))
    }

    /// The obstacles whose boxes overlap `area`, with their surface points nearest to the mover at
    /// its start.
    pub fn overlapping_with_surfaces(
        &mut self,
        area: Aabb2d,
        mover: &Shape,
    ) -> impl Iterator<Item = (&Obstacle, SurfacePoint)> {
        (self.all.iter_mut())
            .filter(move |obstacle| intersects(&area, &obstacle.aabb))
            .filter_map(move |obstacle| {
                let surface = obstacle.surface(mover, Vec2::ZERO)?;
                Some((&*obstacle, surface))
            })
    }

    /// The obstacles that no mover carries.
    pub fn walls(&self) -> impl Iterator<Item = &Obstacle> {
        self.all.iter().filter(|obstacle| obstacle.is_wall)
    }
}

/// How a mover gets out of a piece of a collider.
fn exit_of(
    entry: &ColliderEntry,
    piece: &Shape,
    one_way: Option<OneWayWall>,
    start: &MoverStart,
) -> Exit {
    match one_way {
        Some(wall) if !start.is_in_front(&wall, piece) => Exit::None,
        _ if !entry.role.is_wall() => Exit::None,
        None => Exit::Shortest,
        Some(wall) if !wall.motion.is_any() => Exit::Shortest,
        Some(wall) => Exit::Along(wall.direction),
    }
}
