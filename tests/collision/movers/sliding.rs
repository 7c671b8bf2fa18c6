//! Sliding: at full speed along walls and over seams (internal edges), to rest in corners.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

fn spawn_mover(app: &mut App, is_circle: bool, transform: Transform, velocity: Vec2) -> Entity {
    let mover = spawn(app, (Mover::with_velocity(velocity), transform));
    insert_collider(app, mover, is_circle, Vec2::splat(2.0));
    mover
}

/// Slides along one wall for a second, and asserts that nothing of the tangential speed is lost.
fn assert_slides(is_circle: bool, angle: f32, wall_length: f32) {
    let (along, up) = (Vec2::from_angle(angle), Vec2::from_angle(angle).perp());
    let mut app = test_app();
    spawn(
        &mut app,
        (
            RectCollider::new(wall_length, 2.0),
            Solid,
            rotated(-up, angle),
        ),
    );
    let start = up * 1.5;
    let velocity = along * 64.0 - up * 96.0;
    let mover = spawn_mover(&mut app, is_circle, rotated(start, angle), velocity);
    for frame in 1..60 {
        app.update();
        let went = global_position(&app, mover) - start;
        let context = format!("angle {angle}, frame {frame}: {went}");
        assert!((went.dot(along) - frame as f32).abs() < 0.01, "{context}");
        // From the first frame on it is at the wall.
        assert!((went.dot(up) + 0.5 - SKIN).abs() < 0.005, "{context}");
        let left = velocity_of(&app, mover);
        assert!(left.abs_diff_eq(along * 64.0, 0.01), "{context}: {left}");
        set_velocity(&mut app, mover, velocity);
    }
}

#[test]
fn a_circle_slides_along_a_rotated_wall_with_all_of_its_tangential_speed() {
    for step in 0..12 {
        assert_slides(true, step as f32 * 0.55, 400.0);
    }
}

#[test]
fn a_rectangle_slides_along_a_long_wall_without_losing_speed_or_being_lifted() {
    for step in 0..12 {
        assert_slides(false, step as f32 * 0.55, 400.0);
    }
}

#[test]
fn a_seam_does_not_lift_a_mover_off_the_wall() {
    for is_circle in [true, false] {
        for phase in 0..80 {
            let mut app = test_app();
            for i in -4..4 {
                let tile = (RectCollider::new(8.0, 8.0), Solid);
                spawn(&mut app, (tile, at(i as f32 * 8.0, -4.0)));
            }
            // It, or its right corner, lands up to 0.02 before or behind the seam at 4.
            let seam = if is_circle { 4.0 } else { 3.0 };
            let land = seam + 0.0005 * (phase as f32 - 40.0);
            let start = at(land - 0.5, 1.5 + SKIN);
            let mover = spawn_mover(
                &mut app,
                is_circle,
                start,
                Vec2::splat(200.0) * Vec2::new(1.0, -1.0),
            );
            app.update();
            let left = velocity_of(&app, mover);
            assert!(
                left.abs_diff_eq(Vec2::X * 200.0, 0.05),
                "{is_circle} {land}: {left}"
            );
        }
    }
}

#[test]
fn the_seams_between_tiles_do_not_snag() {
    for is_circle in [true, false] {
        for angle in [0.0f32, 0.4, 1.9] {
            for speed in [3.0, 64.0, 1000.0] {
                let (along, up) = (Vec2::from_angle(angle), Vec2::from_angle(angle).perp());
                let mut app = test_app();
                for i in 0..40 {
                    let center = along * (i as f32 * 8.0 - 20.0) - up * 4.0;
                    spawn(
                        &mut app,
                        (RectCollider::new(8.0, 8.0), Solid, rotated(center, angle)),
                    );
                }
                let velocity = along * speed - up * speed;
                let mover = spawn_mover(
                    &mut app,
                    is_circle,
                    rotated(up * (1.0 + SKIN), angle),
                    velocity,
                );
                for frame in 1..=15 {
                    app.update();
                    let position = global_position(&app, mover);
                    let context = format!("{is_circle} {angle} {speed} frame {frame}: {position}");
                    let expected = frame as f32 * speed * STEP_SECS;
                    assert!(
                        (position.dot(along) - expected).abs() < 0.02 + 0.001 * expected,
                        "{context}"
                    );
                    assert!((position.dot(up) - 1.0 - SKIN).abs() < 0.01, "{context}");
                    assert!(
                        (velocity_of(&app, mover).dot(along) - speed).abs() < 0.001 * speed,
                        "{context}"
                    );
                    set_velocity(&mut app, mover, velocity);
                }
            }
        }
    }
}

#[test]
fn a_mover_comes_to_rest_in_a_corner() {
    // The angle between the two walls, in radians, and whether the mover is round.
    for (opening, is_circle) in [
        (1.0, true),
        (1.57, true),
        (1.57, false),
        (2.4, true),
        (0.5, true),
    ] {
        for turn in [0.0f32, 0.8, 2.5, 4.0] {
            let mut app = test_app();
            let axis = Vec2::from_angle(turn);
            for side in [-1.0, 1.0] {
                let angle = turn + side * opening / 2.0;
                let normal = Vec2::from_angle(angle).perp() * side;
                let center = Vec2::from_angle(angle) * 40.0 + normal * 1.0;
                spawn(
                    &mut app,
                    (RectCollider::new(100.0, 2.0), Solid, rotated(center, angle)),
                );
            }
            let start = rotated(axis * 20.0, turn + 0.785);
            let velocity = -axis * 300.0;
            let mover = spawn_mover(&mut app, is_circle, start, velocity);
            for _ in 0..10 {
                app.update();
                set_velocity(&mut app, mover, velocity);
            }
            let rest = global_position(&app, mover);
            let context = format!("opening {opening}, turn {turn}, circle {is_circle}");
            assert!(
                rest.dot(axis) > 0.0 && rest.perp_dot(axis).abs() < 0.1,
                "{context}: {rest}"
            );
            for frame in 0..50 {
                app.update();
                let position = global_position(&app, mover);
                assert!(
                    position.abs_diff_eq(rest, 1e-3),
                    "{context}, frame {frame}: {rest} {position}"
                );
                let left = velocity_of(&app, mover);
                assert!(left.length() < 1.0, "{context}: {left}");
                set_velocity(&mut app, mover, velocity);
            }
        }
    }
}

#[test]
fn a_mover_slides_around_the_outside_of_a_corner() {
    let mut app = test_app();
    spawn(
        &mut app,
        (RectCollider::new(10.0, 10.0), Solid, at(5.0, -5.0)),
    );
    let mover = spawn_mover(&mut app, true, at(-0.5, 5.0), Vec2::new(0.0, -64.0));
    for frame in 0..40 {
        app.update();
        set_velocity(&mut app, mover, Vec2::new(0.0, -64.0));
        let position = global_position(&app, mover);
        assert!(
            position.x <= -0.49,
            "frame {frame}: {position} is pushed off the corner"
        );
    }
    let position = global_position(&app, mover);
    assert!(position.y < -10.0, "{position} passed the corner");
    // It leaves the corner along a tangent, so not quite at the wall.
    assert!(
        (-1.5..-1.0).contains(&position.x),
        "{position} is beside the wall"
    );
}

#[test]
fn a_mover_slides_over_a_round_wall() {
    let mut app = test_app();
    spawn(&mut app, (CircleCollider::new(5.0), Solid));
    let mover = spawn_mover(&mut app, true, at(0.5, 20.0), Vec2::new(0.0, -128.0));
    for frame in 0..100 {
        app.update();
        set_velocity(&mut app, mover, Vec2::new(0.0, -128.0));
        let position = global_position(&app, mover);
        assert!(
            position.length() > 6.0,
            "frame {frame}: {position} is in the wall"
        );
    }
    assert!(global_position(&app, mover).y < -20.0, "it got around");
}

#[test]
fn a_mover_in_a_narrow_lane_moves_straight_through() {
    for gap in [2.0 * SKIN + 0.001, 0.1, 1.0] {
        let mut app = test_app();
        for side in [-1.0, 1.0] {
            for i in 0..30 {
                let center = Vec2::new(i as f32 * 4.0, side * (3.0 + gap / 2.0));
                spawn(
                    &mut app,
                    (RectCollider::new(4.0, 4.0), Solid, rotated(center, 0.0)),
                );
            }
        }
        let mover = spawn_mover(&mut app, false, at(-5.0, 0.0), Vec2::new(128.0, 0.0));
        for _ in 0..20 {
            app.update();
        }
        let position = global_position(&app, mover);
        assert!(
            position.abs_diff_eq(Vec2::new(35.0, 0.0), 0.01),
            "gap {gap}: {position}"
        );
        assert_eq!(velocity_of(&app, mover), Vec2::new(128.0, 0.0), "gap {gap}");
    }
}

#[test]
fn a_touch_that_leads_away_is_no_hit() {
    let mut app = test_app();
    spawn(
        &mut app,
        (RectCollider::new(100.0, 2.0), Solid, at(0.0, -1.0)),
    );
    let mover = spawn_mover(&mut app, true, at(0.0, 1.0 + SKIN), Vec2::new(64.0, 6.0));
    app.update();
    assert!(app.world().get::<MoverHits>(mover).unwrap().is_empty());
    assert_eq!(velocity_of(&app, mover), Vec2::new(64.0, 6.0));
}

/// The end of the update in which a circle slides past the end of a thin wall, with the scene
/// shifted by `x`: the position, relative to the shift, and the velocity per update.
fn slide_past_the_end(x: f32) -> [Vec2; 2] {
    let mut app = test_app();
    let wall = rotated(Vec2::new(x - 11.75, 2.25), 0.551_118_14);
    spawn(&mut app, (RectCollider::new(5.25, 0.125), Solid, wall));
    let mover = Mover::with_velocity(Vec2::new(-0.875, -5.0) / STEP_SECS);
    let bundle = (CircleCollider::new(0.875), at(x - 13.0, 2.875), mover);
    let mover = spawn(&mut app, bundle);
    app.update();
    let position = global_position(&app, mover) - x * Vec2::X;
    [position, velocity_of(&app, mover) * STEP_SECS]
}

#[test]
fn a_mover_follows_a_corner_where_its_lookahead_happens_to_end() {
    let [expected, velocity] = slide_past_the_end(0.0);
    for x in (-512..512).step_by(16) {
        let actual = slide_past_the_end(x as f32);
        assert!(
            actual[0].distance(expected) < 0.01,
            "{x}: {}, not {expected}",
            actual[0]
        );
        assert_eq!(actual[1], velocity, "{x}");
    }
}

#[test]
fn the_velocity_after_a_slide_is_along_the_surface_where_the_mover_is() {
    for shift in 0..200u8 {
        let mut app = test_app();
        let center = Vec2::new(15.25 + f32::from(shift), 10.375);
        spawn(
            &mut app,
            (CircleCollider::new(3.625), Solid, rotated(center, 0.0)),
        );
        let velocity = Vec2::new(2.875, 1.25) / STEP_SECS;
        let mover = Mover::with_velocity(velocity);
        let start = rotated(center - Vec2::new(3.0, 3.625), 0.0);
        let mover = spawn(&mut app, (CircleCollider::new(0.25), start, mover));
        app.update();
        let normal = (global_position(&app, mover) - center).normalize();
        let expected = velocity.reject_from_normalized(normal);
        let actual = velocity_of(&app, mover);
        assert!(
            actual.distance(expected) < 0.1,
            "{shift}: {actual}, not {expected}"
        );
    }
}

#[test]
fn a_point_slides_as_far_as_other_movers() {
    let mut app = test_app();
    let floor = (RectCollider::new(400.0, 2.0), Solid, at(0.0, -1.0));
    spawn(&mut app, floor);
    let velocity = Vec2::new(60.0, -90.0) / STEP_SECS;
    let mover = (CircleCollider::new(0.0), Mover::with_velocity(velocity));
    let mover = spawn(&mut app, (mover, at(0.0, 1.0)));
    app.update();
    let end = global_position(&app, mover);
    assert!(end.abs_diff_eq(Vec2::new(60.0, SKIN), 0.01), "{end}");
}
