//! Why two entities do not collide, as data and as sentences.

use bevy::{
    ecs::{entity_disabling::Disabled, name::NameOrEntity},
    prelude::*,
};
use bevy_thud::{Explanation, Reason, prelude::*};

use crate::common::*;

pub const RED: LayerMask = LayerMask::layer(0);
pub const BLUE: LayerMask = LayerMask::layer(5);

pub fn explain(app: &mut App, a: Entity, b: Entity) -> Explanation {
    run_system(app, move |collisions: Collisions| collisions.explain(a, b))
}

/// Two overlapping balls with additional components, after an update.
pub fn two_synced(p: impl Bundle, q: impl Bundle) -> (App, [Entity; 2]) {
    let (mut app, balls) = two_balls(p, q);
    app.update();
    (app, balls)
}

/// Asserts that `b` is absent for this reason, in either order of the entities, and that the
/// sentence contains `words`.
fn assert_absent(app: &mut App, [a, b]: [Entity; 2], absence: Reason, words: &str) {
    for (p, q) in [(a, b), (b, a)] {
        let explanation = explain(app, p, q);
        assert_eq!(explanation.collide(), Err(absence), "{explanation}");
        assert_eq!(explanation.a_blocks_b(), Err(absence), "{explanation}");
        assert_eq!(explanation.b_blocks_a(), Err(absence), "{explanation}");
        let sentence = explanation.to_string();
        let begins = format!("{p} and {q} do not collide: ");
        assert!(
            sentence.starts_with(&begins) && sentence.contains(words),
            "{sentence}"
        );
        let named = sentence.trim_start_matches(&begins);
        assert!(named.contains(&b.to_string()), "{sentence}");
        assert!(!named.contains(&a.to_string()), "{sentence}");
    }
}

#[test]
fn colliding_entities_are_reported_with_the_contact_as_seen_from_the_first() {
    let (mut app, [a, b]) = two_synced((), ());
    for (p, q) in [(a, b), (b, a)] {
        let explanation = explain(&mut app, p, q);
        let contact = contact_of(&mut app, p, q).unwrap();
        assert_eq!(explanation.collide(), Ok(contact));
        let expected = format!(
            "{p} and {q} collide: they overlap by 0.5. Neither blocks the other: neither is a \
            `Mover`."
        );
        assert_eq!(explanation.to_string(), expected);
    }
}

#[test]
fn an_entity_is_not_explained_against_itself() {
    let (mut app, [a, _]) = two_synced((), ());
    let explanation = explain(&mut app, a, a);
    assert_eq!(explanation.collide(), Err(Reason::SameEntity));
    assert_eq!(explanation.a_blocks_b(), Err(Reason::SameEntity));
}

#[test]
fn what_is_missing_on_an_entity_is_named() {
    let (mut app, [a, b]) = two_synced((), ());
    let bare = spawn(&mut app, Transform::IDENTITY);
    app.update();
    assert_absent(&mut app, [a, bare], Reason::NoCollider, "has no collider");
    app.world_mut().entity_mut(b).insert(ColliderDisabled);
    app.update();
    assert_absent(&mut app, [a, b], Reason::Disabled, "`ColliderDisabled`");
    app.world_mut()
        .entity_mut(b)
        .remove::<ColliderDisabled>()
        .insert(Disabled);
    app.update();
    assert_absent(&mut app, [a, b], Reason::Hidden, "hidden from queries");
    app.world_mut()
        .entity_mut(b)
        .remove::<(Disabled, Transform)>();
    app.update();
    assert_absent(&mut app, [a, b], Reason::NoTransform, "no `Transform`");
    let nowhere = at(f32::NAN, 0.0);
    app.world_mut().entity_mut(b).insert(nowhere);
    app.update();
    assert_absent(
        &mut app,
        [a, b],
        Reason::NotFinite,
        "its position, size or scale",
    );
    let parent = spawn(&mut app, nowhere);
    let child = (at(1.5, 0.0), ChildOf(parent));
    app.world_mut().entity_mut(b).insert(child);
    app.update();
    assert_absent(
        &mut app,
        [a, b],
        Reason::NotFiniteInWorld,
        "an ancestor places it",
    );
    app.world_mut().despawn(b);
    assert_absent(&mut app, [a, b], Reason::NoSuchEntity, "there is no entity");
}

#[test]
fn a_collider_that_was_removed_or_whose_kind_the_app_does_not_know_is_none() {
    #[derive(Component)]
    struct Unknown;
    impl Collider for Unknown {
        fn shape(&self) -> bevy_thud::geometry::Shape {
            bevy_thud::geometry::Shape::circle(Vec2::ZERO, 1.0)
        }
    }
    let (mut app, [a, b]) = two_synced((), ());
    let unknown = spawn(&mut app, (Unknown, at(1.0, 0.0)));
    app.world_mut().entity_mut(b).remove::<CircleCollider>();
    app.update();
    assert_absent(&mut app, [a, b], Reason::NoCollider, "has no collider");
    assert_absent(&mut app, [a, unknown], Reason::NoCollider, "`add_collider`");
}

#[test]
fn a_component_of_the_apps_own_that_hides_entities_is_recognized() {
    let mut app = app_hiding::<Shelved>();
    let a = spawn(&mut app, ball(0.0, 0.0));
    let b = spawn(&mut app, (ball(1.5, 0.0), Shelved));
    app.update();
    assert_absent(&mut app, [a, b], Reason::Hidden, "hidden from queries");
}

#[test]
fn a_cycle_of_parents_is_distinguished_from_non_finite_values() {
    let (mut app, [a, b]) = two_synced((), ());
    let holder = spawn(&mut app, ChildOf(b));
    app.world_mut().entity_mut(b).insert(ChildOf(holder));
    app.update();
    assert_absent(&mut app, [a, b], Reason::ParentCycle, "form a cycle");
}

#[test]
fn what_is_new_since_the_last_update_is_not_synced() {
    let (mut app, [a, _]) = two_synced((), ());
    let new = spawn(&mut app, ball(0.0, 1.0));
    assert_absent(
        &mut app,
        [a, new],
        Reason::NotSynced,
        "The next update will include it",
    );
    app.update();
    assert!(explain(&mut app, a, new).collide().is_ok());
}

#[test]
fn the_missing_layers_are_reported_for_each_entity() {
    let layers = CollisionLayers::new;
    let cases = [
        (layers(RED, BLUE), layers(BLUE, BLUE), ["", "0"]),
        (layers(RED, RED), layers(RED | BLUE, BLUE), ["", "0"]),
        (layers(RED, RED), layers(BLUE, BLUE), ["5", "0"]),
    ];
    for (p, q, lacks) in cases {
        let (mut app, [a, b]) = two_synced(p, q);
        for (first, second) in [(a, b), (b, a)] {
            let explanation = explain(&mut app, first, second);
            assert_eq!(explanation.collide(), Err(Reason::Layers));
            for (looker, other, lack) in [(a, b, lacks[0]), (b, a, lacks[1])] {
                let words = format!(
                    "the filters of {looker} contain none of the layers of {other} ({lack})"
                );
                let is_said = explanation.to_string().contains(&words);
                assert_eq!(is_said, !lack.is_empty(), "{words} {explanation}");
            }
        }
    }
    let (mut app, [a, b]) = two_synced(layers(RED, RED), layers(RED | BLUE, BLUE));
    let expected = format!(
        "{a} and {b} do not collide: the filters of {b} contain none of the layers of {a} (0): \
        add one of them to these filters."
    );
    assert_eq!(explain(&mut app, a, b).to_string(), expected);
}

#[test]
fn where_one_has_no_layers_and_the_other_no_filters_both_are_told() {
    let (mut app, [a, b]) = two_synced(
        CollisionLayers::new(RED, LayerMask::NONE),
        CollisionLayers::new(LayerMask::NONE, RED),
    );
    let expected = format!(
        "{a} and {b} do not collide: {b} is in no layer: add one to its memberships, and to the \
        filters of {a} if it is not among them."
    );
    assert_eq!(explain(&mut app, a, b).to_string(), expected);
}

#[test]
fn two_mismatches_are_one_sentence() {
    let [p, q] = [
        CollisionLayers::new(RED, RED),
        CollisionLayers::new(BLUE, BLUE),
    ];
    let (mut app, [a, b]) = two_synced(p, q);
    let expected = format!(
        "{a} and {b} do not collide: the filters of {a} contain none of the layers of {b} (5): \
        add one of them to these filters; the filters of {b} contain none of the layers of {a} \
        (0): add one of them to these filters."
    );
    assert_eq!(explain(&mut app, a, b).to_string(), expected);
}

#[test]
fn who_ignores_is_named_while_it_does() {
    let (mut app, [a, b]) = two_synced(Mover::default(), Solid);
    let name_of = |app: &mut App| explain(app, a, b).to_string();
    app.world_mut()
        .entity_mut(b)
        .insert(Ignores::until_apart(a));
    app.update();
    let expected = format!(
        "{a} and {b} do not collide: {b} has an `Ignores` for the other. \
        Remove it."
    );
    assert_eq!(name_of(&mut app), expected);
    // The update in which they are apart removes it.
    set_position(&mut app, b, Vec2::X * 100.0);
    app.update();
    assert!(app.world().get::<Ignores>(b).is_none());
    let sentence = name_of(&mut app);
    assert!(!sentence.contains("Ignores"), "{sentence}");
    // That of a mover counts for what it carries.
    let (mut app, [a, b]) = two_synced(Mover::default(), Solid);
    let shield = spawn(&mut app, (CircleCollider::new(1.0), ChildOf(a)));
    app.world_mut().entity_mut(a).insert(Ignores::always(b));
    app.update();
    let sentence = explain(&mut app, shield, b).to_string();
    assert!(
        sentence.contains(&format!("{a} has an `Ignores`")),
        "{sentence}"
    );
}

#[test]
fn a_grid_without_a_solid_cell_is_absent() {
    let (mut app, [a, _]) = two_synced((), ());
    // A level whose author wrote other characters than the game reads.
    let grid = TileCollider::from_rows(["...", "..."], Vec2::ONE);
    let grid = spawn(&mut app, grid);
    app.update();
    assert_absent(
        &mut app,
        [a, grid],
        Reason::NoSolidCell,
        "no cell of the grid",
    );
}

#[test]
fn an_overlap_with_a_grid_names_the_cell() {
    let mut app = test_app();
    let grid = TileCollider::from_rows(["..#", "#.."], Vec2::splat(4.0));
    let grid = spawn(&mut app, grid);
    let ball = spawn(&mut app, ball(-4.0, -2.0));
    app.update();
    for (a, b) in [(ball, grid), (grid, ball)] {
        let sentence = explain(&mut app, a, b).to_string();
        let cell = format!(" in column 0 and row 1 of {grid}");
        assert!(sentence.contains(&cell), "{sentence}");
    }
}

#[test]
fn an_overlap_of_nothing_has_no_sign() {
    let mut app = test_app();
    app.world_mut().resource_mut::<CollisionSettings>().margin = 1.0;
    let [a, b] = [0.0, 2.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    app.update();
    let sentence = explain(&mut app, a, b).to_string();
    assert!(sentence.contains("they overlap by 0."), "{sentence}");
}

#[test]
fn walls_bodies_and_relatives_are_distinguished() {
    let (mut app, [a, b]) = two_synced(Solid, Solid);
    let explanation = explain(&mut app, a, b);
    assert_eq!(explanation.collide(), Err(Reason::StaticWalls));
    assert!(
        explanation
            .to_string()
            .contains("`CollisionSettings::solid_pairs`")
    );

    app.world_mut().entity_mut(a).insert(ChildOf(b));
    app.world_mut().entity_mut(a).remove::<Solid>();
    app.update();
    for (p, q) in [(a, b), (b, a)] {
        let explanation = explain(&mut app, p, q);
        assert_eq!(explanation.collide(), Err(Reason::Related));
        let words = format!("{b} is an ancestor of {a}, ");
        assert!(explanation.to_string().contains(&words), "{explanation}");
    }

    let mover = spawn(&mut app, Mover::default());
    for entity in [a, b] {
        app.world_mut().entity_mut(entity).insert(ChildOf(mover));
    }
    app.update();
    let explanation = explain(&mut app, a, b);
    assert_eq!(explanation.collide(), Err(Reason::SameBody));
    assert!(
        explanation
            .to_string()
            .contains(&format!("the mover {mover}"))
    );
}

#[test]
fn a_distance_is_reported_with_the_margin_it_is_compared_with() {
    let mut app = test_app();
    let a = spawn(&mut app, ball(0.0, 0.0));
    let b = spawn(&mut app, ball(2.5, 0.0));
    app.update();
    let explanation = explain(&mut app, a, b);
    assert_eq!(explanation.collide(), Err(Reason::Apart));
    assert_eq!(
        explanation.to_string(),
        format!("{a} and {b} do not collide: they are 0.5 apart.")
    );
    app.world_mut().resource_mut::<CollisionSettings>().margin = 0.25;
    app.update();
    let explanation = explain(&mut app, a, b);
    assert_eq!(explanation.collide(), Err(Reason::Apart));
    let words = "they are 0.5 apart; they must be closer than 0.25.";
    assert!(explanation.to_string().contains(words), "{explanation}");
    set_position(&mut app, b, Vec2::new(2.0, 0.0));
    app.insert_resource(CollisionSettings::default());
    app.update();
    let explanation = explain(&mut app, a, b);
    assert_eq!(explanation.collide(), Err(Reason::Touching));
    let words = "they only touch";
    assert!(explanation.to_string().contains(words), "{explanation}");
}

#[test]
fn what_changed_since_the_last_update_takes_effect_in_the_next() {
    let (mut app, [a, b]) = two_synced(Solid, Solid);
    let settings = CollisionSettings {
        solid_pairs: true,
        ..default()
    };
    app.insert_resource(settings);
    assert_eq!(
        explain(&mut app, a, b).collide(),
        Err(Reason::StaticWalls),
        "the rules of the last update"
    );
    let family = spawn(&mut app, (ball(0.0, 0.5), ChildOf(a)));
    app.update();
    assert!(explain(&mut app, a, b).collide().is_ok());
    app.world_mut().entity_mut(family).remove::<ChildOf>();
    let explanation = explain(&mut app, a, family);
    assert_eq!(explanation.collide(), Err(Reason::Changed), "{explanation}");
    app.update();
    assert!(explain(&mut app, a, family).collide().is_ok());
}

#[test]
fn what_the_margin_makes_collide_is_said_to_be_apart() {
    let mut app = test_app();
    app.world_mut().resource_mut::<CollisionSettings>().margin = 1.0;
    let a = spawn(&mut app, ball(0.0, 0.0));
    let [b, c] = [2.5, -3.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    app.update();
    let sentence = explain(&mut app, a, b).to_string();
    let expected = format!("{a} and {b} collide: they are 0.5 apart, which counts as overlapping.");
    assert!(sentence.starts_with(&expected), "{sentence}");
    let explanation = explain(&mut app, a, c);
    assert_eq!(explanation.collide(), Err(Reason::Touching));
    let words = "their distance equals the touching margin of 1; they must be closer";
    assert!(explanation.to_string().contains(words), "{explanation}");
}

#[test]
fn what_was_disabled_since_the_last_update_is_absent_unless_the_two_are_still_a_pair() {
    let (mut app, [a, b]) = two_synced((), ());
    let far = spawn(&mut app, ball(50.0, 0.0));
    app.update();
    for entity in [b, far] {
        app.world_mut().entity_mut(entity).insert(ColliderDisabled);
    }
    assert_absent(&mut app, [a, far], Reason::Disabled, "Remove it");
    assert!(explain(&mut app, a, b).collide().is_ok());
    app.update();
    assert_absent(&mut app, [a, b], Reason::Disabled, "Remove it");
}

#[test]
fn names_are_in_the_sentence_where_entities_have_them() {
    let (mut app, [a, b]) = two_synced(Name::new("Bullet"), ());
    let sentence = run_system(
        &mut app,
        move |collisions: Collisions, names: Query<NameOrEntity>| {
            collisions.explain(a, b).named(&names)
        },
    );
    assert!(
        sentence.starts_with(&format!("Bullet ({a}) and {b} collide")),
        "{sentence}"
    );
}

#[test]
fn a_system_that_explains_may_write_whatever_games_write() {
    #[derive(Resource, Default)]
    struct Reported(Option<Explanation>);
    let (mut app, [a, b]) = two_synced((Mover::default(), Name::new("a")), Solid);
    app.init_resource::<Reported>();
    let explain_pair =
        move |collisions: Collisions,
              _moved: Query<(&mut Transform, &mut GlobalTransform, &mut Name)>,
              _movers: Query<(&mut Mover, &mut MoverHits, &mut CollidingEntities)>,
              _colliders: Query<(&mut CircleCollider, &mut CollisionLayers, &mut Solid)>,
              _settings: ResMut<CollisionSettings>,
              _query: SpatialQuery,
              mut reported: ResMut<Reported>| {
            reported.0 = Some(collisions.explain(a, b));
        };
    app.add_systems(Last, explain_pair);
    app.update();
    assert!(app.world().resource::<Reported>().0.is_some());
}
