//! Layers that are the variants of an enum, and a table of who collides with whom.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::{common::*, debugging::explain::explain};

#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
enum Team {
    Wall,
    Hero,
    /// Variants may have fields, which do not count.
    Monster {
        is_boss: bool,
    },
    Shot,
}

impl CollisionLayer for Team {}

const TEAMS: [Team; 4] = [
    Team::Wall,
    Team::Hero,
    Team::Monster { is_boss: false },
    Team::Shot,
];

#[test]
fn each_variant_is_the_layer_of_its_number() {
    for (number, team) in (0..).zip(TEAMS) {
        assert_eq!(team.mask(), LayerMask::layer(number));
    }
    let boss = Team::Monster { is_boss: true };
    assert_eq!(boss.mask(), LayerMask::layer(2));
    let layers = CollisionLayers::new(Team::Shot, [Team::Wall, boss]);
    assert_eq!(layers.memberships, LayerMask(0b1000));
    assert_eq!(layers.filters, LayerMask(0b101));
    let all: LayerMask = TEAMS.iter().collect();
    assert_eq!(all, LayerMask(0b1111));
    assert_eq!(LayerMask::from([Team::Wall; 0]), LayerMask::NONE);
}

#[test]
fn two_layers_collide_if_the_table_says_so_in_either_order() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..200 {
        let mut table = LayerTable::new();
        let mut listed = Vec::new();
        for _ in 0..rng.usize(..6) {
            let [a, b, c] = [0; 3].map(|_| TEAMS[rng.usize(..TEAMS.len())]);
            table = table.collide(a, [b, c]);
            listed.extend([[a, b], [a, c]]);
        }
        for a in TEAMS {
            for b in TEAMS {
                let collide = listed.contains(&[a, b]) || listed.contains(&[b, a]);
                let [of_a, of_b] = [a, b].map(|team| table.layers(&team));
                assert_eq!(
                    of_a.interacts_with(of_b),
                    collide,
                    "{a:?} {b:?}: {listed:?}"
                );
                // As each sees the other, too.
                assert_eq!(of_a.filters_match(of_b), collide);
            }
        }
    }
}

#[test]
fn one_layer_an_array_and_a_mask_collide_alike() {
    let table = LayerTable::new;
    let boss = || Team::Monster { is_boss: true };
    let mask = LayerMask::from(Team::Hero) | boss();
    let tables = [
        table()
            .collide(Team::Wall, Team::Hero)
            .collide(Team::Wall, boss()),
        table().collide(Team::Wall, [Team::Hero, boss()]),
        table().collide(Team::Wall, mask),
    ];
    for team in TEAMS {
        let [one, array, mask] = tables.each_ref().map(|table| table.layers(&team));
        assert!(one == array && one == mask, "{team:?}");
    }
}

fn app_with_table() -> App {
    let mut app = test_app();
    let table = LayerTable::new()
        .collide(Team::Wall, [Team::Hero, Team::Shot])
        .collide(Team::Shot, [Team::Monster { is_boss: false }]);
    app.add_layer_table(table);
    app
}

#[test]
fn with_a_table_the_enum_is_all_that_an_entity_needs() {
    let mut app = app_with_table();
    let entities = TEAMS.map(|team| spawn(&mut app, (CircleCollider::new(1.0), team)));
    app.update();
    let [wall, hero, monster, shot] = entities;
    let collide = |app: &mut App, a, b| explain(app, a, b).collide().is_ok();
    for (a, b) in [(wall, hero), (wall, shot), (monster, shot)] {
        assert!(collide(&mut app, a, b));
    }
    assert_eq!(pairs(&mut app).len(), 3);
}

#[test]
fn another_variant_changes_the_layers_in_the_next_update() {
    let mut app = app_with_table();
    let wall = spawn(&mut app, (CircleCollider::new(1.0), Team::Wall));
    let hero = spawn(&mut app, (CircleCollider::new(1.0), Team::Hero));
    app.update();
    assert_eq!(pairs(&mut app).len(), 1);
    app.world_mut()
        .entity_mut(hero)
        .insert(Team::Monster { is_boss: true });
    app.update();
    assert_eq!(pairs(&mut app).len(), 0, "{wall} {hero}");
    // In place, as well.
    *app.world_mut().get_mut::<Team>(hero).unwrap() = Team::Hero;
    app.update();
    assert_eq!(pairs(&mut app).len(), 1);
}

#[test]
fn layers_of_its_own_count_before_those_of_the_table() {
    let mut app = app_with_table();
    spawn(&mut app, (CircleCollider::new(1.0), Team::Wall));
    let monster = Team::Monster { is_boss: false };
    let own = CollisionLayers::new(Team::Hero, LayerMask::ALL);
    let foe = spawn(&mut app, (CircleCollider::new(1.0), monster, own));
    app.update();
    assert_eq!(pairs(&mut app).len(), 1);
    // A copy has both as well.
    app.world_mut().entity_mut(foe).clone_and_spawn();
    app.update();
    assert_eq!(pairs(&mut app).len(), 3);
    app.world_mut().entity_mut(foe).remove::<CollisionLayers>();
    app.update();
    assert_eq!(pairs(&mut app).len(), 1, "the copy at the wall");
}

#[test]
fn an_entity_that_was_hidden_has_the_layers_of_its_variant() {
    let mut app = app_with_table();
    spawn(&mut app, (CircleCollider::new(1.0), Team::Wall));
    let pooled = (CircleCollider::new(1.0), Team::Monster { is_boss: false });
    let monster = spawn(&mut app, (pooled, Disabled));
    let hero = spawn(&mut app, (CircleCollider::new(1.0), Team::Wall, Disabled));
    app.update();
    *app.world_mut().get_mut::<Team>(hero).unwrap() = Team::Hero;
    app.update();
    for entity in [monster, hero] {
        app.world_mut().entity_mut(entity).remove::<Disabled>();
    }
    app.update();
    assert_eq!(pairs(&mut app).len(), 1, "the hero and the wall");
}

#[test]
fn without_its_variant_an_entity_is_in_all_layers() {
    let mut app = app_with_table();
    let hero = spawn(&mut app, (CircleCollider::new(1.0), Team::Hero));
    spawn(&mut app, (CircleCollider::new(1.0), Team::Shot));
    app.update();
    assert_eq!(pairs(&mut app).len(), 0);
    app.world_mut().entity_mut(hero).remove::<Team>();
    app.update();
    assert_eq!(pairs(&mut app).len(), 1);
}

#[test]
fn a_layer_that_the_table_does_not_name_collides_with_nothing() {
    let mut app = test_app();
    let table = LayerTable::new().collide(Team::Wall, [Team::Hero]);
    app.add_layer_table(table);
    let bare = spawn(&mut app, CircleCollider::new(1.0));
    let wall = spawn(&mut app, (CircleCollider::new(1.0), Team::Wall));
    let shot = spawn(&mut app, (CircleCollider::new(1.0), Team::Shot));
    app.update();
    assert!(explain(&mut app, bare, wall).collide().is_ok());
    assert!(explain(&mut app, bare, shot).collide().is_err());
}

#[test]
fn a_table_may_come_late_and_be_replaced_and_removed() {
    let mut app = test_app();
    for team in [Team::Hero, Team::Shot] {
        spawn(&mut app, (CircleCollider::new(1.0), team));
    }
    app.update();
    assert_eq!(pairs(&mut app).len(), 1);
    app.add_layer_table(LayerTable::<Team>::new());
    app.update();
    assert_eq!(pairs(&mut app).len(), 0);
    app.insert_resource(LayerTable::new().collide(Team::Hero, [Team::Shot]));
    app.update();
    assert_eq!(pairs(&mut app).len(), 1);
    app.insert_resource(LayerTable::<Team>::new());
    refresh_colliders(app.world_mut());
    let found = run_system(&mut app, |query: SpatialQuery| {
        let heroes = SpatialQueryFilter::only(Team::Hero.mask());
        query.point_intersections(Vec2::ZERO, &heroes).len()
    });
    assert_eq!(found, 1);
    app.update();
    assert_eq!(pairs(&mut app).len(), 0);
    app.world_mut().remove_resource::<LayerTable<Team>>();
    app.update();
    assert_eq!(
        pairs(&mut app).len(),
        1,
        "without a table, the enum is no layer"
    );
    spawn(&mut app, (CircleCollider::new(1.0), Team::Hero));
    app.update();
    assert_eq!(pairs(&mut app).len(), 3);
}

#[test]
fn an_enum_without_a_table_is_named_once() {
    #[derive(Component, Reflect)]
    enum WithoutTable {
        Left,
    }
    impl CollisionLayer for WithoutTable {}
    collect_warnings();
    let mut app = test_app();
    app.name_layers::<WithoutTable>();
    let own = CollisionLayers::new(WithoutTable::Left, LayerMask::ALL);
    spawn(
        &mut app,
        (CircleCollider::new(1.0), WithoutTable::Left, own),
    );
    steps(&mut app, 200);
    assert_eq!(warnings_about("::WithoutTable").len(), 0);
    for _ in 0..2 {
        spawn(&mut app, (CircleCollider::new(1.0), WithoutTable::Left));
        steps(&mut app, 200);
    }
    let warnings = warnings_about("::WithoutTable");
    assert!(
        warnings.len() == 1 && warnings[0].contains("add_layer_table"),
        "{warnings:?}"
    );
}

#[test]
fn an_enum_with_a_table_may_be_named_again() {
    #[derive(Component, Reflect)]
    enum NamedTwice {
        Left,
    }
    impl CollisionLayer for NamedTwice {}
    collect_warnings();
    let mut app = test_app();
    app.add_layer_table(LayerTable::<NamedTwice>::new())
        .name_layers::<NamedTwice>();
    spawn(&mut app, (CircleCollider::new(1.0), NamedTwice::Left));
    steps(&mut app, 200);
    assert_eq!(warnings_about("::NamedTwice").len(), 0);
}

#[test]
fn a_second_enum_is_refused() {
    #[derive(Component, Reflect)]
    enum SecondEnum {
        Left,
    }
    impl CollisionLayer for SecondEnum {}
    collect_warnings();
    let mut app = app_with_table();
    app.add_layer_table(LayerTable::new().collide(SecondEnum::Left, [SecondEnum::Left]));
    for team in [Team::Wall, Team::Hero] {
        spawn(&mut app, (CircleCollider::new(1.0), team));
    }
    app.update();
    assert_eq!(pairs(&mut app).len(), 1);
    assert_eq!(warnings_about("::SecondEnum").len(), 1);
}

#[test]
fn a_table_is_a_resource_and_leaves_entities_without_the_enum_alone() {
    let mut app = app_with_table();
    let other = spawn(&mut app, CircleCollider::new(1.0));
    app.update();
    assert!(app.world().get::<CollisionLayers>(other).is_none());
    let table = app.world().resource::<LayerTable<Team>>();
    assert_eq!(table.layers(&Team::Hero).filters, Team::Wall.mask());
}

#[test]
fn explanations_name_the_layers() {
    let mut app = app_with_table();
    let hero = spawn(&mut app, (CircleCollider::new(1.0), Team::Hero));
    let shot = spawn(&mut app, (CircleCollider::new(1.0), Team::Shot));
    app.update();
    let sentence = explain(&mut app, hero, shot).to_string();
    let words = "in the layers Hero and Shot, which do not collide by the table of layers";
    assert!(sentence.contains(words), "{sentence}");
    // Layers beyond the names have numbers.
    let both = CollisionLayers::new(LayerMask(1 << 31 | 0b10), LayerMask::NONE);
    app.world_mut().entity_mut(hero).insert(both);
    app.update();
    let sentence = explain(&mut app, hero, shot).to_string();
    assert!(sentence.contains("(Hero, 31)"), "{sentence}");
}

#[test]
fn a_query_considers_only_the_layers_that_it_names() {
    let mut app = app_with_table();
    let [wall, hero, monster, shot] =
        TEAMS.map(|team| spawn(&mut app, (CircleCollider::new(1.0), team)));
    app.update();
    let mut here = |layers: LayerMask| {
        let filter = SpatialQueryFilter::only(layers);
        run_system(&mut app, move |query: SpatialQuery| {
            query.point_intersections(Vec2::ZERO, &filter).to_vec()
        })
    };
    assert_eq!(here(Team::Wall.mask()), [wall]);
    assert_eq!(here(Team::Monster { is_boss: true }.mask()), [monster]);
    let both = here([Team::Hero, Team::Shot].into());
    assert!(both.len() == 2 && both.contains(&hero) && both.contains(&shot));
    assert_eq!(here(LayerMask::NONE), []);
}

/// One layer too many.
#[derive(Reflect)]
#[rustfmt::skip]
enum Many {
    A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19, A20,
    A21, A22, A23, A24, A25, A26, A27, A28, A29, A30, A31, A32,
}

impl CollisionLayer for Many {}

#[test]
fn a_variant_after_the_last_layer_is_in_none_and_is_reported() {
    assert_eq!(Many::A31.mask(), LayerMask::layer(31));
    assert_eq!(Many::A32.mask(), LayerMask::NONE);
    let table = LayerTable::new().collide(Many::A32, [Many::A31, Many::A0]);
    assert_eq!(table.layers(&Many::A32).filters, LayerMask::NONE);
    assert_eq!(table.layers(&Many::A31).filters, LayerMask::NONE);
    collect_warnings();
    App::new().name_layers::<Many>().name_layers::<Team>();
    assert_eq!(warnings_about("Many has 33 layers").len(), 1);
}
