//! `MoverHits` and `MoverHit`: what blocked a mover.

use bevy::prelude::*;
use bevy_thud::{BlockingHit, prelude::*};

use crate::common::*;

fn hits_of(app: &App, mover: Entity) -> Vec<MoverHit> {
    app.world().get::<MoverHits>(mover).unwrap().to_vec()
}

/// A mover of radius 1 that moves 10 units to the right per update, and a wall in front of it after
/// 4.
fn towards_wall(response: MoverResponse) -> (App, Entity, Entity) {
    let mut app = test_app();
    let wall = spawn(&mut app, (RectCollider::new(2.0, 8.0), Solid, at(6.0, 3.0)));
    let mover = Mover {
        response,
        ..Mover::with_velocity(Vec2::new(640.0, 0.0))
    };
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    (app, mover, wall)
}

fn assert_near(hit: &MoverHit, expected: &MoverHit) {
    assert_eq!(
        (hit.entity, hit.blocker),
        (expected.entity, expected.blocker)
    );
    assert!(hit.normal.abs_diff_eq(expected.normal, 1e-5), "{hit:?}");
    assert!(hit.point.abs_diff_eq(expected.point, 1e-4), "{hit:?}");
    assert!((hit.fraction - expected.fraction).abs() < 1e-4, "{hit:?}");
    assert!((hit.speed / expected.speed - 1.0).abs() < 1e-4, "{hit:?}");
}

#[test]
fn a_hit_has_the_blocker_the_point_the_fraction_and_the_speed() {
    for response in [
        MoverResponse::Slide,
        MoverResponse::Stop,
        MoverResponse::Bounce,
    ] {
        let (mut app, mover, wall) = towards_wall(response);
        app.update();
        let hits = hits_of(&app, mover);
        assert_eq!(hits.len(), 1, "{hits:?}");
        let expected = MoverHit {
            entity: mover,
            hit: BlockingHit {
                blocker: wall,
                normal: Vec2::NEG_X,
                point: Vec2::new(5.0, 0.0),
                fraction: (4.0 - SKIN) / 10.0,
                speed: 640.0,
                blocker_velocity: Vec2::ZERO,
                cell: None,
            },
        };
        assert_near(&hits[0], &expected);
    }
}

#[test]
fn the_speed_of_a_hit_is_that_along_the_normal() {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 100.0), Solid, at(6.0, 0.0));
    let wall = spawn(&mut app, wall);
    let mover = Mover {
        displacement: Vec2::new(0.0, 5.0),
        ..Mover::with_velocity(Vec2::new(640.0, -960.0))
    };
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    app.update();
    let fraction = (4.0 - SKIN) / 10.0;
    let expected = MoverHit {
        entity: mover,
        hit: BlockingHit {
            blocker: wall,
            normal: Vec2::NEG_X,
            // The velocity moves it 15 down and the displacement 5 up.
            point: Vec2::new(5.0, -10.0 * fraction),
            fraction,
            speed: 640.0,
            blocker_velocity: Vec2::ZERO,
            cell: None,
        },
    };
    assert_near(&hits_of(&app, mover)[0], &expected);
}

#[test]
fn component_message_and_observer_report_the_same() {
    #[derive(Resource, Default)]
    struct Received([Vec<MoverHit>; 3]);
    let (mut app, mover, _) = towards_wall(MoverResponse::Slide);
    let parent = spawn(&mut app, Transform::IDENTITY);
    app.world_mut().entity_mut(mover).insert(ChildOf(parent));
    app.init_resource::<Received>();
    app.add_systems(
        Last,
        |mut hits: MessageReader<MoverHit>, mut received: ResMut<Received>| {
            received.0[0].extend(hits.read().copied());
        },
    );
    app.world_mut().entity_mut(mover).observe(
        |hit: On<MoverHit>, mut received: ResMut<Received>| received.0[1].push(*hit.event()),
    );
    app.add_observer(|hit: On<MoverHit>, mut received: ResMut<Received>| {
        received.0[2].push(*hit.event());
    });
    let mut reported = vec![];
    for _ in 0..3 {
        app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = Vec2::X * 640.0;
        app.update();
        reported.extend(hits_of(&app, mover));
    }
    assert!(reported.len() >= 3, "it keeps pressing: {reported:?}");
    for received in &app.world().resource::<Received>().0 {
        assert_eq!(*received, reported);
    }
}

#[test]
fn a_mover_that_presses_has_hits_in_each_update_and_one_that_left_has_none() {
    let (mut app, mover, wall) = towards_wall(MoverResponse::Slide);
    app.update();
    for frame in 0..5 {
        app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = Vec2::X * 64.0;
        app.update();
        let hits = hits_of(&app, mover);
        assert_eq!(hits.len(), 1, "frame {frame}");
        assert_eq!(hits[0].blocker, wall);
        assert!(hits[0].fraction < 1e-3, "{hits:?}");
        assert!((hits[0].speed - 64.0).abs() < 0.1, "{hits:?}");
    }
    app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = Vec2::NEG_X * 64.0;
    app.update();
    assert_eq!(hits_of(&app, mover), []);
}

#[test]
fn hits_are_in_the_order_in_which_the_mover_was_blocked() {
    let mut app = test_app();
    let right = spawn(
        &mut app,
        (RectCollider::new(2.0, 100.0), Solid, at(6.0, 0.0)),
    );
    let left = spawn(
        &mut app,
        (RectCollider::new(2.0, 100.0), Solid, at(-6.0, 0.0)),
    );
    let mover = Mover {
        response: MoverResponse::Bounce,
        ..Mover::with_velocity(Vec2::X * 1152.0)
    };
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    app.update();
    let hits = hits_of(&app, mover);
    let reported: Vec<_> = hits
        .iter()
        .map(|hit| (hit.blocker, hit.normal.x.round()))
        .collect();
    assert_eq!(reported, [(right, -1.0), (left, 1.0)]);
    for (hit, expected) in hits.iter().zip([4.0 / 18.0, 12.0 / 18.0]) {
        assert!((hit.fraction - expected).abs() < 0.004, "{hits:?}");
        assert!((hit.speed - 1152.0).abs() < 0.1, "{hits:?}");
    }
}

#[test]
fn messages_of_several_movers_are_sorted_by_mover() {
    #[derive(Resource, Default)]
    struct Received(Vec<Entity>);
    let mut app = test_app();
    app.init_resource::<Received>();
    app.add_systems(
        Last,
        |mut hits: MessageReader<MoverHit>, mut received: ResMut<Received>| {
            received.0.extend(hits.read().map(|hit| hit.entity));
        },
    );
    spawn(
        &mut app,
        (RectCollider::new(2.0, 1000.0), Solid, at(6.0, 0.0)),
    );
    let mut movers: Vec<Entity> = (0..10)
        .map(|i| {
            let mover = Mover::with_velocity(Vec2::X * 640.0);
            let entity = spawn(&mut app, (ball(0.0, 10.0 * i as f32), mover));
            if i % 3 == 0 {
                // Another archetype, so that the movers are not visited in their order.
                app.world_mut().entity_mut(entity).insert(Name::new("odd"));
            }
            entity
        })
        .collect();
    movers.sort();
    app.update();
    assert_eq!(app.world().resource::<Received>().0, movers);
}

#[test]
fn mover_hits_come_with_a_mover_and_without_a_collider_stay_empty() {
    let mut app = test_app();
    spawn(
        &mut app,
        (RectCollider::new(2.0, 100.0), Solid, at(6.0, 0.0)),
    );
    let mover = spawn(&mut app, Mover::with_velocity(Vec2::X * 640.0));
    app.update();
    assert_eq!(hits_of(&app, mover), []);
    assert_eq!(global_position(&app, mover), Vec2::new(10.0, 0.0));
}

/// Moves into a wall, then changes something, after which there should be no hit.
fn assert_no_hit_after(stop: impl Fn(&mut App, Entity)) {
    let (mut app, mover, _) = towards_wall(MoverResponse::Slide);
    app.update();
    assert_eq!(hits_of(&app, mover).len(), 1);
    stop(&mut app, mover);
    app.update();
    assert_eq!(hits_of(&app, mover), []);
}

#[test]
fn a_mover_that_was_not_moved_was_not_hit() {
    assert_no_hit_after(|app, mover| {
        app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = Vec2::ZERO;
    });
    assert_no_hit_after(|app, _| app.world_mut().resource_mut::<Time<Virtual>>().pause());
}

#[test]
fn a_mover_that_was_not_planned_was_not_hit() {
    assert_no_hit_after(|app, mover| {
        app.world_mut().get_mut::<Mover>(mover).unwrap().velocity.x = f32::NAN;
    });
}

#[test]
fn of_two_walls_that_are_hit_at_once_the_same_is_reported_in_any_storage_order() {
    for first_is_above in [true, false] {
        let mut app = test_app();
        let tiles = [1.0, -1.0].map(|side: f32| {
            let y = if first_is_above { side } else { -side };
            spawn(&mut app, (RectCollider::new(2.0, 2.0), Solid, at(5.0, y)))
        });
        let mover = Mover::with_velocity(Vec2::X * 500.0);
        let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
        app.update();
        let hits = app.world().get::<MoverHits>(mover).unwrap();
        assert_eq!(hits[0].blocker, tiles[0].min(tiles[1]));
    }
}

#[test]
fn a_mover_without_its_list_of_hits_moves_and_sends_them() {
    let (mut app, mover, wall) = towards_wall(MoverResponse::Slide);
    app.world_mut().entity_mut(mover).remove::<MoverHits>();
    #[derive(Resource, Default)]
    struct Sent(Vec<MoverHit>);
    app.init_resource::<Sent>();
    app.add_systems(
        Last,
        |mut hits: MessageReader<MoverHit>, mut sent: ResMut<Sent>| {
            sent.0.extend(hits.read().copied());
        },
    );
    let start = global_position(&app, mover);
    steps(&mut app, 3);
    assert_ne!(global_position(&app, mover), start);
    let sent = &app.world().resource::<Sent>().0;
    assert!(!sent.is_empty());
    assert!(
        sent.iter()
            .all(|hit| (hit.entity, hit.blocker) == (mover, wall))
    );
    assert!(app.world().get::<MoverHits>(mover).is_none());
}
