//! `Swept` walls push movers, however fast and thin the walls are.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::{geometry::separation, prelude::*};
use fastrand::Rng;

use crate::common::*;

/// A thin wall across the x axis, at `x`.
fn board(x: f32) -> impl Bundle {
    (RectCollider::new(0.1, 40.0), Solid, at(x, 0.0))
}

fn moved_by(app: &mut App, entity: Entity, step: Vec2) {
    let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
    transform.translation += step.extend(0.0);
}

fn mover_at_rest(app: &mut App, kind: Kind) -> Entity {
    let mover = spawn(app, (Mover::default(), at(0.0, 0.0)));
    kind.insert(app, mover, Vec2::new(2.0, 1.0));
    mover
}

/// A mover at rest at the origin and a swept board to its left, after an update.
fn board_and_mover(kind: Kind) -> (App, [Entity; 2]) {
    let mut app = test_app();
    let wall = spawn(&mut app, (board(-10.0), Swept));
    let mover = mover_at_rest(&mut app, kind);
    app.update();
    (app, [wall, mover])
}

fn push(app: &mut App, wall: Entity, step: Vec2) {
    moved_by(app, wall, step);
    app.update();
}

/// Whether the wall at `x` touches the mover that was pushed to its right.
fn is_before(app: &App, mover: Entity, x: f32) -> bool {
    let aabb = shape_of(app, mover).aabb();
    (aabb.min.x - (x + 0.05)).abs() < 2.0 * tolerance(200.0)
}

#[test]
fn a_thin_wall_takes_any_mover_along() {
    for kind in Kind::ALL {
        let (mut app, [wall, mover]) = board_and_mover(kind);
        for run in 1..=3u8 {
            push(&mut app, wall, Vec2::X * 50.0);
            let x = -10.0 + 50.0 * f32::from(run);
            assert!(
                is_before(&app, mover, x),
                "{kind:?} {:?}",
                shape_of(&app, mover)
            );
        }
        push(&mut app, wall, Vec2::X * -50.0);
        assert!(
            is_before(&app, mover, 140.0),
            "{kind:?}: it is not pulled back"
        );
    }
}

#[test]
fn without_swept_a_wall_is_put_down_elsewhere() {
    let mut app = test_app();
    let wall = spawn(&mut app, board(-10.0));
    let mover = mover_at_rest(&mut app, Kind::Circle);
    app.update();
    push(&mut app, wall, Vec2::X * 50.0);
    assert_eq!(shape_of(&app, mover).center(), Vec2::ZERO);
}

#[test]
fn a_teleported_wall_and_one_that_does_not_block_push_nothing() {
    let (mut app, [wall, mover]) = board_and_mover(Kind::Circle);
    let sensor = spawn(
        &mut app,
        (RectCollider::new(0.1, 40.0), Swept, at(-12.0, 0.0)),
    );
    app.update();
    for entity in [wall, sensor] {
        moved_by(&mut app, entity, Vec2::X * 50.0);
    }
    app.world_mut()
        .resource_mut::<CollisionState>()
        .teleport(wall);
    app.update();
    assert_eq!(shape_of(&app, mover).center(), Vec2::ZERO);
}

#[test]
fn a_mover_that_is_faster_than_the_wall_gets_as_far_as_without_it() {
    for (speed, expected) in [(30.0, None), (70.0, Some(70.0)), (-20.0, None)] {
        let (mut app, [wall, mover]) = board_and_mover(Kind::Circle);
        app.world_mut()
            .get_mut::<Mover>(mover)
            .unwrap()
            .displacement = Vec2::X * speed;
        push(&mut app, wall, Vec2::X * 50.0);
        match expected {
            Some(x) => assert!(
                (shape_of(&app, mover).center().x - x).abs() < 0.1,
                "{speed}"
            ),
            None => assert!(is_before(&app, mover, 40.0), "{speed}"),
        }
    }
}

#[test]
fn what_is_pushed_slides_along_other_walls() {
    let mut app = test_app();
    let wall = spawn(&mut app, (board(-10.0), Swept));
    let mover = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    // A ramp that rises by 30 degrees from below the mover.
    let slope = Vec2::from_angle(30f32.to_radians());
    let center = slope * 20.0 + slope.perp() * -(1.0 + 0.5 + 0.02);
    spawn(
        &mut app,
        (
            RectCollider::new(100.0, 1.0),
            Solid,
            rotated(center, slope.to_angle()),
        ),
    );
    app.update();
    push(&mut app, wall, Vec2::X * 20.0);
    assert!(
        is_before(&app, mover, 10.0),
        "{:?}",
        shape_of(&app, mover).center()
    );
    let position = shape_of(&app, mover).center();
    assert!(
        (position.dot(slope.perp())).abs() < 0.1,
        "{position} is not on the ramp"
    );
}

#[test]
fn a_round_wall_pushes_aside() {
    let mut app = test_app();
    let wall = spawn(&mut app, (ball(-10.0, 0.3), Solid, Swept));
    let mover = mover_at_rest(&mut app, Kind::Circle);
    app.update();
    push(&mut app, wall, Vec2::X * 100.0);
    let distance = separation(&shape_of(&app, mover), &shape_of(&app, wall)).distance;
    assert!(
        distance > 0.0 && shape_of(&app, mover).center().y < 0.0,
        "{distance} {}",
        shape_of(&app, mover).center()
    );
}

#[test]
fn one_way_walls_push_with_the_side_that_blocks() {
    for (direction, is_pushed) in [(Dir2::X, true), (Dir2::NEG_X, false)] {
        let mut app = test_app();
        let wall = spawn(&mut app, (board(-10.0), Swept, OneWay(direction)));
        let mover = mover_at_rest(&mut app, Kind::Rect);
        app.update();
        push(&mut app, wall, Vec2::X * 50.0);
        assert_eq!(
            is_before(&app, mover, 40.0),
            is_pushed,
            "{:?}",
            shape_of(&app, mover).center()
        );
    }
}

#[test]
fn a_press_crushes_what_it_closes_on() {
    let mut app = test_app();
    let press = spawn(
        &mut app,
        (RectCollider::new(40.0, 40.0), Solid, Swept, at(-30.0, 0.0)),
    );
    spawn(
        &mut app,
        (RectCollider::new(40.0, 40.0), Solid, at(30.0, 0.0)),
    );
    let mover = mover_at_rest(&mut app, Kind::Circle);
    app.update();
    push(&mut app, press, Vec2::X * 19.0);
    assert!(is_crushed(&app, mover));
}

#[test]
fn where_there_is_no_room_even_a_thin_wall_crushes() {
    let (mut app, [wall, mover]) = board_and_mover(Kind::Circle);
    let rest = spawn(
        &mut app,
        (RectCollider::new(40.0, 40.0), Solid, at(30.0, 0.0)),
    );
    app.update();
    push(&mut app, wall, Vec2::X * 50.0);
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    assert!(hits.is_crushed());
    let is_hit = |blocker: Entity| hits.iter().any(|hit| hit.blocker == blocker);
    assert!(hits.len() == 2 && is_hit(wall) && is_hit(rest), "{hits:?}");
    assert!((shape_of(&app, mover).center().x - 9.0).abs() < 0.1);
}

#[test]
fn a_pushed_mover_collides_with_what_is_on_its_path() {
    let (mut app, [wall, mover]) = board_and_mover(Kind::Circle);
    let sensor = spawn(&mut app, (RectCollider::new(1.0, 4.0), at(20.0, 0.0)));
    app.update();
    record_events(&mut app);
    step(&mut app);
    moved_by(&mut app, wall, Vec2::X * 50.0);
    let events = brief_step(&mut app);
    let separated = ended(
        mover.min(sensor),
        mover.max(sensor),
        CollisionEndReason::Separated,
    );
    assert!(
        events.contains(&started(mover, sensor)) && events.contains(&separated),
        "{events:?}"
    );
    assert!(events.contains(&started(wall, mover)), "{events:?}");
}

#[test]
fn a_row_of_tiles_does_not_hold_what_is_pushed_along_it() {
    for kind in Kind::ALL {
        let mut app = test_app();
        let wall = spawn(&mut app, (board(-10.0), Swept));
        let mover = mover_at_rest(&mut app, kind);
        let under = shape_of(&app, mover).aabb().min.y - 0.02 - 1.5;
        for number in 0..60u8 {
            let transform = at(3.0 * f32::from(number) - 9.0, under);
            spawn(&mut app, (RectCollider::new(3.0, 3.0), Solid, transform));
        }
        app.update();
        for _ in 0..3 {
            // Into the floor as well.
            push(&mut app, wall, Vec2::new(33.7, -1.0));
        }
        let x = -10.0 + 3.0 * 33.7;
        assert!(
            is_before(&app, mover, x),
            "{kind:?} {:?}",
            shape_of(&app, mover)
        );
        assert!(!is_crushed(&app, mover), "{kind:?}");
    }
}

#[test]
fn who_rides_along_is_not_pushed() {
    let mut app = test_app();
    let room = spawn(&mut app, at(0.0, 0.0));
    for x in [-10.0, 10.0] {
        spawn(&mut app, (board(x), Swept, ChildOf(room)));
    }
    let mover = mover_at_rest(&mut app, Kind::Circle);
    app.world_mut().entity_mut(mover).insert(ChildOf(room));
    app.update();
    push(&mut app, room, Vec2::X * 50.0);
    assert_eq!(shape_of(&app, mover).center(), Vec2::ZERO, "in the room");
}

#[test]
fn the_last_moment_of_a_long_path_counts() {
    let mut app = test_app();
    let wall = spawn(&mut app, (board(-9999.5), Swept));
    let mover = spawn(
        &mut app,
        (CircleCollider::new(0.3), Mover::default(), at(0.0, 0.0)),
    );
    app.update();
    push(&mut app, wall, Vec2::X * 10_000.0);
    assert!(is_before(&app, mover, 0.5), "{:?}", shape_of(&app, mover));
}

/// A closed ring of thin walls that jumps around, all walls together.
fn assert_jumping_rooms_keep_movers(trials: u32) {
    let mut rng = Rng::with_seed(3);
    for trial in 0..trials {
        let mut app = test_app();
        let sides = rng.u8(3..9);
        let turn = rng.f32() * TAU;
        let walls: Vec<Entity> = (0..sides)
            .map(|side| {
                let angle = turn + TAU * f32::from(side) / f32::from(sides);
                let transform = rotated(Vec2::from_angle(angle) * 10.0, angle);
                let wall = (RectCollider::new(0.1, 50.0), Solid, Swept, transform);
                spawn(&mut app, wall)
            })
            .collect();
        let kind = Kind::any(&mut rng);
        let mover = mover_at_rest(&mut app, kind);
        app.update();
        let mut center = Vec2::ZERO;
        for run in 0..20 {
            let step = Vec2::from_angle(rng.f32() * TAU) * 10f32.powf(4.0 * rng.f32() - 1.0);
            center += step;
            for &wall in &walls {
                moved_by(&mut app, wall, step);
            }
            let velocity = Vec2::from_angle(rng.f32() * TAU) * 1000.0 * rng.f32();
            app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = velocity;
            app.update();
            let shape = shape_of(&app, mover);
            for side in 0..sides {
                let normal = Vec2::from_angle(turn + TAU * f32::from(side) / f32::from(sides));
                let distance = normal.dot(shape.center() - center);
                assert!(
                    distance < 10.0,
                    "trial {trial}, run {run}, {kind:?}: {distance} to side {side} of {sides} \
                    after {step}"
                );
            }
        }
    }
}

#[test]
fn a_room_that_jumps_about_keeps_who_is_in_it() {
    assert_jumping_rooms_keep_movers(60);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn three_hundred_rooms_that_jump_about_keep_who_is_in_them() {
    assert_jumping_rooms_keep_movers(300);
}

/// The end of a mover that a board pushes by 20 units in this many updates, past two other walls,
/// or `None` if it is crushed.
fn pushed_in(runs: u16, seed: u64) -> Option<Vec2> {
    let mut rng = Rng::with_seed(seed);
    let mut app = test_app();
    let transform = rotated(Vec2::X * -6.0, 2.0 * rng.f32() - 1.0);
    let board = (RectCollider::new(0.1, 60.0), Solid, Swept, transform);
    let board = spawn(&mut app, board);
    let kind = Kind::any(&mut rng);
    let mover = mover_at_rest(&mut app, kind);
    for _ in 0..2 {
        let center = Vec2::new(3.0 + 15.0 * rng.f32(), 24.0 * rng.f32() - 12.0);
        let size = Vec2::new(1.0 + 10.0 * rng.f32(), 1.0 + 10.0 * rng.f32());
        let transform = rotated(center, rng.f32() * TAU);
        spawn(
            &mut app,
            (RectCollider::new(size.x, size.y), Solid, transform),
        );
    }
    app.update();
    let step = 20.0 / f32::from(runs);
    for _ in 0..runs {
        let before = shape_of(&app, mover).center();
        push(&mut app, board, Vec2::X * step);
        let gone = shape_of(&app, mover).center().distance(before);
        if app.world().get::<MoverHits>(mover)?.is_crushed() || gone > 10.0 * step {
            return None;
        }
    }
    Some(shape_of(&app, mover).center())
}

fn assert_long_pushes_end_as_short_ones(cases: u64) {
    let (mut decided, mut worst) = (0, (0.0, String::new()));
    for seed in 0..cases {
        let [Some(once), Some(slowly)] = [1, 300].map(|runs| pushed_in(runs, seed)) else {
            continue;
        };
        decided += 1;
        let off = once.distance(slowly);
        if off > worst.0 {
            worst = (off, format!("seed {seed}: {once} instead of {slowly}"));
        }
    }
    println!("{decided} decided, {worst:?}");
    assert!(4 * decided > 3 * cases, "{decided}");
    assert!(worst.0 < 0.05, "{worst:?}");
}

#[test]
fn a_long_push_ends_where_many_short_ones_do() {
    assert_long_pushes_end_as_short_ones(20);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn any_long_push_ends_where_many_short_ones_do() {
    assert_long_pushes_end_as_short_ones(120);
}

#[test]
fn a_pushed_mover_that_moves_on_ends_where_it_hits_another() {
    let mut app = test_app();
    let wall = spawn(&mut app, (board(-2.0), Swept));
    let both = [0.0, 60.0].map(|x| spawn(&mut app, (ball(x, 0.0), Solid, Mover::default())));
    app.update();
    // The wall pushes the mover for 20 units of the 60 of its motion.
    for (mover, displacement) in both.into_iter().zip([60.0, -60.0]) {
        set_velocity(&mut app, mover, Vec2::X * displacement / STEP_SECS);
    }
    push(&mut app, wall, Vec2::X * 20.0);
    let [left, right] = both.map(|mover| global_position(&app, mover).x);
    assert!(right - left > 1.9 && left > 20.0, "{left} {right}");
    assert!(
        right - left < 3.0,
        "they end where they meet: {left} {right}"
    );
}

#[test]
fn the_cell_that_crushes_a_mover_is_reported() {
    let (mut app, [wall, mover]) = board_and_mover(Kind::Circle);
    let grid = TileCollider::from_cells(1, [true; 9], Vec2::splat(4.0));
    let grid = spawn(&mut app, (grid, Solid, at(12.0, 0.0)));
    app.update();
    push(&mut app, wall, Vec2::X * 50.0);
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    let hit = hits.iter().find(|hit| hit.blocker == grid);
    assert_eq!(
        hit.and_then(|hit| hit.cell),
        Some(UVec2::new(0, 4)),
        "{hits:?}"
    );
}
