//! Explanations against the documented rules, for every pair of random scenes.

use std::collections::BTreeMap;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::{Absence, Blocking, Explanation, Verdict, geometry::separation, prelude::*};

use crate::common::{
    reference::{Reference, overlap_distance, reference_colliders},
    rules::Role,
    scene::{ROUNDING, Scene},
    *,
};

/// The explanations after an update, for each ordered pair of entities.
fn explain_all(scene: &mut Scene, strangers: &[Entity]) -> Vec<(Explanation, Option<Contact>)> {
    let entities = [&scene.entities, strangers].concat();
    run_system(&mut scene.app, move |collisions: Collisions| {
        let all = |&a: &Entity| entities.iter().map(move |&b| (a, b)).collect::<Vec<_>>();
        let pairs = entities.iter().flat_map(all);
        pairs
            .map(|(a, b)| (collisions.explain(a, b), collisions.get(a, b)))
            .collect::<Vec<_>>()
    })
}

/// Why an entity is absent, according to its components.
fn expected_absence(world: &World, entity: Entity) -> Absence {
    let Ok(entity) = world.get_entity(entity) else {
        return Absence::NoSuchEntity;
    };
    let has_collider = entity.contains::<CircleCollider>()
        || entity.contains::<RectCollider>()
        || entity.contains::<CapsuleCollider>()
        || entity.contains::<PolygonCollider>()
        || entity.contains::<TileCollider>();
    if !has_collider {
        Absence::NoCollider
    } else if entity.contains::<ColliderDisabled>() {
        Absence::Disabled
    } else if entity.contains::<Disabled>() {
        Absence::Hidden
    } else {
        Absence::NotFinite
    }
}

/// The verdict of the rules about two colliders, or `None` if their distance decides.
fn expected_hindrance(
    p: &Role<Entity>,
    q: &Role<Entity>,
    settings: &CollisionSettings,
) -> Option<Verdict> {
    if !p.sees(q) || !q.sees(p) {
        return Some(Verdict::Layers {
            a_lacks: (!p.sees(q)).then_some(LayerMask(q.memberships)),
            b_lacks: (!q.sees(p)).then_some(LayerMask(p.memberships)),
        });
    }
    if p.is_static_wall() && q.is_static_wall() && !settings.solid_pairs {
        return Some(Verdict::Walls);
    }
    let family = |ancestor: &Role<Entity>, descendant: &Role<Entity>| Verdict::Related {
        ancestor: ancestor.id,
        descendant: descendant.id,
    };
    match (p.body, q.body) {
        (Some(mover), Some(other)) if mover == other => Some(Verdict::SameBody { mover }),
        _ if p.is_ancestor_of(q) => Some(family(p, q)),
        _ if q.is_ancestor_of(p) => Some(family(q, p)),
        _ => None,
    }
}

/// Whether `wall` blocks `mover` by the rules.
fn expected_blocking(world: &World, mover: &Role<Entity>, wall: &Role<Entity>) -> Blocking {
    let Some(component) = world.get::<Mover>(mover.id) else {
        return Blocking::NoMover;
    };
    if component.response == MoverResponse::Pass {
        Blocking::Passes
    } else if !wall.is_solid {
        Blocking::NotSolid
    } else if !mover.is_blocked_by(wall) {
        Blocking::NotBlockedBy {
            lacks: LayerMask(wall.memberships),
        }
    } else if !mover.sees(wall) || !wall.sees(mover) {
        Blocking::Layers
    } else if mover.is_one_with(wall) {
        Blocking::SameBody
    } else {
        Blocking::Blocks
    }
}

/// Asserts that the verdict about the distance of two colliders is true.
fn check_distance(
    explanation: &Explanation,
    p: &Reference,
    q: &Reference,
    settings: &CollisionSettings,
) {
    let expected_margin = overlap_distance(p, q, settings).unwrap();
    let expected = separation(&p.shape, &q.shape).distance;
    let is_near = |value: f32, expected: f32| (value - expected).abs() < ROUNDING;
    match explanation.verdict {
        Verdict::Apart { gap, margin } => {
            assert!(
                is_near(gap, expected) && is_near(margin, expected_margin),
                "{explanation}"
            );
            assert!(gap > margin, "{explanation}");
        }
        Verdict::Touching { gap, margin } => {
            assert!(
                is_near(gap, expected) && is_near(margin, expected_margin),
                "{explanation}"
            );
            assert!(is_near(gap, margin), "{explanation}");
        }
        _ => panic!("{explanation} {:?} {:?}", p.shape, q.shape),
    }
}

fn first_word(text: &str) -> String {
    let word = text.split(|letter: char| !letter.is_alphanumeric()).next();
    word.unwrap_or_default().to_string()
}

/// Checks every explanation, and counts the verdicts.
fn check(scene: &mut Scene, strangers: &[Entity], counts: &mut BTreeMap<String, usize>) {
    let explanations = explain_all(scene, strangers);
    let colliders = run_system(&mut scene.app, reference_colliders);
    let world = scene.app.world();
    let settings = world.resource::<CollisionSettings>();
    for (explanation, contact) in explanations {
        let Explanation { a, b, verdict, .. } = explanation;
        let sides = [a, b].map(|entity| colliders.get(&entity));
        let blocking = match sides {
            [Some(p), Some(q)] if a != b => {
                [(p, q), (q, p)].map(|(p, q)| Some(expected_blocking(world, &p.role, &q.role)))
            }
            _ => [None; 2],
        };
        let reported = [explanation.b_blocks_a, explanation.a_blocks_b];
        assert_eq!(reported, blocking, "{explanation}");
        assert_eq!(explanation.collide(), contact.is_some(), "{explanation}");
        match (contact, sides) {
            (Some(contact), _) => assert_eq!(verdict, Verdict::Collide(contact)),
            (None, _) if a == b => assert_eq!(verdict, Verdict::SameEntity),
            (None, [Some(p), Some(q)]) => match expected_hindrance(&p.role, &q.role, settings) {
                Some(hindrance) => assert_eq!(verdict, hindrance, "{explanation}"),
                None => check_distance(&explanation, p, q, settings),
            },
            (None, [p, _]) => {
                let entity = if p.is_none() { a } else { b };
                let absence = expected_absence(world, entity);
                assert_eq!(
                    verdict,
                    Verdict::Absent { entity, absence },
                    "{explanation}"
                );
            }
        }
        let verdict_text = match verdict {
            Verdict::Absent { absence, .. } => format!("{absence:?}"),
            _ => format!("{verdict:?}"),
        };
        let blocking_text = blocking[0].map(|blocking| format!("{blocking:?}"));
        for description in [verdict_text].into_iter().chain(blocking_text) {
            *counts.entry(first_word(&description)).or_default() += 1;
        }
    }
}

#[test]
fn every_explanation_is_true_and_agrees_with_the_pairs() {
    let mut counts = BTreeMap::new();
    for seed in 0..4 {
        let mut scene = Scene::new(seed, 60);
        let bare = spawn(&mut scene.app, Transform::IDENTITY);
        let gone = spawn(&mut scene.app, ball(0.0, 0.0));
        scene.app.world_mut().despawn(gone);
        for round in 0..16u8 {
            scene.app.insert_resource(CollisionSettings {
                margin: [0.0, 1.5][usize::from(round % 2)],
                solid_pairs: round % 8 > 5,
            });
            for entity in scene.entities.clone() {
                if scene.chance(3) {
                    scene.toggle::<Swept>(entity);
                }
            }
            (0..6).for_each(|_| scene.change_something());
            scene.frame(60);
            check(&mut scene, &[bare, gone], &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts.values().all(|&count| count > 20), "{counts:?}");
    assert!(counts.len() >= 17, "{counts:?}");
}
