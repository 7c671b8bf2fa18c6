//! A random scene with all kinds of colliders, in which everything changes, checked against testing
//! every pair.

use std::{collections::BTreeMap, f32::consts::TAU};

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::{geometry::contact_within, prelude::*};
use fastrand::Rng;

use super::{
    reference::{overlap_distance, reference_colliders},
    *,
};

/// The rounding of a distance in these scenes, which stay within a few hundred units.
pub const ROUNDING: f32 = 2e-3;

/// A world full of all kinds of colliders, in which everything changes.
pub struct Scene {
    pub app: App,
    pub rng: Rng,
    pub entities: Vec<Entity>,
    pub replay: Replay,
}

impl Scene {
    pub fn new(seed: u64, count: usize) -> Self {
        Self::in_app(test_app(), seed, count)
    }

    pub fn in_app(app: App, seed: u64, count: usize) -> Self {
        let mut scene = Self {
            app,
            rng: Rng::with_seed(seed),
            entities: vec![],
            replay: Replay::default(),
        };
        for _ in 0..count {
            scene.spawn();
        }
        scene
    }

    pub fn vec2(&mut self, limit: f32) -> Vec2 {
        let mut coordinate = || (self.rng.f32() * 2.0 - 1.0) * limit;
        Vec2::new(coordinate(), coordinate())
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    pub fn any_entity(&mut self) -> Entity {
        self.entities[exact::index(&mut self.rng, self.entities.len())]
    }

    fn transform(&mut self) -> Transform {
        let mut transform = Transform::from_translation(self.vec2(50.0).extend(0.0));
        transform.translation.z = self.rng.f32();
        if self.rng.bool() {
            transform.rotation = exact::rotation(self.rng.f32() * 7.0);
        }
        transform.scale = self.scale().extend(self.rng.u8(0..3).into());
        transform
    }

    fn scale(&mut self) -> Vec2 {
        let factor = 0.5 + self.rng.f32();
        match self.rng.u32(0..12) {
            0 => Vec2::new(factor, 1.0),
            1 => Vec2::new(1.0, -factor),
            2 => Vec2::new(-factor, factor),
            3 => Vec2::new(0.0, factor),
            4 => Vec2::new(factor, 0.0),
            5 => Vec2::splat(factor),
            _ => Vec2::ONE,
        }
    }

    fn circle(&mut self) -> CircleCollider {
        let offset = if self.chance(30) {
            self.vec2(5.0)
        } else {
            Vec2::ZERO
        };
        CircleCollider {
            radius: self.rng.f32() * 8.0 - 0.5,
            offset,
        }
    }

    fn rect(&mut self) -> RectCollider {
        let offset = if self.chance(30) {
            self.vec2(5.0)
        } else {
            Vec2::ZERO
        };
        RectCollider {
            size: self.vec2(8.0).abs() * 2.0 - 0.5,
            offset,
        }
    }

    fn capsule(&mut self) -> CapsuleCollider {
        let radius = self.rng.f32() * 5.0 - 0.5;
        CapsuleCollider::between(self.vec2(6.0), self.vec2(6.0), radius)
    }

    /// A star-shaped polygon around a point.
    fn polygon(&mut self) -> PolygonCollider {
        let count = self.rng.u8(3..12);
        let vertex = |i: u8| {
            let angle = f32::from(i) / f32::from(count) * TAU;
            exact::direction(angle) * (1.0 + self.rng.f32() * 7.0)
        };
        PolygonCollider::new((0..count).map(vertex).collect::<Vec<_>>()).unwrap()
    }

    fn tiles(&mut self) -> TileCollider {
        let (columns, rows) = (self.rng.u32(1..7), self.rng.u32(1..7));
        let cell_size = Vec2::new(self.rng.f32(), self.rng.f32()) * 3.0;
        let solid: Vec<bool> = (0..columns * rows).map(|_| self.chance(60)).collect();
        TileCollider::from_cells(columns, solid, cell_size).with_offset(self.vec2(3.0))
    }

    pub fn layers(&mut self) -> CollisionLayers {
        let mut mask = || LayerMask(self.rng.u32(0..8));
        CollisionLayers::new(mask(), mask())
    }

    fn mover(&mut self) -> Mover {
        let responses = [
            MoverResponse::Slide,
            MoverResponse::Stop,
            MoverResponse::Bounce,
            MoverResponse::Pass,
        ];
        Mover {
            velocity: self.vec2(300.0),
            displacement: if self.chance(10) {
                self.vec2(60.0)
            } else {
                Vec2::ZERO
            },
            response: responses[exact::index(&mut self.rng, 4)],
            blocked_by: LayerMask(self.rng.u32(0..8)),
            ..default()
        }
    }

    pub fn spawn(&mut self) {
        let transform = self.transform();
        let entity = self.app.world_mut().spawn(transform).id();
        self.entities.push(entity);
        if self.chance(55) {
            let circle = self.circle();
            self.insert(entity, circle);
        } else if self.chance(60) {
            let rect = self.rect();
            self.insert(entity, rect);
        } else if self.chance(70) {
            let capsule = self.capsule();
            self.insert(entity, capsule);
        } else if self.chance(40) {
            let polygon = self.polygon();
            self.insert(entity, polygon);
        } else if self.chance(40) {
            let tiles = self.tiles();
            self.insert(entity, tiles);
        }
        if self.chance(30) {
            self.insert(entity, Solid);
        }
        if self.chance(30) {
            let layers = self.layers();
            self.insert(entity, layers);
        }
        if self.chance(15) {
            let mover = self.mover();
            self.insert(entity, mover);
        }
        if self.chance(30) {
            self.reparent(entity);
        }
    }

    fn insert(&mut self, entity: Entity, bundle: impl Bundle) {
        self.app.world_mut().entity_mut(entity).insert(bundle);
    }

    fn has<C: Component>(&self, entity: Entity) -> bool {
        self.app.world().get::<C>(entity).is_some()
    }

    /// Adds a component where it is missing and removes it where it is there.
    pub fn toggle<C: Component + Default>(&mut self, entity: Entity) {
        let mut entity = self.app.world_mut().entity_mut(entity);
        if entity.contains::<C>() {
            entity.remove::<C>();
        } else {
            entity.insert(C::default());
        }
    }

    fn ancestors(&self, entity: Entity) -> Vec<Entity> {
        let parent = |entity: &Entity| {
            self.app
                .world()
                .get::<ChildOf>(*entity)
                .map(ChildOf::parent)
        };
        std::iter::successors(parent(&entity), parent).collect()
    }

    /// Gives an entity another parent, but no disabled one, through which Bevy does not propagate
    /// transforms.
    fn reparent(&mut self, entity: Entity) {
        let parent = self.any_entity();
        let line = self.ancestors(parent);
        let loops = parent == entity || line.contains(&entity);
        if !loops && line.len() < 3 && !self.has::<Disabled>(parent) {
            self.insert(entity, ChildOf(parent));
        }
    }

    fn move_entity(&mut self, entity: Entity) {
        let (step, turn) = (self.vec2(3.0).extend(0.0), self.rng.f32() * 0.2);
        let mut transform = self.app.world_mut().get_mut::<Transform>(entity).unwrap();
        let from = transform.translation;
        transform.translation = (if from.is_finite() { from } else { Vec3::ZERO }) + step;
        transform.rotate(exact::rotation(turn));
    }

    pub fn change_something(&mut self) {
        let entity = self.any_entity();
        match self.rng.u32(0..18) {
            0 => self.spawn(),
            1 => {
                self.app.world_mut().despawn(entity);
                let world = self.app.world();
                self.entities
                    .retain(|&entity| world.get_entity(entity).is_ok());
            }
            2 | 3 => self.reparent(entity),
            4 => {
                self.app.world_mut().entity_mut(entity).remove::<ChildOf>();
            }
            5 => self.toggle::<ColliderDisabled>(entity),
            6 if !self.has::<Children>(entity) => {
                self.toggle::<Disabled>(entity);
                // Bevy misses changes of the transform of a disabled entity.
                self.app
                    .world_mut()
                    .get_mut::<Transform>(entity)
                    .unwrap()
                    .set_changed();
            }
            7 => {
                self.app
                    .world_mut()
                    .entity_mut(entity)
                    .remove::<CircleCollider>();
                let rect = self.rect();
                self.insert(entity, rect);
            }
            8 => {
                let circle = self.circle();
                self.insert(entity, circle);
            }
            9 => {
                self.app.world_mut().entity_mut(entity).remove::<(
                    CircleCollider,
                    RectCollider,
                    CapsuleCollider,
                    PolygonCollider,
                    TileCollider,
                )>();
            }
            10 => {
                let layers = self.layers();
                self.insert(entity, layers);
            }
            11 => {
                self.app
                    .world_mut()
                    .entity_mut(entity)
                    .remove::<CollisionLayers>();
            }
            12 => self.toggle::<Solid>(entity),
            13 => {
                let mover = self.mover();
                self.insert(entity, mover);
            }
            14 => {
                self.app.world_mut().entity_mut(entity).remove::<Mover>();
            }
            15 => {
                let transform = self.transform();
                self.insert(entity, transform);
            }
            16 => {
                let mut transform = self.app.world_mut().get_mut::<Transform>(entity).unwrap();
                transform.translation.x = f32::NAN;
            }
            _ => {
                let collider = self.circle();
                if let Some(mut circle) = self.app.world_mut().get_mut::<CircleCollider>(entity) {
                    *circle = collider;
                }
            }
        }
    }

    pub fn move_some(&mut self, percent: u32) {
        for entity in self.entities.clone() {
            if self.chance(percent) {
                self.move_entity(entity);
            }
        }
    }

    pub fn frame(&mut self, moving_percent: u32) -> Vec<CollisionEvent> {
        self.move_some(moving_percent);
        let events = step(&mut self.app);
        self.replay.record(&events);
        events
    }

    /// Compares the pairs of the plugin with those of the reference.
    pub fn check(&mut self, context: &str) {
        let known = run_system(&mut self.app, |collisions: Collisions| {
            let pairs = collisions
                .iter()
                .map(|pair| ((pair.a, pair.b), pair.contact));
            pairs.collect::<BTreeMap<_, _>>()
        });
        let replayed = self.replay.pairs();
        assert!(
            known.keys().eq(&replayed),
            "{context}: the events do not lead to the pairs"
        );
        let settings = *self.app.world().resource::<CollisionSettings>();
        let colliders = run_system(&mut self.app, reference_colliders);
        for (i, (&a, p)) in colliders.iter().enumerate() {
            for (&b, q) in colliders.iter().skip(i + 1) {
                let contact = known.get(&(a, b));
                let Some(distance) = overlap_distance(p, q, &settings) else {
                    assert_eq!(
                        contact, None,
                        "{context}: {a} {b}: the rules do not let them"
                    );
                    continue;
                };
                let expected = contact_within(&p.shape, &q.shape, distance + ROUNDING);
                let nearly = |depth: f32| (depth + distance).abs() <= ROUNDING;
                match (contact, expected) {
                    (Some(contact), Some(expected)) => {
                        let error = (contact.depth - expected.depth).abs();
                        assert!(
                            error < ROUNDING,
                            "{context}: {a} {b}: {contact:?} {expected:?}"
                        );
                        assert!(contact.normal.is_normalized(), "{context}: {contact:?}");
                    }
                    (None, None) => {}
                    (None, Some(expected)) if nearly(expected.depth) => {}
                    _ => panic!(
                        "{context}: {a} {b}: {contact:?} {expected:?} {:?} {:?}",
                        p.shape, q.shape
                    ),
                }
            }
        }
        let is_unknown = |entity: &&Entity| !colliders.contains_key(*entity);
        let unexpected: Vec<_> = known
            .keys()
            .flat_map(|(a, b)| [a, b])
            .filter(is_unknown)
            .collect();
        assert!(
            unexpected.is_empty(),
            "{context}: {unexpected:?} take no part"
        );
    }
}
