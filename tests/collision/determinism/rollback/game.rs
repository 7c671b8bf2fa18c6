//! A random game that is the same whichever ids its entities have.

use std::collections::HashMap;

use bevy::{ecs::message::Message, prelude::*};
use bevy_thud::prelude::*;
use fastrand::Rng;

use super::snapshot::Snapshot;
use crate::common::{scene::Scene, *};

/// A scene in which everything changes, with a key for each entity.
pub struct Game {
    scene: Scene,
    next_key: u64,
    /// The keys of all entities that ever were, by how they are written.
    keys: HashMap<String, u64>,
}

/// What a step did, by keys: what happened, and what is afterward.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub events: Vec<String>,
    pub entities: Vec<String>,
    pub hashes: [u64; 2],
}

impl Outcome {
    /// Fails where the first difference is.
    pub fn check(&self, expected: &Self, context: &str) {
        for (now, then) in self.entities.iter().zip(&expected.entities) {
            assert_eq!(now, then, "{context}");
        }
        assert_eq!(self.events, expected.events, "{context}");
        assert_eq!(self.hashes, expected.hashes, "{context}");
        assert!(self == expected, "{context}");
    }
}

/// All that a game depends on.
#[derive(Clone)]
pub struct Saved {
    snapshot: Snapshot,
    rng: Rng,
    next_key: u64,
}

impl Game {
    pub fn new(seed: u64) -> Self {
        let mut game = Self {
            scene: Scene::new(seed, 40),
            next_key: 0,
            keys: HashMap::new(),
        };
        game.add_keys();
        game
    }

    fn add_keys(&mut self) {
        let world = self.scene.app.world_mut();
        for &entity in &self.scene.entities {
            let mut entity = world.entity_mut(entity);
            if !entity.contains::<StableKey>() {
                let key = self.next_key;
                self.next_key += 1;
                entity.insert((StableKey(key), MoverHits::default()));
                if key.is_multiple_of(3) {
                    entity.insert(CollidingEntities::default());
                }
            }
            let key = entity.get::<StableKey>().map_or(0, |key| key.0);
            self.keys.insert(entity.id().to_string(), key);
        }
    }

    pub fn save(&self) -> Saved {
        Saved {
            snapshot: Snapshot::of(self.scene.app.world(), &self.scene.entities),
            rng: self.scene.rng.clone(),
            next_key: self.next_key,
        }
    }

    pub fn restore(&mut self, saved: &Saved, are_new: bool) {
        let world = self.scene.app.world_mut();
        let now = &self.scene.entities;
        self.scene.entities = saved.snapshot.restore(world, now, are_new);
        self.scene.rng = saved.rng.clone();
        self.next_key = saved.next_key;
        self.add_keys();
    }

    /// Changes something, and updates.
    pub fn step(&mut self) -> Outcome {
        let scene = &mut self.scene;
        for _ in 0..2 {
            scene.change_something();
        }
        while scene.entities.len() < 35 {
            scene.spawn();
        }
        let entity = scene.any_entity();
        match scene.rng.u8(0..8) {
            0 => scene.toggle::<Swept>(entity),
            1 => scene.toggle::<OneWay>(entity),
            2 => scene.toggle::<Solid>(entity),
            3 => scene.toggle::<Walker>(entity),
            4 => scene.toggle::<Conveyor>(entity),
            5 => {
                let mut state = scene.app.world_mut().resource_mut::<CollisionState>();
                state.teleport(entity);
            }
            _ => self.push(entity),
        }
        self.add_keys();
        self.scene.move_some(30);
        let collisions = step(&mut self.scene.app);
        self.outcome(&collisions)
    }

    /// Gives a new velocity to a mover that walls have stopped.
    fn push(&mut self, entity: Entity) {
        let velocity = self.scene.vec2(600.0);
        if let Some(mut mover) = self.scene.app.world_mut().get_mut::<Mover>(entity) {
            mover.velocity = velocity;
        }
    }

    fn outcome(&mut self, collisions: &[CollisionEvent]) -> Outcome {
        let mut events: Vec<String> = collisions.iter().map(|event| self.name(event)).collect();
        events.extend(self.drain::<MoverHit>());
        events.extend(self.drain::<Crushed>());
        events.extend(self.drain::<LeftFloor>());
        events.extend(self.drain::<Landed>());
        events.extend(self.drain::<ChangedFloor>());
        let world = self.scene.app.world();
        let describe = |&entity: &Entity| {
            let parts = (
                entity,
                world.get::<Transform>(entity),
                world.get::<Mover>(entity),
                world.get::<MoverHits>(entity),
                world.get::<Ground>(entity),
                world.get::<CollidingEntities>(entity),
            );
            self.name(&parts)
        };
        let entities = self.scene.entities.iter().map(describe).collect();
        let state = world.resource::<CollisionState>().hash();
        let poses = run_system(&mut self.scene.app, |collisions: Collisions| {
            collisions.hash_of_poses()
        });
        Outcome {
            events,
            entities,
            hashes: [state, poses],
        }
    }

    fn drain<M: Message + std::fmt::Debug>(&mut self) -> Vec<String> {
        let world = self.scene.app.world_mut();
        let messages: Vec<M> = world.resource_mut::<Messages<M>>().drain().collect();
        messages.iter().map(|message| self.name(message)).collect()
    }

    /// A value as text, with keys in place of entities. All numbers are written so that they differ
    /// if their bits do.
    fn name(&self, value: &impl std::fmt::Debug) -> String {
        let text = format!("{value:?}");
        let mut named = String::with_capacity(text.len());
        let mut rest = text.as_str();
        // An entity is written as its index, a `v`, and its generation.
        while let Some(at) = rest.find('v') {
            let is_digit = |byte: &u8| byte.is_ascii_digit();
            let start = at - rest[..at].bytes().rev().take_while(is_digit).count();
            let end = at + 1 + rest[at + 1..].bytes().take_while(is_digit).count();
            match self.keys.get(&rest[start..end]) {
                Some(key) => {
                    named += &rest[..start];
                    named += &format!("#{key}");
                }
                None => named += &rest[..end],
            }
            rest = &rest[end..];
        }
        named + rest
    }
}
