//! Movers whose numbers are none, or too large: they stay where they are, and nobody else is disturbed.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

#[test]
fn a_mover_whose_motion_is_not_finite_stays_reports_and_is_named_once() {
    collect_warnings();
    for bad in BAD {
        for (field, motion) in [
            ("velocity x", (Vec2::new(bad, 0.0), Vec2::ZERO)),
            ("velocity y", (Vec2::new(1.0, bad), Vec2::ZERO)),
            ("displacement x", (Vec2::ZERO, Vec2::new(bad, 0.0))),
            ("displacement y", (Vec2::ONE, Vec2::new(0.0, bad))),
        ] {
            let name = format!("a mover whose {field} is {bad};");
            let mut app = test_app();
            let mover = Mover {
                velocity: motion.0,
                displacement: motion.1,
                ..default()
            };
            let mover = spawn(&mut app, (ball(0.0, 0.0), mover, Name::new(name.clone())));
            let other = spawn(&mut app, ball(1.5, 0.0));
            assert_eq!(
                brief(&steps(&mut app, 4)),
                [started(mover, other)],
                "{name}"
            );
            assert_eq!(global_position(&app, mover), Vec2::ZERO, "{name}");
            assert_eq!(warnings_about(&name).len(), 1, "{name}");
            let well = Mover::with_velocity(Vec2::Y * 64.0);
            app.world_mut().entity_mut(mover).insert(well);
            app.update();
            assert_eq!(global_position(&app, mover), Vec2::Y, "{name}");
        }
    }
}

#[test]
fn a_motion_that_overflows_disturbs_nobody() {
    let mut app = test_app();
    let huge = Vec2::new(f32::MAX, -f32::MAX);
    let mover = Mover {
        velocity: huge,
        displacement: huge,
        ..default()
    };
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    let crowd: Vec<Entity> = (0..20)
        .map(|i| spawn(&mut app, ball(10.0 * i as f32, 50.0)))
        .collect();
    let neighbor = spawn(&mut app, ball(1.5, 50.0));
    let others = [crowd[0].min(neighbor), crowd[0].max(neighbor)];
    let mut events = brief(&steps(&mut app, 3));
    events.retain(|event| !matches!(event, Brief::Started(a, b) | Brief::Ended(a, b, _) if *a == mover || *b == mover));
    assert_eq!(events, [started(others[0], others[1])]);
    assert!(app.world().get::<Transform>(mover).unwrap().is_finite());
}

#[test]
fn other_bad_fields_of_a_mover_count_as_if_they_were_sound() {
    type Spoil = fn(&mut Mover, f32);
    let fields: [(&str, Spoil); 3] = [
        ("skin", |mover, bad| mover.skin = bad),
        ("weight", |mover, bad| mover.weight = bad),
        ("restitution", |mover, bad| mover.restitution = bad),
    ];
    for (field, spoil) in fields {
        for bad in BAD.into_iter().chain([-1.0, -1e30]) {
            for response in [MoverResponse::Slide, MoverResponse::Bounce] {
                let mut app = test_app();
                spawn(
                    &mut app,
                    (RectCollider::new(2.0, 100.0), Solid, at(5.0, 0.0)),
                );
                let movers = [0.0, 1.0].map(|y| {
                    let mut mover = Mover {
                        response,
                        ..Mover::with_velocity(Vec2::new(300.0, 5.0))
                    };
                    spoil(&mut mover, bad);
                    spawn(&mut app, (ball(0.0, 4.0 * y), Solid, mover))
                });
                steps(&mut app, 10);
                for mover in movers {
                    let place = global_position(&app, mover);
                    assert!(
                        place.is_finite() && place.x <= 3.001,
                        "{field} {bad}: {place}"
                    );
                    let velocity = app.world().get::<Mover>(mover).unwrap().velocity;
                    assert!(
                        velocity.is_finite() && velocity.length() < 301.0,
                        "{field} {bad}: {velocity}"
                    );
                }
            }
        }
    }
}

/// Walks towards a wall with a skin that does not even leave room for the start.
fn assert_skin_is_harmless(skin: f32) {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 100.0), Solid, at(5.0, 0.0));
    spawn(&mut app, wall);
    let mover = Mover {
        skin,
        ..Mover::with_velocity(Vec2::new(64.0, 5.0))
    };
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    steps(&mut app, 3);
    let place = global_position(&app, mover);
    assert!(place.is_finite() && place.x <= 0.001, "{skin}: {place}");
}

#[test]
fn a_huge_skin_keeps_far_away_and_panics_nowhere() {
    for skin in [1e3, 1e10, 1e30, 1e38] {
        assert_skin_is_harmless(skin);
    }
}

#[test]
fn a_skin_as_large_as_numbers_go_panics_nowhere() {
    assert_skin_is_harmless(f32::MAX);
}
