//! Corner correction: jumps get around the edges of ceilings.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Body, Course, each_body_and_rate};

const CORRECTION: f32 = 4.0;

fn corrected() -> Walker {
    Walker {
        corner_correction: CORRECTION,
        ..default()
    }
}

/// A walker in the air at the origin that rises below a block. The block begins `overlap` units
/// inside the walker's box, to its right or, if negative, to its left.
fn below_block(hertz: f64, body: &Shape, walker: Walker, overlap: f32) -> Course {
    let mut course = Course::at_rate(hertz, body, Vec2::ZERO, walker);
    course.gravity = 0.0;
    let side = overlap.signum();
    course.block([side * (6.0 - overlap.abs() + 50.0), 30.0], [100.0, 10.0]);
    course.jump(300.0);
    course
}

/// Heads that are not flat also slide around the edge of a block, and lose a little height.
fn is_flat(body: &Shape) -> bool {
    matches!(body, Shape::Rect { .. })
}

#[test]
fn a_head_that_only_just_hits_a_block_gets_around_it() {
    for (number, overlap) in [0.5, 2.0, -2.0, -3.9].into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, name| {
            let mut course = below_block(hertz, body, corrected(), overlap);
            let steps = (hertz / 5.0) as usize;
            for step in 0..steps {
                let predicted = course.predict();
                let before = course.position();
                course.step();
                let moved = course.position() - before;
                assert!(
                    moved.distance(predicted.displacement) < 1e-4,
                    "{name}, {overlap}, step {step}"
                );
            }
            let end = course.position();
            let needed = -overlap.signum() * (overlap.abs() + 0.02);
            assert!((end.x - needed).abs() < 0.03, "{name}, {overlap}: {end}");
            let rise = 300.0 * steps as f32 * course.seconds;
            let loss = if is_flat(body) { 0.001 } else { 0.5 };
            assert!((end.y - rise).abs() < loss, "{name}, {overlap}: {end}");
            assert_eq!(course.velocity(), Vec2::Y * 300.0, "{name}, {overlap}");
        });
    }
}

#[test]
fn a_head_that_hits_more_or_has_no_room_beside_is_stopped() {
    each_body_and_rate(0, |body, hertz, name| {
        for (overlap, wall) in [(5.9, false), (-5.9, false), (2.0, true)] {
            let mut course = below_block(hertz, body, corrected(), overlap);
            if wall {
                course.block([-13.0, 0.0], [10.0, 200.0]);
            }
            course.steps((hertz / 5.0) as usize);
            let end = course.position();
            if is_flat(body) || wall {
                assert!(end.y < 26.0, "{name}, {overlap}: {end}");
            }
            assert!(!is_flat(body) || end.x.abs() < 0.01, "{name}: {end}");
        }
    });
}

#[test]
fn without_the_number_a_ceiling_stops_the_jump() {
    each_body_and_rate(1, |body, hertz, name| {
        let mut course = below_block(hertz, body, Walker::default(), 5.0);
        course.steps((hertz / 5.0) as usize);
        let end = course.position();
        let is_stopped = end.x.abs() < 0.01 && end.y < 26.0;
        assert!(is_stopped || !is_flat(body), "{name}: {end}");
    });
}

#[test]
fn a_walker_is_not_shifted_against_its_velocity() {
    each_body_and_rate(2, |body, hertz, name| {
        for (speed, gets_around) in [(-30.0, true), (30.0, false)] {
            let mut course = below_block(hertz, body, corrected(), 2.0);
            course.speed = speed;
            course.steps((hertz / 5.0) as usize);
            let end = course.position();
            assert_eq!(end.y > 55.0, gets_around, "{name} at {speed}: {end}");
        }
    });
}

/// A walker that rises for a fifth of a second, where `walls` are.
fn rise(hertz: f64, body: &Shape, correction: f32, walls: &[Shape]) -> Course {
    let walker = Walker {
        corner_correction: correction,
        ..default()
    };
    let mut course = Course::at_rate(hertz, body, Vec2::ZERO, walker);
    course.gravity = 0.0;
    for wall in walls {
        course.wall(wall.clone());
    }
    course.jump(300.0);
    course.steps((hertz / 5.0) as usize);
    course
}

fn block(center: [f32; 2], size: [f32; 2]) -> Shape {
    Shape::rect(center.into(), size.into(), Rot2::IDENTITY)
}

#[test]
fn a_walker_gets_into_a_gap_that_it_hits_beside() {
    let gap =
        |center: f32| [-1.0, 1.0].map(|side| block([center + side * 57.0, 70.0], [100.0, 90.0]));
    for (number, offset) in [0.5, -1.5, 2.5, 4.5].into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, name| {
            // The gap is 14 wide, so that the walker has 1 unit on either side of it.
            let course = rise(hertz, body, CORRECTION, &gap(offset));
            let end = course.position();
            assert!(end.y > 55.0, "{name}, {offset}: {end}");
            let shift = (offset.abs() - 0.98).max(0.0) * offset.signum();
            let is_near = (end.x - shift).abs() < 0.03;
            assert!(is_near || !is_flat(body), "{name}, {offset}: {end}");
            assert!((end.x - offset).abs() < 1.0, "{name}, {offset}: {end}");
        });
    }
}

#[test]
fn a_slanted_or_round_ceiling_shifts_nobody() {
    let slant = |degrees: f32| {
        Shape::rect(
            Vec2::new(0.0, 60.0),
            Vec2::new(1000.0, 20.0),
            Rot2::degrees(degrees),
        )
    };
    let ceilings = [
        slant(10.0),
        slant(-20.0),
        Shape::circle(Vec2::new(-10.0, 80.0), 50.0),
    ];
    for (number, ceiling) in ceilings.into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, name| {
            let walls = [ceiling.clone()];
            let [with, without] = [CORRECTION, 0.0]
                .map(|correction| rise(hertz, body, correction, &walls).position());
            assert_eq!(with, without, "{name}, ceiling {number}");
        });
    }
}

#[test]
fn a_thin_block_is_gotten_around_and_is_not_hit() {
    for (number, thickness) in [0.1, 2.0, 40.0].into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, name| {
            let wall = block([54.0, 25.0 + thickness / 2.0], [100.0, thickness]);
            let mut course = rise(hertz, body, CORRECTION, &[]);
            course.transform(course.walker).translation = Vec3::ZERO;
            let wall = course.wall(wall);
            course.jump(300.0);
            for _ in 0..(hertz / 5.0) as usize {
                course.step();
                assert!(!course.is_hit_by(wall), "{name}, {thickness}");
            }
            let end = course.position();
            assert!(
                (end.x + 2.02).abs() < 0.03 && end.y > 55.0,
                "{name}, {thickness}: {end}"
            );
        });
    }
}

#[test]
fn a_walker_is_shifted_where_it_can_rise_and_no_farther_than_the_number() {
    let body = block([0.0, 0.0], [12.0, 12.0]);
    // A second block higher up, beside the first one.
    let low = block([54.0, 30.0], [100.0, 10.0]);
    let high = block([-53.0, 33.0], [100.0, 10.0]);
    let stopped = rise(60.0, &body, CORRECTION, &[low.clone(), high]).position();
    assert!(stopped.x == 0.0 && stopped.y < 19.0, "{stopped}");
    for (correction, gets_around) in [(2.0, false), (2.1, true), (1e7, true), (1e30, true)] {
        let end = rise(60.0, &body, correction, std::slice::from_ref(&low)).position();
        assert_eq!(end.y > 50.0, gets_around, "{correction}: {end}");
        assert!((-2.05..=0.0).contains(&end.x), "{correction}: {end}");
    }
    // Of two ends of a block, the nearer one.
    let narrow = block([1.0, 30.0], [6.0, 10.0]);
    let end = rise(60.0, &body, 1e7, &[narrow]).position();
    assert!((end.x + 8.02).abs() < 0.03, "{end}");
}

#[test]
fn a_ceiling_of_tiles_or_one_that_blocks_from_below_alone_is_gotten_around() {
    let body = block([0.0, 0.0], [12.0, 12.0]);
    for is_one_way in [false, true] {
        let mut course = Course::new(&body, Vec2::ZERO, corrected());
        course.gravity = 0.0;
        let at = Transform::from_xyz(4.0 + 24.0, 30.0, 0.0);
        let ceiling = (
            TileCollider::from_rows(["#".repeat(12)], Vec2::splat(4.0)),
            Solid,
            at,
        );
        let ceiling = course.app.world_mut().spawn(ceiling).id();
        if is_one_way {
            let down = OneWay(Dir2::NEG_Y);
            course.app.world_mut().entity_mut(ceiling).insert(down);
        }
        course.jump(300.0);
        course.steps(12);
        let end = course.position();
        assert!(
            (end.x + 2.02).abs() < 0.03 && end.y > 55.0,
            "{is_one_way}: {end}"
        );
    }
}

#[test]
fn a_jump_along_any_direction_is_corrected_to_either_side() {
    for number in 0..32 {
        let turn = Rot2::radians(number as f32 * 0.2);
        for side in [-1.0, 1.0] {
            let walker = Walker {
                up: turn * Dir2::Y,
                ..corrected()
            };
            let body = Shape::circle(Vec2::ZERO, 6.0);
            let mut course = Course::new(&body, Vec2::ZERO, walker);
            course.gravity = 0.0;
            course.wall(Shape::rect(
                turn * Vec2::new(side * 54.0, 30.0),
                Vec2::new(100.0, 10.0),
                turn,
            ));
            course.mover().velocity = turn * Vec2::Y * 300.0;
            course.steps(12);
            let end = turn.inverse() * course.position();
            assert!(
                end.distance(Vec2::new(-side * 2.02, 60.0)) < 0.1,
                "{number}, {side}: {end}"
            );
        }
    }
}

#[test]
fn a_correction_turns_with_up_and_takes_the_nearer_side() {
    // A block that is 6 wide, above a walker that is 12 wide, and a little to its left.
    let body = Shape::rect(Vec2::ZERO, Vec2::splat(12.0), Rot2::IDENTITY);
    for up in [Dir2::X, Dir2::NEG_X, Dir2::Y, Dir2::NEG_Y] {
        let walker = Walker {
            up,
            corner_correction: 12.0,
            ..default()
        };
        let mut course = Course::new(&body, Vec2::ZERO, walker);
        course.gravity = 0.0;
        let (up, right) = (*up, -up.perp());
        let block = Shape::rect(up * 30.0 - right, Vec2::splat(6.0), Rot2::IDENTITY);
        course.app.world_mut().spawn((Body(block), Solid));
        course.mover().velocity = up * 300.0;
        course.steps(12);
        let end = course.position();
        assert!((end.dot(right) - 8.02).abs() < 0.03, "up {up}: {end}");
        assert!((end.dot(up) - 60.0).abs() < 0.1, "up {up}: {end}");
    }
}
