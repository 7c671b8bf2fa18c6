//! What may block a mover around its way.

use bevy::{
    ecs::entity::Entity,
    math::{Vec2, bounding::Aabb2d},
};

use crate::{
    aabb::{contains, grow, intersects, swept},
    geometry::{Shape, SurfacePoint, surface_point},
    index::{ColliderEntry, ColliderIndex, OneWayWall},
};

/// A collider that blocks a mover, or a convex part of one.
pub(super) struct Blocker {
    pub entity: Entity,
    /// The slot of the collider.
    pub slot: u32,
    pub shape: Shape,
    pub aabb: Aabb2d,
    /// Whether it is no mover.
    pub is_wall: bool,
    pub one_way: Option<OneWayWall>,
    /// How far a wall that pushes went since the last run, in world units.
    pub step: Vec2,
    /// Whether the collider has more parts.
    pub is_part: bool,
    /// The gap from where the mover was when it was last asked for, and where that was.
    measured: Option<(Vec2, Option<SurfacePoint>)>,
}

impl Blocker {
    /// The gap between a mover, which is at `position` on its way, and this. As many questions are asked of one place, it is kept.
    #[inline]
    fn gap(&mut self, mover: &Shape, position: Vec2) -> Option<SurfacePoint> {
        match self.measured {
            Some((place, gap)) if place == position => gap,
            _ => {
                let gap = surface_point(mover, &self.shape);
                self.measured = Some((position, gap));
                gap
            }
        }
    }
}

/// The blockers in some area. It keeps its buffer.
#[derive(Default)]
pub(super) struct Surroundings {
    /// The area in which `blockers` are all blockers.
    searched: Option<Aabb2d>,
    pub blockers: Vec<Blocker>,
}

impl Surroundings {
    pub fn clear(&mut self) {
        self.searched = None;
        self.blockers.clear();
    }

    /// Makes sure that `blockers` holds everything that blocks and is nearer to `area` than `reach`; looks a little further, to serve the
    /// next question too.
    #[inline]
    pub fn search(
        &mut self,
        index: &ColliderIndex,
        area: &Aabb2d,
        reach: f32,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) {
        let area = grow(area, reach);
        if !(self.searched).is_some_and(|searched| contains(&searched, &area)) {
            self.search_all_of(index, grow(&area, reach), blocks);
        }
    }

    fn search_all_of(
        &mut self,
        index: &ColliderIndex,
        area: Aabb2d,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) {
        self.blockers.clear();
        index.visit_overlapping(&area, |entry| {
            if entry.role.is_solid() && blocks(&entry) {
                self.add(index, &entry, &area);
            }
        });
        self.searched = Some(area);
    }

    fn add(&mut self, index: &ColliderIndex, entry: &ColliderEntry, area: &Aabb2d) {
        let step = index.step_of_wall(entry);
        // Of a wall that moved, also what was here on its way.
        entry.shape.visit_convex_pieces(&swept(area, step), |part| {
            self.blockers.push(Blocker {
                entity: entry.entity,
                slot: entry.slot,
                shape: part.clone(),
                aabb: part.aabb(),
                is_wall: entry.role.is_wall(),
                one_way: index.one_way_wall(entry).copied(),
                step,
                is_part: !entry.shape.is_convex(),
                measured: None,
            });
        });
    }

    /// Those whose boxes an area overlaps, with their numbers.
    pub fn overlapping(&self, area: Aabb2d) -> impl Iterator<Item = (usize, &Blocker)> {
        let blockers = self.blockers.iter().enumerate();
        blockers.filter(move |(_, blocker)| intersects(&area, &blocker.aabb))
    }

    /// The same with the gaps between a mover, which is at `position` on its way, and them.
    pub fn measured(
        &mut self,
        area: Aabb2d,
        (mover, position): (&Shape, Vec2),
    ) -> impl Iterator<Item = (usize, SurfacePoint)> {
        let blockers = self.blockers.iter_mut().enumerate();
        blockers
            .filter(move |(_, blocker)| intersects(&area, &blocker.aabb))
            .filter_map(move |(number, blocker)| Some((number, blocker.gap(mover, position)?)))
    }

    /// Those that are no movers.
    pub fn walls(&self) -> impl Iterator<Item = &Blocker> {
        self.blockers.iter().filter(|blocker| blocker.is_wall)
    }
}
