//! How does a jump get around the edge of a block that the head only just hits (corner correction)?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The walker is shifted aside by up to 4 units, never against its velocity.
fn spawn_hero(mut commands: Commands) {
    let walker = Walker {
        corner_correction: 4.0,
        ..default()
    };
    commands.spawn((RectCollider::new(10.0, 10.0), Mover::default(), walker));
}

// ---- What tests it ----

use crate::app::*;

/// Where a hero gets that rises below a block whose center is at `x`.
fn rise(x: f32) -> Vec2 {
    let mut app = app(|app| {
        app.add_systems(Startup, spawn_hero);
    });
    let block = (RectCollider::new(40.0, 10.0), Solid, at(x, 30.0));
    app.world_mut().spawn(block);
    run(&mut app, 0.0);
    let mut heroes = app.world_mut().query_filtered::<Entity, With<Walker>>();
    let hero = heroes.single(app.world()).unwrap();
    app.world_mut().get_mut::<Mover>(hero).unwrap().velocity = Vec2::Y * 300.0;
    run(&mut app, 0.25);
    position(&app, hero)
}

#[test]
fn a_head_that_only_just_hits_a_block_gets_around_it() {
    // The hero is below the first two blocks by 2.5 units.
    for (block, expected) in [(22.5, -2.52), (-22.5, 2.52), (30.0, 0.0)] {
        let end = rise(block);
        assert!(end.distance(Vec2::new(expected, 75.0)) < 0.1, "{end}");
    }
    // Below the last one it is by 9.
    assert!((rise(16.0).y - 20.0).abs() < 0.1);
}
