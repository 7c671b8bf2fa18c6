//! A solid that movers push is a solid as well: the last rows of `docs/guide/solids.md`.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud::{Blocking, Walkable, prelude::*};

use crate::course::{Course, each_body_and_rate};

/// Who pushes a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PushedBy {
    /// A mover that is ten times as heavy.
    Heavier,
    /// Five movers as heavy as it is, side by side.
    Crowd,
    /// A mover, and it is `Pushable`.
    Anyone,
}

/// Of the floor.
const SIZE: Vec2 = Vec2::new(200.0, 60.0);

const ALL: [PushedBy; 3] = [PushedBy::Heavier, PushedBy::Crowd, PushedBy::Anyone];

/// A floor without gravity, and what pushes it.
struct Pushed {
    by: PushedBy,
    solid: Entity,
    pushers: Vec<Entity>,
    direction: Vec2,
}

impl Pushed {
    /// A floor around the origin, and what pushes it in a direction along x or y.
    fn spawn(by: PushedBy, course: &mut Course, direction: Vec2) -> Self {
        let world = course.app.world_mut();
        let mover = Mover {
            weight: if by == PushedBy::Heavier { 0.1 } else { 1.0 },
            ..default()
        };
        let solid = (RectCollider::new(SIZE.x, SIZE.y), Solid, mover);
        let solid = world.spawn(solid).id();
        if by == PushedBy::Anyone {
            world.entity_mut(solid).insert(Pushable);
        }
        let count = if by == PushedBy::Crowd { 5u8 } else { 1 };
        let across = direction.perp().abs();
        let width = (SIZE * across).element_sum() / f32::from(count);
        let pushers = (0..count).map(|number| {
            let aside = width * (f32::from(number) - f32::from(count - 1) / 2.0);
            let behind = (SIZE * direction).element_sum().abs() / 2.0 + 10.1;
            let center = across * aside - direction * behind;
            let pusher = Vec2::splat(20.0) * direction.abs() + across * (width - 0.1);
            let pusher = (
                RectCollider::new(pusher.x, pusher.y),
                Solid,
                Mover::default(),
                Transform::from_translation(center.extend(0.0)),
            );
            world.spawn(pusher).id()
        });
        let pushers = pushers.collect();
        Self {
            by,
            solid,
            pushers,
            direction,
        }
    }

    /// Steps while the pushers have this speed.
    fn step(&self, course: &mut Course, speed: f32) {
        let world = course.app.world_mut();
        for &pusher in &self.pushers {
            let mut mover = world.get_mut::<Mover>(pusher).unwrap();
            mover.velocity = self.direction * speed;
        }
        if self.by != PushedBy::Anyone {
            // One that rests is not pushed.
            let mut mover = world.get_mut::<Mover>(self.solid).unwrap();
            mover.velocity = self.direction * speed * 1e-3;
        }
        course.step();
    }

    fn position(&self, course: &Course) -> Vec2 {
        course.position_of(self.solid)
    }
}

fn each_case(mut check: impl FnMut(PushedBy, Vec2, Course, &str)) {
    for (number, by) in ALL.into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, case| {
            for direction in [Vec2::X, Vec2::NEG_X, Vec2::Y] {
                let start = Vec2::new(0.0, 38.0);
                let course = Course::at_rate(hertz, body, start, Walker::default());
                check(
                    by,
                    direction,
                    course,
                    &format!("{by:?}, {case}, {direction}"),
                );
            }
        });
    }
}

#[test]
fn a_pushed_floor_carries_with_its_velocity_and_hits() {
    each_case(|by, direction, mut course, case| {
        let floor = Pushed::spawn(by, &mut course, direction);
        course.settle();
        (0..4).for_each(|_| floor.step(&mut course, 60.0));
        let place = |course: &Course| course.position() - floor.position(course);
        let start = place(&course);
        let steps = (0.5 / course.seconds) as usize;
        let mut velocity = Vec2::ZERO;
        for _ in 0..steps {
            let before = floor.position(&course);
            floor.step(&mut course, 60.0);
            velocity = (floor.position(&course) - before) / course.seconds;
            let drift = place(&course).distance(start);
            assert!(drift < 0.01, "{case}: {drift}");
            assert!(course.is_hit_by(floor.solid), "{case}");
        }
        let pushed = floor.position(&course).dot(direction);
        assert!(pushed > 1.0, "{case}: {pushed}");
        let known = course.ground().floor_velocity();
        assert!(known.distance(velocity) < 0.1, "{case}: {known} {velocity}");
        course.jump(200.0);
        floor.step(&mut course, 60.0);
        let kept = course.velocity().x;
        assert!((kept - known.x).abs() < 0.5, "{case}: {kept} {known}");
    });
}

#[test]
fn a_pushed_floor_crushes_at_the_ceiling_and_says_so_once() {
    each_case(|by, direction, mut course, case| {
        if direction != Vec2::Y {
            return;
        }
        let floor = Pushed::spawn(by, &mut course, direction);
        course.block([0.0, 80.0], [20.0, 20.0]);
        course.settle();
        let mut events = Vec::new();
        for _ in 0..(8.0 / course.seconds) as usize {
            let is_up = floor.position(&course).y >= 34.0;
            floor.step(&mut course, if is_up { 0.0 } else { 60.0 });
            let messages = course.app.world_mut().resource_mut::<Messages<Crushed>>();
            let messages = messages.into_inner().drain();
            events.extend(messages.filter(|event| event.entity == course.walker));
        }
        assert_eq!(events.len(), 1, "{case}: {events:?}");
        assert_eq!(events[0].by, floor.solid, "{case}");
    });
}

#[test]
fn a_pushed_conveyor_carries_and_is_explained() {
    each_case(|by, direction, mut course, case| {
        let floor = Pushed::spawn(by, &mut course, direction);
        let world = course.app.world_mut();
        let conveyor = Conveyor(Vec2::X * 20.0);
        world.entity_mut(floor.solid).insert(conveyor);
        course.settle();
        (0..4).for_each(|_| floor.step(&mut course, 20.0));
        let place = |course: &Course| course.position() - floor.position(course);
        let start = place(&course);
        let steps = (0.5 / course.seconds) as usize;
        (0..steps).for_each(|_| floor.step(&mut course, 20.0));
        let drift = place(&course) - start;
        let expected = Vec2::X * 20.0 * steps as f32 * course.seconds;
        assert!(drift.distance(expected) < 0.05, "{case}: {drift}");
        let (walker, solid) = (course.walker, floor.solid);
        let explain = move |collisions: Collisions| collisions.explain(walker, solid);
        let found = course.app.world_mut().run_system_once(explain).unwrap();
        assert_eq!(found.b_blocks_a, Some(Blocking::Blocks), "{case}");
        assert_eq!(found.a_walks_on_b, Some(Walkable::Floor), "{case}");
    });
}
