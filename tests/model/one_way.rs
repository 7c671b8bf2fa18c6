//! What is promised about movers at one-way walls.

use std::collections::BTreeMap;

use bevy::{math::DVec2, prelude::*};
use bevy_thud::prelude::*;

use crate::{
    app::MoverState,
    synced::Synced,
    world::{Body, Form, Id, SKIN_WIDTH, UNDECIDED, World as Model},
};

/// Checks how movers passed one-way walls in one move.
pub struct OneWayCheck<'a> {
    /// The world as of the last sync, before the move.
    pub start: &'a Model,
    /// The same after the move.
    pub synced: &'a Synced,
    pub ids: &'a BTreeMap<Entity, Id>,
    /// Whether no time passes.
    pub is_paused: bool,
}

impl OneWayCheck<'_> {
    /// Checks what blocked a mover that had this velocity, and what did not.
    pub fn check(&self, mover: &MoverState, velocity: DVec2) {
        let id = self.ids[&mover.entity];
        for (number, hit) in mover.hits.iter().enumerate() {
            let wall = self.ids[&hit.blocker];
            let may_collide = self.start.may_collide((wall, id));
            assert!(self.start.blocks(wall, id) && may_collide, "{hit:?}");
            if let Some(direction) = self.direction(wall).filter(|_| !mover.is_crushed) {
                let facing = hit.normal.as_dvec2().dot(direction);
                assert!(facing > 0.0, "{hit:?} does not face {direction}");
                if !self.is_paused && self.rests(wall) {
                    self.check_start(id, hit);
                    let normal = hit.normal.as_dvec2();
                    let outlines = self.start.outlines(wall);
                    let is_edge = outlines.iter().any(|outline| outline.has_edge(normal));
                    let outward = if is_edge { normal } else { direction };
                    let is_against = number > 0 || velocity.dot(outward) < UNDECIDED;
                    assert!(is_against, "{hit:?} of a motion along {outward}");
                }
            }
        }
        if !self.is_paused && !mover.is_crushed {
            let walls = self.start.bodies.keys().filter(|&&wall| wall != id);
            for &wall in walls {
                if let Some(direction) = self.direction(wall).filter(|_| self.is_floor(wall, id)) {
                    self.check_landing(mover, wall, direction);
                }
            }
        }
    }

    /// The direction in world space in which a one-way wall is free.
    fn direction(&self, wall: Id) -> Option<DVec2> {
        let body = &self.start.bodies[&wall];
        let direction = body.one_way.filter(|_| body.is_solid)?;
        (self.start.pose(wall).matrix2 * direction).try_normalize()
    }

    /// Whether a wall did not move since the sync before, nor any that may push movers.
    fn rests(&self, wall: Id) -> bool {
        let is_pusher = |body: &Body| body.is_solid && body.is_swept;
        let is_same = |previous: &Model| {
            previous.bodies.contains_key(&wall) && previous.pose(wall) == self.start.pose(wall)
        };
        is_same(&self.synced.previous)
            && self.start.body_of(wall).is_none()
            && !self.start.bodies.values().any(is_pusher)
    }

    /// Checks that a mover was not in the wall that blocked it, nor in another piece of it.
    fn check_start(&self, mover: Id, hit: &MoverHit) {
        let distance = self.start.distance((mover, self.ids[&hit.blocker]));
        assert!(distance > -UNDECIDED, "{hit:?}, {distance} from the start");
    }

    /// Whether a wall is a rectangle at rest with an edge across its free direction that may block
    /// a mover. Nothing else may move the mover.
    fn is_floor(&self, wall: Id, mover: Id) -> bool {
        let start = self.start;
        let is_rect = matches!(start.bodies[&wall].form, Some(Form::Rect { .. }));
        let is_across = |direction: DVec2| {
            let corners = &start.outlines(wall)[0].points;
            let along = (corners[1] - corners[0]).normalize().dot(direction).abs();
            along.min(1.0 - along) < 1e-6
        };
        let is_mover = |id: Id| start.bodies[&id].mover.is_some();
        is_rect
            && start.absence(wall).or(start.absence(mover)).is_none()
            && start.blocks(wall, mover)
            && start.may_collide((wall, mover))
            && !start.ancestors(mover).any(is_mover)
            && self.rests(wall)
            && self.direction(wall).is_some_and(is_across)
    }

    /// Checks that a mover which starts above a one-way wall, seen along its direction, and hits
    /// nothing else, is above it afterward if it is still over it.
    fn check_landing(&self, mover: &MoverState, wall: Id, direction: DVec2) {
        let (id, side) = (self.ids[&mover.entity], direction.perp());
        let [_, top] = self.start.extent(wall, direction);
        let [left, right] = self.start.extent(wall, side);
        let height = |world: &Model| world.extent(id, direction)[0] - top;
        let is_over = |world: &Model| {
            let [low, high] = world.extent(id, side);
            left < low && high < right
        };
        let end = &self.synced.world;
        let has_fallen = height(self.start) > UNDECIDED && height(end) < -UNDECIDED;
        if has_fallen && is_over(self.start) && is_over(end) {
            let is_other = |hit: &MoverHit| self.ids[&hit.blocker] != wall;
            let is_diverted = mover.hits.iter().any(is_other) || self.starts_at_another(id, wall);
            assert!(is_diverted, "{id} fell through {wall}: {:?}", mover.hits);
        }
    }

    /// Whether a mover starts so near to another wall that it may be moved away from it, or another
    /// one-way wall may have lifted it.
    fn starts_at_another(&self, mover: Id, floor: Id) -> bool {
        let mut solid = (self.start.bodies.iter()).filter(|(_, body)| body.is_solid);
        solid.any(|(&wall, _)| {
            let is_lift = || self.direction(wall).is_some() && !self.rests(wall);
            ![mover, floor].contains(&wall)
                && self.start.absence(wall).is_none()
                && (self.start.distance((wall, mover)) < SKIN_WIDTH || is_lift())
        })
    }
}
