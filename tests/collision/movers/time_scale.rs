//! Movers for which time passes faster or slower than for others.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

const RESPONSES: [MoverResponse; 3] = [
    MoverResponse::Slide,
    MoverResponse::Bounce,
    MoverResponse::Stop,
];

/// A mover with an own time, or one in the time of the world that wants the same motion.
#[derive(Clone, Copy)]
enum Time {
    Own(f32),
    OfWorld(f32),
}

impl Time {
    fn apply(self, mover: Mover, turning: f32) -> (Mover, Turning) {
        match self {
            Time::Own(time_scale) => {
                let mover = Mover {
                    time_scale,
                    ..mover
                };
                (mover, Turning(turning))
            }
            Time::OfWorld(scale) => {
                let velocity = mover.velocity * scale;
                (Mover { velocity, ..mover }, Turning(turning * scale))
            }
        }
    }

    /// The velocity of a mover in the time of the world.
    fn of_world(self, velocity: Vec2) -> Vec2 {
        match self {
            Time::Own(scale) => velocity * scale,
            Time::OfWorld(_) => velocity,
        }
    }
}

/// Movers of all kinds among walls, a lift and each other, in a box. The same for a seed.
fn crowd(seed: u64, time: Time) -> (App, Vec<Entity>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut app = test_app();
    for (x, y, width, height) in [
        (0.0, -100.0, 220.0, 20.0),
        (0.0, 100.0, 220.0, 20.0),
        (-100.0, 0.0, 20.0, 220.0),
        (100.0, 0.0, 20.0, 220.0),
        (30.0, -80.0, 40.0, 20.0),
    ] {
        spawn(
            &mut app,
            (RectCollider::new(width, height), Solid, at(x, y)),
        );
    }
    let lift = Mover::with_velocity(Vec2::new(0.0, 20.0));
    spawn(
        &mut app,
        (RectCollider::new(40.0, 6.0), Solid, lift, at(-50.0, -80.0)),
    );
    let parent = spawn(&mut app, Transform::from_scale(Vec3::new(-2.0, 2.0, 1.0)));
    let mut movers = vec![];
    for i in 0..10 {
        let mover = Mover {
            velocity: Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * 400.0,
            displacement: Vec2::new(rng.f32(), rng.f32()) * 4.0,
            response: RESPONSES[i % 3],
            ..default()
        };
        let turning = if i % 2 == 0 { rng.f32() * 4.0 } else { 0.0 };
        let position = at(rng.f32() * 140.0 - 70.0, rng.f32() * 120.0 - 60.0);
        let entity = spawn(&mut app, (time.apply(mover, turning), position));
        insert_collider(&mut app, entity, i % 2 == 1, Vec2::new(10.0, 6.0));
        let mut it = app.world_mut().entity_mut(entity);
        match i {
            0..4 => {}
            4..6 => drop(it.insert((Solid, Pushable))),
            6 => drop(it.insert(Solid)),
            7 => drop(it.insert(ChildOf(parent))),
            8 => {
                let part = (MoverPart, CircleCollider::new(4.0), at(8.0, 0.0));
                it.with_child(part);
            }
            _ => {
                // What it keeps of a floor counts in its own time.
                let kept_velocity = KeptVelocity::Nothing;
                let walker = Walker {
                    kept_velocity,
                    ..default()
                };
                it.insert((walker, Turning(0.0)));
            }
        }
        movers.push(entity);
    }
    (app, movers)
}

#[test]
fn a_mover_with_its_own_time_moves_as_one_of_that_velocity() {
    for seed in 0..40 {
        for scale in [0.25, 0.5, 2.0] {
            let (own, of_world) = (Time::Own(scale), Time::OfWorld(scale));
            let (mut slow, movers) = crowd(seed, own);
            let (mut twin, twins) = crowd(seed, of_world);
            for update in 0..60 {
                let case = format!("seed {seed}, scale {scale}, update {update}");
                assert_eq!(
                    steps(&mut slow, 1).len(),
                    steps(&mut twin, 1).len(),
                    "{case}"
                );
                for (mover, other) in movers.iter().zip(&twins) {
                    let [at, expected] = [(&slow, *mover), (&twin, *other)]
                        .map(|(app, entity)| *app.world().get::<Transform>(entity).unwrap());
                    assert_eq!(at, expected, "{case}");
                    let velocity = own.of_world(velocity_of(&slow, *mover));
                    let expected = of_world.of_world(velocity_of(&twin, *other));
                    assert_eq!(velocity, expected, "{case}");
                }
            }
        }
    }
}

fn frozen() -> Mover {
    Mover {
        velocity: Vec2::new(30.0, -40.0),
        displacement: Vec2::new(0.0, 5.0),
        time_scale: 0.0,
        ..default()
    }
}

#[test]
fn a_frozen_mover_goes_on_as_it_was() {
    for response in RESPONSES {
        let mut app = test_app();
        spawn(
            &mut app,
            (RectCollider::new(40.0, 2.0), Solid, at(0.0, -6.1)),
        );
        let mover = Mover {
            response,
            ..frozen()
        };
        let mover = spawn(
            &mut app,
            (
                CircleCollider::new(5.0),
                mover.clone(),
                Turning(3.0),
                at(0.0, 0.0),
            ),
        );
        let before = app.world().get::<Mover>(mover).unwrap().clone();
        steps(&mut app, 10);
        assert_eq!(app.world().get::<Mover>(mover), Some(&before));
        let transform = app.world().get::<Transform>(mover).unwrap();
        assert_eq!(*transform, Transform::IDENTITY, "{response:?}");
        app.world_mut().get_mut::<Mover>(mover).unwrap().time_scale = 1.0;
        steps(&mut app, 1);
        let moved = global_position(&app, mover);
        assert!(
            moved.y > 4.0,
            "{response:?}: its displacement is due: {moved}"
        );
        let mover = app.world().get::<Mover>(mover).unwrap();
        assert_eq!(mover.displacement, Vec2::ZERO);
    }
}

#[test]
fn a_frozen_mover_is_carried_and_pushed() {
    let mut app = test_app();
    let walker = (
        RectCollider::new(4.0, 8.0),
        frozen(),
        Walker::default(),
        at(0.0, 5.02),
    );
    let walker = spawn(&mut app, walker);
    let lift = Mover::with_velocity(Vec2::new(20.0, 10.0));
    let lift = spawn(
        &mut app,
        (RectCollider::new(40.0, 2.0), Solid, lift, at(0.0, 0.0)),
    );
    let crate_ = (
        RectCollider::new(8.0, 8.0),
        frozen(),
        Pushable,
        at(200.0, 0.0),
    );
    let crate_ = spawn(&mut app, crate_);
    let hero = Mover::with_velocity(Vec2::new(60.0, 0.0));
    spawn(&mut app, (CircleCollider::new(4.0), hero, at(180.0, 0.0)));
    // In the first update it finds the floor.
    steps(&mut app, 2);
    let above = global_position(&app, walker) - global_position(&app, lift);
    steps(&mut app, 30);
    let still = global_position(&app, walker) - global_position(&app, lift);
    assert!(still.distance(above) < 0.1, "{above} became {still}");
    assert!(global_position(&app, crate_).x > 210.0);
    for entity in [walker, crate_] {
        assert_eq!(velocity_of(&app, entity), frozen().velocity);
    }
}

#[test]
fn invalid_time_scales_count_as_one_and_negative_ones_as_zero() {
    for (time_scale, moves) in [
        (f32::NAN, true),
        (f32::INFINITY, true),
        (-2.0, false),
        (-0.0, false),
        (f32::MIN_POSITIVE, false),
    ] {
        let mut app = test_app();
        let mover = Mover {
            time_scale,
            ..Mover::with_velocity(Vec2::X)
        };
        let mover = spawn(&mut app, (CircleCollider::new(5.0), mover, at(0.0, 0.0)));
        steps(&mut app, 1);
        let moved = global_position(&app, mover).x;
        assert_eq!(moved > 1e-6, moves, "{time_scale}: {moved}");
        assert_eq!(velocity_of(&app, mover), Vec2::X);
    }
}

#[test]
fn a_turn_that_overflows_is_none() {
    for (time_scale, turning) in [(f32::MAX, 100.0), (f32::MAX, f32::MAX), (0.0, f32::MAX)] {
        let mut app = test_app();
        let mover = Mover {
            time_scale,
            ..default()
        };
        let turning = (mover, Turning(turning), at(0.0, 0.0));
        let mover = spawn(&mut app, (RectCollider::new(5.0, 2.0), turning));
        steps(&mut app, 2);
        assert_eq!(
            app.world().get::<Transform>(mover),
            Some(&Transform::IDENTITY)
        );
    }
}

#[test]
fn a_walker_that_leaves_a_lift_in_slow_motion_keeps_the_velocity_of_the_lift() {
    for time_scale in [0.1, 0.5, 2.0] {
        let mut app = test_app();
        let lift = (Solid, Mover::with_velocity(Vec2::X * 100.0), at(0.0, 0.0));
        spawn(&mut app, (RectCollider::new(40.0, 2.0), lift));
        let mover = Mover {
            time_scale,
            ..default()
        };
        let walker = (Walker::default(), mover, at(0.0, 5.02));
        let walker = spawn(&mut app, (RectCollider::new(4.0, 8.0), walker));
        steps(&mut app, 5);
        let mut mover = app.world_mut().get_mut::<Mover>(walker).unwrap();
        let jump = Vec2::Y * 500.0;
        mover.velocity = jump;
        steps(&mut app, 5);
        let velocity = velocity_of(&app, walker);
        let expected = jump + Vec2::X * 100.0;
        assert!(velocity.distance(expected) < 0.1, "{velocity}");
    }
}

#[test]
fn time_in_the_air_is_the_time_of_the_walker() {
    let mut app = test_app();
    let floor = (RectCollider::new(40.0, 2.0), Solid, at(0.0, 0.0));
    let floor = spawn(&mut app, floor);
    let walker = (Walker::default(), Mover::default(), at(0.0, 5.02));
    let walker = spawn(&mut app, (RectCollider::new(4.0, 8.0), walker));
    steps(&mut app, 2);
    let air_seconds = |app: &App| app.world().get::<Ground>(walker).unwrap().air_seconds();
    assert_eq!(air_seconds(&app), 0.0);
    app.world_mut().despawn(floor);
    for (time_scale, expected) in [(0.0, 0.0), (0.5, 3.0), (1.0, 9.0)] {
        let mut mover = app.world_mut().get_mut::<Mover>(walker).unwrap();
        mover.time_scale = time_scale;
        steps(&mut app, 6);
        let in_steps = air_seconds(&app) / STEP_SECS;
        assert!((in_steps - expected).abs() < 0.01, "{in_steps}");
    }
}

#[test]
fn a_prediction_has_the_time_of_the_mover() {
    for (time_scale, response) in [0.5, 3.0]
        .into_iter()
        .flat_map(|scale| RESPONSES.map(|response| (scale, response)))
    {
        let mut app = test_app();
        spawn(
            &mut app,
            (RectCollider::new(400.0, 2.0), Solid, at(0.0, -6.5)),
        );
        let mover = Mover {
            velocity: Vec2::new(40.0, -200.0),
            time_scale,
            response,
            ..default()
        };
        let entity = spawn(
            &mut app,
            (CircleCollider::new(5.0), mover.clone(), at(0.0, 0.0)),
        );
        app.update();
        let start = global_position(&app, entity);
        let mover = app.world().get::<Mover>(entity).unwrap().clone();
        let predict = move |query: SpatialQuery| {
            let outcome = query.of(entity).unwrap().move_and_slide(&mover, STEP_SECS);
            (outcome.displacement, outcome.velocity)
        };
        let (displacement, velocity) = run_system(&mut app, predict);
        steps(&mut app, 1);
        let case = format!("{time_scale} {response:?}");
        assert_eq!(velocity_of(&app, entity), velocity, "{case}");
        let moved = global_position(&app, entity) - start;
        assert!(moved.distance(displacement) < 1e-4, "{case}: {moved}");
    }
}
