//! Walkers that movers, and what they carry, press against something: they are crushed as by walls.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud::{Reason, prelude::*};

use crate::course::{Course, bodies};

fn crushed(course: &mut Course) -> Vec<Crushed> {
    let world = course.app.world_mut();
    world.resource_mut::<Messages<Crushed>>().drain().collect()
}

fn is_crushed(course: &Course) -> bool {
    course.get::<MoverHits>().is_crushed()
}

/// Whether an entity blocks the walker.
fn blocking(course: &mut Course, entity: Entity) -> Result<(), Reason> {
    let walker = course.walker;
    let world = course.app.world_mut();
    let explain = move |collisions: Collisions| collisions.explain(walker, entity).b_blocks_a();
    world.run_system_once(explain).unwrap()
}

/// A lift, 8 thick: a mover, or a child of one. Returns the mover and the collider.
fn lift(course: &mut Course, is_child: bool) -> [Entity; 2] {
    let mut mover = course.app.world_mut().spawn(Mover::default());
    let floor = (RectCollider::new(100.0, 8.0), Solid);
    let lift = mover.id();
    if is_child {
        let child = (floor, ChildOf(lift));
        [lift, course.app.world_mut().spawn(child).id()]
    } else {
        mover.insert(floor);
        [lift; 2]
    }
}

#[test]
fn a_lift_that_rises_to_the_ceiling_crushes_who_stands_on_it_until_it_sinks() {
    // A hull of more than 14 vertices has thin pieces, whose shortest displacement leads through a
    // thin lift.
    for (name, body) in bodies()
        .into_iter()
        .filter(|(name, _)| *name != "hull of 20")
    {
        for is_child in [false, true] {
            for hertz in [30.0, 60.0, 144.0] {
                let mut course =
                    Course::at_rate(hertz, &body, Vec2::new(0.0, 12.0), Walker::default());
                course.block([0.0, 110.0], [400.0, 20.0]);
                let [lift, floor] = lift(&mut course, is_child);
                course.settle();
                let mut events = Vec::new();
                let mut ride = |course: &mut Course, speed: f32, top: f32| {
                    for _ in 0..(150.0 / speed.abs() * hertz as f32) as u32 {
                        let left = top - course.position_of(lift).y;
                        let speed = if left * speed > 0.0 { speed } else { 0.0 };
                        course.set_velocity(lift, Vec2::Y * speed);
                        course.step();
                        events.extend(crushed(course));
                    }
                };
                ride(&mut course, 60.0, 94.0);
                let case = format!("{name}, child {is_child}, {hertz} Hz");
                assert!(is_crushed(&course), "{case}");
                ride(&mut course, -60.0, 40.0);
                assert!(!is_crushed(&course), "{case}");
                let floor_now = course.ground().floor().map(|contact| contact.entity);
                assert_eq!(floor_now, Some(floor), "{case}: {}", course.position());
                let walker = course.walker;
                let event = Crushed {
                    entity: walker,
                    by: floor,
                };
                assert_eq!(events, [event], "{case}");
            }
        }
    }
}

#[test]
fn a_boulder_crushes_who_is_at_a_wall() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(90.0, 12.0), Walker::default());
        course.block([0.0, -10.0], [400.0, 20.0]);
        course.block([110.0, 50.0], [20.0, 100.0]);
        let boulder = (
            CircleCollider::new(20.0),
            Solid,
            Mover::default(),
            Transform::from_xyz(0.0, 20.1, 0.0),
        );
        let boulder = course.app.world_mut().spawn(boulder).id();
        course.settle();
        let mut events = Vec::new();
        let mut roll = |course: &mut Course, speed: f32| {
            for _ in 0..120 {
                course.set_velocity(boulder, Vec2::new(speed, -20.0));
                course.step();
                events.extend(crushed(course));
            }
        };
        roll(&mut course, 60.0);
        assert!(is_crushed(&course), "{name}");
        assert_eq!(
            blocking(&mut course, boulder),
            Err(Reason::DeepInMover),
            "{name}"
        );
        roll(&mut course, -60.0);
        assert!(!is_crushed(&course), "{name}");
        let height = course.position().y;
        assert!(
            (height - 6.02).abs() < 0.01,
            "{name}: {}",
            course.position()
        );
    }
}

#[test]
fn who_is_crushed_presses_against_nobody() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(90.0, 0.0), Walker::default());
        let hero = course.walker;
        let mut entity = course.app.world_mut().entity_mut(hero);
        entity.remove::<Walker>().insert(Solid);
        course.block([110.0, 0.0], [20.0, 100.0]);
        let mut spawn = |size: f32, weight: f32, x: f32, y: f32| {
            let mover = Mover {
                weight,
                ..default()
            };
            let at = Transform::from_xyz(x, y, 0.0);
            let square = RectCollider::new(size, size);
            course
                .app
                .world_mut()
                .spawn((square, Solid, mover, at))
                .id()
        };
        let block = spawn(40.0, 100.0, 40.0, 0.0);
        let neighbor = spawn(12.0, 1.0, 94.0, body.aabb().max.y + 6.02);
        let update = |course: &mut Course, wanted: Vec2| {
            course.set_velocity(block, Vec2::X * 60.0);
            course.set_velocity(hero, wanted);
            // One that rests is not pushed.
            course.set_velocity(neighbor, Vec2::X * 1e-3);
            course.app.update();
        };
        (0..240).for_each(|_| update(&mut course, Vec2::X * 60.0));
        assert!(is_crushed(&course), "{name}: {}", course.position());
        let start = course.position_of(neighbor);
        (0..60).for_each(|_| update(&mut course, Vec2::Y * 60.0));
        let moved = course.position_of(neighbor).distance(start);
        assert!(moved < 0.05, "{name}: {moved}");
    }
}

#[test]
fn a_press_on_a_stack_crushes_both() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 18.2), Walker::default());
        let walker = course.walker;
        course.app.world_mut().entity_mut(walker).insert(Solid);
        course.block([0.0, -10.0], [400.0, 20.0]);
        let lower = (
            RectCollider::new(12.0, 12.0),
            Solid,
            Mover::default(),
            Transform::from_xyz(0.0, 6.02, 0.0),
        );
        let lower = course.app.world_mut().spawn(lower).id();
        let press = course.block([0.0, 80.0], [100.0, 40.0]);
        course.app.world_mut().entity_mut(press).insert(Swept);
        course.settle();
        let mut events = Vec::new();
        for _ in 0..90 {
            let mut press = course.transform(press);
            press.translation.y = (press.translation.y - 0.6).max(34.0);
            course.step();
            events.extend(
                crushed(&mut course)
                    .iter()
                    .map(|event| (event.entity, event.by)),
            );
        }
        events.sort();
        let mut both = [(walker, lower), (lower, walker)];
        both.sort();
        assert_eq!(events, both, "{name}");
    }
}

#[test]
fn doors_that_meet_over_a_mover_crush_it_and_throw_it_beyond_neither() {
    for (name, body) in bodies() {
        for thickness in [4.0, 12.0, 40.0] {
            for is_swept in [false, true] {
                for x in [-2.0, 0.0, 0.5] {
                    let mut course = Course::new(&body, Vec2::new(x, 0.0), Walker::default());
                    let walker = course.walker;
                    let mut mover = course.app.world_mut().entity_mut(walker);
                    mover.remove::<Walker>();
                    let doors = [-1.0, 1.0].map(|side| {
                        let door = course.block([side * 40.0, 0.0], [thickness, 200.0]);
                        if is_swept {
                            course.app.world_mut().entity_mut(door).insert(Swept);
                        }
                        (door, side)
                    });
                    for step in 1..=60 {
                        for (door, side) in doors {
                            let closed = (step as f32 / 40.0).min(1.0);
                            let x = 40.0 - (40.0 - thickness / 2.0) * closed;
                            course.transform(door).translation.x = side * x;
                        }
                        course.app.update();
                    }
                    let case = format!("{name} at {x}, {thickness} thick, swept {is_swept}");
                    let is_beside = course.position().y.abs() > 100.0;
                    assert!(is_crushed(&course) != is_beside, "{case}");
                    assert!(
                        course.position().x.abs() < 3.0,
                        "{case}: {}",
                        course.position()
                    );
                }
            }
        }
    }
}

/// A press that comes down on who stands on the ground: `inside` is how far the walker would have
/// to go sideways to get out. Returns the farthest sideways displacement in one update, and whether
/// the walker was crushed, or got out.
fn press(hertz: f64, body: &Shape, inside: f32, is_swept: bool) -> (f32, bool) {
    let half = body.aabb().max.x;
    let start = Vec2::new(100.0 + half - inside, 0.02 - body.aabb().min.y);
    let mut course = Course::at_rate(hertz, body, start, Walker::default());
    course.block([0.0, -10.0], [600.0, 20.0]);
    let press = course.block([0.0, 60.0], [200.0, 40.0]);
    if is_swept {
        course.app.world_mut().entity_mut(press).insert(Swept);
    }
    course.settle();
    let mut farthest = 0.0f32;
    let mut was_crushed = false;
    for _ in 0..(3.8 * hertz) as usize {
        let delta = 10.0 * course.seconds;
        course.transform(press).translation.y -= delta;
        let before = course.position().x;
        course.step();
        farthest = farthest.max((course.position().x - before).abs());
        was_crushed |= is_crushed(&course);
    }
    let is_out = course.position().x - half > 99.9;
    (farthest, was_crushed || is_out)
}

#[test]
fn a_press_throws_nobody_aside() {
    for (name, body) in bodies() {
        for hertz in [30.0, 60.0, 240.0] {
            for inside in [0.5, 2.0, 4.0, 8.0, 13.0, 20.0, 35.0] {
                for is_swept in [false, true] {
                    let (farthest, is_crushed_or_out) = press(hertz, &body, inside, is_swept);
                    let case = format!("{name}, {inside} inside at {hertz} Hz, {is_swept}");
                    assert!(is_crushed_or_out, "{case}");
                    assert!(
                        farthest < 2.0 * body.aabb().max.x + 1.0,
                        "{case}: {farthest}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_lift_puts_who_is_tall_no_farther_aside_than_it_is_wide() {
    for height in [24.0, 40.0, 60.0] {
        for (x, is_swept) in [(0.0, false), (0.0, true), (-12.5, false), (20.0, true)] {
            let body = Shape::rect(Vec2::ZERO, Vec2::new(10.0, height), Rot2::IDENTITY);
            let start = Vec2::new(x, height / 2.0 + 0.02);
            let mut course = Course::at_rate(60.0, &body, start, Walker::default());
            course.block([0.0, height + 14.0], [400.0, 20.0]);
            let lift = course.block([0.0, -4.0], [60.0, 8.0]);
            if is_swept {
                course.app.world_mut().entity_mut(lift).insert(Swept);
            }
            course.settle();
            let mut was_crushed = false;
            for _ in 0..120 {
                let delta = 10.0 * course.seconds;
                course.transform(lift).translation.y += delta;
                let before = course.position().x;
                course.step();
                let aside = (course.position().x - before).abs();
                assert!(aside < 10.1, "{height} high at {x}, {is_swept}: {aside}");
                was_crushed |= is_crushed(&course);
            }
            assert!(was_crushed, "{height} high at {x}, {is_swept}");
        }
    }
}
