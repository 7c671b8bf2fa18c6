//! Movers that meet pushable ones, seen from above: at which speed they go on, and which velocity
//! is left.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, RATES, spawn_body, square};

/// A world seen from above, with a hero.
fn from_above(hertz: f64, body: &Shape, position: Vec2) -> Course {
    let mut course = Course::at_rate(hertz, body, position, Walker::default());
    let mover = course.walker;
    course.app.world_mut().entity_mut(mover).remove::<Walker>();
    course
}

/// A pushable square of a size.
fn spawn_crate(course: &mut Course, position: Vec2, size: f32) -> Entity {
    let at = Transform::from_translation(position.extend(0.0));
    let bundle = (RectCollider::new(size, size), Pushable, at);
    course.app.world_mut().spawn(bundle).id()
}

#[test]
fn a_dash_into_a_crate_leaves_no_velocity() {
    for hertz in RATES {
        let mut course = from_above(hertz, &square(12.0), Vec2::ZERO);
        let entity = spawn_crate(&mut course, Vec2::new(20.0, 0.0), 12.0);
        course.app.update();
        course.mover().displacement.x = 40.0;
        course.app.update();
        assert_eq!(course.velocity(), Vec2::ZERO, "{hertz} Hz");
        assert!((course.position().x - 40.0).abs() < 0.1, "{hertz} Hz");
        assert!(
            (course.position_of(entity).x - 52.0).abs() < 0.1,
            "{hertz} Hz"
        );
    }
}

#[test]
fn who_pushes_keeps_its_speed_wherever_in_an_update_the_two_meet() {
    for hertz in RATES {
        for start in 0..12 {
            let mut course = from_above(hertz, &square(16.0), Vec2::ZERO);
            let ahead = 30.0 + start as f32 * 0.73;
            let entity = spawn_crate(&mut course, Vec2::new(ahead, 0.0), 16.0);
            course.app.update();
            course.mover().velocity.x = 300.0;
            for _ in 0..hertz as usize / 2 {
                course.app.update();
            }
            let case = format!("{hertz} Hz from {ahead}");
            assert!((course.velocity().x - 300.0).abs() < 0.1, "{case}");
            let gap = course.position_of(entity).x - course.position().x - 16.0;
            assert!((0.0..0.1).contains(&gap), "{case}: {gap}");
        }
    }
}

/// Crates that a circle runs into, as positions and rotations.
fn rooms_of_crates() -> [Vec<(Vec2, f32)>; 4] {
    let tilted = |sign: f32| (Vec2::new(18.0, 9.0 * sign), 0.6 * sign);
    let grid = (0..12).map(|number| {
        let [x, y] = [number % 4, number / 4].map(|of| of as f32 * 13.0);
        (Vec2::new(16.0 + x, y - 13.0), 0.1 * number as f32)
    });
    [
        vec![tilted(1.0), tilted(-1.0)],
        vec![(Vec2::new(16.0, 4.0), 0.3)],
        vec![(Vec2::new(14.0, 7.0), 0.0), (Vec2::new(14.0, -7.0), 0.0)],
        grid.collect(),
    ]
}

#[test]
fn crates_make_nobody_faster() {
    for (number, room) in rooms_of_crates().into_iter().enumerate() {
        for hertz in [15.0, 30.0, 60.0, 240.0] {
            for is_steered in [false, true] {
                let circle = Shape::circle(Vec2::ZERO, 6.0);
                let mut course = from_above(hertz, &circle, Vec2::ZERO);
                for side in [-1.0, 1.0] {
                    course.block([40.0, 60.0 * side], [300.0, 10.0]);
                    course.block([40.0 + 150.0 * side, 0.0], [10.0, 120.0]);
                }
                for &(position, angle) in &room {
                    let entity = spawn_crate(&mut course, position, 12.0);
                    course.transform(entity).rotation = Quat::from_rotation_z(angle);
                }
                course.app.update();
                course.mover().velocity.x = 100.0;
                for step in 0..hertz as usize * 2 {
                    if is_steered {
                        course.mover().velocity = Vec2::new(100.0, 0.0);
                    }
                    let before = course.position();
                    course.app.update();
                    let case = format!("room {number} at {hertz} Hz, {is_steered}, step {step}");
                    let speed = course.velocity().length();
                    assert!(speed < 100.1, "{case}: {speed}");
                    let moved = course.position().distance(before) * hertz as f32;
                    // Corners of crates are moved around as well.
                    assert!(moved < 115.0, "{case}: {moved}");
                }
            }
        }
    }
}

#[test]
fn a_crate_that_is_pushed_at_its_part_moves() {
    for hertz in RATES {
        let mut course = from_above(hertz, &square(12.0), Vec2::ZERO);
        let entity = spawn_crate(&mut course, Vec2::new(60.0, 0.0), 12.0);
        let arm = (
            RectCollider::new(30.0, 6.0),
            MoverPart,
            Solid,
            Transform::from_xyz(-20.0, 0.0, 0.0),
        );
        course.app.world_mut().entity_mut(entity).with_child(arm);
        for _ in 0..hertz as usize {
            course.mover().velocity = Vec2::new(60.0, 0.0);
            course.app.update();
        }
        let end = course.position().x;
        assert!((end - 60.0).abs() < 0.2, "{hertz} Hz: {end}");
        let gap = course.position_of(entity).x - 35.0 - end - 6.0;
        assert!((0.0..0.1).contains(&gap), "{hertz} Hz: {gap}");
    }
}

/// Runs for a second in which the hero, of this weight, and crates with these centers and weights
/// want these speeds. Returns by how much each moved, the hero first.
fn run_weighed(hertz: f64, hero: [f32; 2], others: &[[f32; 3]]) -> Vec<f32> {
    let mut course = from_above(hertz, &square(12.0), Vec2::ZERO);
    let walker = course.walker;
    let mut movers = vec![(walker, hero[0], hero[1])];
    let world = course.app.world_mut();
    world.entity_mut(walker).insert(Pushable);
    for &[x, weight, speed] in others {
        let entity = spawn_crate(&mut course, Vec2::new(x, 0.0), 12.0);
        movers.push((entity, weight, speed));
    }
    let start: Vec<f32> = (movers
        .iter()
        .map(|&(mover, ..)| course.position_of(mover).x))
    .collect();
    for _ in 0..hertz as usize {
        for &(mover, weight, speed) in &movers {
            let mut mover: Mut<Mover> = course.app.world_mut().get_mut(mover).unwrap();
            (mover.velocity, mover.weight) = (Vec2::new(speed, 0.0), weight);
        }
        course.app.update();
    }
    let ends = movers
        .iter()
        .map(|&(mover, ..)| course.position_of(mover).x);
    ends.zip(start).map(|(end, start)| end - start).collect()
}

#[test]
fn pushable_movers_of_equal_weight_stand_still_against_each_other() {
    for hertz in RATES {
        let moved = run_weighed(hertz, [1.0, 60.0], &[[12.05, 1.0, -60.0]]);
        assert!(
            moved.iter().all(|moved| moved.abs() < 0.1),
            "{hertz} Hz: {moved:?}"
        );
    }
}

#[test]
fn the_heavier_of_two_pushable_movers_pushes_the_other_back_at_their_common_speed() {
    for hertz in RATES {
        let moved = run_weighed(hertz, [3.0, 60.0], &[[12.05, 1.0, -60.0]]);
        for moved in moved {
            assert!((moved - 30.0).abs() < 0.5, "{hertz} Hz: {moved}");
        }
    }
}

#[test]
fn a_pushable_mover_rams_a_row_along_at_its_share_of_the_weight() {
    for hertz in RATES {
        for (row, expected) in [
            (vec![[12.05, 1.0, 0.0]], 45.0),
            (vec![[12.05, 3.0, 0.0]], 30.0),
            (
                vec![[12.05, 1.0, 0.0], [24.1, 1.0, 0.0], [36.15, 1.0, 0.0]],
                30.0,
            ),
            (vec![[12.05, 0.0, 0.0]], 60.0),
        ] {
            let moved = run_weighed(hertz, [3.0, 60.0], &row);
            for &moved in &moved {
                assert!(
                    (moved - expected).abs() < 0.5,
                    "{hertz} Hz, {row:?}: {moved:?}"
                );
            }
        }
    }
}

/// Where a crate ends between two heroes that push it at each other, one of them solid, at the side
/// of `sign`.
fn contest(hertz: f64, sign: f32, is_solid: [bool; 2]) -> f32 {
    let mut course = from_above(hertz, &square(12.0), Vec2::new(-20.0 * sign, 0.0));
    let entity = spawn_crate(&mut course, Vec2::ZERO, 12.0);
    let at = Transform::from_xyz(20.0 * sign, 0.0, 0.0);
    let second = (RectCollider::new(12.0, 12.0), Mover::default(), at);
    let second = course.app.world_mut().spawn(second).id();
    let heroes = [course.walker, second];
    for (hero, is_solid) in heroes.into_iter().zip(is_solid) {
        if is_solid {
            course.app.world_mut().entity_mut(hero).insert(Solid);
        }
    }
    for _ in 0..hertz as usize * 2 {
        for (hero, side) in heroes.into_iter().zip([1.0, -1.0]) {
            course.set_velocity(hero, Vec2::new(60.0 * side * sign, 0.0));
        }
        course.app.update();
    }
    course.position_of(entity).x
}

#[test]
fn who_wins_at_a_crate_that_is_pushed_from_both_sides_does_not_depend_on_the_side() {
    for hertz in RATES {
        for is_solid in [[true, true], [true, false], [false, true], [false, false]] {
            let ends = [1.0, -1.0].map(|sign| contest(hertz, sign, is_solid));
            let case = format!("{is_solid:?} at {hertz} Hz: {ends:?}");
            assert!((ends[0] + ends[1]).abs() < 0.01, "{case}");
            match is_solid {
                [true, false] => assert!(ends[0] > 50.0, "{case}"),
                [false, true] => assert!(ends[0] < -50.0, "{case}"),
                _ => assert!(ends[0].abs() < 0.5, "{case}"),
            }
        }
    }
}

#[test]
fn a_door_pushes_a_row_of_crates_and_none_is_deep_in_another() {
    for hertz in [15.0, 30.0, 60.0, 240.0] {
        for count in [1, 8, 20] {
            let mut course = from_above(hertz, &square(12.0), Vec2::new(0.0, 500.0));
            let door = course.block([-20.0, 0.0], [10.0, 40.0]);
            course.app.world_mut().entity_mut(door).insert(Swept);
            let xs = (0..count).map(|number| 12.5 * number as f32);
            let crates: Vec<Entity> = xs
                .map(|x| spawn_crate(&mut course, Vec2::new(x, 0.0), 12.0))
                .collect();
            course.app.update();
            for step in 0..hertz as usize * 2 {
                course.transform(door).translation.x += 60.0 / hertz as f32;
                course.app.update();
                let case = format!("{count} crates at {hertz} Hz, step {step}");
                let mut right = course.position_of(door).x + 5.0;
                for &entity in &crates {
                    let x = course.position_of(entity).x;
                    let gap = x - 6.0 - right;
                    assert!(gap > -0.02, "{case}: {gap}");
                    let hits: &MoverHits = course.app.world().get(entity).unwrap();
                    assert!(!hits.is_crushed(), "{case}");
                    right = x + 6.0;
                }
            }
            let first = course.position_of(crates[0]).x;
            assert!(
                (first - 111.0).abs() < 0.2,
                "{count} crates at {hertz} Hz: {first}"
            );
        }
    }
}

#[test]
fn who_is_in_the_way_gives_way_to_the_solid_colliders_of_a_body_only() {
    for hertz in RATES {
        for is_solid in [[false, false], [false, true], [true, false], [true, true]] {
            for before_part in [false, true] {
                // A mover that is not solid, before the part that moves up, or before the rest.
                let start = Vec2::new(if before_part { 30.0 } else { 0.0 }, 30.0);
                let mut course = from_above(hertz, &Shape::circle(Vec2::ZERO, 4.0), start);
                let body = spawn_body(&mut course, Vec2::ZERO, is_solid);
                for _ in 0..hertz as usize {
                    course.set_velocity(body, Vec2::Y * 60.0);
                    course.app.update();
                }
                let case = format!("{is_solid:?} before the part: {before_part}, {hertz} Hz");
                let y = course.position_of(body).y;
                assert!((y - 60.0).abs() < 0.01, "{case}: {y}");
                let half = if before_part { 5.0 } else { 6.0 };
                let gap = course.position().y - 4.0 - y - half;
                match is_solid[usize::from(before_part)] {
                    true => assert!((-0.01..0.1).contains(&gap), "{case}: {gap}"),
                    false => assert_eq!(course.position(), start, "{case}"),
                }
            }
        }
    }
}
