//! A solid is a solid, whoever moves it: what `docs/guide/solids.md` says, for each that moves one,
//! and for one that nobody moves.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud::prelude::*;

use crate::course::{Course, each_body_and_rate};

/// Who moves a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MovedBy {
    Nobody,
    /// The game writes its `Transform`.
    Game,
    /// The same, and it is `Swept`.
    Sweep,
    /// The game writes the `Transform` of its parent.
    Parent,
    Mover,
    /// It is a child of a mover.
    MoverAbove,
    /// It is a mover, and the game writes the `Transform` of its parent.
    ParentOfMover,
    /// It is a mover that stands on a mover.
    MoverBelow,
}

const ALL: [MovedBy; 8] = [
    MovedBy::Nobody,
    MovedBy::Game,
    MovedBy::Sweep,
    MovedBy::Parent,
    MovedBy::Mover,
    MovedBy::MoverAbove,
    MovedBy::ParentOfMover,
    MovedBy::MoverBelow,
];

/// A solid and what is moved so that it moves.
struct Moved {
    by: MovedBy,
    solid: Entity,
    driver: Entity,
}

impl Moved {
    fn spawn(by: MovedBy, course: &mut Course, size: Vec2, center: Vec2) -> Self {
        Self::spawn_at(
            by,
            course,
            size,
            Transform::from_translation(center.extend(0.0)),
        )
    }

    fn spawn_at(by: MovedBy, course: &mut Course, size: Vec2, at: Transform) -> Self {
        let world = course.app.world_mut();
        let center = at.translation.truncate();
        let solid = (RectCollider::new(size.x, size.y), Solid);
        let mut driver = world.spawn(Transform::default()).id();
        let solid = match by {
            MovedBy::Nobody | MovedBy::Game => world.spawn((solid, at)).id(),
            MovedBy::Sweep => world.spawn((solid, at, Swept)).id(),
            MovedBy::Parent | MovedBy::MoverAbove => world.spawn((solid, at, ChildOf(driver))).id(),
            MovedBy::Mover => world.spawn((solid, at, Mover::default())).id(),
            MovedBy::ParentOfMover => {
                let child = (solid, at, Mover::default(), ChildOf(driver));
                world.spawn(child).id()
            }
            MovedBy::MoverBelow => {
                let below = Vec2::new(size.x, 4.0);
                let offset = Vec2::Y * (size.y / 2.0 + below.y / 2.0 + 0.02);
                let carrier = (
                    RectCollider::new(below.x, below.y),
                    Solid,
                    Mover::default(),
                    Transform::from_translation((center - offset).extend(0.0)),
                );
                driver = world.spawn(carrier).id();
                let rider = (solid, at, Mover::default(), Walker::default());
                world.spawn(rider).id()
            }
        };
        match by {
            MovedBy::Game | MovedBy::Sweep | MovedBy::Mover => driver = solid,
            MovedBy::MoverAbove => _ = world.entity_mut(driver).insert(Mover::default()),
            _ => (),
        }
        Self { by, solid, driver }
    }

    /// Steps while the solid moves with this velocity.
    fn step(&self, course: &mut Course, velocity: Vec2) {
        match self.by {
            MovedBy::Nobody => assert_eq!(velocity, Vec2::ZERO),
            MovedBy::Game | MovedBy::Sweep | MovedBy::Parent | MovedBy::ParentOfMover => {
                let delta = velocity * course.seconds;
                course.transform(self.driver).translation += delta.extend(0.0);
            }
            _ => self.mover(course, self.driver).velocity = velocity,
        }
        if self.by == MovedBy::MoverBelow {
            self.mover(course, self.solid).velocity = Vec2::NEG_Y;
        }
        course.step();
    }

    fn mover<'a>(&self, course: &'a mut Course, mover: Entity) -> Mut<'a, Mover> {
        course.app.world_mut().get_mut(mover).unwrap()
    }

    fn position(&self, course: &Course) -> Vec2 {
        let transform: &GlobalTransform = course.app.world().get(self.solid).unwrap();
        transform.translation().truncate()
    }
}

fn each_case(mut check: impl FnMut(MovedBy, &Shape, f64, &str)) {
    for (number, by) in ALL.into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, case| {
            check(by, body, hertz, &format!("{by:?}, {case}"));
        });
    }
}

/// Those in which the solid moves.
fn each_moving_case(mut check: impl FnMut(MovedBy, &Shape, f64, &str)) {
    each_case(|by, body, hertz, case| {
        if by != MovedBy::Nobody {
            check(by, body, hertz, case);
        }
    });
}

#[test]
fn a_floor_carries_with_its_velocity_and_hits() {
    each_moving_case(|by, body, hertz, case| {
        for velocity in [[60.0, 0.0], [0.0, 30.0], [0.0, -30.0], [-40.0, 20.0]].map(Vec2::from) {
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 16.0), Walker::default());
            let floor = Moved::spawn(by, &mut course, Vec2::new(300.0, 8.0), Vec2::ZERO);
            (0..hertz as usize).for_each(|_| floor.step(&mut course, Vec2::ZERO));
            let place = |course: &Course| course.position() - floor.position(course);
            // The first updates of a motion are those in which its velocity is new.
            (0..4).for_each(|_| floor.step(&mut course, velocity));
            let start = place(&course);
            for _ in 0..hertz as usize / 2 {
                floor.step(&mut course, velocity);
                let drift = place(&course).distance(start);
                assert!(drift < 0.01, "{case}, {velocity}: {drift}");
                assert!(course.is_hit_by(floor.solid), "{case}, {velocity}");
            }
            let known = course.ground().floor_velocity();
            assert!(
                known.distance(velocity) < 0.1,
                "{case}, {velocity}: {known}"
            );
            let contact = course.ground().floor().expect(case);
            assert_eq!(contact.entity, floor.solid, "{case}");
            let height = contact.point.y - floor.position(&course).y;
            assert!((height - 4.0).abs() < 0.03, "{case}, {velocity}: {height}");

            // What it keeps when it jumps.
            course.jump(200.0);
            floor.step(&mut course, velocity);
            let kept = course.velocity().x;
            assert!(
                (kept - velocity.x).abs() < 0.5,
                "{case}, {velocity}: {kept}"
            );
        }
    });
}

#[test]
fn a_slope_carries_who_stands_on_it() {
    each_moving_case(|by, body, hertz, case| {
        if by == MovedBy::MoverBelow {
            // Its carrier is flat.
            return;
        }
        for (degrees, velocity) in [(20.0, Vec2::new(40.0, 20.0)), (-40.0, Vec2::Y * -30.0)] {
            let case = format!("{case}, {degrees}, {velocity}");
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 26.0), Walker::default());
            let at = Transform::from_rotation(Quat::from_rotation_z(f32::to_radians(degrees)));
            let slope = Moved::spawn_at(by, &mut course, Vec2::new(300.0, 8.0), at);
            (0..hertz as usize).for_each(|_| slope.step(&mut course, Vec2::ZERO));
            let place = |course: &Course| course.position() - slope.position(course);
            (0..4).for_each(|_| slope.step(&mut course, velocity));
            let start = place(&course);
            for _ in 0..hertz as usize / 2 {
                slope.step(&mut course, velocity);
                let drift = place(&course).distance(start);
                assert!(drift < 0.01, "{case}: {drift}");
                assert!(course.is_hit_by(slope.solid), "{case}");
            }
            let known = course.ground().floor_velocity();
            assert!(known.distance(velocity) < 0.1, "{case}: {known}");
        }
    });
}

#[test]
fn a_prediction_is_what_a_walker_does_on_floors_that_rest() {
    each_case(|by, body, hertz, case| {
        let mut course = Course::at_rate(hertz, body, Vec2::new(-80.0, 26.0), Walker::default());
        let floor = Moved::spawn(by, &mut course, Vec2::new(300.0, 8.0), Vec2::ZERO);
        // Above the floor, which is a mover in some cases.
        course.block([100.0, 55.0], [20.0, 100.0]);
        (0..hertz as usize / 2).for_each(|_| floor.step(&mut course, Vec2::ZERO));
        course.speed = 120.0;
        for update in 0..(1.5 * hertz) as usize {
            // A jump on the way.
            if update == hertz as usize / 4 {
                course.jump(200.0);
            }
            let expected = course.position() + course.predict().displacement;
            floor.step(&mut course, Vec2::ZERO);
            let found = course.position();
            assert!(
                found.distance(expected) < 1e-4,
                "{case}, update {update}: {found} instead of {expected}"
            );
        }
        let end = course.position().x;
        assert!((end - 84.0).abs() < 0.1, "{case}: {end}");
    });
}

#[test]
fn a_wall_blocks_keeps_the_skin_and_hits() {
    each_case(|by, body, hertz, case| {
        let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 6.1), Walker::default());
        course.block([0.0, -10.0], [400.0, 20.0]);
        let center = Vec2::new(30.0, 50.1);
        let wall = Moved::spawn(by, &mut course, Vec2::new(10.0, 100.0), center);
        course.speed = 60.0;
        (0..hertz as usize).for_each(|_| wall.step(&mut course, Vec2::ZERO));
        for _ in 0..hertz as usize / 4 {
            wall.step(&mut course, Vec2::ZERO);
            let gap = wall.position(&course).x - 5.0 - course.position().x - 6.0;
            assert!((0.01..0.04).contains(&gap), "{case}: {gap}");
            assert!(course.is_hit_by(wall.solid), "{case}");
        }
    });
}

#[test]
fn a_wall_pushes_who_stands_in_its_path() {
    each_moving_case(|by, body, hertz, case| {
        // A mover that stands on another one is carried into nobody: who it pushes blocks it.
        if by == MovedBy::MoverBelow || by == MovedBy::Mover {
            return;
        }
        for speed in [30.0, 120.0] {
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 6.1), Walker::default());
            course.block([0.0, -10.0], [2000.0, 20.0]);
            let center = Vec2::new(-30.0, 50.1);
            let wall = Moved::spawn(by, &mut course, Vec2::new(10.0, 100.0), center);
            course.settle();
            for _ in 0..hertz as usize {
                wall.step(&mut course, Vec2::X * speed);
                let gap = course.position().x - 6.0 - wall.position(&course).x - 5.0;
                assert!(gap > -0.01, "{case} at {speed}: {gap}");
            }
            let pushed = course.position().x;
            assert!(pushed > speed - 25.0, "{case} at {speed}: {pushed}");
        }
    });
}

#[test]
fn a_floor_that_rises_to_the_ceiling_crushes_and_says_so_once() {
    each_moving_case(|by, body, hertz, case| {
        let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 12.0), Walker::default());
        course.block([0.0, 110.0], [400.0, 20.0]);
        let floor = Moved::spawn(by, &mut course, Vec2::new(100.0, 8.0), Vec2::ZERO);
        course.settle();
        let mut events = Vec::new();
        for _ in 0..(3.0 * hertz) as usize {
            let is_up = floor.position(&course).y >= 90.0;
            floor.step(&mut course, Vec2::Y * if is_up { 0.0 } else { 60.0 });
            let messages = course.app.world_mut().resource_mut::<Messages<Crushed>>();
            let messages = messages.into_inner().drain();
            events.extend(messages.filter(|event| event.entity == course.walker));
        }
        assert_eq!(events.len(), 1, "{case}: {events:?}");
        assert_eq!(events[0].by, floor.solid, "{case}: {events:?}");
        assert!(course.get::<MoverHits>().is_crushed(), "{case}");
        let height = course.position().y;
        assert!(height > 80.0, "{case}: {height}");
    });
}

#[test]
fn a_one_way_floor_is_jumped_through_landed_on_and_ridden() {
    each_case(|by, body, hertz, case| {
        for speed in [0.0, 20.0, -20.0] {
            if by == MovedBy::Nobody && speed != 0.0 {
                continue;
            }
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 6.1), Walker::default());
            course.block([0.0, -10.0], [400.0, 20.0]);
            let plank = Moved::spawn(by, &mut course, Vec2::new(80.0, 4.0), Vec2::Y * 40.0);
            let mut solids = vec![plank.solid];
            if by == MovedBy::MoverBelow {
                solids.push(plank.driver);
            }
            for solid in solids {
                let mut solid = course.app.world_mut().entity_mut(solid);
                solid.insert(OneWay(Dir2::Y));
            }
            course.settle();
            course.jump(360.0);
            let updates = (0.6 * hertz) as usize;
            (0..updates).for_each(|_| plank.step(&mut course, Vec2::ZERO));
            (0..updates).for_each(|_| plank.step(&mut course, Vec2::Y * speed));
            let floor = course.ground().floor().map(|floor| floor.entity);
            assert_eq!(
                floor,
                Some(plank.solid),
                "{case} at {speed}: {}",
                course.position()
            );
        }
    });
}

#[test]
fn a_conveyor_adds_to_what_its_floor_carries() {
    each_case(|by, body, hertz, case| {
        for velocity in [[0.0, 0.0], [30.0, 0.0], [0.0, 20.0], [0.0, -20.0]].map(Vec2::from) {
            if by == MovedBy::Nobody && velocity != Vec2::ZERO {
                continue;
            }
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 16.0), Walker::default());
            let floor = Moved::spawn(by, &mut course, Vec2::new(300.0, 8.0), Vec2::ZERO);
            let conveyor = Conveyor(Vec2::X * 20.0);
            let world = course.app.world_mut();
            world.entity_mut(floor.solid).insert(conveyor);
            (0..hertz as usize / 2).for_each(|_| floor.step(&mut course, Vec2::ZERO));
            (0..4).for_each(|_| floor.step(&mut course, velocity));
            let place = |course: &Course| course.position() - floor.position(course);
            let start = place(&course);
            (0..hertz as usize / 2).for_each(|_| floor.step(&mut course, velocity));
            let drift = place(&course) - start;
            let seconds = (hertz as usize / 2) as f32 * course.seconds;
            let expected = Vec2::X * 20.0 * seconds;
            assert!(
                drift.distance(expected) < 0.05,
                "{case}, {velocity}: {drift}"
            );
            let known = course.ground().floor_velocity();
            let expected = velocity + Vec2::X * 20.0;
            assert!(
                known.distance(expected) < 0.1,
                "{case}, {velocity}: {known}"
            );
        }
    });
}

#[test]
fn an_explanation_says_that_it_blocks_and_is_a_floor() {
    each_case(|by, body, hertz, case| {
        let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 16.0), Walker::default());
        let floor = Moved::spawn(by, &mut course, Vec2::new(300.0, 8.0), Vec2::ZERO);
        course.settle();
        floor.step(&mut course, Vec2::ZERO);
        let (walker, solid) = (course.walker, floor.solid);
        let explain = move |collisions: Collisions| collisions.explain(walker, solid);
        let found = course.app.world_mut().run_system_once(explain).unwrap();
        assert_eq!(found.b_blocks_a(), Ok(()), "{case}");
        let stands = format!(" {walker} stands on {solid}.");
        assert!(found.to_string().contains(&stands), "{case}: {found}");
        assert!(found.collide().is_ok(), "{case}: {found}");
    });
}
