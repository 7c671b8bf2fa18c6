//! Updates of the world and of its model, and what the two have to agree in.

use std::collections::BTreeSet;

use bevy::{
    ecs::{message::MessageCursor, system::RunSystemOnce},
    prelude::*,
};
use bevy_thud::prelude::*;

use crate::{
    app::{IsRunning, Observed, Physics},
    detection::{Detection, EntityPair},
    machine::Machine,
    world::Pair,
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
        *self.app.world_mut().resource_mut() = Observed::default();
        let before = self.movers_before();
        self.app.world_mut().run_schedule(Physics);
        let events = unread(&self.app, &mut self.cursors.collisions);
        let hits = unread(&self.app, &mut self.cursors.hits);
        let crushed = unread(&self.app, &mut self.cursors.crushed);
        let pairs = self.collisions();
        if self.app.world().resource::<IsRunning>().0 {
            self.synced.sync(&self.model);
            self.check_moves(&before, &hits, &crushed);
            self.check_pairs(pairs, &events);
            self.update_lists();
        } else {
            self.check_rest();
            assert_eq!(pairs, self.pairs, "nothing was detected");
            assert_eq!((events.len(), hits.len(), crushed.len()), (0, 0, 0));
        }
        self.check_observers(&events);
        self.check_lists();
    }

    /// The pairs of [`Collisions`].
    fn collisions(&mut self) -> BTreeSet<EntityPair> {
        let read = |collisions: Collisions| -> BTreeSet<EntityPair> {
            collisions.iter().map(|pair| (pair.a, pair.b)).collect()
        };
        let pairs = self.app.world_mut().run_system_once(read);
        pairs.expect("the system runs")
    }

    /// Checks that these pairs are those that overlap, and that these events lead to them.
    fn check_pairs(&mut self, pairs: BTreeSet<EntityPair>, events: &[CollisionEvent]) {
        let now: BTreeSet<Pair> = pairs.iter().map(|&pair| self.pair(pair)).collect();
        let expected = self.synced.overlapping(&now);
        assert_eq!(now, expected, "before: {:?}", self.pairs);
        let world = &self.synced.world;
        let travelers = (world.bodies.keys()).filter(|&&id| self.synced.has_path(id));
        let travelers = travelers.map(|id| self.entities[id]);
        let reason = |(a, b): EntityPair| world.end_reason((self.ids[&a], self.ids[&b]));
        Detection::new([&self.pairs, &pairs], travelers, reason).check(events);
        self.pairs = pairs;
    }

    fn pair(&self, (a, b): EntityPair) -> Pair {
        assert!(a < b, "the lesser entity comes first");
        let [a, b] = [a, b].map(|entity| self.ids[&entity]);
        (a.min(b), a.max(b))
    }

    fn update_lists(&mut self) {
        for (id, list) in &mut self.lists {
            let entity = self.entities[id];
            let other = |&(a, b): &EntityPair| match entity {
                _ if entity == a => Some(b),
                _ if entity == b => Some(a),
                _ => None,
            };
            *list = self.pairs.iter().filter_map(other).collect();
            list.sort();
        }
    }

    fn check_lists(&mut self) {
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
