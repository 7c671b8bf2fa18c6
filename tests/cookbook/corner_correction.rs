//! How does a jump get around the edge of a block that the head only just hits (corner correction)?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Runs after the systems that set the velocity.
fn correct_corner(
    time: Res<Time>,
    hero: Single<(Entity, &Mover, &mut Transform), With<Walker>>,
    query: SpatialQuery,
) {
    let (hero, mover, mut transform) = hero.into_inner();
    // Whether its next move, from this far aside, hits no ceiling.
    let is_free = |aside: f32| {
        query.of(hero).is_some_and(|hero| {
            let there = hero.moved_by(Vec2::X * aside);
            let hits = there.move_and_slide(mover, time.delta_secs()).hits;
            there.fits() && hits.iter().all(|hit| hit.normal.y > -0.7)
        })
    };
    if mover.velocity.y > 0.0 && !is_free(0.0) {
        let offsets = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0];
        let aside = offsets.into_iter().find(|&aside| is_free(aside));
        transform.translation.x += aside.unwrap_or(0.0);
    }
}

// ---- What tests it ----

use crate::app::*;

/// Where a hero gets that rises below a block whose center is at `x`, with a wall at `wall`.
fn rise(x: f32, wall: Option<f32>) -> Vec2 {
    let mut app = app(|app| {
        app.add_systems(Update, correct_corner);
    });
    let block = (RectCollider::new(40.0, 10.0), Solid, at(x, 30.0));
    app.world_mut().spawn(block);
    if let Some(x) = wall {
        let wall = (RectCollider::new(10.0, 200.0), Solid, at(x, 0.0));
        app.world_mut().spawn(wall);
    }
    let mover = Mover::with_velocity(Vec2::Y * 300.0);
    let hero = (RectCollider::new(10.0, 10.0), mover, Walker::default());
    let hero = app.world_mut().spawn((hero, at(0.0, 0.0))).id();
    run(&mut app, 0.25);
    position(&app, hero)
}

#[test]
fn a_head_that_only_just_hits_a_block_gets_around_it() {
    // The hero is below the first two blocks by 2.5 units.
    for (block, expected) in [(22.5, -3.0), (-22.5, 3.0), (30.0, 0.0)] {
        let end = rise(block, None);
        assert_eq!(end.x, expected, "{end}");
        assert!((end.y - 75.0).abs() < 0.1, "{end}");
    }
}

#[test]
fn a_head_that_hits_a_block_by_more_or_has_no_room_stops() {
    for (block, wall) in [(16.0, None), (0.0, None), (22.5, Some(-11.0))] {
        let end = rise(block, wall);
        assert_eq!(end.x, 0.0, "{end}");
        assert!((end.y - 20.0).abs() < 0.1, "{end}");
    }
}
