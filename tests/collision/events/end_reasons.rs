//! Why pairs end, and that every end has its reason.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::prelude::*;

use crate::common::*;

type Act = fn(&mut World, Entity);

/// What ends a pair, sorted by precedence.
const ENDINGS: [(&str, Act, CollisionEndReason); 12] = [
    ("despawn", despawn, CollisionEndReason::Despawned),
    (
        "collider removed",
        remove_collider,
        CollisionEndReason::ColliderRemoved,
    ),
    (
        "ColliderDisabled",
        disable_collider,
        CollisionEndReason::Disabled,
    ),
    ("Disabled", disable_entity, CollisionEndReason::Disabled),
    (
        "Transform removed",
        lose_transform,
        CollisionEndReason::Disabled,
    ),
    ("NaN position", lose_position, CollisionEndReason::Invalid),
    ("infinite size", lose_size, CollisionEndReason::Invalid),
    ("other layers", leave_layers, CollisionEndReason::Filtered),
    (
        "a wall among walls",
        become_wall,
        CollisionEndReason::Filtered,
    ),
    (
        "child of the other",
        become_child_of_other,
        CollisionEndReason::Filtered,
    ),
    ("moved away", move_away, CollisionEndReason::Separated),
    ("shrunk", shrink, CollisionEndReason::Separated),
];

fn despawn(world: &mut World, entity: Entity) {
    world.despawn(entity);
}

fn remove_collider(world: &mut World, entity: Entity) {
    world.entity_mut(entity).remove::<CircleCollider>();
}

fn disable_collider(world: &mut World, entity: Entity) {
    world.entity_mut(entity).insert(ColliderDisabled);
}

fn disable_entity(world: &mut World, entity: Entity) {
    world.entity_mut(entity).insert(Disabled);
}

fn lose_transform(world: &mut World, entity: Entity) {
    world.entity_mut(entity).remove::<Transform>();
}

fn lose_position(world: &mut World, entity: Entity) {
    let mut transform = world.get_mut::<Transform>(entity).unwrap();
    transform.translation.x = f32::NAN;
}

fn lose_size(world: &mut World, entity: Entity) {
    if let Some(mut collider) = world.get_mut::<CircleCollider>(entity) {
        collider.radius = f32::INFINITY;
    }
}

fn leave_layers(world: &mut World, entity: Entity) {
    let nowhere = CollisionLayers::new(LayerMask::NONE, LayerMask::ALL);
    world.entity_mut(entity).insert(nowhere);
}

fn become_wall(world: &mut World, entity: Entity) {
    let mut colliders = world.query_filtered::<Entity, With<CircleCollider>>();
    let all: Vec<Entity> = colliders.iter(world).collect();
    for collider in all {
        world.entity_mut(collider).insert(Solid);
    }
    world.entity_mut(entity).insert(Solid);
}

fn become_child_of_other(world: &mut World, entity: Entity) {
    let mut colliders = world.query_filtered::<Entity, With<CircleCollider>>();
    let other = colliders.iter(world).find(|&other| other != entity);
    if let Some(other) = other {
        world.entity_mut(entity).insert(ChildOf(other));
    }
}

fn move_away(world: &mut World, entity: Entity) {
    let mut transform = world.get_mut::<Transform>(entity).unwrap();
    transform.translation.x += 100.0;
}

fn shrink(world: &mut World, entity: Entity) {
    if let Some(mut collider) = world.get_mut::<CircleCollider>(entity) {
        collider.radius = collider.radius.min(0.25);
    }
}

/// Two entities that started overlapping in the last update; the first one is the lesser.
pub fn overlapping() -> (App, [Entity; 2]) {
    let mut app = test_app();
    let a = spawn(&mut app, ball(0.0, 0.0));
    let b = spawn(&mut app, ball(1.5, 0.0));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    (app, [a.min(b), a.max(b)])
}

#[test]
fn every_end_of_a_pair_has_its_reason() {
    for (name, act, reason) in ENDINGS {
        for side in [0, 1] {
            let (mut app, sides @ [a, b]) = overlapping();
            act(app.world_mut(), sides[side]);
            assert_eq!(
                brief_step(&mut app),
                [ended(a, b, reason)],
                "{name} of side {side}"
            );
            assert_eq!(steps(&mut app, 3), [], "{name}: nothing more happens");
        }
    }
}

#[test]
fn of_several_reasons_the_first_by_precedence_counts() {
    for (i, (earlier_name, earlier, reason)) in ENDINGS.into_iter().enumerate() {
        for (later_name, later, _) in ENDINGS.into_iter().skip(i + 1) {
            // The entity to which each of the two changes applies. Nothing more applies to a
            // despawned or moved one.
            for [earlier_side, later_side] in [[0, 1], [1, 0], [0, 0], [1, 1]] {
                if earlier_side == later_side && reason == CollisionEndReason::Despawned {
                    continue;
                }
                let (mut app, sides @ [a, b]) = overlapping();
                later(app.world_mut(), sides[later_side]);
                earlier(app.world_mut(), sides[earlier_side]);
                let happened = brief_step(&mut app);
                assert_eq!(
                    happened,
                    [ended(a, b, reason)],
                    "{earlier_name} of side {earlier_side}, {later_name} of side {later_side}"
                );
            }
        }
    }
}

#[test]
fn the_survivors_observer_receives_every_end() {
    #[derive(Resource, Default)]
    struct Received(Vec<CollisionEnd>);
    for (name, act, reason) in ENDINGS {
        for side in [0, 1] {
            let (mut app, sides) = overlapping();
            let (subject, survivor) = (sides[side], sides[1 - side]);
            app.init_resource::<Received>();
            app.world_mut().entity_mut(survivor).observe(
                |end: On<CollisionEnd>, mut received: ResMut<Received>| {
                    received.0.push(*end.event());
                },
            );
            act(app.world_mut(), subject);
            steps(&mut app, 2);
            let received = std::mem::take(&mut app.world_mut().resource_mut::<Received>().0);
            let own: Vec<_> = received
                .into_iter()
                .filter(|end| end.collider == survivor)
                .collect();
            let expected = CollisionEnd {
                entity: survivor,
                collider: survivor,
                other: subject,
                reason,
            };
            assert_eq!(own, [expected], "{name} of side {side}");
        }
    }
}

#[test]
fn what_ended_a_pair_can_be_undone() {
    type Undo = (&'static str, Act, Act);
    let undoable: [Undo; 7] = [
        ("collider removed", remove_collider, |world, entity| {
            world.entity_mut(entity).insert(CircleCollider::new(1.0));
        }),
        ("ColliderDisabled", disable_collider, |world, entity| {
            world.entity_mut(entity).remove::<ColliderDisabled>();
        }),
        ("Disabled", disable_entity, |world, entity| {
            world.entity_mut(entity).remove::<Disabled>();
        }),
        ("Transform removed", lose_transform, |world, entity| {
            world.entity_mut(entity).insert(at(0.5, 0.0));
        }),
        ("NaN position", lose_position, |world, entity| {
            world.get_mut::<Transform>(entity).unwrap().translation.x = 0.5;
        }),
        ("infinite size", lose_size, |world, entity| {
            world.get_mut::<CircleCollider>(entity).unwrap().radius = 1.0;
        }),
        ("other layers", leave_layers, |world, entity| {
            world.entity_mut(entity).remove::<CollisionLayers>();
        }),
    ];
    for (name, act, undo) in undoable {
        let (mut app, [a, b]) = overlapping();
        act(app.world_mut(), b);
        assert_eq!(step(&mut app).len(), 1, "{name}");
        undo(app.world_mut(), b);
        assert_eq!(brief_step(&mut app), [started(a, b)], "{name}");
    }
}

#[test]
fn what_is_undone_before_the_next_update_ends_nothing() {
    type Change = (&'static str, Act);
    let changes: [Change; 6] = [
        ("collider removed and put back", |world, entity| {
            remove_collider(world, entity);
            world.entity_mut(entity).insert(CircleCollider::new(1.0));
        }),
        ("circle replaced by a rectangle", |world, entity| {
            remove_collider(world, entity);
            world.entity_mut(entity).insert(RectCollider::new(2.0, 2.0));
        }),
        (
            "rectangle added, then the circle removed",
            |world, entity| {
                world.entity_mut(entity).insert(RectCollider::new(2.0, 2.0));
                remove_collider(world, entity);
            },
        ),
        ("disabled and enabled", |world, entity| {
            world
                .entity_mut(entity)
                .insert((ColliderDisabled, Disabled));
            world
                .entity_mut(entity)
                .remove::<(ColliderDisabled, Disabled)>();
        }),
        ("resized, still overlapping", |world, entity| {
            world.get_mut::<CircleCollider>(entity).unwrap().radius = 1.25;
        }),
        ("moved, still overlapping", |world, entity| {
            world.get_mut::<Transform>(entity).unwrap().translation.y += 0.125;
        }),
    ];
    for (name, change) in changes {
        for side in [0, 1] {
            let (mut app, sides @ [a, b]) = overlapping();
            change(app.world_mut(), sides[side]);
            assert_eq!(steps(&mut app, 2), [], "{name} of side {side}");
            assert_eq!(pairs(&mut app), [(a, b)], "{name} of side {side}");
        }
    }
}
