//! What a mover hits within one update is reported at its fraction, even if the mover has passed it
//! at the end.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

/// A mover of radius 1 with this displacement per update.
fn spawn_runner(app: &mut App, start: Vec2, displacement: Vec2, response: MoverResponse) -> Entity {
    let mover = Mover {
        response,
        ..Mover::with_velocity(displacement / STEP_SECS)
    };
    spawn(app, (ball(start.x, start.y), mover))
}

fn times(events: &[CollisionEvent]) -> Vec<f32> {
    let time = |event: &CollisionEvent| match *event {
        CollisionEvent::Started { fraction, .. } => Some(fraction),
        CollisionEvent::Ended { .. } => None,
    };
    events.iter().filter_map(time).collect()
}

fn assert_times(events: &[CollisionEvent], expected: &[f32]) {
    let times = times(events);
    assert_eq!(times.len(), expected.len(), "{times:?}");
    for (time, expected) in times.iter().zip(expected) {
        assert!((time - expected).abs() < 1e-3, "{times:?} {expected:?}");
    }
}

#[test]
fn what_is_crossed_within_one_update_starts_in_order_of_fraction_and_ends() {
    let mut app = test_app();
    // Spawned in another order than they are hit.
    let areas =
        [14.0, 5.0, 11.0, 8.0].map(|x| spawn(&mut app, (RectCollider::new(0.5, 10.0), at(x, 0.0))));
    let runner = spawn_runner(&mut app, Vec2::ZERO, Vec2::X * 20.0, MoverResponse::Slide);
    let events = step(&mut app);
    let hit_areas = [areas[1], areas[3], areas[2], areas[0]];
    let starts = hit_areas.map(|area| started(runner, area));
    let mut sorted = areas;
    sorted.sort_by_key(|&area| (runner.min(area), runner.max(area)));
    let ends = sorted.map(|area| ended(runner, area, CollisionEndReason::Separated));
    assert_eq!(brief(&events), [starts, ends].concat());
    assert_times(&events, &[5.0, 8.0, 11.0, 14.0].map(|x| (x - 1.25) / 20.0));
    app.world_mut().get_mut::<Mover>(runner).unwrap().velocity = Vec2::ZERO;
    assert_eq!(steps(&mut app, 2), []);
}

#[test]
fn the_contact_of_a_crossing_is_that_at_the_fraction_of_impact() {
    let mut app = test_app();
    let area = spawn(&mut app, (CircleCollider::new(2.0), at(8.0, 0.0)));
    let runner = spawn_runner(&mut app, Vec2::ZERO, Vec2::X * 20.0, MoverResponse::Slide);
    let events = step(&mut app);
    let CollisionEvent::Started { a, contact, .. } = events[0] else {
        panic!("{events:?}");
    };
    let normal = if a == runner { Vec2::X } else { Vec2::NEG_X };
    assert!(
        contact.normal.abs_diff_eq(normal, 1e-4),
        "{area}: {contact:?}"
    );
    assert!(
        contact.point.abs_diff_eq(Vec2::new(6.0, 0.0), 1e-3),
        "{contact:?}"
    );
    assert!(contact.depth.abs() < 1e-3, "{contact:?}");
}

#[test]
fn a_pair_that_overlaps_at_both_ends_of_an_update_is_continuous() {
    let mut app = test_app();
    let areas = [0.0, 20.0].map(|x| spawn(&mut app, ball(x + 0.5, 0.0)));
    let ring = spawn(&mut app, (RectCollider::new(60.0, 1.0), at(0.0, 0.0)));
    let runner = spawn_runner(&mut app, Vec2::ZERO, Vec2::X * 0.0, MoverResponse::Slide);
    step(&mut app);
    app.world_mut().get_mut::<Mover>(runner).unwrap().velocity = Vec2::X * 20.0 / STEP_SECS;
    let events = step(&mut app);
    let expected = [
        ended(runner, areas[0], CollisionEndReason::Separated),
        started(runner, areas[1]),
    ];
    assert_eq!(brief(&events), expected, "{ring} goes on");
    assert_times(&events, &[18.5 / 20.0]);
}

#[test]
fn a_pair_that_overlaps_before_the_motion_starts_at_fraction_zero() {
    let mut app = test_app();
    let runner = spawn_runner(&mut app, Vec2::ZERO, Vec2::X * 5.0, MoverResponse::Slide);
    let inside = spawn(&mut app, ball(1.0, 0.0));
    let events = step(&mut app);
    let expected = [
        started(runner, inside),
        ended(runner, inside, CollisionEndReason::Separated),
    ];
    assert_eq!(brief(&events), expected);
    assert_times(&events, &[0.0]);
}

#[test]
fn a_pair_that_no_mover_brought_together_starts_at_fraction_one() {
    let mut app = test_app();
    let a = spawn(&mut app, ball(0.0, 0.0));
    let b = spawn(&mut app, ball(10.0, 0.0));
    spawn_runner(
        &mut app,
        Vec2::new(0.0, 50.0),
        Vec2::X,
        MoverResponse::Slide,
    );
    app.update();
    set_position(&mut app, b, Vec2::new(1.0, 0.0));
    let events = step(&mut app);
    assert_eq!(brief(&events), [started(a, b)]);
    assert_eq!(times(&events), [1.0]);
}

#[test]
fn the_path_bends_where_a_mover_bounces_or_slides() {
    for response in [
        MoverResponse::Bounce,
        MoverResponse::Slide,
        MoverResponse::Stop,
    ] {
        let mut app = test_app();
        let wall = spawn(
            &mut app,
            (RectCollider::new(2.0, 100.0), Solid, at(11.0, 0.0)),
        );
        // Beyond the wall, before it, where it comes back to after a bounce, and where it slides.
        let [beyond, before, back, up] = [(14.0, 14.0), (5.0, 5.0), (2.0, 16.0), (9.0, 16.0)]
            .map(|(x, y)| spawn(&mut app, (CircleCollider::new(0.5), at(x, y))));
        // It is at the wall at (9, 9), after half of the path.
        let runner = spawn_runner(&mut app, Vec2::ZERO, Vec2::splat(18.0), response);
        let events = brief_step(&mut app);
        let mut starts: Vec<_> = events
            .into_iter()
            .filter(|event| matches!(event, Brief::Started(..)))
            .collect();
        let mut expected = vec![started(runner, before), started(runner, wall)];
        match response {
            MoverResponse::Bounce => expected.push(started(runner, back)),
            MoverResponse::Slide => expected.push(started(runner, up)),
            _ => {}
        }
        for list in [&mut starts, &mut expected] {
            list.sort_by_key(|event| format!("{event:?}"));
        }
        assert_eq!(starts, expected, "{response:?}, not {beyond}");
    }
}

#[test]
fn two_movers_with_crossing_paths_collide_only_if_they_are_there_at_the_same_time() {
    let pass = MoverResponse::Pass;
    for (delay, expected) in [(0.0, Some(0.5 - 2f32.sqrt() / 20.0)), (7.0, None)] {
        let mut app = test_app();
        let a = spawn_runner(&mut app, Vec2::new(-10.0, 0.0), Vec2::X * 20.0, pass);
        let b = spawn_runner(
            &mut app,
            Vec2::new(0.0, -10.0 - delay),
            Vec2::Y * 20.0,
            pass,
        );
        let events = step(&mut app);
        if let Some(time) = expected {
            let separated = ended(a, b, CollisionEndReason::Separated);
            assert_eq!(brief(&events), [started(a, b), separated]);
            assert_times(&events, &[time]);
        } else {
            assert_eq!(events, []);
        }
    }
}

#[test]
fn two_movers_that_pass_through_each_other_head_on_collide() {
    let mut app = test_app();
    let a = spawn_runner(
        &mut app,
        Vec2::new(-50.0, 0.0),
        Vec2::X * 100.0,
        MoverResponse::Pass,
    );
    let b = spawn_runner(
        &mut app,
        Vec2::new(50.0, 0.0),
        Vec2::X * -100.0,
        MoverResponse::Pass,
    );
    let events = step(&mut app);
    assert_eq!(
        brief(&events),
        [started(a, b), ended(a, b, CollisionEndReason::Separated)]
    );
    assert_times(&events, &[0.49]);
}

#[test]
fn movers_side_by_side_do_not_collide_however_fast() {
    let mut app = test_app();
    for y in [0.0, 2.5] {
        spawn_runner(
            &mut app,
            Vec2::new(0.0, y),
            Vec2::X * 1000.0,
            MoverResponse::Slide,
        );
    }
    assert_eq!(steps(&mut app, 5), []);
}

#[test]
fn walking_into_a_wall_starts_once_standing_keeps_it_and_leaving_ends_it() {
    for response in [MoverResponse::Slide, MoverResponse::Stop] {
        let mut app = test_app();
        let wall = spawn(
            &mut app,
            (RectCollider::new(2.0, 20.0), Solid, at(6.0, 0.0)),
        );
        let walker = spawn_runner(&mut app, Vec2::ZERO, Vec2::X * 1.5, response);
        assert_eq!(steps(&mut app, 2), [], "not there yet");
        let events = step(&mut app);
        assert_eq!(brief(&events), [started(walker, wall)]);
        // It overlaps within twice the skin width.
        assert_times(&events, &[(1.0 - 2.0 * SKIN) / 1.5]);
        for frame in 0..30 {
            let velocity = if frame < 15 {
                Vec2::X * 96.0
            } else {
                Vec2::ZERO
            };
            app.world_mut().get_mut::<Mover>(walker).unwrap().velocity = velocity;
            assert_eq!(step(&mut app), [], "{response:?}: frame {frame}");
        }
        app.world_mut().get_mut::<Mover>(walker).unwrap().velocity = Vec2::NEG_X * 96.0;
        let end = ended(walker, wall, CollisionEndReason::Separated);
        assert_eq!(brief_step(&mut app), [end]);
        assert_eq!(step(&mut app), []);
    }
}

#[test]
fn sliding_along_a_wall_keeps_the_pair() {
    let mut app = test_app();
    let wall = spawn(
        &mut app,
        (
            RectCollider::new(400.0, 2.0),
            Solid,
            rotated(Vec2::ZERO, 0.3),
        ),
    );
    let walker = spawn_runner(
        &mut app,
        Vec2::new(0.0, 3.0),
        Vec2::new(1.0, -1.0),
        MoverResponse::Slide,
    );
    let mut events = vec![];
    for _ in 0..60 {
        app.world_mut().get_mut::<Mover>(walker).unwrap().velocity = Vec2::new(64.0, -64.0);
        events.extend(brief_step(&mut app));
    }
    assert_eq!(events, [started(walker, wall)]);
}

#[test]
fn a_wall_hit_and_left_within_one_update_starts_and_ends_in_it() {
    let mut app = test_app();
    let wall = spawn(
        &mut app,
        (RectCollider::new(2.0, 20.0), Solid, at(6.0, 0.0)),
    );
    let bouncer = spawn_runner(&mut app, Vec2::ZERO, Vec2::X * 8.0, MoverResponse::Bounce);
    let events = step(&mut app);
    let separated = ended(bouncer, wall, CollisionEndReason::Separated);
    assert_eq!(brief(&events), [started(bouncer, wall), separated]);
    assert_times(&events, &[(4.0 - 2.0 * SKIN) / 8.0]);
}

#[test]
fn a_collider_without_a_mover_or_with_a_teleport_is_not_swept() {
    let mut app = test_app();
    spawn(&mut app, (RectCollider::new(1.0, 10.0), at(5.0, 0.0)));
    let plain = spawn(&mut app, ball(0.0, 0.0));
    let runner = spawn_runner(
        &mut app,
        Vec2::new(0.0, 3.0),
        Vec2::Y * 0.1,
        MoverResponse::Slide,
    );
    app.update();
    for entity in [plain, runner] {
        set_position(
            &mut app,
            entity,
            Vec2::new(10.0, 4.0 * f32::from(u8::from(entity == runner))),
        );
    }
    assert_eq!(steps(&mut app, 2), []);
}

#[test]
fn the_colliders_of_a_movers_children_are_not_swept() {
    let mut app = test_app();
    let carrier = spawn(&mut app, Mover::with_velocity(Vec2::X * 20.0 / STEP_SECS));
    let child = spawn(&mut app, (ball(0.0, 0.0), ChildOf(carrier)));
    spawn(&mut app, ball(10.0, 0.0));
    let at_the_end = spawn(&mut app, ball(21.5, 0.0));
    let events = step(&mut app);
    assert_eq!(brief(&events), [started(child, at_the_end)]);
    assert_eq!(times(&events), [1.0]);
}

/// A collider that moves straight during an update, or rests.
struct MovingCollider {
    entity: Entity,
    shape: Shape,
    displacement: Vec2,
}

/// The fraction at which two moving colliders are first at least this deep in each other, by dense
/// sampling.
fn first_time_deeper(p: &MovingCollider, q: &MovingCollider, depth: f32) -> Option<f32> {
    const LOOKS: u16 = 600;
    (0..=LOOKS)
        .map(|look| f32::from(look) / f32::from(LOOKS))
        .find(|&time| {
            let at_time =
                |collider: &MovingCollider| collider.shape.translated(collider.displacement * time);
            separation(&at_time(p), &at_time(q)).distance <= -depth
        })
}

#[test]
fn movers_collide_when_dense_sampling_shows_it() {
    // Between two samples, two colliders approach by at most 60 / 600, so greater depths are found.
    const GLANCE: f32 = 0.11;
    let mut hit_count = 0;
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let mut app = test_app();
        let mut random = |limit: f32| (rng.f32() * 2.0 - 1.0) * limit;
        let colliders: Vec<MovingCollider> = (0..12)
            .map(|i| {
                let (position, angle) = (Vec2::new(random(14.0), random(14.0)), random(3.0));
                let displacement =
                    Vec2::new(random(20.0), random(20.0)) * f32::from(u8::from(i % 3 != 0));
                let (width, height) = (1.0 + random(0.9), 2.0 + random(1.5));
                let entity = spawn(&mut app, rotated(position, angle));
                let mut inserted = app.world_mut().entity_mut(entity);
                if i % 3 != 0 {
                    let response = MoverResponse::Pass;
                    inserted.insert(Mover {
                        response,
                        ..Mover::with_velocity(displacement / STEP_SECS)
                    });
                }
                let shape = if i % 2 == 0 {
                    inserted.insert(CircleCollider::new(width));
                    Shape::circle(position, width)
                } else {
                    inserted.insert(RectCollider::new(width, height));
                    Shape::rect(position, Vec2::new(width, height), Rot2::radians(angle))
                };
                MovingCollider {
                    entity,
                    shape,
                    displacement,
                }
            })
            .collect();
        let started: BTreeMap<(Entity, Entity), f32> = step(&mut app)
            .iter()
            .filter_map(|event| match *event {
                CollisionEvent::Started { a, b, fraction, .. } => Some(((a, b), fraction)),
                CollisionEvent::Ended { .. } => None,
            })
            .collect();
        for (i, p) in colliders.iter().enumerate() {
            for q in &colliders[..i] {
                let pair = (p.entity.min(q.entity), p.entity.max(q.entity));
                let context = format!("seed {seed}: {pair:?}");
                match started.get(&pair) {
                    None => assert_eq!(first_time_deeper(p, q, GLANCE), None, "{context}"),
                    Some(&time) if p.displacement == Vec2::ZERO && q.displacement == Vec2::ZERO => {
                        assert_eq!(time, 1.0, "{context}: neither was swept");
                    }
                    Some(&time) => {
                        let near = first_time_deeper(p, q, -GLANCE);
                        assert!(
                            near.is_some_and(|near| near <= time),
                            "{context}: {near:?} {time}"
                        );
                        let deep = first_time_deeper(p, q, 0.0).unwrap_or(1.0);
                        assert!(time <= deep + 1e-3, "{context}: {time} {deep}");
                        let at_time = |collider: &MovingCollider| {
                            collider.shape.translated(collider.displacement * time)
                        };
                        let distance = separation(&at_time(p), &at_time(q)).distance;
                        // They touched at that time, unless they had overlapped before.
                        assert!(
                            time == 0.0 || distance.abs() < 1e-3,
                            "{context}: {distance}"
                        );
                        hit_count += 1;
                    }
                }
            }
        }
    }
    assert!(hit_count > 100, "only {hit_count} hit");
}
