//! Movers with NaN, infinite or too large values do not move, and other colliders are not affected.

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};

use super::BAD;
use crate::common::*;

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
    events.retain(|event| {
        let (Brief::Started(a, b) | Brief::Ended(a, b, _)) = event;
        *a != mover && *b != mover
    });
    assert_eq!(events, [started(others[0], others[1])]);
    assert!(app.world().get::<Transform>(mover).unwrap().is_finite());
}

#[test]
fn other_bad_fields_of_a_mover_count_as_if_they_were_sound() {
    type Spoil = fn(&mut Mover, f32);
    let fields: [(&str, Spoil); 3] = [
        ("skin", |mover, bad| mover.skin_width = bad),
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
                    let position = global_position(&app, mover);
                    assert!(
                        position.is_finite() && position.x <= 3.001,
                        "{field} {bad}: {position}"
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

/// Moves toward a wall with a skin width that is larger than the distance at the start.
fn assert_skin_is_harmless(skin_width: f32) {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 100.0), Solid, at(5.0, 0.0));
    spawn(&mut app, wall);
    let mover = Mover {
        skin_width,
        ..Mover::with_velocity(Vec2::new(64.0, 5.0))
    };
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    steps(&mut app, 3);
    let position = global_position(&app, mover);
    assert!(
        position.is_finite() && position.x <= 0.001,
        "{skin_width}: {position}"
    );
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

/// Movers that overlap, each solid, around the origin.
fn spawn_cluster(app: &mut App) -> Vec<Entity> {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut random = || 6.0 * rng.f32() - 3.0;
    (0..20)
        .map(|_| {
            let mover = Mover::with_velocity(Vec2::new(random(), random()));
            spawn(app, (ball(random(), random()), Solid, mover))
        })
        .collect()
}

#[test]
fn a_solid_mover_at_the_greatest_velocity_stays_at_the_end_of_numbers_and_disturbs_nobody() {
    collect_warnings();
    for velocity in [Vec2::splat(f32::MAX), Vec2::new(-f32::MAX, 1.0)] {
        let (mut app, mut twin) = (test_app(), test_app());
        let (cluster, twins) = (spawn_cluster(&mut app), spawn_cluster(&mut twin));
        let name = format!("one as fast as {velocity};");
        let mover = (ball(2.0, 0.0), Solid, Mover::with_velocity(velocity));
        let runaway = spawn(&mut app, (mover, Name::new(name.clone())));
        // In the first update it is still among them.
        set_position(&mut app, runaway, Vec2::splat(1e4));
        for frame in 0..200 {
            app.update();
            twin.update();
            for (&here, &there) in cluster.iter().zip(&twins) {
                let [p, q] = [(&app, here), (&twin, there)];
                let [p, q] = [p, q].map(|(app, entity)| *app.world().get(entity).unwrap());
                assert_eq::<Transform>(p, q, frame);
            }
        }
        let end = app.world().get::<Transform>(runaway).unwrap().translation;
        assert!(end.is_finite() && end.x.abs() > 1e38, "{end}");
        assert_eq!(
            warnings_about(&name).len(),
            1,
            "{:?}",
            warnings_about(&name)
        );
        // It continues where it can.
        set_velocity(&mut app, runaway, -velocity);
        app.update();
        let back = app.world().get::<Transform>(runaway).unwrap().translation;
        assert!(back.x.abs() < end.x.abs(), "{back}");
    }
}

fn assert_eq<T: PartialEq + std::fmt::Debug>(p: T, q: T, frame: usize) {
    assert!(p == q, "frame {frame}: {p:?} {q:?}");
}

#[test]
fn a_mover_without_a_collider_stays_at_the_end_of_numbers_and_is_named_once() {
    collect_warnings();
    let name = "one without a collider at the end of numbers;";
    let mut app = test_app();
    let mover = Mover::with_velocity(Vec2::splat(f32::MAX));
    let mover = spawn(&mut app, (mover, Name::new(name)));
    steps(&mut app, 100);
    let end = app.world().get::<Transform>(mover).unwrap().translation;
    assert!(end.is_finite() && end.x > 3e38, "{end}");
    assert_eq!(warnings_about(name).len(), 1);
}

#[test]
fn z_may_be_anything() {
    for z in BAD {
        let mut app = test_app();
        let wall = (RectCollider::new(2.0, 100.0), Solid, at(50.0, 0.0));
        spawn(&mut app, wall);
        let mover = Mover::with_velocity(Vec2::X * 64.0);
        let transform = Transform::from_xyz(0.0, 0.0, z);
        let mover = spawn(&mut app, (CircleCollider::new(1.0), mover, transform));
        steps(&mut app, 10);
        let end = app.world().get::<Transform>(mover).unwrap().translation;
        assert_eq!(end.truncate(), Vec2::new(10.0, 0.0), "{z}");
        steps(&mut app, 90);
        let end = app.world().get::<Transform>(mover).unwrap().translation;
        assert!((end.x - 47.98).abs() < 1e-3, "{z}: {end}");
        assert_eq!(end.z.to_bits(), z.to_bits());
    }
}

#[test]
fn movers_of_the_greatest_weight_share() {
    for (weights, share) in [([f32::MAX; 2], 0.5), ([f32::MAX, f32::MAX / 3.0], 0.25)] {
        let mut app = test_app();
        let movers =
            [(0.0, 2.0, weights[0]), (5.0, -2.0, weights[1])].map(|(x, displacement, weight)| {
                let mover = Mover {
                    weight,
                    ..Mover::with_velocity(Vec2::new(displacement / STEP_SECS, 0.0))
                };
                spawn(&mut app, (ball(x, 0.0), Solid, mover))
            });
        app.update();
        let [x, y] = movers.map(|mover| global_position(&app, mover).x);
        assert!((x - (2.0 - share)).abs() < 0.05, "{weights:?}: {x} {y}");
        assert!(y - x > 2.0 - 1e-3, "{weights:?}: {x} {y}");
    }
}

#[test]
fn a_wall_as_fast_as_numbers_go_pushes_without_a_panic() {
    for (from, to) in [
        (-3e38, 3e38),
        (-1.5e38, 1.5e38),
        (0.0, f32::MAX),
        (-1e30, 1e30),
    ] {
        for other in [None, Some(1e38), Some(-3e38)] {
            let mut app = test_app();
            let mover = spawn(&mut app, (ball(0.5, 0.3), Mover::default()));
            let wall = (RectCollider::new(2.0, 50.0), Solid, Swept, at(from, 0.0));
            let walls = [
                Some((spawn(&mut app, wall), to)),
                other.map(|to| {
                    let wall = (RectCollider::new(2.0, 50.0), Solid, Swept, at(9.0, 0.0));
                    (spawn(&mut app, wall), to)
                }),
            ];
            app.update();
            for (wall, to) in walls.into_iter().flatten() {
                set_position(&mut app, wall, Vec2::new(to, 0.0));
            }
            steps(&mut app, 3);
            assert!(app.world().get::<Transform>(mover).unwrap().is_finite());
        }
    }
}

#[test]
fn neighbors_that_leave_a_platform_at_a_speed_whose_square_overflows_are_detected() {
    let mut app = test_app();
    let platform = (RectCollider::new(100.0, 2.0), Solid, at(0.0, -1.0));
    spawn(&mut app, (platform, Mover::with_velocity(Vec2::X * 64.0)));
    let walkers = [-4.0, 4.0].map(|x| {
        let body = (RectCollider::new(6.0, 12.0), at(x, 6.01));
        spawn(&mut app, (body, Mover::default(), Walker::default()))
    });
    steps(&mut app, 3);
    for walker in walkers {
        set_velocity(&mut app, walker, Vec2::Y * 1e22);
    }
    step(&mut app);
    for walker in walkers {
        assert!(global_position(&app, walker).y > 1e20);
    }
}

#[test]
fn a_motion_whose_projection_on_a_wall_overflows_ends() {
    for response in [MoverResponse::Slide, MoverResponse::Bounce] {
        for displacement in [Vec2::splat(f32::MAX), Vec2::new(f32::MAX, -1.0)] {
            let mut app = test_app();
            let wall = (RectCollider::new(1000.0, 2.0), Solid);
            let slope = rotated(Vec2::new(4.0, 4.0), -std::f32::consts::FRAC_PI_4);
            spawn(&mut app, (wall, slope));
            let mover = Mover {
                displacement,
                response,
                restitution: 1.0,
                ..default()
            };
            let asked = mover.clone();
            run_system(&mut app, move |query: SpatialQuery| {
                let filter = SpatialQueryFilter::default();
                let shape = Shape::circle(Vec2::ZERO, 1.0);
                query.move_and_slide(&shape, &asked, 1.0, &filter);
            });
            let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
            steps(&mut app, 2);
            assert!(global_position(&app, mover).is_finite());
        }
    }
}
