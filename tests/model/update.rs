//! Updates of the world and of its model, and what the two have to agree in.

use std::collections::BTreeSet;

use bevy::{
    ecs::{message::MessageCursor, system::RunSystemOnce},
    prelude::*,
};
use bevy_thud::prelude::*;

use crate::{
    app::{Observed, Physics},
    gates::Gates,
    machine::Machine,
    pending::EntityPair,
    world::{Id, Pair},
};

/// Up to where messages are read.
#[derive(Default)]
pub struct Cursors {
    collisions: MessageCursor<CollisionEvent>,
    hits: MessageCursor<MoverHit>,
    crushed: MessageCursor<Crushed>,
}

fn unread<M: Message + Clone>(app: &App, cursor: &mut MessageCursor<M>) -> Vec<M> {
    let messages = app.world().resource::<Messages<M>>();
    cursor.read(messages).cloned().collect()
}

impl Machine {
    pub fn update(&mut self) {
        let gates = *self.app.world().resource::<Gates>();
        *self.app.world_mut().resource_mut() = Observed::default();
        let before = self.movers_before();
        self.app.world_mut().run_schedule(Physics);
        if gates.sync {
            self.synced.sync(&self.model);
        }
        self.check_moves(gates, &before);
        let pairs = self.collisions();
        if gates.detect {
            self.check_pairs(pairs);
        } else {
            assert_eq!(pairs, self.pending.pairs, "nothing was detected");
        }
        self.check_reports(gates.report);
    }

    /// The pairs of [`Collisions`].
    fn collisions(&mut self) -> BTreeSet<EntityPair> {
        let read = |collisions: Collisions| -> BTreeSet<EntityPair> {
            collisions.iter().map(|pair| (pair.a, pair.b)).collect()
        };
        let pairs = self.app.world_mut().run_system_once(read);
        pairs.expect("the system runs")
    }

    /// Checks that these pairs are those that overlap, and records what is to be reported.
    fn check_pairs(&mut self, pairs: BTreeSet<EntityPair>) {
        let now: BTreeSet<Pair> = pairs.iter().map(|&pair| self.pair(pair)).collect();
        let expected = self.synced.overlapping(&self.model, &now);
        assert_eq!(now, expected, "before: {:?}", self.pending.pairs);
        let Self {
            synced,
            entities,
            ids,
            model,
            ..
        } = self;
        let has_path = |id: &&Id| synced.has_path(**id);
        let travelers = synced.world.bodies.keys().filter(has_path);
        let reasons = |(a, b): EntityPair| synced.end_reasons(model, (ids[&a], ids[&b]));
        (self.pending).detect(pairs, travelers.map(|id| entities[id]), reasons);
        self.synced.end_detection();
    }

    fn pair(&self, (a, b): EntityPair) -> Pair {
        assert!(a < b, "the lesser entity comes first");
        let [a, b] = [a, b].map(|entity| self.ids[&entity]);
        (a.min(b), a.max(b))
    }

    /// Checks that what is pending is reported once `Report` runs, and nothing before.
    fn check_reports(&mut self, is_reported: bool) {
        let events = unread(&self.app, &mut self.cursors.collisions);
        let hits = unread(&self.app, &mut self.cursors.hits);
        let crushed = unread(&self.app, &mut self.cursors.crushed);
        if is_reported {
            self.pending.report(&events);
            self.moves.report(&hits, &crushed, self.app.world());
            for (id, list) in &mut self.lists {
                let entity = self.entities[id];
                let other = |&(a, b): &EntityPair| match entity {
                    _ if entity == a => Some(b),
                    _ if entity == b => Some(a),
                    _ => None,
                };
                *list = self.pending.pairs.iter().filter_map(other).collect();
                list.sort();
            }
        } else {
            assert_eq!(events, []);
            assert_eq!(hits, []);
            assert_eq!(crushed, []);
        }
        self.check_observers(&events);
        self.lists
            .retain(|id, _| self.model.bodies.contains_key(id));
        for (id, list) in &self.lists {
            let listed = self.app.world().get::<CollidingEntities>(self.entities[id]);
            assert_eq!(**listed.expect("it has a list"), **list, "{id}");
        }
    }

    /// Checks what observers received, and lets those that despawn others do so in the model.
    fn check_observers(&mut self, events: &[CollisionEvent]) {
        let mut expected = Observed::default();
        for event in events {
            let is_start = matches!(event, CollisionEvent::Started { .. });
            let [a, b] = event.entities();
            for (collider, other) in [(a, b), (b, a)] {
                let [id, other_id] = [collider, other].map(|entity| self.ids[&entity]);
                let Some(body) = self.model.bodies.get(&id) else {
                    continue;
                };
                expected.0.push((collider, other, is_start));
                if is_start && body.is_deadly {
                    self.model.despawn(other_id);
                }
            }
        }
        assert_eq!(*self.app.world().resource::<Observed>(), expected);
    }
}
