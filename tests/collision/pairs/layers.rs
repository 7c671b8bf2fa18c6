//! The rules that decide which colliders collide: layers, static walls, bodies.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::prelude::*;

use crate::common::*;

const RED: LayerMask = LayerMask::layer(0);
const BLUE: LayerMask = LayerMask::layer(1);

#[test]
fn both_sides_have_to_look_for_a_layer_of_the_other() {
    let layers = CollisionLayers::new;
    let both = RED | BLUE;
    let cases = [
        (layers(RED, RED), layers(RED, RED), true),
        (layers(RED, BLUE), layers(BLUE, RED), true),
        (layers(RED, both), layers(BLUE, both), true),
        (layers(both, RED), layers(both, BLUE), true),
        // Only the filters of one match.
        (layers(RED, BLUE), layers(BLUE, BLUE), false),
        (layers(RED, BLUE), layers(BLUE, LayerMask::NONE), false),
        // Neither matches.
        (layers(RED, RED), layers(BLUE, BLUE), false),
        // In no layer.
        (
            layers(LayerMask::NONE, LayerMask::ALL),
            layers(both, both),
            false,
        ),
        (CollisionLayers::default(), layers(RED, BLUE), true),
        (
            CollisionLayers::default(),
            layers(LayerMask::layer(31), BLUE),
            true,
        ),
    ];
    for (p, q, collide) in cases {
        for (first, second) in [(p, q), (q, p)] {
            let (mut app, [a, b]) = two_balls(first, second);
            let expected = if collide { vec![started(a, b)] } else { vec![] };
            assert_eq!(brief_step(&mut app), expected, "{first:?} {second:?}");
        }
    }
}

#[test]
fn sets_of_layers_are_compared_and_changed() {
    let (none, all) = (LayerMask::NONE, LayerMask::ALL);
    let cases = [
        (RED | BLUE, RED, true),
        (RED | BLUE, RED | BLUE, true),
        (RED, RED | BLUE, false),
        (RED, BLUE, false),
        (RED, none, true),
        (none, none, true),
        (none, RED, false),
        (all, RED | BLUE, true),
        (RED | BLUE, all, false),
    ];
    for (set, subset, expected) in cases {
        assert_eq!(set.contains(subset), expected, "{set:?} {subset:?}");
    }
    let mut set = RED | BLUE;
    set &= !RED;
    assert_eq!(set, BLUE);
    set |= RED;
    assert_eq!(set, RED | BLUE);
}

#[test]
fn a_collider_without_layers_is_in_all_and_looks_for_all() {
    let (mut app, [a, b]) = two_balls((), CollisionLayers::new(BLUE, RED));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    app.world_mut()
        .entity_mut(b)
        .insert(CollisionLayers::new(BLUE, LayerMask::NONE));
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Filtered)]
    );
}

#[test]
fn changing_layers_in_the_middle_of_an_overlap_ends_and_starts_it() {
    type Change = fn(&mut CollisionLayers);
    let changes: [(&str, Change); 2] = [
        ("memberships", |layers| layers.memberships = LayerMask::NONE),
        ("filters", |layers| layers.filters = LayerMask::NONE),
    ];
    for (name, change) in changes {
        for side in [0, 1] {
            let seen = CollisionLayers::new(RED, RED);
            let (mut app, sides @ [a, b]) = two_balls(seen, seen);
            assert_eq!(brief_step(&mut app), [started(a, b)]);
            change(&mut app.world_mut().get_mut(sides[side]).unwrap());
            let end = ended(a, b, CollisionEndReason::Filtered);
            assert_eq!(brief_step(&mut app), [end], "{name} of side {side}");
            assert_eq!(steps(&mut app, 2), [], "{name} of side {side}");
            app.world_mut().entity_mut(sides[side]).insert(seen);
            assert_eq!(
                brief_step(&mut app),
                [started(a, b)],
                "{name} of side {side}"
            );
        }
    }
}

#[test]
fn other_layers_that_still_agree_change_nothing() {
    let (mut app, [_, b]) = two_balls((), ());
    app.update();
    steps(&mut app, 1);
    app.world_mut()
        .entity_mut(b)
        .insert(CollisionLayers::new(BLUE, RED));
    assert_eq!(steps(&mut app, 2), []);
}

#[test]
fn static_walls_collide_with_everything_but_static_walls() {
    let cases = [
        (true, true, false),
        (true, false, true),
        (false, true, true),
    ];
    for (first_solid, second_solid, collide) in cases {
        let (mut app, [a, b]) = two_balls((), ());
        for (entity, solid) in [(a, first_solid), (b, second_solid)] {
            if solid {
                app.world_mut().entity_mut(entity).insert(Solid);
            }
        }
        let expected = if collide { vec![started(a, b)] } else { vec![] };
        assert_eq!(
            brief_step(&mut app),
            expected,
            "{first_solid} {second_solid}"
        );
    }
}

#[test]
fn a_solid_that_is_or_belongs_to_a_mover_collides_with_walls() {
    // Nothing blocks it, so that nothing moves it.
    let mover = || Mover {
        response: MoverResponse::Pass,
        ..default()
    };
    let (mut app, [a, b]) = two_balls((Solid, mover()), Solid);
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    let body = spawn(&mut app, mover());
    app.world_mut().entity_mut(b).insert(ChildOf(body));
    app.world_mut().entity_mut(a).remove::<Mover>();
    assert_eq!(brief_step(&mut app), [], "now the other one is a mover's");
    app.world_mut().entity_mut(b).remove::<ChildOf>();
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Filtered)]
    );
}

#[test]
fn becoming_solid_and_soft_again_ends_and_starts_a_pair_with_a_wall() {
    let (mut app, [a, b]) = two_balls(Solid, ());
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    app.world_mut().entity_mut(b).insert(Solid);
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Filtered)]
    );
    app.world_mut().entity_mut(a).remove::<Solid>();
    assert_eq!(brief_step(&mut app), [started(a, b)]);
}

#[test]
fn solid_pairs_makes_static_walls_collide_from_the_next_update_on() {
    let (mut app, [a, b]) = two_balls(Solid, Solid);
    assert_eq!(brief_step(&mut app), []);
    app.world_mut()
        .resource_mut::<CollisionSettings>()
        .solid_pairs = true;
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    app.world_mut()
        .resource_mut::<CollisionSettings>()
        .solid_pairs = false;
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Filtered)]
    );
}

#[test]
fn the_margin_moves_the_line_between_touching_and_apart() {
    let mut app = test_app();
    let a = spawn(&mut app, ball(0.0, 0.0));
    let b = spawn(&mut app, ball(2.5, 0.0));
    let c = spawn(&mut app, ball(-3.5, 0.0));
    assert_eq!(brief_step(&mut app), []);
    app.insert_resource(CollisionSettings {
        margin: 1.0,
        ..default()
    });
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    let contact = contact_of(&mut app, a, b).unwrap();
    assert!((contact.depth + 0.5).abs() < 1e-6, "{contact:?}");
    assert!(contact.normal.abs_diff_eq(Vec2::X, 1e-6), "{contact:?}");
    app.world_mut().resource_mut::<CollisionSettings>().margin = 2.0;
    assert_eq!(brief_step(&mut app), [started(a, c)]);
    // A separation of exactly the margin is not closer than the margin.
    app.world_mut().resource_mut::<CollisionSettings>().margin = 1.5;
    assert_eq!(
        brief_step(&mut app),
        [ended(a, c, CollisionEndReason::Separated)]
    );
    app.insert_resource(CollisionSettings::default());
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Separated)]
    );
}

#[test]
fn an_ancestor_and_its_descendant_do_not_collide() {
    let mut app = test_app();
    let grandparent = spawn(&mut app, ball(0.0, 0.0));
    let parent = spawn(&mut app, (ball(0.1, 0.0), ChildOf(grandparent)));
    let child = spawn(&mut app, (ball(0.1, 0.0), ChildOf(parent)));
    let sibling = spawn(&mut app, (ball(0.2, 0.0), ChildOf(parent)));
    assert_eq!(
        brief_step(&mut app),
        [started(child, sibling)],
        "siblings do"
    );
    app.world_mut().entity_mut(child).insert(ChildOf(sibling));
    let end = ended(child, sibling, CollisionEndReason::Filtered);
    assert_eq!(brief_step(&mut app), [end]);
    app.world_mut().entity_mut(child).remove::<ChildOf>();
    let starts = brief_step(&mut app);
    assert_eq!(starts.len(), 3, "now it is a stranger to all: {starts:?}");
}

#[test]
fn colliders_under_one_mover_are_one_body() {
    let mut app = test_app();
    let still = || Mover {
        response: MoverResponse::Pass,
        ..default()
    };
    let body = spawn(&mut app, still());
    let left = spawn(&mut app, (ball(0.0, 0.0), ChildOf(body)));
    let holder = spawn(&mut app, (Transform::IDENTITY, ChildOf(body)));
    let right = spawn(&mut app, (ball(0.5, 0.0), ChildOf(holder)));
    let stranger = spawn(&mut app, ball(0.0, 1.5));
    let mut expected = [(left, stranger), (right, stranger)].map(|(p, q)| (p.min(q), p.max(q)));
    expected.sort();
    app.update();
    assert_eq!(pairs(&mut app), expected);
    steps(&mut app, 1);
    // A closer mover of its own makes it another body.
    app.world_mut().entity_mut(holder).insert(still());
    assert_eq!(brief_step(&mut app), [started(left, right)]);
    app.world_mut().entity_mut(holder).remove::<Mover>();
    assert_eq!(
        brief_step(&mut app),
        [ended(left, right, CollisionEndReason::Filtered)]
    );
    app.world_mut().entity_mut(body).remove::<Mover>();
    assert_eq!(
        brief_step(&mut app),
        [started(left, right)],
        "siblings without a mover"
    );
}

#[test]
fn a_disabled_collider_is_not_there() {
    for mark in [
        |app: &mut App, entity: Entity| {
            app.world_mut().entity_mut(entity).insert(ColliderDisabled);
        },
        |app: &mut App, entity: Entity| {
            app.world_mut().entity_mut(entity).insert(Disabled);
        },
    ] {
        let (mut app, [a, b]) = two_balls((), ());
        mark(&mut app, b);
        assert_eq!(steps(&mut app, 2), [], "disabled from the start");
        app.world_mut()
            .entity_mut(b)
            .remove::<(ColliderDisabled, Disabled)>();
        assert_eq!(brief_step(&mut app), [started(a, b)]);
        mark(&mut app, b);
        assert_eq!(
            brief_step(&mut app),
            [ended(a, b, CollisionEndReason::Disabled)]
        );
        set_position(&mut app, b, Vec2::new(0.5, 0.0));
        assert_eq!(steps(&mut app, 2), [], "moving it shows nothing");
        app.world_mut()
            .entity_mut(b)
            .remove::<(ColliderDisabled, Disabled)>();
        assert_eq!(brief_step(&mut app), [started(a, b)]);
        let contact = contact_of(&mut app, a, b).unwrap();
        assert!((contact.depth - 1.5).abs() < 1e-6, "{contact:?}");
    }
}

#[test]
fn a_disabled_parent_hides_itself_but_not_its_children() {
    let mut app = test_app();
    let parent = spawn(&mut app, ball(0.0, 0.0));
    let child = spawn(&mut app, (ball(5.0, 0.0), ChildOf(parent)));
    let others = [0.5, 5.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(step(&mut app).len(), 2);
    app.world_mut()
        .entity_mut(parent)
        .insert((Disabled, ColliderDisabled));
    let end = ended(parent, others[0], CollisionEndReason::Disabled);
    assert_eq!(brief_step(&mut app), [end]);
    assert_eq!(
        pairs(&mut app),
        [(child.min(others[1]), child.max(others[1]))]
    );
}

#[test]
fn what_an_apps_own_disabling_component_hides_is_not_there() {
    let mut app = app_hiding::<Shelved>();
    let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    app.world_mut().entity_mut(b).insert(Shelved);
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Disabled)]
    );
    app.world_mut().entity_mut(b).remove::<Shelved>();
    assert_eq!(brief_step(&mut app), [started(a, b)]);
}

#[test]
fn what_was_spawned_or_changed_while_it_was_hidden_takes_part_when_it_is_shown() {
    let mut app = app_hiding::<Shelved>();
    let a = spawn(&mut app, ball(0.0, 0.0));
    let b = spawn(&mut app, (ball(1.5, 0.0), Shelved));
    assert_eq!(steps(&mut app, 2), []);
    app.world_mut().entity_mut(b).remove::<Shelved>();
    // A disabling component that the plugin does not know also hides the change for one update.
    assert_eq!(brief(&steps(&mut app, 2)), [started(a, b)]);
    app.world_mut().entity_mut(b).insert(Shelved);
    app.update();
    let mut collider = app.world_mut().get_mut::<CircleCollider>(b).unwrap();
    collider.radius = 0.1;
    assert_eq!(
        brief(&steps(&mut app, 2)),
        [ended(a, b, CollisionEndReason::Disabled)]
    );
    app.world_mut().entity_mut(b).remove::<Shelved>();
    app.update();
    step(&mut app);
    assert_eq!(pairs(&mut app), []);
}

#[test]
fn what_blocks_a_mover_may_change_at_any_time() {
    let mut app = test_app();
    let layers = CollisionLayers::new(RED, LayerMask::ALL);
    let wall = (RectCollider::new(2.0, 8.0), Solid, layers, at(3.0, 0.0));
    spawn(&mut app, wall);
    let mover = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    for (blocked_by, is_blocked) in [(RED, true), (BLUE, false), (RED | BLUE, true)] {
        set_position(&mut app, mover, Vec2::ZERO);
        let mut changed = app.world_mut().get_mut::<Mover>(mover).unwrap();
        changed.blocked_by = blocked_by;
        changed.displacement = Vec2::X * 0.99;
        app.update();
        let hits = app.world().get::<MoverHits>(mover).unwrap();
        assert_eq!(!hits.is_empty(), is_blocked, "{blocked_by:?}");
    }
}

#[test]
fn a_mover_touches_what_blocks_it_within_twice_its_skin_of_any_width() {
    for skin_width in [0.02, 1.0, 30.0] {
        for (skins, is_touching) in [(1.9, true), (2.1, false)] {
            let mut app = test_app();
            let mover = Mover {
                skin_width,
                ..default()
            };
            let mover = spawn(&mut app, (RectCollider::new(2.0, 2.0), mover, at(0.0, 0.0)));
            let x = 2.0 + skins * skin_width;
            let wall = spawn(&mut app, (RectCollider::new(2.0, 2.0), Solid, at(x, 0.0)));
            let expected = is_touching.then_some((mover.min(wall), mover.max(wall)));
            app.update();
            assert_eq!(pairs(&mut app), Vec::from_iter(expected), "{skin_width}");
        }
    }
}
