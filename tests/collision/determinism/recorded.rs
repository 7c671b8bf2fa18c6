//! What random scenes and the example game do, bit for bit, against what was recorded once. A
//! change of names or of structure leaves these numbers as they are. A change of behavior may
//! change them, and then the changelog says why.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_thud::{geometry::Shape, prelude::*};

use crate::{
    common::{scene::Scene, *},
    games::firewheel,
};

/// Hashes of groups of ten scenes, each of 50 frames.
const SCENES: [u64; 10] = [
    0x8ad0_24d7_a9e7_ef6a,
    0x88f8_69f2_22b7_938c,
    0x87fc_ddb1_146a_b9c2,
    0x2453_c1fa_bff8_bfc0,
    0xcbea_3670_19f9_2e9b,
    0x42e3_baa5_01d6_d482,
    0x960f_cc0b_efef_3ad4,
    0x94d7_7f24_78d8_8675,
    0x8e46_6961_1226_c7ea,
    0x6484_318b_1cba_f7de,
];
/// Hashes of games of ten seconds, of the seeds from 1.
const GAMES: [u64; 6] = [
    0x73dc_c3e9_070c_f840,
    0xec2f_9a5a_a1aa_cdf6,
    0xcd89_c867_8334_51c2,
    0x8aab_09c8_1346_b8d7,
    0x0b3b_71b0_4f30_bde6,
    0xf883_eb52_5e4e_eb8a,
];

/// The hash FNV-1a, of words of 64 bits. It is the same for all versions of Rust.
struct Hash {
    value: u64,
    /// Numbers of entities, in the order in which they were added: what else an app spawns does
    /// not count.
    numbers: EntityHashMap<u64>,
}

impl Hash {
    fn new() -> Self {
        Self {
            value: 0xcbf2_9ce4_8422_2325,
            numbers: EntityHashMap::default(),
        }
    }

    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.value = (self.value ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        for number in numbers {
            let canonical = if number.is_nan() { f32::NAN } else { number };
            self.add(u64::from(canonical.to_bits()));
        }
    }

    fn add_entities(&mut self, entities: impl IntoIterator<Item = Entity>) {
        for entity in entities {
            let next = self.numbers.len() as u64;
            let number = *self.numbers.entry(entity).or_insert(next);
            self.add(number);
        }
    }

    fn add_cell(&mut self, cell: Option<UVec2>) {
        self.add(cell.map_or(u64::MAX, |cell| u64::from(cell.x) << 32 | u64::from(cell.y)));
    }

    fn add_event(&mut self, event: &CollisionEvent) {
        self.add_entities(event.entities());
        match *event {
            CollisionEvent::Started {
                contact, fraction, ..
            } => {
                self.add_numbers(contact.point.to_array());
                self.add_numbers(contact.normal.to_array());
                self.add_numbers([contact.depth, fraction]);
            }
            CollisionEvent::Ended { reason, .. } => self.add(reason as u64),
        }
    }

    fn add_mover_hit(&mut self, hit: &MoverHit) {
        self.add_entities([hit.entity, hit.blocker]);
        self.add_numbers(hit.normal.to_array());
        self.add_numbers(hit.point.to_array());
        self.add_numbers([hit.fraction, hit.speed]);
        self.add_cell(hit.cell);
    }

    /// Positions, velocities, and what blocked the movers.
    fn add_world(&mut self, world: &mut World) {
        let mut all = world
            .query::<(
                Entity,
                &Transform,
                Option<&Mover>,
                Option<&MoverHits>,
                Option<&CollidingEntities>,
            )>()
            .iter(world)
            .collect::<Vec<_>>();
        all.sort_by_key(|(entity, ..)| *entity);
        for (entity, transform, mover, hits, colliding) in all {
            self.add_entities([entity]);
            self.add_numbers(transform.translation.to_array());
            self.add_numbers(transform.rotation.to_array());
            self.add_numbers(mover.map_or(Vec2::ZERO, |mover| mover.velocity).to_array());
            for hit in hits.iter().flat_map(|hits| hits.iter()) {
                self.add_mover_hit(hit);
            }
            self.add(hits.is_some_and(MoverHits::is_crushed).into());
            self.add_entities(
                colliding
                    .iter()
                    .flat_map(|entities| entities.iter().copied()),
            );
        }
    }

    /// What rays, casts and other queries return.
    fn add_queries(&mut self, scene: &mut Scene) {
        let [origin, to, size] = [60.0, 60.0, 9.0].map(|limit| scene.vec2(limit));
        let direction = exact::direction(scene.rng.f32() * 7.0);
        let shape = match scene.rng.bool() {
            true => Shape::circle(origin, size.x.abs()),
            false => Shape::rect(
                origin,
                size.abs(),
                Rot2::from_sin_cos(direction.y, direction.x),
            ),
        };
        let ray = Ray2d::new(origin, Dir2::new(to - origin).unwrap_or(Dir2::X));
        let filter = SpatialQueryFilter::default().with_layers(scene.layers());
        let mover = Mover::with_velocity(to);
        let (rays, casts, overlapping, inside, nearest, moved) =
            run_system(&mut scene.app, move |query: SpatialQuery| {
                (
                    query.ray_hits(ray, 150.0, &filter),
                    query.shape_hits(&shape, to, &filter),
                    query.shape_intersections(&shape, &filter),
                    query.point_intersections(origin, &filter),
                    query.project_point(origin, 100.0, &filter),
                    query.move_and_slide(&shape, &mover, 1.0, &filter),
                )
            });
        for (entity, hit) in rays {
            self.add_entities([entity]);
            self.add_numbers([hit.distance, hit.normal.x, hit.normal.y]);
            self.add_cell(hit.cell);
        }
        for (entity, hit) in casts {
            self.add_entities([entity]);
            self.add_numbers([hit.fraction, hit.normal.x, hit.normal.y]);
            self.add_numbers(hit.point.to_array());
            self.add_cell(hit.cell);
        }
        self.add_entities(overlapping);
        self.add_entities(inside);
        if let Some((entity, nearest)) = nearest {
            self.add_entities([entity]);
            self.add_numbers([nearest.distance, nearest.point_b.x, nearest.point_b.y]);
        }
        self.add_numbers(moved.displacement.to_array());
        self.add_entities(moved.hits.iter().map(|hit| hit.blocker));
    }
}

/// What a random scene does in 50 frames.
fn add_scene(hash: &mut Hash, seed: u64) {
    let mut scene = Scene::new(seed, 60);
    for frame in 0..50 {
        for _ in 0..2 {
            scene.change_something();
        }
        while scene.entities.len() < 50 {
            scene.spawn();
        }
        let entity = scene.any_entity();
        match scene.rng.u8(0..4) {
            0 => scene.toggle::<Swept>(entity),
            1 => scene.toggle::<OneWay>(entity),
            2 => scene.toggle::<Solid>(entity),
            _ => push(&mut scene, entity),
        }
        for event in scene.frame(30) {
            hash.add_event(&event);
        }
        if frame % 5 == 0 {
            hash.add_queries(&mut scene);
            hash.add_world(scene.app.world_mut());
        }
    }
}

/// Gives a new velocity to a mover that walls have stopped.
fn push(scene: &mut Scene, entity: Entity) {
    let velocity = scene.vec2(900.0);
    if let Some(mut mover) = scene.app.world_mut().get_mut::<Mover>(entity) {
        mover.velocity = velocity;
    }
}

#[test]
fn random_scenes_do_what_was_recorded() {
    let hashes: Vec<u64> = (0..10)
        .map(|group| {
            let mut hash = Hash::new();
            (0..10).for_each(|number| add_scene(&mut hash, 1000 + 10 * group + number));
            hash.value
        })
        .collect();
    assert!(hashes == SCENES, "{hashes:#x?}");
}

#[test]
fn games_do_what_was_recorded() {
    let hashes: Vec<u64> = (1..=6)
        .map(|seed| {
            let mut hash = Hash::new();
            let mut app = firewheel::game_of(seed);
            record_events(&mut app);
            for update in 0..600 {
                step(&mut app)
                    .iter()
                    .for_each(|event| hash.add_event(event));
                if update % 60 == 0 {
                    hash.add_world(app.world_mut());
                }
            }
            hash.value
        })
        .collect();
    assert!(hashes == GAMES, "{hashes:#x?}");
}
