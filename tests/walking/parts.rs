//! Movers with parts, which pass what single colliders pass.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud::{Reason, prelude::*};

use crate::course::{Body, Course, bodies};

/// Adds a part to the walker.
fn add_child(course: &mut Course, shape: Shape) -> Entity {
    let child = (Body(shape), MoverPart, ChildOf(course.walker));
    course.app.world_mut().spawn(child).id()
}

/// Two halves of a box, as a mover and a part of it.
fn halves() -> [Shape; 2] {
    [-3.0, 3.0].map(|x| {
        let center = Vec2::new(x, 0.0);
        Shape::rect(center, Vec2::new(6.0, 12.0), Rot2::IDENTITY)
    })
}

/// A world with slopes, a step and a wall. Returns where a walker comes that walks to the right.
fn path(mut course: Course) -> Vec<Vec2> {
    course.block([-50.0, -10.0], [100.0, 20.0]);
    course.outline([[0.0, -20.0], [60.0, -20.0], [60.0, 20.0], [0.0, 0.0]]);
    course.block([110.0, 0.0], [100.0, 40.0]);
    course.block([180.0, 2.0], [40.0, 40.0]);
    course.block([220.0, 50.0], [40.0, 200.0]);
    course.speed = 60.0;
    (0..400)
        .map(|_| {
            course.step();
            course.position()
        })
        .collect()
}

#[test]
fn a_walker_of_two_halves_walks_as_a_whole_one() {
    let walker = Walker {
        step_height: 4.0,
        ..default()
    };
    let start = Vec2::new(-60.0, 6.1);
    let whole = Shape::rect(Vec2::ZERO, Vec2::splat(12.0), Rot2::IDENTITY);
    let expected = path(Course::new(&whole, start, walker.clone()));
    let [own, child] = halves();
    let mut course = Course::new(&own, start, walker);
    add_child(&mut course, child);
    for (number, (found, expected)) in path(course).into_iter().zip(&expected).enumerate() {
        assert!(
            found.distance(*expected) < 0.05,
            "{number}: {found} {expected}"
        );
    }
    let end = expected.last().unwrap();
    assert!((end.x - 193.98).abs() < 0.1, "{end}");
}

#[test]
fn a_gun_does_not_reach_through_walls() {
    for (name, body) in bodies() {
        for speed in [60.0, 6000.0] {
            for is_part in [true, false] {
                let mut course = Course::new(&body, Vec2::ZERO, Walker::default());
                let tank = course.walker;
                course.app.world_mut().entity_mut(tank).remove::<Walker>();
                let wall = course.block([150.0, 0.0], [4.0, 400.0]);
                let gun = Shape::capsule(Vec2::ZERO, Vec2::X * 20.0, 2.0);
                let gun = add_child(&mut course, gun);
                if !is_part {
                    course.app.world_mut().entity_mut(gun).remove::<MoverPart>();
                }
                for _ in 0..180 {
                    course.mover().velocity = Vec2::X * speed;
                    course.app.update();
                }
                let reach = if is_part { 22.0 } else { 6.0 };
                let x = course.position().x;
                let case = format!("{name} at {speed}, part {is_part}: {x}");
                assert!((x - (148.0 - reach)).abs() < 0.1, "{case}");
                let hits: &MoverHits = course.get();
                assert_eq!(hits.len(), 1, "{case}");
                let explain =
                    move |collisions: Collisions| collisions.explain(gun, wall).b_blocks_a();
                let found = course.app.world_mut().run_system_once(explain).unwrap();
                let expected = if is_part {
                    Ok(())
                } else {
                    Err(Reason::NoMover)
                };
                assert_eq!(found, expected, "{case}");
            }
        }
    }
}

#[test]
fn what_turns_a_part_into_a_wall_moves_its_mover_away() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::ZERO, Walker::default());
        let tank = course.walker;
        course.app.world_mut().entity_mut(tank).remove::<Walker>();
        course.block([40.0, 0.0], [40.0, 400.0]);
        let gun = Shape::capsule(Vec2::ZERO, Vec2::X * 30.0, 2.0);
        let gun = add_child(&mut course, gun);
        course.transform(gun).rotation = Quat::from_rotation_z(1.6);
        for step in 0..60 {
            let angle = 1.6 * (1.0 - step as f32 / 59.0);
            course.transform(gun).rotation = Quat::from_rotation_z(angle);
            course.app.update();
        }
        let x = course.position().x;
        assert!((x + 12.02).abs() < 0.05, "{name}: {x}");
        assert!(!course.get::<MoverHits>().is_crushed(), "{name}");
    }
}

#[test]
fn movers_are_separated_from_parts_by_weight() {
    let mut course = Course::new(&halves()[0], Vec2::ZERO, Walker::default());
    let tank = course.walker;
    course.app.world_mut().entity_mut(tank).remove::<Walker>();
    course.app.world_mut().entity_mut(tank).insert(Solid);
    let child = add_child(&mut course, halves()[1].clone());
    course.app.world_mut().entity_mut(child).insert(Solid);
    let other = (
        CircleCollider::new(6.0),
        Mover::default(),
        Solid,
        Transform::from_xyz(10.0, 0.0, 0.0),
    );
    let other = course.app.world_mut().spawn(other).id();
    course.app.update();
    let ends = [course.position().x, course.position_of(other).x];
    assert!((ends[1] - ends[0] - 12.02).abs() < 0.01, "{ends:?}");
    assert!((ends[0] + 1.01).abs() < 0.02, "{ends:?}");
}

#[test]
fn a_collider_may_consist_of_several_shapes() {
    // A table: a walker walks below it, and on it.
    let legs = [-40.0, 40.0]
        .map(|x| Shape::rect(Vec2::new(x, 15.0), Vec2::new(4.0, 30.0), Rot2::IDENTITY));
    let top = Shape::rect(Vec2::new(0.0, 32.0), Vec2::new(100.0, 4.0), Rot2::IDENTITY);
    let table = Shape::compound([legs[0].clone(), legs[1].clone(), top]);
    for (name, body) in bodies() {
        for (y, expected, end) in [(6.1, 6.02, 31.98), (40.1, 40.02, 120.0)] {
            let mut course = Course::new(&body, Vec2::new(-20.0, y), Walker::default());
            course.block([0.0, -10.0], [1000.0, 20.0]);
            course.wall(table.clone());
            course.settle();
            assert!((course.position().y - expected).abs() < 0.03, "{name}");
            course.speed = 60.0;
            course.steps(160);
            let x = course.position().x;
            assert!((x - end).abs() < 22.0, "{name}: {x}");
            assert_eq!(x < 40.0, y < 10.0, "{name}: {x}");
        }
    }
}
