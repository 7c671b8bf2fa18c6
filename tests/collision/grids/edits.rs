//! Edits of grids: pairs are as a test of their shapes says.

use bevy::prelude::*;
use bevy_thud::{geometry::contact_within, prelude::*, refresh_colliders};
use fastrand::Rng;

use crate::common::*;

/// The number of columns and of rows.
const SIZE: u32 = 48;

/// A map with objects on it and in it.
struct Site {
    app: App,
    map: Entity,
    objects: Vec<Entity>,
    rng: Rng,
}

impl Site {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let mut app = unstarted_app(CollisionPlugin::default());
        app.world_mut().resource_mut::<CollisionSettings>().margin = [0.0, 0.3][rng.usize(..2)];
        start(&mut app);
        let objects: Vec<Entity> = (0..40)
            .map(|_| {
                let entity = spawn(&mut app, rotated(any_position(&mut rng), rng.f32()));
                let size = Vec2::new(0.5 + 5.0 * rng.f32() * rng.f32(), 1.0);
                Kind::any(&mut rng).insert(&mut app, entity, size);
                entity
            })
            .collect();
        // The last, so that a key makes it the first.
        let density = 0.2 + 0.6 * rng.f32();
        let cells = (0..SIZE * SIZE).map(|cell| {
            let [x, y] = [cell % SIZE / 8, cell / SIZE / 8];
            (x * 7 + y * 5) % 3 == 0 || rng.f32() < density * 0.3
        });
        let map = TileCollider::from_cells(SIZE, cells, Vec2::new(1.0, 1.0 + seed as f32 % 2.0));
        let map = spawn(
            &mut app,
            (map, Solid, rotated(Vec2::ZERO, (seed % 3) as f32 * 0.4)),
        );
        Self {
            app,
            map,
            objects,
            rng,
        }
    }

    /// Changes some cells, and sometimes something else.
    fn change_some(&mut self) {
        for _ in 0..self.rng.u8(..3) {
            let world = self.app.world_mut();
            let mut map = world.get_mut::<TileCollider>(self.map).unwrap();
            let cell = UVec2::new(self.rng.u32(..SIZE), self.rng.u32(..SIZE));
            let is_solid = map.is_solid(cell);
            map.set(cell, !is_solid);
        }
        let object = self.objects[self.rng.usize(..self.objects.len())];
        let position = any_position(&mut self.rng);
        let world = self.app.world_mut();
        match self.rng.u8(..24) {
            0 => world.get_mut::<Transform>(self.map).unwrap().translation.x += 0.3,
            1 => {
                let parent = world.spawn(at(0.1, 0.0)).id();
                world.entity_mut(self.map).insert(ChildOf(parent));
            }
            2 => _ = world.entity_mut(self.map).remove::<ChildOf>(),
            3 => _ = world.entity_mut(self.map).insert(ColliderDisabled),
            4 => _ = world.entity_mut(self.map).remove::<ColliderDisabled>(),
            5 => {
                let key = StableKey(self.rng.u64(..9));
                world.entity_mut(self.map).insert(key);
            }
            6 => world.resource_mut::<CollisionSettings>().margin = 0.5 * self.rng.f32(),
            7 => _ = world.entity_mut(self.map).insert(Swept),
            8 => _ = world.entity_mut(self.map).remove::<Swept>(),
            9 => refresh_colliders(world),
            10 => _ = world.entity_mut(object).insert(ColliderDisabled),
            11 => _ = world.entity_mut(object).remove::<ColliderDisabled>(),
            12 => world.get_mut::<Transform>(object).unwrap().translation += Vec3::X * 0.2,
            13 => set_position(&mut self.app, object, position),
            14..18 => {
                let parent = world.get::<ChildOf>(self.map).map(ChildOf::parent);
                if let Some(mut parent) =
                    parent.and_then(|parent| world.get_mut::<Transform>(parent))
                {
                    parent.translation += Vec3::X * 0.4;
                }
            }
            _ => {}
        }
    }

    /// Compares each pair with a test of its shapes.
    fn check(&mut self, seed: u64) {
        let (map, margin) = (
            self.map,
            self.app.world().resource::<CollisionSettings>().margin,
        );
        let found = run_system(&mut self.app, move |collisions: Collisions| {
            collisions.of(map).collect::<Vec<_>>()
        });
        let first_of_pairs = pairs(&mut self.app).into_iter().map(|(a, _)| a);
        let world = self.app.world();
        if world.get::<StableKey>(map).is_some() {
            assert!(
                first_of_pairs
                    .into_iter()
                    .filter(|first| *first == map)
                    .count()
                    >= found.len()
            );
        }
        let is_there = |entity| world.get::<ColliderDisabled>(entity).is_none();
        let has_parent = world.get::<ChildOf>(map).is_some();
        let map_shape = world_shape(&self.app, map);
        for &object in self.objects.iter().filter(|object| is_there(**object)) {
            let object_shape = world_shape(&self.app, object);
            let known = found.iter().find(|(other, _)| *other == object);
            let has_key = world.get::<StableKey>(map).is_some();
            let expected = if has_key || map < object {
                contact_within(&map_shape, &object_shape, margin)
            } else {
                contact_within(&object_shape, &map_shape, margin).map(Contact::flipped)
            };
            let expected = expected.filter(|_| is_there(map));
            let known = known.map(|(_, contact)| *contact);
            if has_parent {
                // Composed poses are rounded differently.
                let depths = [known, expected].map(|contact| contact.map_or(9.0, |c| c.depth));
                let difference = depths[0] - depths[1];
                assert!(difference.abs() < 1e-4, "seed {seed}, {object}: {depths:?}");
            } else {
                assert_eq!(known, expected, "seed {seed}, {object}");
            }
        }
    }
}

fn any_position(rng: &mut Rng) -> Vec2 {
    Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * SIZE as f32
}

/// The shape of an entity with at most one parent, which is not rotated.
fn world_shape(app: &App, entity: Entity) -> bevy_thud::geometry::Shape {
    let parent = app.world().get::<ChildOf>(entity).map(ChildOf::parent);
    let offset = parent.map(|parent| app.world().get::<Transform>(parent).unwrap().translation);
    shape_of(app, entity).translated(offset.unwrap_or_default().truncate())
}

#[test]
fn pairs_after_edits_are_as_a_test_of_their_shapes_says() {
    for seed in 0..cases(10, 60) {
        let mut site = Site::new(seed);
        site.app.update();
        site.check(seed);
        for _ in 0..60 {
            site.change_some();
            site.app.update();
            site.check(seed);
        }
    }
}
