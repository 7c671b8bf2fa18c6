//! What happens in a level is the same if the game moves all of the level.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// By how much a level moves in each update, and turns, in radians.
#[derive(Clone, Copy, Debug)]
struct LevelMotion(Vec2, f32);

const AT_REST: LevelMotion = LevelMotion(Vec2::ZERO, 0.0);

const SHIFTED: [LevelMotion; 4] = [
    LevelMotion(Vec2::new(7.0, 3.0), 0.0),
    LevelMotion(Vec2::new(-60.0, 1.0), 0.0),
    LevelMotion(Vec2::new(0.0, 5.0), 0.0),
    LevelMotion(Vec2::new(0.0, -5.0), 0.0),
];

const TURNED: [LevelMotion; 2] = [
    LevelMotion(Vec2::ZERO, 0.3),
    LevelMotion(Vec2::new(10.0, -20.0), -1.0),
];

/// A wall or sensor of a level that the game moves by a displacement in each update, and who else
/// is there.
type Members = [Entity; 2];

/// A level within a world, with its members, after its first update.
fn level(fill: impl Fn(&mut App, Entity) -> Members) -> (App, Entity, Members) {
    let mut app = test_app();
    let world = spawn(&mut app, at(3.0, 4.0));
    let level = spawn(&mut app, (at(0.0, 0.0), ChildOf(world)));
    let members = fill(&mut app, level);
    app.update();
    (app, level, members)
}

/// Moves the level, and its first member in it. Returns the events.
fn advance(
    app: &mut App,
    level: Entity,
    LevelMotion(step, turn): LevelMotion,
    (member, member_step): (Entity, Vec2),
) -> Vec<Brief> {
    let mut transform = app.world_mut().get_mut::<Transform>(level).unwrap();
    transform.translation += step.extend(0.0);
    transform.rotate_z(turn);
    let mut transform = app.world_mut().get_mut::<Transform>(member).unwrap();
    transform.translation += member_step.extend(0.0);
    brief_step(app)
}

/// Where the second member is in the level after each of six updates.
fn positions(
    fill: impl Fn(&mut App, Entity) -> Members,
    motion: LevelMotion,
    wall_step: Vec2,
) -> Vec<Vec2> {
    let (mut app, level, [wall, mover]) = level(fill);
    let position = |_| {
        advance(&mut app, level, motion, (wall, wall_step));
        local_position(&app, mover)
    };
    (0..6).map(position).collect()
}

fn assert_the_same_if_the_level_moves(
    fill: impl Fn(&mut App, Entity) -> Members,
    motions: impl IntoIterator<Item = LevelMotion>,
    wall_step: Vec2,
    expected_end: Vec2,
) {
    let expected = positions(&fill, AT_REST, wall_step);
    assert!(expected[5].distance(expected_end) < 0.1, "{}", expected[5]);
    for motion in motions {
        let positions = positions(&fill, motion, wall_step);
        for (update, (position, expected)) in positions.iter().zip(&expected).enumerate() {
            let off = position.distance(*expected);
            assert!(
                off < 0.01,
                "{motion:?}, {update}: {position}, not {expected}"
            );
        }
    }
}

#[test]
fn a_thin_fast_wall_of_a_level_takes_its_movers_along() {
    let fill = |app: &mut App, level| {
        let board = (RectCollider::new(0.1, 40.0), Solid, Swept, at(-60.0, 0.0));
        let mover = (CircleCollider::new(1.0), Mover::default(), at(0.0, 0.0));
        [
            spawn(app, (board, ChildOf(level))),
            spawn(app, (mover, ChildOf(level))),
        ]
    };
    let motions = SHIFTED.into_iter().chain(TURNED);
    assert_the_same_if_the_level_moves(fill, motions, Vec2::X * 25.0, Vec2::new(91.07, 0.0));
}

#[test]
fn a_mover_stays_on_a_one_way_plank_of_its_level() {
    let fill = |app: &mut App, level| {
        let plank = (RectCollider::new(90.0, 1.0), Solid, OneWay(Dir2::Y));
        let falling = Mover::with_velocity(per_step(0.0, -2.0));
        let mover = (CircleCollider::new(1.0), falling, at(0.0, 4.0));
        [
            spawn(app, (plank, ChildOf(level))),
            spawn(app, (mover, ChildOf(level))),
        ]
    };
    for rise in [0.0, 1.0] {
        let end = Vec2::new(0.0, 1.52 + 6.0 * rise);
        assert_the_same_if_the_level_moves(fill, SHIFTED, Vec2::Y * rise, end);
    }
}

#[test]
fn a_swept_sensor_of_a_level_reports_what_it_crosses_in_the_level() {
    let fill = |app: &mut App, level| {
        // What it would cross in the world as the level moves.
        for LevelMotion(step, _) in SHIFTED {
            let behind = -step;
            spawn(app, (ball(behind.x, behind.y), ChildOf(level)));
        }
        let sensor = (ball(0.0, 0.0), Swept, ChildOf(level));
        let passed = (ball(10.0, 0.0), ChildOf(level));
        [spawn(app, sensor), spawn(app, passed)]
    };
    for motion in [AT_REST].into_iter().chain(SHIFTED).chain(TURNED) {
        let (mut app, level, [sensor, passed]) = level(fill);
        let events = advance(&mut app, level, motion, (sensor, Vec2::ZERO));
        assert_eq!(events, [], "{motion:?}, at rest in the level");
        let events = advance(&mut app, level, motion, (sensor, Vec2::X * 25.0));
        let [p, q] = [sensor.min(passed), sensor.max(passed)];
        let crossed = [started(p, q), ended(p, q, CollisionEndReason::Separated)];
        assert_eq!(events, crossed, "{motion:?}");
    }
}
