//! Explanations against the documented rules, for every pair of random scenes.

use std::collections::BTreeMap;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::{Absence, Blocking, Explanation, Verdict, geometry::separation, prelude::*};

use crate::common::{
    reference::{Reference, overlap_distance, reference_colliders},
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
    (a, p): (Entity, &Reference),
    (b, q): (Entity, &Reference),
    settings: &CollisionSettings,
) -> Option<Verdict> {
    if !p.sees(q) || !q.sees(p) {
        return Some(Verdict::Layers {
            a_lacks: (!p.sees(q)).then_some(q.layers.memberships),
            b_lacks: (!q.sees(p)).then_some(p.layers.memberships),
        });
    }
    if p.is_wall() && q.is_wall() && !settings.solid_pairs {
        return Some(Verdict::Walls);
    }
    let family = |ancestor, descendant| Verdict::Related {
        ancestor,
        descendant,
    };
    match (p.body, q.body) {
        (Some(mover), Some(other)) if mover == other => Some(Verdict::SameBody { mover }),
        _ if q.ancestors.contains(&a) => Some(family(a, b)),
        _ if p.ancestors.contains(&b) => Some(family(b, a)),
        _ => None,
    }
}

/// Whether `wall` blocks `mover` by the rules.
fn expected_blocking(
    world: &World,
    (mover, p): (Entity, &Reference),
    (wall, q): (Entity, &Reference),
) -> Blocking {
    let Some(component) = world.get::<Mover>(mover) else {
        return Blocking::NoMover;
    };
    let one_body = (p.body.is_some() && p.body == q.body)
        || p.ancestors.contains(&wall)
        || q.ancestors.contains(&mover);
    if component.response == MoverResponse::Pass {
        Blocking::Passes
    } else if !q.solid {
        Blocking::NotSolid
    } else if component.blocked_by.0 & q.layers.memberships.0 == 0 {
        Blocking::NotBlockedBy {
            lacks: q.layers.memberships,
        }
    } else if !p.sees(q) || !q.sees(p) {
        Blocking::Layers
    } else if one_body {
        Blocking::SameBody
    } else {
        Blocking::Blocks
    }
}

/// Asserts that the verdict about the distance of two colliders is true.
fn check_distance(
    explanation: &Explanation,
    p: (Entity, &Reference),
    q: (Entity, &Reference),
    settings: &CollisionSettings,
) {
    let expected_margin = overlap_distance(p, q, settings).unwrap();
    let expected = separation(&p.1.shape, &q.1.shape).distance;
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
        _ => panic!("{explanation} {:?} {:?}", p.1.shape, q.1.shape),
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
        let sides = [a, b].map(|entity| colliders.get(&entity).map(|side| (entity, side)));
        let blocking = match sides {
            [Some(p), Some(q)] if a != b => {
                [(p, q), (q, p)].map(|(mover, wall)| Some(expected_blocking(world, mover, wall)))
            }
            _ => [None; 2],
        };
        let reported = [explanation.b_blocks_a, explanation.a_blocks_b];
        assert_eq!(reported, blocking, "{explanation}");
        assert_eq!(explanation.collide(), contact.is_some(), "{explanation}");
        match (contact, sides) {
            (Some(contact), _) => assert_eq!(verdict, Verdict::Collide(contact)),
            (None, _) if a == b => assert_eq!(verdict, Verdict::SameEntity),
            (None, [Some(p), Some(q)]) => match expected_hindrance(p, q, settings) {
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
