//! What is promised about the motion of movers: when they move, what blocks them and what is
//! reported of it.

use std::collections::BTreeMap;

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow},
    math::DVec2,
    prelude::*,
};
use bevy_thud::prelude::*;

use crate::{
    app::{MoverState, Movers},
    machine::Machine,
    one_way::OneWayCheck,
};

/// A mover before an update.
pub struct MoverBefore {
    pub velocity: DVec2,
    is_crushed: bool,
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

    /// Checks how movers moved and what is reported of that, and moves them in the model.
    pub fn check_moves(
        &mut self,
        before: &BTreeMap<Entity, MoverBefore>,
        hits: &[MoverHit],
        crushed: &[Crushed],
    ) {
        let movers = self.take_movers();
        let is_paused = self.app.world().resource::<Time>().delta().is_zero();
        for mover in &movers {
            if is_paused || mover.is_hidden {
                self.check_rests(mover);
            } else {
                let body = self.model.bodies.get_mut(&self.ids[&mover.entity]);
                body.expect("it lives").position = mover.position.as_dvec2();
            }
        }
        let visible = || movers.iter().filter(|mover| !mover.is_hidden);
        let expected: Vec<_> = visible().flat_map(|mover| mover.hits.clone()).collect();
        assert_eq!(hits, expected);
        let newly_crushed = visible()
            .filter(|mover| mover.is_crushed && !before[&mover.entity].is_crushed)
            .map(|mover| mover.entity);
        assert!(
            crushed
                .iter()
                .map(|crushed| crushed.entity)
                .eq(newly_crushed)
        );
        let start = self.synced.world.clone();
        let positions =
            (movers.iter()).map(|mover| (self.ids[&mover.entity], mover.position.as_dvec2()));
        self.synced.move_to(positions);
        let check = OneWayCheck {
            start: &start,
            synced: &self.synced,
            ids: &self.ids,
            is_paused,
        };
        for mover in visible() {
            check.check(mover, before[&mover.entity].velocity);
        }
    }

    /// Checks that no mover moved.
    pub fn check_rest(&mut self) {
        let movers = self.take_movers();
        movers.iter().for_each(|mover| self.check_rests(mover));
    }

    fn take_movers(&mut self) -> Vec<MoverState> {
        std::mem::take(&mut self.app.world_mut().resource_mut::<Movers>().0)
    }

    fn check_rests(&self, mover: &MoverState) {
        let position = self.model.bodies[&self.ids[&mover.entity]]
            .position
            .as_vec2();
        let is_there = mover.position == position || !position.is_finite();
        assert!(is_there, "{} moved from {position}", mover.entity);
    }
}
