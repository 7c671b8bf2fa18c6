//! Warnings about components that do nothing where they are, each once; none while they may still
//! be completed.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// More updates than lie between three checks.
const LONG: usize = 200;

/// Asserts that one warning names the entity, with these words, however many are like it.
fn assert_named(name: &'static str, words: &str, spawn: impl Fn(&mut World) -> Entity) {
    collect_warnings();
    let mut app = test_app();
    for _ in 0..2 {
        let entity = spawn(app.world_mut());
        app.world_mut().entity_mut(entity).insert(Name::new(name));
        steps(&mut app, LONG);
    }
    let warnings = warnings_about(name);
    assert_eq!(warnings.len(), 1, "{name}: {warnings:?}");
    assert!(warnings[0].contains(words), "{warnings:?}");
}

/// Asserts that no warning names any of these.
fn assert_silent(name: &'static str, spawn: impl FnOnce(&mut World) -> Vec<Entity>) {
    collect_warnings();
    let mut app = test_app();
    for entity in spawn(app.world_mut()) {
        app.world_mut().entity_mut(entity).insert(Name::new(name));
    }
    steps(&mut app, LONG);
    assert_eq!(warnings_about(name), Vec::<String>::new());
}

#[test]
fn solid_and_mover_without_any_collider_are_named() {
    let solid = |world: &mut World| world.spawn((Solid, Transform::default())).id();
    assert_named("a bare wall;", "it has no collider. Add one", solid);
    let mover = |world: &mut World| world.spawn(Mover::default()).id();
    assert_named("a bare mover;", "`MoverResponse::Pass`", mover);
}

#[test]
fn what_has_no_effect_without_another_component_is_named() {
    let ball = CircleCollider::new(1.0);
    let part = move |world: &mut World| {
        let parent = world.spawn(Transform::default()).id();
        world.spawn((ball, MoverPart, ChildOf(parent))).id()
    };
    assert_named("a part of nobody;", "no `Mover` above it", part);
    let turning = move |world: &mut World| world.spawn((ball, Turning(1.0))).id();
    assert_named("a turning ball;", "Add a `Mover`", turning);
    let belt = move |world: &mut World| world.spawn((ball, Conveyor(Vec2::X))).id();
    assert_named("a bare belt;", "Add `Solid`", belt);
}

#[test]
fn what_ignores_itself_or_nobody_is_named() {
    let ball = CircleCollider::new(1.0);
    let itself = move |world: &mut World| {
        let entity = world.spawn(ball).id();
        world.entity_mut(entity).insert(Ignores::always(entity));
        entity
    };
    assert_named("a lonely ball;", "ignores itself", itself);
    let nobody = move |world: &mut World| {
        let parent = world.spawn(Transform::default()).id();
        world.spawn((ball, ChildOf(parent)));
        world.spawn((ball, Ignores::always(parent))).id()
    };
    assert_named(
        "a shot that ignores nobody;",
        "or the `Mover` above it",
        nobody,
    );
}

#[test]
fn a_grid_without_columns_is_named() {
    collect_warnings();
    let mut app = test_app();
    let grid = TileCollider::from_cells(0, [true, true], Vec2::ONE);
    spawn(&mut app, (grid, Solid, Name::new("a grid of nothing;")));
    steps(&mut app, LONG);
    let warnings = warnings_about("a grid of nothing;");
    assert!(
        warnings.len() == 1 && warnings[0].contains("no columns"),
        "{warnings:?}"
    );
    assert_silent("an empty grid;", |world| {
        let grid = TileCollider::from_cells(2, [false; 4], Vec2::ONE);
        vec![world.spawn((grid, Solid)).id()]
    });
}

#[test]
fn a_grid_of_whose_numbers_none_has_a_shape_is_named_once() {
    collect_warnings();
    let shapes = CellShapes::new().with(1, CellShape::FULL);
    let grid = |numbers: [i32; 2]| TileCollider::from_int_grid(2, numbers, Vec2::ONE, &shapes);
    let _ = [[0, 0], [0, 1], [1, 777]].map(grid);
    assert_eq!(warnings_about("a grid of numbers").len(), 0);
    let _ = [[0, 777], [777, 777]].map(grid);
    let warnings = warnings_about("a grid of numbers");
    assert!(
        warnings.len() == 1 && warnings[0].contains("such as 777"),
        "{warnings:?}"
    );
}

#[test]
fn what_works_or_may_still_be_completed_is_not_named() {
    assert_silent("this works;", |world| {
        let ball = CircleCollider::new(1.0);
        let pass = Mover {
            response: MoverResponse::Pass,
            ..default()
        };
        let formation = world.spawn(Mover::default()).id();
        let hero = world.spawn((ball, Mover::default(), Turning(0.1))).id();
        let gone = world.spawn_empty().id();
        world.despawn(gone);
        let others = [
            world.spawn((ball, ChildOf(formation), at(50.0, 0.0))).id(),
            world.spawn((ball, MoverPart, ChildOf(hero))).id(),
            world.spawn((ball, Ignores::always(hero))).id(),
            world.spawn((ball, Ignores::always(gone))).id(),
            world.spawn((ball, Solid, Conveyor(Vec2::X))).id(),
            world.spawn((pass, Transform::default())).id(),
        ];
        [formation, hero].into_iter().chain(others).collect()
    });
    let name = "a wall whose collider comes late;";
    collect_warnings();
    let mut app = test_app();
    for wait in [1, 30, 63] {
        let wall = (Solid, Transform::default(), Name::new(name));
        let wall = spawn(&mut app, wall);
        steps(&mut app, wait);
        app.world_mut()
            .entity_mut(wall)
            .insert(CircleCollider::new(1.0));
    }
    steps(&mut app, LONG);
    assert_eq!(warnings_about(name), Vec::<String>::new());
}
