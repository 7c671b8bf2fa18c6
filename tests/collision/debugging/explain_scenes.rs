//! Explanations against the documented rules, for every pair of random scenes.

use std::collections::BTreeMap;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::{Explanation, Reason, geometry::separation, prelude::*};

use crate::common::{
    reference::{Reference, overlap_distance, reference_colliders},
    rules::Role,
    scene::{ROUNDING, Scene},
    *,
};

/// Two entities, their explanation after an update, and their contact, for each ordered pair.
type Explained = (Entity, Entity, Explanation, Option<Contact>);

fn explain_all(scene: &mut Scene, strangers: &[Entity]) -> Vec<Explained> {
    let entities = [&scene.entities, strangers].concat();
    run_system(&mut scene.app, move |collisions: Collisions| {
        let all = |&a: &Entity| entities.iter().map(move |&b| (a, b)).collect::<Vec<_>>();
        let pairs = entities.iter().flat_map(all);
        pairs
            .map(|(a, b)| (a, b, collisions.explain(a, b), collisions.get(a, b)))
            .collect::<Vec<_>>()
    })
}

fn has_collider(entity: EntityRef) -> bool {
    entity.contains::<CircleCollider>()
        || entity.contains::<RectCollider>()
        || entity.contains::<CapsuleCollider>()
        || entity.contains::<PolygonCollider>()
        || entity.contains::<TileCollider>()
}

/// Why an entity is absent, according to its components.
fn expected_absence(world: &World, entity: Entity) -> Reason {
    let Ok(entity) = world.get_entity(entity) else {
        return Reason::NoSuchEntity;
    };
    if !has_collider(entity) {
        if entity.contains::<Mover>() {
            Reason::MoverWithoutCollider
        } else {
            Reason::NoCollider
        }
    } else if entity.contains::<ColliderDisabled>() {
        Reason::Disabled
    } else if entity.contains::<Disabled>() {
        Reason::Hidden
    } else {
        Reason::NotFinite
    }
}

/// Why a collider without `Solid` does not block.
fn why_not_solid(world: &World, collider: Entity) -> Reason {
    let parent = |&entity: &Entity| world.get::<ChildOf>(entity).map(ChildOf::parent);
    let is_bare_wall = |entity: Entity| {
        let entity = world.entity(entity);
        entity.contains::<Solid>() && !has_collider(entity)
    };
    if std::iter::successors(parent(&collider), parent).any(is_bare_wall) {
        Reason::SolidOnParent
    } else {
        Reason::NotSolid
    }
}

/// The reason of the rules about two colliders, with what the sentence says of it, or `None` if
/// their distance decides.
fn expected_rule(
    p: &Role<Entity>,
    q: &Role<Entity>,
    settings: &CollisionSettings,
) -> Option<(Reason, Vec<String>)> {
    if !p.sees(q) || !q.sees(p) {
        let lacks = [(p, q), (q, p)].into_iter().filter(|(p, q)| !p.sees(q));
        let words = lacks.map(|(p, q)| match list_of_layers(q.memberships) {
            layers if layers.is_empty() => format!("{} is in no layer", q.id),
            layers => format!("{} contain none of the layers of {} ({layers})", p.id, q.id),
        });
        return Some((Reason::Layers, words.collect()));
    }
    if p.is_static_wall() && q.is_static_wall() && !settings.solid_pairs {
        return Some((Reason::StaticWalls, vec![]));
    }
    let related = |ancestor: &Role<Entity>, descendant: &Role<Entity>| {
        let words = format!("{} is an ancestor of {}", ancestor.id, descendant.id);
        Some((Reason::Related, vec![words]))
    };
    match (p.body, q.body) {
        (Some(mover), Some(other)) if mover == other => {
            Some((Reason::SameBody, vec![format!("the mover {mover}.")]))
        }
        _ if p.is_ancestor_of(q) => related(p, q),
        _ if q.is_ancestor_of(p) => related(q, p),
        _ => None,
    }
}

/// The numbers of layers, as a sentence lists them.
fn list_of_layers(layers: u32) -> String {
    if layers == u32::MAX {
        return "all".to_string();
    }
    let numbers = (0..32).filter(|number| layers & (1 << number) != 0);
    numbers
        .map(|number: u32| number.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Whether `wall` blocks `mover` by the rules.
fn expected_blocking(
    world: &World,
    mover: &Role<Entity>,
    wall: &Role<Entity>,
) -> Result<(), Reason> {
    let Some(component) = world.get::<Mover>(mover.id) else {
        let is_bare = |mover| !has_collider(world.entity(mover));
        return Err(if wall.is_solid && mover.body.is_some_and(is_bare) {
            Reason::MoverWithoutCollider
        } else {
            Reason::NoMover
        });
    };
    if component.response == MoverResponse::Pass {
        Err(Reason::Passes)
    } else if !wall.is_solid {
        Err(why_not_solid(world, wall.id))
    } else if !mover.is_blocked_by(wall) {
        Err(Reason::NotBlockedBy)
    } else if !mover.sees(wall) || !wall.sees(mover) {
        Err(Reason::Layers)
    } else if mover.body == wall.body {
        Err(Reason::SameBody)
    } else if mover.is_one_with(wall) {
        Err(Reason::Related)
    } else {
        Ok(())
    }
}

/// Asserts that the reason about the distance of two colliders is true.
fn check_distance(
    explanation: &Explanation,
    p: &Reference,
    q: &Reference,
    settings: &CollisionSettings,
) {
    let margin = overlap_distance(p, q, settings).unwrap();
    let gap = separation(&p.shape, &q.shape).distance;
    let sentence = explanation.to_string();
    let is_said = |words: &str, expected: f32| {
        let number = sentence.split_once(words).and_then(|(_, rest)| {
            let end = rest
                .find([' ', ';'])
                .or(rest.find(". "))
                .unwrap_or(rest.len() - 1);
            rest[..end].trim_end_matches('.').parse::<f32>().ok()
        });
        number.is_some_and(|number| (number - expected).abs() < ROUNDING)
    };
    let is_true = match explanation.collide() {
        Err(Reason::Apart) => {
            let says_margin = margin == 0.0 || is_said("must be closer than ", margin);
            gap > margin - ROUNDING && is_said("they are ", gap) && says_margin
        }
        Err(Reason::Touching) => {
            let says_margin = margin == 0.0 || is_said("the touching margin of ", margin);
            (gap - margin).abs() < ROUNDING && says_margin
        }
        _ => false,
    };
    assert!(
        is_true,
        "{gap} {margin} {sentence} {:?} {:?}",
        p.shape, q.shape
    );
}

/// Checks every explanation, and counts the reasons.
fn check(scene: &mut Scene, strangers: &[Entity], counts: &mut BTreeMap<String, usize>) {
    let explanations = explain_all(scene, strangers);
    let colliders = run_system(&mut scene.app, reference_colliders);
    let world = scene.app.world();
    let settings = world.resource::<CollisionSettings>();
    for (a, b, explanation, contact) in explanations {
        let sentence = explanation.to_string();
        let sides = [a, b].map(|entity| colliders.get(&entity));
        let (rule, blocking) = match sides {
            _ if a == b => (Some((Reason::SameEntity, vec![])), None),
            [Some(p), Some(q)] => {
                let sides = [(p, q), (q, p)];
                let blocking = sides.map(|(p, q)| expected_blocking(world, &p.role, &q.role));
                (expected_rule(&p.role, &q.role, settings), Some(blocking))
            }
            [p, _] => {
                let absent = if p.is_none() { a } else { b };
                let words = vec![absent.to_string()];
                (Some((expected_absence(world, absent), words)), None)
            }
        };
        let absence = rule.as_ref().map_or(Ok(()), |(reason, _)| Err(*reason));
        assert_eq!(
            [explanation.b_blocks_a(), explanation.a_blocks_b()],
            blocking.unwrap_or([absence; 2]),
            "{explanation}"
        );
        match (contact, rule, sides) {
            (Some(contact), ..) => assert_eq!(explanation.collide(), Ok(contact)),
            (None, Some((reason, words)), _) => {
                assert_eq!(explanation.collide(), Err(reason), "{explanation}");
                let (_, why) = sentence.split_once(" do not collide: ").unwrap();
                let says = |words: &String| why.contains(words);
                assert!(words.iter().all(says), "{words:?} {explanation}");
            }
            (None, None, [Some(p), Some(q)]) => check_distance(&explanation, p, q, settings),
            _ => panic!("{explanation}"),
        }
        let collide = match explanation.collide() {
            Ok(_) => "Collide".to_string(),
            Err(reason) => format!("{reason:?}"),
        };
        let blocks = format!("blocking: {:?}", explanation.b_blocks_a());
        for reason in [collide, blocks] {
            *counts.entry(reason).or_default() += 1;
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
    assert!(counts.values().all(|&count| count >= 10), "{counts:?}");
    assert!(counts.len() >= 17, "{counts:?}");
}
