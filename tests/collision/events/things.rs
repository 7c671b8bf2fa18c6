//! `Hits` between things of several colliders, and between layers.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_thud::{Hit, prelude::*};

use crate::common::*;

#[derive(Component)]
struct Sword;

#[derive(Component)]
struct Health;

/// The hits between swords and health of each update, and their colliders.
#[derive(Resource, Default)]
struct Reported(Vec<Hit>);

fn report(mut hits: Hits<With<Sword>, With<Health>>, mut reported: ResMut<Reported>) {
    reported.0.extend(hits.read());
}

/// An app that collects the hits between swords and health.
fn sword_app() -> App {
    let mut app = test_app();
    app.init_resource::<Reported>().add_systems(Last, report);
    app
}

fn reported(app: &mut App) -> Vec<Hit> {
    std::mem::take(&mut app.world_mut().resource_mut::<Reported>().0)
}

fn hits(app: &mut App) -> Vec<[Entity; 2]> {
    app.update();
    reported(app).iter().map(|hit| [hit.a, hit.b]).collect()
}

/// A thing without a collider of its own, with one child for each of these positions.
fn thing(app: &mut App, marker: impl Bundle, xs: &[f32]) -> (Entity, Vec<Entity>) {
    let colliders: Vec<_> = xs.iter().map(|&x| spawn(app, ball(x, 0.0))).collect();
    let thing = spawn(app, (marker, at(0.0, 0.0)));
    app.world_mut().entity_mut(thing).add_children(&colliders);
    (thing, colliders)
}

#[test]
fn a_sword_of_three_boxes_hits_a_boss_of_five_once_per_swing() {
    let mut app = sword_app();
    let (sword, _) = thing(&mut app, Sword, &[-30.0, -28.5, -27.0]);
    let (boss, _) = thing(&mut app, Health, &[-3.0, -1.5, 0.0, 1.5, 3.0]);
    for swing in 0..3 {
        let mut count = 0;
        for x in 0..60 {
            set_position(&mut app, sword, Vec2::X * x as f32);
            let hits = hits(&mut app);
            assert!(hits.iter().all(|hit| *hit == [sword, boss]));
            count += hits.len();
        }
        assert_eq!(count, 1, "swing {swing}");
    }
}

#[test]
fn boxes_that_follow_each_other_without_a_gap_hit_once() {
    let mut app = sword_app();
    let (_, boxes) = thing(&mut app, Sword, &[0.0, 0.5, -0.5]);
    spawn(&mut app, (Health, ball(0.0, 1.0)));
    let set = |app: &mut App, active: usize| {
        for (index, &entity) in boxes.iter().enumerate() {
            let mut entity = app.world_mut().entity_mut(entity);
            if index == active {
                entity.remove::<ColliderDisabled>();
            } else {
                entity.insert(ColliderDisabled);
            }
        }
        hits(app).len()
    };
    let counts = [0, 1, 2, 2, 3, 0, 1].map(|active| set(&mut app, active));
    assert_eq!(counts, [1, 0, 0, 0, 0, 1, 0], "the fifth is a gap");
}

#[test]
fn the_nearest_ancestor_that_matches_is_hit_and_others_above_it_by_themselves() {
    let mut app = sword_app();
    let shot = spawn(&mut app, (Sword, ball(-10.0, 0.0)));
    let (knight, parts) = thing(&mut app, Health, &[0.0, 0.0]);
    let shield = parts[0];
    app.world_mut().entity_mut(shield).insert(Health);
    set_position(&mut app, parts[1], Vec2::X * 3.0);
    assert_eq!(hits(&mut app), [[shot; 2]; 0]);
    set_position(&mut app, shot, Vec2::X * -1.0);
    assert_eq!(hits(&mut app), [[shot, shield]]);
    set_position(&mut app, shot, Vec2::X * 1.5);
    assert_eq!(
        hits(&mut app),
        [[shot, knight]],
        "while it is in the shield"
    );
}

#[test]
fn nothing_hits_what_carries_it_or_itself() {
    let mut app = sword_app();
    let (level, things) = thing(&mut app, (Sword, Health), &[0.0, 0.5]);
    assert_eq!(hits(&mut app), [[level; 2]; 0], "both are of the level");
    app.world_mut().entity_mut(things[0]).insert(Health);
    set_position(&mut app, things[0], Vec2::X * 20.0);
    hits(&mut app);
    set_position(&mut app, things[0], Vec2::ZERO);
    assert_eq!(hits(&mut app), [[level; 2]; 0], "one carries the other");
}

#[test]
fn a_hit_names_its_colliders_and_has_their_contact() {
    let mut app = sword_app();
    let (sword, boxes) = thing(&mut app, Sword, &[0.0, 9.0]);
    let (boss, parts) = thing(&mut app, Health, &[-9.0, 1.5]);
    app.update();
    let hits = reported(&mut app);
    assert_eq!(hits.len(), 1);
    assert_eq!([hits[0].a, hits[0].b], [sword, boss]);
    assert_eq!(hits[0].colliders, [boxes[0], parts[1]]);
    assert!(hits[0].contact.normal.abs_diff_eq(Vec2::X, 1e-6));
}

#[test]
fn a_thing_that_another_system_despawns_keeps_its_hit() {
    let mut app = test_app();
    app.init_resource::<Reported>();
    let kill = |mut hits: Hits<With<Sword>, With<Health>>, mut commands: Commands| {
        for hit in hits.read() {
            commands.entity(hit.b).despawn();
        }
    };
    app.add_systems(Last, (kill, report).chain());
    let (sword, _) = thing(&mut app, Sword, &[0.0, 9.0]);
    let (boss, _) = thing(&mut app, Health, &[-9.0, 1.5]);
    assert_eq!(hits(&mut app), [[sword, boss]]);
}

#[test]
fn messages_of_the_game_find_the_things_that_there_are() {
    let mut app = sword_app();
    let (sword, boxes) = thing(&mut app, Sword, &[0.0]);
    let (boss, parts) = thing(&mut app, Health, &[100.0]);
    app.world_mut().write_message(CollisionEvent::Started {
        a: parts[0],
        b: boxes[0],
        contact: Contact::default(),
        fraction: 0.0,
    });
    assert_eq!(hits(&mut app), [[sword, boss]]);
}

#[derive(Component, Reflect, Clone, Copy)]
enum Layer {
    Shot,
    Foe,
    Hero,
}

impl CollisionLayer for Layer {}

#[test]
fn hits_between_layers_need_no_markers_and_do_not_take_those_of_others() {
    #[derive(Resource, Default)]
    struct Counts([Vec<[Entity; 2]>; 3]);
    let mut app = test_app();
    let table = LayerTable::new()
        .collide(Layer::Shot, [Layer::Foe, Layer::Hero])
        .collide(Layer::Foe, Layer::Hero);
    app.add_layer_table(table).init_resource::<Counts>();
    app.add_systems(Last, |mut hits: Hits, mut counts: ResMut<Counts>| {
        let pairs = |hit: Hit| [hit.a, hit.b];
        let [foes, all, first] = &mut counts.0;
        foes.extend(hits.between(Layer::Foe, Layer::Shot).map(pairs));
        all.extend(
            hits.between(Layer::Shot, [Layer::Foe, Layer::Hero])
                .map(pairs),
        );
        let between = hits.between(Layer::Hero, [Layer::Foe, Layer::Shot]);
        first.extend(between.first_per_a().map(pairs));
    });
    let [shot, foe, hero] = [(Layer::Shot, 0.0), (Layer::Foe, 1.0), (Layer::Hero, 0.5)]
        .map(|(layer, x)| spawn(&mut app, (layer, ball(x, 0.0))));
    steps(&mut app, 3);
    let counts = &app.world().resource::<Counts>().0;
    assert_eq!(counts[0], [[foe, shot]]);
    let mut all = counts[1].clone();
    all.sort();
    let mut expected = [[shot, foe], [shot, hero]];
    expected.sort();
    assert_eq!(all, expected);
    assert_eq!(counts[2].len(), 1);
    assert_eq!(counts[2][0][0], hero);
}

/// The nearest of an entity and its ancestors that has a component.
fn nearest<C: Component>(app: &App, entity: Entity) -> Option<Entity> {
    let parent = |&entity: &Entity| app.world().get::<ChildOf>(entity).map(ChildOf::parent);
    let mut line = std::iter::successors(Some(entity), parent);
    line.find(|&entity| app.world().get::<C>(entity).is_some())
}

fn is_above(app: &App, above: Entity, entity: Entity) -> bool {
    let parent = |&entity: &Entity| app.world().get::<ChildOf>(entity).map(ChildOf::parent);
    std::iter::successors(Some(entity), parent).any(|entity| entity == above)
}

/// The sword and the health of two colliders.
fn things(app: &App, [p, q]: [Entity; 2]) -> Option<[Entity; 2]> {
    let pair = |p, q| {
        let (sword, health) = (nearest::<Sword>(app, p)?, nearest::<Health>(app, q)?);
        (!is_above(app, sword, q) && !is_above(app, health, p)).then_some([sword, health])
    };
    pair(p, q).or_else(|| pair(q, p))
}

fn sorted([a, b]: [Entity; 2]) -> [Entity; 2] {
    [a.min(b), a.max(b)]
}

/// Forests of two to three levels whose entities jump, change parents, are disabled and despawned.
/// Compares the hits of each update with those that follow from the pairs before and after it.
#[test]
fn hits_are_those_of_the_pairs_before_and_after_each_update() {
    let mut count = 0;
    for seed in 0..80 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut app = sword_app();
        let mut entities = vec![];
        for number in 0..16 {
            let position = Vec2::new(rng.f32(), rng.f32()) * 8.0;
            let entity = spawn(&mut app, ball(position.x, position.y));
            let mut entity = app.world_mut().entity_mut(entity);
            if rng.u8(0..3) == 0 {
                entity.insert(Sword);
            }
            if rng.u8(0..3) == 0 {
                entity.insert(Health);
            }
            if number >= 4 && rng.bool() {
                entity.insert(ChildOf(entities[rng.usize(0..4)]));
            }
            entities.push(entity.id());
        }
        let mut before: BTreeSet<[Entity; 2]> = BTreeSet::new();
        for update in 0..40 {
            for _ in 0..3 {
                let entity = entities[rng.usize(0..entities.len())];
                let offset = Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * 4.0;
                let position = local_position(&app, entity) + offset;
                set_position(
                    &mut app,
                    entity,
                    position.clamp(Vec2::ZERO, Vec2::splat(8.0)),
                );
            }
            let entity = entities[rng.usize(0..entities.len())];
            match rng.u8(0..12) {
                0 => {
                    app.world_mut().entity_mut(entity).insert(ColliderDisabled);
                }
                1 | 2 => {
                    app.world_mut()
                        .entity_mut(entity)
                        .remove::<ColliderDisabled>();
                }
                3 if !entities[..4].contains(&entity) => {
                    let parent = entities[rng.usize(0..4)];
                    app.world_mut().entity_mut(entity).insert(ChildOf(parent));
                }
                4 if entities.len() > 8 && !entities[..4].contains(&entity) => {
                    app.world_mut().despawn(entity);
                    entities.retain(|&other| other != entity);
                }
                _ => (),
            }
            app.update();
            let after: BTreeSet<_> = pairs(&mut app)
                .iter()
                .map(|&(a, b)| sorted([a, b]))
                .collect();
            let is_there =
                |pair: &&[Entity; 2]| pair.iter().all(|entity| entities.contains(entity));
            let touched: BTreeSet<_> = (before.iter().filter(is_there))
                .filter_map(|&pair| Some(sorted(things(&app, pair)?)))
                .collect();
            let expected: BTreeSet<_> = (after.difference(&before))
                .filter_map(|&pair| Some(sorted(things(&app, pair)?)))
                .filter(|pair| !touched.contains(pair))
                .collect();
            let hits = reported(&mut app);
            let found: BTreeSet<_> = hits.iter().map(|hit| sorted([hit.a, hit.b])).collect();
            assert_eq!(found, expected, "seed {seed}, update {update}");
            assert_eq!(hits.len(), found.len(), "each once");
            for hit in hits {
                let colliders = hit.colliders;
                assert_eq!(things(&app, colliders), Some([hit.a, hit.b]));
                count += usize::from(colliders != [hit.a, hit.b]);
            }
            before = after;
        }
    }
    assert!(count > 200, "{count} hits of descendants");
}
