//! Movers that press against walls by less than the rounding of far coordinates.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// The largest distance between two neighboring coordinates below 131,072.
const ULP: f32 = 0.0078125;

fn wall_at(app: &mut App, center: Vec2, size: Vec2) -> Entity {
    let wall = (
        RectCollider { size, ..default() },
        Solid,
        at(center.x, center.y),
    );
    spawn(app, wall)
}

/// Presses a mover against walls in each of many updates, near `end`.
fn assert_pressed_throughout(app: &mut App, mover: Entity, walls: &[Entity], end: Vec2) {
    let velocity = app.world().get::<Mover>(mover).unwrap().velocity;
    for update in 0..200 {
        app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = velocity;
        steps(app, 1);
        let hits = app.world().get::<MoverHits>(mover).unwrap();
        for wall in walls {
            let count = hits.iter().filter(|hit| hit.blocker == *wall).count();
            assert!(count == 1 || update < 10, "update {update}: {hits:?}");
        }
        let position = global_position(app, mover);
        let distance = (position - end).abs().max_element();
        assert!(
            distance <= 5.0 * ULP,
            "update {update}: {position} instead of {end}"
        );
    }
}

#[test]
fn slow_pressing_far_out_is_a_hit_in_every_update() {
    for far in [66_000.0, 99_000.0] {
        for speed in [0.6, 1.0, 2.0, 3.0, 5.0] {
            for shape in ["circle", "rect"] {
                let mut app = test_app();
                let wall = wall_at(&mut app, Vec2::new(far + 10.0, far), Vec2::new(4.0, 40.0));
                let velocity = Vec2::new(speed, 0.0);
                let mover = mover_of(&mut app, shape, Vec2::new(far + 6.97, far), velocity);
                let end = Vec2::new(far + 6.95, far);
                assert_pressed_throughout(&mut app, mover, &[wall], end);
            }
        }
    }
}

#[test]
fn slow_pressing_into_a_corner_far_out_is_a_hit_of_both_walls() {
    for far in [66_000.0, 99_000.0] {
        for speed in [1.0, 2.0, 4.0, 8.0] {
            for shape in ["circle", "rect"] {
                let mut app = test_app();
                let walls = [
                    wall_at(&mut app, Vec2::new(far + 10.0, far), Vec2::new(4.0, 40.0)),
                    wall_at(&mut app, Vec2::new(far, far + 10.0), Vec2::new(40.0, 4.0)),
                ];
                let velocity = Vec2::splat(speed);
                let mover = mover_of(&mut app, shape, Vec2::splat(far + 6.97), velocity);
                let end = Vec2::splat(far + 6.95);
                assert_pressed_throughout(&mut app, mover, &walls, end);
            }
        }
    }
}

#[test]
fn a_slow_mover_bounces_off_a_wall_far_out() {
    let (mut app, far) = (test_app(), 99_000.0);
    wall_at(&mut app, Vec2::new(far + 10.0, far), Vec2::new(4.0, 40.0));
    let mover = mover_of(&mut app, "circle", Vec2::new(far + 6.9, far), Vec2::X);
    app.world_mut().get_mut::<Mover>(mover).unwrap().response = MoverResponse::Bounce;
    steps(&mut app, 60);
    assert_eq!(
        app.world().get::<Mover>(mover).unwrap().velocity,
        Vec2::NEG_X
    );
    assert!(global_position(&app, mover).x < far + 6.6);
}

#[test]
fn a_slow_hit_names_its_own_wall_after_another_mover_hit_two_at_once() {
    let (mut app, far) = (test_app(), 99_000.0);
    let seam = [-10.0, 10.0].map(|y| {
        let center = Vec2::new(far + 10.0, far + y);
        wall_at(&mut app, center, Vec2::new(4.0, 20.0))
    });
    let fast = mover_of(
        &mut app,
        "rect",
        Vec2::new(far + 6.95, far),
        Vec2::X * 500.0,
    );
    app.world_mut().get_mut::<Mover>(fast).unwrap().response = MoverResponse::Stop;
    let wall = wall_at(
        &mut app,
        Vec2::new(far + 10.0, far + 500.0),
        Vec2::new(4.0, 40.0),
    );
    let slow = mover_of(
        &mut app,
        "rect",
        Vec2::new(far + 6.95, far + 500.0),
        Vec2::X,
    );
    for _ in 0..20 {
        for (mover, speed) in [(fast, 500.0), (slow, 1.0)] {
            app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = Vec2::X * speed;
        }
        steps(&mut app, 1);
        let blockers = |mover| {
            let hits = app.world().get::<MoverHits>(mover).unwrap();
            hits.iter().map(|hit| hit.blocker).collect::<Vec<_>>()
        };
        assert!(blockers(fast).iter().all(|blocker| seam.contains(blocker)));
        assert!(blockers(slow).iter().all(|&blocker| blocker == wall));
    }
    let hits = app.world().get::<MoverHits>(slow).unwrap();
    assert_eq!(hits.len(), 1);
}

#[test]
fn slow_pressing_far_out_is_a_hit_of_a_one_way_wall_that_blocks() {
    for far in [66_000.0, 99_000.0] {
        for shape in ["circle", "rect"] {
            for direction in [Dir2::NEG_X, Dir2::X] {
                let mut app = test_app();
                let wall = wall_at(&mut app, Vec2::new(far + 10.0, far), Vec2::new(4.0, 40.0));
                app.world_mut().entity_mut(wall).insert(OneWay(direction));
                let start = Vec2::new(far + 6.97, far);
                let mover = mover_of(&mut app, shape, start, Vec2::X);
                if direction == Dir2::NEG_X {
                    let end = Vec2::new(far + 6.95, far);
                    assert_pressed_throughout(&mut app, mover, &[wall], end);
                } else {
                    for update in 0..60 {
                        steps(&mut app, 1);
                        let hits = app.world().get::<MoverHits>(mover).unwrap();
                        assert!(hits.is_empty(), "update {update}: {hits:?}");
                    }
                    assert!(global_position(&app, mover).x > start.x + 0.5);
                }
            }
        }
    }
}

#[test]
fn slow_sliding_far_out_is_no_hit() {
    for shape in ["circle", "rect"] {
        let (mut app, far) = (test_app(), 99_000.0);
        for number in 0..12 {
            let center = Vec2::new(far + number as f32 - 2.0, far - 1.0);
            wall_at(&mut app, center, Vec2::new(1.0, 2.0));
        }
        let start = Vec2::new(far + 0.3, far + 1.02);
        let mover = mover_of(&mut app, shape, start, Vec2::new(2.0, 0.0));
        for update in 0..180 {
            steps(&mut app, 1);
            let hits = app.world().get::<MoverHits>(mover).unwrap();
            assert!(hits.is_empty(), "{shape}, update {update}: {hits:?}");
        }
        assert!(global_position(&app, mover).x > start.x + 5.0);
    }
}

fn mover_of(app: &mut App, shape: &str, start: Vec2, velocity: Vec2) -> Entity {
    let mover = (Mover::with_velocity(velocity), at(start.x, start.y));
    let mover = spawn(app, mover);
    let mut entity = app.world_mut().entity_mut(mover);
    match shape {
        "circle" => entity.insert(CircleCollider::new(1.0)),
        _ => entity.insert(RectCollider::new(2.0, 2.0)),
    };
    mover
}
