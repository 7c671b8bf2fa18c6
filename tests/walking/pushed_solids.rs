//! A solid that movers push is a solid as well: the last rows of `docs/guide/solids.md`.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud::prelude::*;

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

const FLOOR: Vec2 = Vec2::new(200.0, 60.0);

const ALL: [PushedBy; 3] = [PushedBy::Heavier, PushedBy::Crowd, PushedBy::Anyone];

/// A solid without gravity, and what pushes it.
struct Pushed {
    by: PushedBy,
    solid: Entity,
    pushers: Vec<Entity>,
    direction: Vec2,
}

impl Pushed {
    /// A floor around the origin, and what pushes it in a direction along x or y.
    fn floor(by: PushedBy, course: &mut Course, direction: Vec2) -> Self {
        Self::spawn(
            by,
            course,
            Rect::from_center_size(Vec2::ZERO, FLOOR),
            direction,
            1.0,
        )
    }

    /// A rectangle, and what pushes it in a direction along x or y. The pushers stand along this
    /// share of it.
    fn spawn(by: PushedBy, course: &mut Course, rect: Rect, direction: Vec2, share: f32) -> Self {
        let world = course.app.world_mut();
        let mover = Mover {
            weight: if by == PushedBy::Heavier { 0.1 } else { 1.0 },
            ..default()
        };
        let at = Transform::from_translation(rect.center().extend(0.0));
        let collider = RectCollider::new(rect.width(), rect.height());
        let solid = world.spawn((collider, at, Solid, mover)).id();
        if by == PushedBy::Anyone {
            world.entity_mut(solid).insert(Pushable);
        }
        let count = if by == PushedBy::Crowd { 5u8 } else { 1 };
        let across = direction.perp().abs();
        let width = share * rect.size().dot(across) / f32::from(count);
        let behind = rect.size().dot(direction.abs()) / 2.0 + 10.1;
        let first = rect.center() - rect.half_size() * across - direction * behind;
        let pushers = (0..count).map(|number| {
            let center = first + across * width * (f32::from(number) + 0.5);
            let size = Vec2::splat(20.0) * direction.abs() + across * (width - 0.1);
            let pusher = (
                RectCollider::new(size.x, size.y),
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

fn each_case(mut check: impl FnMut(PushedBy, &Shape, f64, &str)) {
    for (number, by) in ALL.into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, case| {
            check(by, body, hertz, &format!("{by:?}, {case}"));
        });
    }
}

/// A walker above a floor that is pushed, for each direction.
fn each_floor(mut check: impl FnMut(PushedBy, Vec2, Course, &str)) {
    each_case(|by, body, hertz, case| {
        for direction in [Vec2::X, Vec2::NEG_X, Vec2::Y] {
            let start = Vec2::new(0.0, 38.0);
            let course = Course::at_rate(hertz, body, start, Walker::default());
            check(by, direction, course, &format!("{case}, {direction}"));
        }
    });
}

#[test]
fn a_pushed_floor_carries_with_its_velocity_and_hits() {
    each_floor(|by, direction, mut course, case| {
        let floor = Pushed::floor(by, &mut course, direction);
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
    each_floor(|by, direction, mut course, case| {
        if direction != Vec2::Y {
            return;
        }
        let floor = Pushed::floor(by, &mut course, direction);
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
    each_floor(|by, direction, mut course, case| {
        let floor = Pushed::floor(by, &mut course, direction);
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
        assert_eq!(found.b_blocks_a(), Ok(()), "{case}");
        let stands = format!(" {walker} stands on {solid}.");
        assert!(found.to_string().contains(&stands), "{case}: {found}");
    });
}

/// A walker on the ground at the origin, and to its left a wall and who pushes it to the right.
fn beside_a_wall(by: PushedBy, body: &Shape, hertz: f64) -> (Course, Pushed) {
    let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 6.1), Walker::default());
    course.block([0.0, -10.0], [2000.0, 20.0]);
    let wall = Rect::from_center_size(Vec2::new(-11.1, 50.1), Vec2::new(10.0, 100.0));
    let wall = Pushed::spawn(by, &mut course, wall, Vec2::X, 1.0);
    course.settle();
    (course, wall)
}

/// From the wall to the walker, whose half width is 6.
fn gap(course: &Course, wall: &Pushed) -> f32 {
    course.position().x - 6.0 - wall.position(course).x - 5.0
}

#[test]
fn a_pushed_wall_blocks_keeps_the_skin_and_hits() {
    each_case(|by, body, hertz, case| {
        let (mut course, wall) = beside_a_wall(by, body, hertz);
        course.speed = -60.0;
        (0..hertz as usize).for_each(|_| wall.step(&mut course, 0.0));
        for _ in 0..hertz as usize / 4 {
            wall.step(&mut course, 0.0);
            let gap = gap(&course, &wall);
            assert!((0.01..0.04).contains(&gap), "{case}: {gap}");
            assert!(course.is_hit_by(wall.solid), "{case}");
        }
    });
}

#[test]
fn a_pushed_wall_pushes_who_is_in_its_path_unless_that_is_solid() {
    each_case(|by, body, hertz, case| {
        for is_solid in [false, true] {
            let (mut course, wall) = beside_a_wall(by, body, hertz);
            if is_solid {
                let mut walker = course.app.world_mut().entity_mut(course.walker);
                walker.insert(Solid);
            }
            // A heavier mover presses what it pushes into what holds it up.
            let is_pressed = is_solid && by == PushedBy::Heavier;
            let least = if is_pressed { -0.12 } else { 0.01 };
            for _ in 0..hertz as usize * 2 {
                wall.step(&mut course, 60.0);
                let gap = gap(&course, &wall);
                assert!(gap > least, "{case}, solid: {is_solid}: {gap}");
            }
            let pushed = course.position().x;
            let expected = match (is_solid, by) {
                (true, _) => -0.01..0.01,
                (false, PushedBy::Anyone) => 119.0..121.0,
                // A crowd is slower.
                (false, _) => 8.0..121.0,
            };
            assert!(
                expected.contains(&pushed),
                "{case}, solid: {is_solid}: {pushed}"
            );
        }
    });
}

#[test]
fn a_pushed_one_way_floor_is_jumped_through_landed_on_and_ridden() {
    each_case(|by, body, hertz, case| {
        let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 6.1), Walker::default());
        course.block([0.0, -10.0], [400.0, 20.0]);
        let plank = Rect::from_center_size(Vec2::new(0.0, 40.0), Vec2::new(80.0, 4.0));
        // From above, which is its blocking side, where the walker is not.
        let plank = Pushed::spawn(by, &mut course, plank, Vec2::NEG_Y, 0.4);
        let mut solid = course.app.world_mut().entity_mut(plank.solid);
        solid.insert(OneWay(Dir2::Y));
        course.settle();
        course.jump(360.0);
        let updates = hertz as usize;
        (0..updates).for_each(|_| plank.step(&mut course, 0.0));
        let height = |course: &Course| course.position().y - plank.position(course).y;
        for _ in 0..updates {
            plank.step(&mut course, 20.0);
            let height = height(&course);
            assert!((height - 8.02).abs() < 0.03, "{case}: {height}");
            let floor = course.ground().floor().map(|floor| floor.entity);
            assert_eq!(floor, Some(plank.solid), "{case}");
        }
        let sunk = 40.0 - plank.position(&course).y;
        let least = if by == PushedBy::Anyone { 19.0 } else { 1.0 };
        assert!((least..20.1).contains(&sunk), "{case}: {sunk}");
    });
}
