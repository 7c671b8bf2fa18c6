//! Head-on collisions of solid movers that are fast enough to pass through each other in one
//! update: their paths end where they hit.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

/// The distance that movers of radius 1 may be moved after they hit each other: they press against
/// each other.
const PUSH_TOLERANCE: f32 = 0.1;

/// A mover of radius 1 with this displacement per update.
fn runner(app: &mut App, start: Vec2, displacement: Vec2, bundle: impl Bundle) -> Entity {
    let mover = Mover::with_velocity(displacement / STEP_SECS);
    let transform = rotated(start, 0.0);
    spawn(
        app,
        (CircleCollider::new(1.0), Solid, mover, transform, bundle),
    )
}

/// The positions of movers of radius 1 after one update, from their starts and displacements.
fn ends(runners: &[[Vec2; 2]]) -> Vec<Vec2> {
    let mut app = test_app();
    let entities: Vec<Entity> = runners
        .iter()
        .map(|&[start, displacement]| runner(&mut app, start, displacement, ()))
        .collect();
    app.update();
    let positions = entities.iter().map(|&e| global_position(&app, e));
    positions.collect()
}

#[test]
fn two_head_on_movers_end_where_they_collide() {
    for (left_speed, right_speed) in [(30.0, 30.0), (90.0, 30.0), (10.0, 300.0)] {
        let from = Vec2::new(-6.0, 0.0);
        let to = Vec2::new(6.0, 0.0);
        let found = ends(&[
            [from, Vec2::new(left_speed, 0.0)],
            [to, Vec2::new(-right_speed, 0.0)],
        ]);
        let time = (12.0 - 2.0 - SKIN) / (left_speed + right_speed);
        for (position, expected) in found
            .iter()
            .zip([-6.0 + left_speed * time, 6.0 - right_speed * time])
        {
            assert!(
                (position.x - expected).abs() < PUSH_TOLERANCE,
                "{position} instead of {expected}"
            );
        }
    }
}

/// The ends of two movers that move toward each other, 12 apart, with additional components.
fn ends_of_rushing(left: impl Bundle, right: impl Bundle) -> [f32; 2] {
    let mut app = test_app();
    let both = [
        runner(&mut app, Vec2::new(-6.0, 0.0), Vec2::new(60.0, 0.0), left),
        runner(&mut app, Vec2::new(6.0, 0.0), Vec2::new(-60.0, 0.0), right),
    ];
    app.update();
    both.map(|entity| global_position(&app, entity).x)
}

#[test]
fn weights_do_not_matter_for_head_on_collisions() {
    let weighing = |weight: f32| Mover {
        weight,
        ..Mover::with_velocity(Vec2::new(60.0, 0.0) / STEP_SECS)
    };
    for weight in [0.0, 1.0, 1000.0, f32::NAN, f32::INFINITY] {
        let mut app = test_app();
        let left = spawn(&mut app, (ball(-6.0, 0.0), Solid, weighing(weight)));
        runner(&mut app, Vec2::new(6.0, 0.0), Vec2::new(-60.0, 0.0), ());
        app.update();
        let x = global_position(&app, left).x;
        assert!((x + 1.01).abs() < PUSH_TOLERANCE, "{weight}: {x}");
    }
}

#[test]
fn a_mover_that_is_not_blocked_continues() {
    let ghosts = CollisionLayers::new(LayerMask::ALL, LayerMask::NONE);
    assert_eq!(ends_of_rushing(ghosts, ()), [54.0, -54.0]);
    let mut app = test_app();
    let [left, right] = [1.0, -1.0].map(|side| {
        let displacement = Vec2::new(side * 60.0, 0.0);
        let entity = runner(&mut app, Vec2::new(side * -6.0, 0.0), displacement, ());
        app.world_mut().get_mut::<Mover>(entity).unwrap().response = MoverResponse::Pass;
        entity
    });
    app.update();
    assert_eq!(global_position(&app, left).x, 54.0);
    assert_eq!(global_position(&app, right).x, -54.0);
}

#[test]
fn who_was_spawned_first_does_not_matter() {
    let runners = [
        [Vec2::new(-6.0, 0.0), Vec2::new(60.0, 3.0)],
        [Vec2::new(7.0, 1.0), Vec2::new(-90.0, 2.0)],
        [Vec2::new(0.0, 9.0), Vec2::new(2.0, -70.0)],
        [Vec2::new(1.0, -9.0), Vec2::new(-1.0, 80.0)],
    ];
    let forwards = ends(&runners);
    for turns in 1..4 {
        let mut reordered = runners;
        reordered.rotate_left(turns);
        let mut found = ends(&reordered);
        found.rotate_right(turns);
        for (position, expected) in found.iter().zip(&forwards) {
            assert!(position.distance(*expected) < 1e-4, "{position} {expected}");
        }
    }
}

#[test]
fn a_mover_with_bad_numbers_hides_no_head_on_collision() {
    for bad in [f32::NAN, f32::INFINITY, f32::MAX] {
        let mut app = test_app();
        let left = runner(&mut app, Vec2::new(-6.0, 0.0), Vec2::new(60.0, 0.0), ());
        for (position, displacement) in [
            (Vec2::new(bad, 0.0), Vec2::X),
            (Vec2::new(0.0, 30.0), Vec2::new(0.0, bad)),
        ] {
            runner(&mut app, position, displacement, ());
        }
        let right = runner(&mut app, Vec2::new(6.0, 0.0), Vec2::new(-60.0, 0.0), ());
        app.update();
        let [x, y] = [left, right].map(|entity| global_position(&app, entity).x);
        assert!(
            x + 2.0 <= y + 1e-3 && (x + 1.01).abs() < PUSH_TOLERANCE,
            "{bad}: {x} {y}"
        );
    }
}

/// It ends where it began, but was far away meanwhile.
#[test]
fn a_mover_that_bounces_back_collides_with_others() {
    let mut app = test_app();
    let wall = (
        RectCollider::new(2.0, 20.0),
        Solid,
        at(11.0 + 1.0 + SKIN, 0.0),
    );
    spawn(&mut app, wall);
    let ball = runner(&mut app, Vec2::ZERO, Vec2::new(20.0, 0.0), ());
    app.world_mut().get_mut::<Mover>(ball).unwrap().response = MoverResponse::Bounce;
    // It blocks on the way back.
    runner(&mut app, Vec2::new(4.0, 2.3), Vec2::new(0.0, -0.75), ());
    app.update();
    let x = global_position(&app, ball).x;
    assert!(x > 4.0 && x < 6.5, "{x}");
}

/// Movers that cross each other's paths in a staircase: the first two collide head-on. Where one of
/// them stops, it blocks the third, where that one stops, it blocks the fourth, and so on;
/// otherwise each would be gone when the next arrives.
fn staircase(count: usize) -> (Vec<[Vec2; 2]>, Vec<Vec2>) {
    const SPEED: f32 = 100.0;
    const ASIDE: f32 = 1.0;
    let along = ((2.0 + SKIN) * (2.0 + SKIN) - ASIDE * ASIDE).sqrt();
    let mut stops = vec![Vec2::new(2.0 + SKIN, 0.0), Vec2::ZERO];
    let mut runners = vec![
        [stops[0] + 10.0 * Vec2::X, SPEED * Vec2::NEG_X],
        [stops[1] - 10.0 * Vec2::X, SPEED * Vec2::X],
    ];
    for number in 2..count {
        let (forward, aside) = if number % 2 == 0 {
            (Vec2::Y, Vec2::X)
        } else {
            (Vec2::X, Vec2::Y)
        };
        let stop = stops[number - 1] - forward * along - aside * ASIDE;
        let time = 0.1 + 0.8 * (number - 1) as f32 / (count - 2) as f32;
        runners.push([stop - forward * SPEED * time, forward * SPEED]);
        stops.push(stop);
    }
    (runners, stops)
}

#[test]
fn chained_head_on_collisions_all_end_paths() {
    for count in [3, 6, 11] {
        let (runners, stops) = staircase(count);
        let found = ends(&runners);
        for (number, (end, stop)) in found.iter().zip(&stops).enumerate() {
            assert!(
                end.distance(*stop) < PUSH_TOLERANCE,
                "{number} of {count}: {end} instead of {stop}"
            );
        }
    }
}

/// Otherwise it would have hit the third one at half of the update.
#[test]
fn who_was_stopped_blocks_nobody_further_on() {
    let free = [Vec2::new(40.0, -50.0), Vec2::new(0.0, 100.0)];
    let found = ends(&[
        [Vec2::new(-10.0, 0.0), Vec2::new(100.0, 0.0)],
        [Vec2::new(0.0, 10.0), Vec2::new(0.0, -100.0)],
        free,
    ]);
    assert!(found[0].x < 0.0, "{}", found[0]);
    assert_eq!(found[2], free[0] + free[1]);
}

#[test]
fn who_was_stopped_did_not_hit_what_is_further_on() {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 40.0), Solid);
    spawn(&mut app, (wall, at(40.0, 0.0)));
    let first = runner(&mut app, Vec2::ZERO, Vec2::new(60.0, 0.0), ());
    let second = runner(&mut app, Vec2::new(20.0, -30.0), Vec2::new(0.0, 90.0), ());
    app.update();
    for entity in [first, second] {
        let position = global_position(&app, entity);
        assert!(position.distance(Vec2::new(20.0, 0.0)) < 3.0, "{position}");
        assert_eq!(app.world().get::<MoverHits>(entity).unwrap().len(), 0);
    }
}

/// Ten on a line with random speeds, most of which move toward those on the other side of the
/// center.
fn random_row(rng: &mut Rng, position: Vec2, direction: Vec2) -> Vec<[Vec2; 2]> {
    let speed = 10f32.powf(0.5 + 2.0 * rng.f32());
    let spread = [0.0, 0.2, 3.0, 20.0][rng.usize(..4)];
    let mut along = 0.0;
    let one = |number: usize| {
        along += 2.0 + 2.0 * SKIN + spread * rng.f32();
        let inward = if number < 5 { 1.0 } else { -1.0 };
        let fraction = [inward, 2.0 * rng.f32() - 1.0][usize::from(rng.u8(..4) == 0)];
        [
            along * direction + position,
            fraction * rng.f32() * speed * direction,
        ]
    };
    (0..10).map(one).collect()
}

/// The number of random rows that are in another order after an update, or still overlap. They are
/// along the axes: in others rounding would let them slide around each other.
fn disordered_rows(rows: usize) -> usize {
    let mut rng = Rng::with_seed(5);
    let row = |number: usize| {
        let direction = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y][number % 4];
        let position = Vec2::new((number % 40) as f32, (number / 40) as f32) * 600.0;
        random_row(&mut rng, position, direction)
    };
    let runners: Vec<[Vec2; 2]> = (0..rows).flat_map(row).collect();
    let found = ends(&runners);
    let is_disordered = |(row, found): (&[[Vec2; 2]], &[Vec2])| {
        let direction = (row[1][0] - row[0][0]).normalize();
        let mut neighbors = found.windows(2);
        neighbors.any(|pair| (pair[1] - pair[0]).dot(direction) < 1.9)
    };
    let rows = runners.chunks(10).zip(found.chunks(10));
    rows.filter(|row| is_disordered(*row)).count()
}

#[test]
fn ten_in_a_row_keep_their_order() {
    assert_eq!(disordered_rows(1000), 0);
}

/// The greatest depth of two movers of radius 1 in each other, if each moves straight and stops at
/// its end.
fn deepest([p, q]: [&[Vec2; 2]; 2], ends: [Vec2; 2]) -> f32 {
    let position_at = |[start, displacement]: &[Vec2; 2], end: Vec2, time: f32| {
        start + (displacement * time).clamp_length_max(end.distance(*start))
    };
    let apart = |step: u32| {
        let time = step as f32 / 500.0;
        position_at(p, ends[0], time).distance(position_at(q, ends[1], time))
    };
    2.0 - (0..=500).map(apart).fold(f32::INFINITY, f32::min)
}

#[test]
fn nobody_in_a_fast_crowd_passes_through_another() {
    let mut rng = Rng::with_seed(1);
    let mut stopped = 0;
    for _ in 0..40 {
        let speed = 10f32.powf(0.5 + 2.0 * rng.f32());
        let positions = (0..100).map(|i| Vec2::new((i % 10) as f32, (i / 10) as f32) * 6.0);
        let runners: Vec<[Vec2; 2]> = positions
            .map(|position| {
                let jitter = Vec2::new(rng.f32(), rng.f32()) * 3.0;
                let displacement = Vec2::from_angle(rng.f32() * 6.3) * speed * rng.f32();
                [position + jitter, displacement]
            })
            .collect();
        let mut app = test_app();
        let entities: Vec<Entity> = runners
            .iter()
            .map(|&[start, displacement]| {
                let entity = runner(&mut app, start, displacement, ());
                app.world_mut().get_mut::<Mover>(entity).unwrap().response = MoverResponse::Stop;
                entity
            })
            .collect();
        app.update();
        let ends: Vec<Vec2> = entities.iter().map(|&e| global_position(&app, e)).collect();
        for (i, p) in runners.iter().enumerate() {
            stopped += usize::from(ends[i].distance(p[0]) < 0.9 * p[1].length());
            for (j, q) in runners.iter().enumerate().skip(i + 1) {
                let depth = deepest([p, q], [ends[i], ends[j]]);
                assert!(
                    depth < 1.5,
                    "{depth} deep: {p:?} to {} and {q:?} to {}",
                    ends[i],
                    ends[j]
                );
            }
        }
    }
    println!("{stopped} stopped");
    assert!(stopped > 1000, "{stopped}");
}
