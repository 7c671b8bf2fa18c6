//! What is promised about the motion of movers: when they move, what blocks them and what is
//! reported of it.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow},
    math::DVec2,
    prelude::*,
};
use bevy_thud::prelude::*;

use crate::{
    app::{MoverState, Movers},
    gates::Gates,
    machine::Machine,
    one_way::OneWayCheck,
};

/// What moves have to report.
#[derive(Default)]
pub struct PendingMoves {
    /// The hits of the last move.
    hits: Vec<MoverHit>,
    /// The movers that walls started to crush since the last report.
    crushed: BTreeSet<Entity>,
}

/// A mover before an update.
pub struct MoverBefore {
    pub velocity: DVec2,
    is_crushed: bool,
}

impl PendingMoves {
    fn record(&mut self, movers: &[MoverState], before: &BTreeMap<Entity, MoverBefore>) {
        let visible = || movers.iter().filter(|mover| !mover.is_hidden);
        self.hits = visible().flat_map(|mover| mover.hits.clone()).collect();
        let crushed =
            visible().filter(|mover| mover.is_crushed && !before[&mover.entity].is_crushed);
        self.crushed.extend(crushed.map(|mover| mover.entity));
        // One that is hidden now is not reported, even if it is visible again by then.
        let hidden = movers.iter().filter(|mover| mover.is_hidden);
        for mover in hidden {
            self.crushed.remove(&mover.entity);
        }
    }

    /// Checks that these are the hits of the last move, and each mover that was crushed since the
    /// last report, unless nobody can receive that any more.
    pub fn report(&mut self, hits: &[MoverHit], crushed: &[Crushed], world: &World) {
        assert_eq!(hits, std::mem::take(&mut self.hits));
        assert!(crushed.is_sorted_by_key(|crushed| crushed.entity));
        for Crushed { entity, .. } in crushed {
            assert!(self.crushed.remove(entity), "{entity} is not crushed");
        }
        for entity in std::mem::take(&mut self.crushed) {
            let hits = world.get::<MoverHits>(entity);
            let is_crushed = hits.is_some_and(MoverHits::is_crushed);
            assert!(!is_crushed, "it is lost that {entity} is crushed");
        }
    }
}

impl Machine {
    pub fn movers_before(&mut self) -> BTreeMap<Entity, MoverBefore> {
        let world = self.app.world_mut();
        let mut movers = world.query_filtered::<(Entity, &Mover, &MoverHits), Allow<Disabled>>();
        let before = |(entity, mover, hits): (Entity, &Mover, &MoverHits)| {
            let before = MoverBefore {
                velocity: mover.velocity.as_dvec2(),
                is_crushed: hits.is_crushed(),
            };
            (entity, before)
        };
        movers.iter(world).map(before).collect()
    }

    /// Checks how movers moved, and moves them in the model.
    pub fn check_moves(&mut self, gates: Gates, before: &BTreeMap<Entity, MoverBefore>) {
        let movers = std::mem::take(&mut self.app.world_mut().resource_mut::<Movers>().0);
        let is_paused = self.app.world().resource::<Time>().delta().is_zero();
        for mover in &movers {
            let body = self.model.bodies.get_mut(&self.ids[&mover.entity]);
            let body = body.expect("it lives");
            if gates.moves && !is_paused && !mover.is_hidden {
                body.position = mover.position.as_dvec2();
            } else {
                let position = body.position.as_vec2();
                let is_there = mover.position == position || !position.is_finite();
                assert!(is_there, "{} moved from {position}", mover.entity);
            }
        }
        if !gates.moves {
            return;
        }
        self.moves.record(&movers, before);
        let start = self.synced.world.clone();
        let positions =
            (movers.iter()).map(|mover| (self.ids[&mover.entity], mover.position.as_dvec2()));
        self.synced.move_to(positions);
        let check = OneWayCheck {
            start: &start,
            synced: &self.synced,
            ids: &self.ids,
            is_current: gates.sync && !is_paused,
        };
        for mover in movers.iter().filter(|mover| !mover.is_hidden) {
            check.check(mover, before[&mover.entity].velocity);
        }
    }
}
