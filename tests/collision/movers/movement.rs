//! Movers move by their velocity and their one-time displacement until a solid collider blocks
//! them.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::prelude::*;

use crate::common::*;

/// A velocity that moves by this displacement in one update.
fn mover(app: &App, entity: Entity) -> &Mover {
    app.world().get::<Mover>(entity).unwrap()
}

/// A wall of width 2 whose left edge is at this x.
fn wall_from(x: f32) -> impl Bundle {
    (RectCollider::new(2.0, 100.0), Solid, at(x + 1.0, 0.0))
}

#[test]
fn velocity_is_in_units_per_second_and_displacement_is_used_up() {
    let mut app = test_app();
    let motion = Mover {
        velocity: per_step(2.0, 1.0),
        displacement: Vec2::new(0.0, 10.0),
        ..default()
    };
    let subjects = [
        spawn(&mut app, (motion.clone(), ball(0.0, 0.0))),
        spawn(
            &mut app,
            (motion.clone(), RectCollider::new(2.0, 2.0), at(50.0, 0.0)),
        ),
        spawn(&mut app, (motion, at(100.0, 0.0))),
    ];
    for (frame, expected) in [
        Vec2::new(2.0, 11.0),
        Vec2::new(4.0, 12.0),
        Vec2::new(6.0, 13.0),
    ]
    .into_iter()
    .enumerate()
    {
        app.update();
        for (i, &subject) in subjects.iter().enumerate() {
            let start = Vec2::new(50.0 * i as f32, 0.0);
            let went = global_position(&app, subject) - start;
            assert!(
                went.abs_diff_eq(expected, 1e-4),
                "{i}, frame {frame}: {went}"
            );
            assert_eq!(mover(&app, subject).displacement, Vec2::ZERO);
            assert_eq!(mover(&app, subject).velocity, per_step(2.0, 1.0));
        }
    }
}

#[test]
fn depth_turn_and_scale_of_a_mover_stay_as_they_are() {
    let mut app = test_app();
    let mut start = rotated(Vec2::ONE, 0.7).with_scale(Vec3::new(2.0, -1.0, 3.0));
    start.translation.z = 7.0;
    let subject = spawn(
        &mut app,
        (
            Mover::with_velocity(per_step(1.0, 0.0)),
            CircleCollider::new(1.0),
            start,
        ),
    );
    steps(&mut app, 2);
    let expected = start.with_translation(Vec3::new(3.0, 1.0, 7.0));
    assert_eq!(*app.world().get::<Transform>(subject).unwrap(), expected);
}

#[test]
fn each_response_ends_where_it_says_with_the_velocity_it_says() {
    let velocity = per_step(4.0, 2.0);
    let bounce = |restitution| Mover {
        response: MoverResponse::Bounce,
        restitution,
        ..default()
    };
    let respond = |response| Mover {
        response,
        ..default()
    };
    // The wall is hit after three quarters of the displacement, at (3, 1.5), a skin before it.
    let cases = [
        (
            "slide",
            respond(MoverResponse::Slide),
            Vec2::new(3.0, 2.0),
            per_step(0.0, 2.0),
        ),
        (
            "stop",
            respond(MoverResponse::Stop),
            Vec2::new(3.0, 1.5),
            Vec2::ZERO,
        ),
        (
            "bounce",
            bounce(1.0),
            Vec2::new(2.0, 2.0),
            per_step(-4.0, 2.0),
        ),
        (
            "half a bounce",
            bounce(0.5),
            Vec2::new(2.5, 2.0),
            per_step(-2.0, 2.0),
        ),
        (
            "no bounce",
            bounce(0.0),
            Vec2::new(3.0, 2.0),
            per_step(0.0, 2.0),
        ),
        (
            "pass",
            respond(MoverResponse::Pass),
            Vec2::new(4.0, 2.0),
            velocity,
        ),
    ];
    for (name, kind, expected, left) in cases {
        for shape in [0, 1] {
            let mut app = test_app();
            spawn(&mut app, wall_from(4.0));
            let subject = spawn(
                &mut app,
                Mover {
                    velocity,
                    ..kind.clone()
                },
            );
            if shape == 0 {
                app.world_mut()
                    .entity_mut(subject)
                    .insert(CircleCollider::new(1.0));
            } else {
                app.world_mut()
                    .entity_mut(subject)
                    .insert(RectCollider::new(2.0, 2.0));
            }
            app.update();
            let end = global_position(&app, subject);
            // Twice the skin width: it bounces a skin width too early.
            assert!(end.abs_diff_eq(expected, 0.045), "{name}: {end}");
            let after = mover(&app, subject).velocity;
            assert!(after.abs_diff_eq(left, 0.01), "{name}: {after}");
        }
    }
}

#[test]
fn a_mover_stops_short_of_a_wall_by_its_skin() {
    for skin in [0.0, 0.02, 0.5] {
        let mut app = test_app();
        spawn(&mut app, wall_from(4.0));
        let subject = Mover {
            skin_width: skin,
            ..Mover::with_velocity(per_step(10.0, 0.0))
        };
        let subject = spawn(&mut app, (subject, CircleCollider::new(1.0)));
        steps(&mut app, 3);
        let x = global_position(&app, subject).x;
        assert!((x - (3.0 - skin)).abs() < 1e-4, "skin {skin}: {x}");
    }
}

#[test]
fn what_is_not_solid_does_not_block() {
    let mut app = test_app();
    let area = spawn(&mut app, (RectCollider::new(2.0, 10.0), at(5.0, 0.0)));
    let subject = spawn(
        &mut app,
        (ball(0.0, 0.0), Mover::with_velocity(per_step(5.0, 0.0))),
    );
    assert_eq!(brief_step(&mut app), [started(subject, area)]);
    assert_eq!(global_position(&app, subject), Vec2::new(5.0, 0.0));
}

#[test]
fn only_the_layers_of_blocked_by_block_and_the_others_report() {
    const RED: LayerMask = LayerMask::layer(0);
    const BLUE: LayerMask = LayerMask::layer(1);
    let blocked = |blocked_by| Mover {
        blocked_by,
        ..default()
    };
    let cases = [
        (
            "blocked by its layer",
            blocked(RED),
            CollisionLayers::default(),
            true,
            true,
        ),
        (
            "blocked by others",
            blocked(BLUE),
            CollisionLayers::default(),
            false,
            true,
        ),
        (
            "blocked by none",
            blocked(LayerMask::NONE),
            CollisionLayers::default(),
            false,
            true,
        ),
        (
            "does not see it",
            blocked(RED),
            CollisionLayers::new(RED, BLUE),
            false,
            false,
        ),
        (
            "passes",
            Mover {
                response: MoverResponse::Pass,
                ..default()
            },
            CollisionLayers::default(),
            false,
            true,
        ),
    ];
    for (name, kind, layers, blocks, reports) in cases {
        let mut app = test_app();
        let walls = CollisionLayers::new(RED, LayerMask::ALL);
        let wall = spawn(&mut app, (wall_from(4.0), walls));
        let motion = Mover {
            velocity: per_step(5.0, 0.0),
            ..kind
        };
        let subject = spawn(&mut app, (CircleCollider::new(1.0), motion, layers));
        let expected = if reports {
            vec![started(subject, wall)]
        } else {
            vec![]
        };
        assert_eq!(brief_step(&mut app), expected, "{name}");
        let x = global_position(&app, subject).x;
        assert_eq!(x < 3.5, blocks, "{name}: {x}");
    }
}

#[test]
fn a_disabled_wall_does_not_block() {
    let mut app = test_app();
    let wall = spawn(&mut app, (wall_from(4.0), ColliderDisabled));
    let subject = spawn(
        &mut app,
        (ball(0.0, 0.0), Mover::with_velocity(per_step(1.0, 0.0))),
    );
    steps(&mut app, 20);
    assert_eq!(global_position(&app, subject).x, 20.0);
    app.world_mut()
        .entity_mut(wall)
        .remove::<ColliderDisabled>();
    set_position(&mut app, subject, Vec2::ZERO);
    steps(&mut app, 20);
    assert!(global_position(&app, subject).x < 3.0);
}

#[test]
fn without_time_or_while_it_stands_still_nothing_moves() {
    let mut paused = test_app();
    paused.world_mut().resource_mut::<Time<Virtual>>().pause();
    let mut timeless = App::new();
    timeless.add_plugins((
        TaskPoolPlugin::default(),
        TransformPlugin,
        CollisionPlugin::default(),
    ));
    record_events(&mut timeless);
    start(&mut timeless);
    assert!(!timeless.world().contains_resource::<Time>());
    for (name, mut app) in [("paused", paused), ("no time", timeless)] {
        let velocity = per_step(5.0, 0.0);
        let subject = spawn(&mut app, (ball(0.0, 0.0), Mover::with_velocity(velocity)));
        let other = spawn(&mut app, ball(1.5, 0.0));
        let child = spawn(&mut app, (ball(0.0, 5.0), ChildOf(subject)));
        let beside_child = spawn(&mut app, ball(1.5, 5.0));
        let mut expected = [started(subject, other), started(child, beside_child)];
        let mut starts = brief(&steps(&mut app, 3));
        for list in [&mut starts[..], &mut expected[..]] {
            list.sort_by_key(|event| format!("{event:?}"));
        }
        assert_eq!(starts, expected, "{name}");
        assert_eq!(global_position(&app, subject), Vec2::ZERO, "{name}");
        assert_eq!(mover(&app, subject).velocity, velocity, "{name}");
    }
}

#[test]
fn without_time_even_a_displacement_waits() {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TransformPlugin,
        CollisionPlugin::default(),
    ));
    start(&mut app);
    let dash = Mover {
        displacement: Vec2::X,
        ..default()
    };
    let subject = spawn(&mut app, (ball(0.0, 0.0), dash));
    app.update();
    assert_eq!(global_position(&app, subject), Vec2::ZERO);
    assert_eq!(mover(&app, subject).displacement, Vec2::X);
}

#[test]
fn writing_the_transform_is_a_teleport_through_walls_and_areas() {
    let mut app = test_app();
    let wall = spawn(&mut app, wall_from(4.0));
    let area = spawn(&mut app, (RectCollider::new(2.0, 10.0), at(10.0, 0.0)));
    let subject = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    app.update();
    set_position(&mut app, subject, Vec2::new(20.0, 0.0));
    assert_eq!(
        steps(&mut app, 2),
        [],
        "{wall} and {area} are not hit on the path"
    );
    assert_eq!(global_position(&app, subject), Vec2::new(20.0, 0.0));
    let hits = app.world().get::<MoverHits>(subject).unwrap();
    assert!(hits.is_empty());
}

#[test]
fn transform_and_mover_are_written_only_when_they_differ() {
    #[derive(Resource, Default)]
    struct Writes([usize; 3]);
    let mut app = test_app();
    app.init_resource::<Writes>();
    spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    spawn(&mut app, (RectCollider::new(1.0, 1.0), at(0.0, 9.0), Solid));
    app.update();
    app.add_systems(
        Last,
        |transforms: Query<(), Changed<Transform>>,
         movers: Query<(), Changed<Mover>>,
         hits: Query<(), Changed<MoverHits>>,
         mut writes: ResMut<Writes>,
         mut frame: Local<u32>| {
            *frame += 1;
            // A new system sees everything as changed at first.
            if *frame > 1 {
                let counts = [
                    transforms.iter().count(),
                    movers.iter().count(),
                    hits.iter().count(),
                ];
                writes.0 = std::array::from_fn(|i| writes.0[i] + counts[i]);
            }
        },
    );
    steps(&mut app, 5);
    assert_eq!(app.world().resource::<Writes>().0, [0; 3]);
}

#[test]
fn a_mover_whose_collider_is_disabled_passes_through_walls() {
    let mut app = test_app();
    spawn(&mut app, wall_from(4.0));
    let motion = Mover::with_velocity(per_step(3.0, 0.0));
    let subject = spawn(&mut app, (ball(0.0, 0.0), motion, ColliderDisabled));
    assert_eq!(steps(&mut app, 5), []);
    assert_eq!(global_position(&app, subject), Vec2::new(15.0, 0.0));
}

#[test]
fn a_disabled_mover_stays() {
    let mut app = test_app();
    let motion = Mover::with_velocity(per_step(3.0, 0.0));
    let subject = spawn(&mut app, (ball(0.0, 0.0), motion, Disabled));
    steps(&mut app, 3);
    let transform = app.world().get::<Transform>(subject).unwrap();
    assert_eq!(transform.translation, Vec3::ZERO);
}
