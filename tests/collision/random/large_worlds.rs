//! Worlds of thousands of colliders, against testing every pair: what happens only in large worlds
//! (pair buckets, sorting, large boxes) has to be right, too.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, contact_within},
    prelude::*,
};
use fastrand::Rng;

use crate::common::{threads::*, *};

/// The rounding of a distance in these worlds.
const ROUNDING: f32 = 2e-3;

/// World units per update.
#[derive(Component)]
struct Velocity(Vec2);

/// A world of circles, boxes, and walls of up to thousands of units, most of which move.
struct World {
    app: App,
    rng: Rng,
    side: f32,
    entities: Vec<Entity>,
}

impl World {
    fn new(app: App, seed: u64, count: usize) -> Self {
        let mut world = Self {
            app,
            rng: Rng::with_seed(seed),
            side: 16.0 * (count as f32).sqrt(),
            entities: vec![],
        };
        for _ in 0..count {
            world.spawn();
        }
        world
    }

    fn position(&mut self) -> Vec2 {
        Vec2::new(self.rng.f32(), self.rng.f32()) * self.side
    }

    fn spawn(&mut self) {
        let (position, angle) = (self.position(), self.rng.f32() * 7.0);
        let heading = Vec2::from_angle(self.rng.f32() * 7.0);
        let mut entity = self.app.world_mut().spawn(rotated(position, angle));
        match self.rng.u32(0..100) {
            0..3 => {
                let length = 10f32.powf(3.5 * self.rng.f32());
                entity.insert((RectCollider::new(length, 2.0), Solid));
            }
            3..15 => {
                entity.insert(RectCollider::new(12.0, 6.0));
            }
            _ => {
                let radius = 2.0 + 6.0 * self.rng.f32();
                entity.insert((
                    CircleCollider::new(radius),
                    Velocity(heading * self.rng.f32() * 3.0),
                ));
            }
        }
        self.entities.push(entity.id());
    }

    /// Moves the moving colliders, teleports some, and replaces some.
    fn change(&mut self) {
        let world = self.app.world_mut();
        for (mut transform, velocity) in
            world.query::<(&mut Transform, &Velocity)>().iter_mut(world)
        {
            transform.translation += velocity.0.extend(0.0);
        }
        for _ in 0..20 {
            let (which, position) = (self.rng.usize(0..self.entities.len()), self.position());
            let entity = self.entities.swap_remove(which);
            if self.rng.bool() {
                self.app.world_mut().despawn(entity);
                self.spawn();
            } else {
                let mut transform = self.app.world_mut().get_mut::<Transform>(entity).unwrap();
                transform.translation = position.extend(0.0);
                self.entities.push(entity);
            }
        }
    }

    /// Every collider with its shape in the world, from left to right.
    fn shapes(&mut self) -> Vec<(Entity, Shape, bool)> {
        let world = self.app.world_mut();
        let mut colliders = world.query::<(
            Entity,
            &Transform,
            Option<&CircleCollider>,
            Option<&RectCollider>,
            Has<Solid>,
        )>();
        let mut shapes: Vec<_> = (colliders.iter(world))
            .map(|(entity, transform, circle, rect, solid)| {
                let center = transform.translation.truncate();
                let x_axis = (transform.rotation * Vec3::X).truncate();
                let shape = match (circle, rect) {
                    (Some(circle), _) => Shape::circle(center, circle.radius),
                    (None, Some(rect)) => {
                        Shape::rect(center, rect.size, Rot2::radians(x_axis.to_angle()))
                    }
                    (None, None) => unreachable!(),
                };
                (entity, shape, solid)
            })
            .collect();
        shapes.sort_by(|p, q| p.1.aabb().min.x.total_cmp(&q.1.aabb().min.x));
        shapes
    }

    /// The pairs that overlap, with their depths, including those within rounding of it.
    fn expected(&mut self) -> BTreeMap<(Entity, Entity), f32> {
        let shapes = self.shapes();
        let mut pairs = BTreeMap::new();
        for (i, (a, a_shape, a_solid)) in shapes.iter().enumerate() {
            let end = a_shape.aabb().max.x + 1.0;
            let near = shapes[i + 1..]
                .iter()
                .take_while(|(_, shape, _)| shape.aabb().min.x < end);
            for (b, b_shape, b_solid) in near {
                if let Some(contact) = contact_within(a_shape, b_shape, ROUNDING)
                    && !(*a_solid && *b_solid)
                {
                    pairs.insert((*a.min(b), *a.max(b)), contact.depth);
                }
            }
        }
        pairs
    }
}

#[test]
fn the_pairs_of_a_large_world_are_those_of_testing_every_pair() {
    for (seed, count) in [(1, 700), (2, 3000), (3, 9000)] {
        let mut world = World::new(test_app(), seed, count);
        let mut open = BTreeSet::new();
        for frame in 0..15 {
            world.change();
            for event in brief_step(&mut world.app) {
                match event {
                    Brief::Started(a, b) => assert!(open.insert((a, b)), "{frame}: {a} {b}"),
                    Brief::Ended(a, b, _) => assert!(open.remove(&(a, b)), "{frame}: {a} {b}"),
                }
            }
            let expected = world.expected();
            for pair in &open {
                assert!(expected.contains_key(pair), "{count}, {frame}: {pair:?}");
            }
            for (pair, depth) in expected {
                let is_open = open.contains(&pair);
                assert!(is_open || depth < ROUNDING, "{count}, {frame}: {pair:?}");
            }
        }
        assert!(open.len() > count / 3, "too quiet: {}", open.len());
    }
}

#[test]
#[ignore = "run by events_do_not_depend_on_the_number_of_threads"]
fn events_of_a_large_world() {
    let Some(app) = app_with_threads() else {
        return;
    };
    let mut world = World::new(app, 5, 5000);
    let mut hasher = DefaultHasher::new();
    let mut count = 0;
    for _ in 0..30 {
        world.change();
        for event in step(&mut world.app) {
            count += 1;
            format!("{event:?}").hash(&mut hasher);
        }
    }
    println!("events: {count} {:x}", hasher.finish());
}

/// Enough colliders that they are synced in several chunks.
#[test]
fn none_of_a_hundred_thousand_is_left_out() {
    let mut app = test_app();
    let couples = 50_000;
    let position = |number: usize| Vec2::new((number % 250) as f32, (number / 250) as f32) * 6.0;
    let first: Vec<Entity> = (0..couples)
        .map(|number| {
            let Vec2 { x, y } = position(number);
            spawn(&mut app, ball(x + 1.0, y));
            spawn(&mut app, ball(x, y))
        })
        .collect();
    assert_eq!(step(&mut app).len(), couples);
    assert_eq!(step(&mut app).len(), 0);
    for (number, &entity) in first.iter().enumerate() {
        let apart = Vec2::new(-1.5, 0.0);
        app.world_mut()
            .get_mut::<Transform>(entity)
            .unwrap()
            .translation = (position(number) + apart).extend(0.0);
    }
    assert_eq!(step(&mut app).len(), couples);
    assert_eq!(pairs(&mut app), []);
}

#[test]
fn events_do_not_depend_on_the_number_of_threads() {
    let test = concat!(module_path!(), "::events_of_a_large_world");
    let events_with = |threads| printed_with_threads(threads, test, "events: ");
    let with_one = events_with(1);
    assert!(!with_one.starts_with("events: 0 "));
    for threads in [2, 3, 8] {
        assert_eq!(events_with(threads), with_one, "{threads} threads");
    }
}
