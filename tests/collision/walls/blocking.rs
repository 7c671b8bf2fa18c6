//! No mover tunnels through a wall or penetrates it by more than rounding, at any speed.

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, TOUCHING_SLOP, separation},
    prelude::*,
};
use proptest::prelude::{Just, Strategy, prop_assert, prop_assume, prop_oneof, proptest};

use crate::{
    common::*,
    strategies::{between, cases},
};

const THIN: f32 = 0.1;

/// A closed room with thin walls, 40 by 30 inside, rotated about a position.
struct Room {
    center: Vec2,
    angle: f32,
}

impl Room {
    const HALF: Vec2 = Vec2::new(20.0, 15.0);

    fn to_world(&self, local: Vec2) -> Vec2 {
        self.center + Vec2::from_angle(self.angle).rotate(local)
    }

    fn to_local(&self, world: Vec2) -> Vec2 {
        Vec2::from_angle(-self.angle).rotate(world - self.center)
    }

    fn spawn(&self, app: &mut App) -> Vec<Shape> {
        let half = Self::HALF + THIN / 2.0;
        let (wide, tall) = (2.0 * half.x + THIN, 2.0 * half.y + THIN);
        let walls = [
            (Vec2::new(half.x, 0.0), Vec2::new(THIN, tall)),
            (Vec2::new(-half.x, 0.0), Vec2::new(THIN, tall)),
            (Vec2::new(0.0, half.y), Vec2::new(wide, THIN)),
            (Vec2::new(0.0, -half.y), Vec2::new(wide, THIN)),
        ];
        let spawn_wall = |(local, size): (Vec2, Vec2)| self.spawn_wall(app, local, size, 0.0);
        walls.map(spawn_wall).into()
    }

    fn spawn_wall(&self, app: &mut App, local: Vec2, size: Vec2, turn: f32) -> Shape {
        let (position, angle) = (self.to_world(local), self.angle + turn);
        spawn(
            app,
            (
                RectCollider::new(size.x, size.y),
                Solid,
                rotated(position, angle),
            ),
        );
        Shape::rect(position, size, Rot2::radians(angle))
    }
}

/// Rounding of a position next to a wall: four units in the last place.
fn slop(position: Vec2) -> f32 {
    TOUCHING_SLOP * (position.abs().max_element() + 60.0)
}

fn any_response() -> impl Strategy<Value = MoverResponse> {
    prop_oneof![
        Just(MoverResponse::Slide),
        Just(MoverResponse::Stop),
        Just(MoverResponse::Bounce),
    ]
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_room_with_thin_walls_holds_any_mover_at_any_speed(
        room in (between(-200.0, 200.0), between(-200.0, 200.0), between(0.0, 6.3)),
        start in (between(-15.0, 15.0), between(-10.0, 10.0), between(0.0, 6.3)),
        direction in between(0.0, 6.3),
        magnitude in between(0.0, 6.0),
        size in (between(0.2, 3.0), between(0.2, 3.0)),
        is_circle: bool,
        response in any_response(),
        posts in proptest::collection::vec(
            (between(-18.0, 18.0), between(-13.0, 13.0), between(0.1, 6.0), between(0.0, 6.3)),
            0..4,
        ),
    ) {
        let mut app = test_app();
        let room = Room { center: Vec2::new(room.0, room.1), angle: room.2 };
        let mut walls = room.spawn(&mut app);
        for (x, y, length, turn) in posts {
            walls.push(room.spawn_wall(&mut app, Vec2::new(x, y), Vec2::new(length, THIN), turn));
        }
        let velocity = Vec2::from_angle(direction) * 10f32.powf(magnitude);
        let mover = Mover { response, ..Mover::with_velocity(velocity) };
        let transform = rotated(room.to_world(Vec2::new(start.0, start.1)), start.2);
        let mover = spawn(&mut app, (mover, transform));
        if is_circle {
            app.world_mut().entity_mut(mover).insert(CircleCollider::new(size.0));
        } else {
            app.world_mut().entity_mut(mover).insert(RectCollider::new(size.0, size.1));
        }
        let started_in_wall = {
            let start = shape_of(&app, mover);
            walls.iter().any(|wall| separation(&start, wall).distance < 0.05)
        };
        prop_assume!(!started_in_wall);
        for frame in 0..8 {
            app.update();
            let shape = shape_of(&app, mover);
            let local = room.to_local(shape.center());
            prop_assert!(
                local.x.abs() < Room::HALF.x && local.y.abs() < Room::HALF.y,
                "frame {}: {} is outside", frame, local
            );
            for wall in &walls {
                let distance = separation(&shape, wall).distance;
                let slop = slop(shape.center());
                prop_assert!(
                    distance > -slop,
                    "frame {}: {:?} {:?} {}",
                    frame,
                    shape,
                    wall,
                    distance
                );
            }
            let mut body = app.world_mut().get_mut::<Mover>(mover).unwrap();
            if body.velocity.length() < velocity.length() / 2.0 {
                // Keeps pushing, each time in another direction.
                body.velocity = Vec2::from_angle(direction + frame as f32).rotate(velocity);
            }
            let kept = body.velocity.length() <= 1.001 * velocity.length();
            prop_assert!(kept, "frame {}: walls do not accelerate", frame);
        }
    }

    #[test]
    fn a_mover_stops_before_a_wall_across_its_path_at_any_speed(
        direction in between(0.0, 6.3),
        tilt in between(-1.2, 1.2),
        magnitude in between(2.0, 6.0),
        away in between(3.0, 40.0),
        is_circle: bool,
    ) {
        let mut app = test_app();
        let heading = Vec2::from_angle(direction);
        // It is hit at the center, or at most some units beside it.
        let wall = (RectCollider::new(400.0, THIN), Solid);
        let angle = direction + std::f32::consts::FRAC_PI_2 + tilt;
        spawn(&mut app, (wall, rotated(heading * away, angle)));
        let velocity = heading * 10f32.powf(magnitude);
        let mover = Mover { response: MoverResponse::Stop, ..Mover::with_velocity(velocity) };
        let mover = spawn(&mut app, (mover, rotated(Vec2::ZERO, direction)));
        if is_circle {
            app.world_mut().entity_mut(mover).insert(CircleCollider::new(0.5));
        } else {
            app.world_mut().entity_mut(mover).insert(RectCollider::new(1.0, 1.0));
        }
        steps(&mut app, 40);
        let shape = shape_of(&app, mover);
        let wall = Shape::rect(heading * away, Vec2::new(400.0, THIN), Rot2::radians(angle));
        let distance = separation(&shape, &wall).distance;
        prop_assert!(shape.center().dot(heading) < away, "{:?} is beyond", shape);
        prop_assert!(
            (distance - 0.02).abs() < 1e-3 + slop(shape.center()),
            "{:?}: {}",
            shape,
            distance
        );
    }
}

#[test]
fn a_mover_in_a_wall_is_depenetrated_by_the_shortest_displacement() {
    for (x, expected) in [(1.5, 3.02), (-1.8, -3.02)] {
        let mut app = test_app();
        spawn(&mut app, (RectCollider::new(4.0, 40.0), Solid));
        let mover = spawn(&mut app, (ball(x, 3.0), Mover::default()));
        steps(&mut app, 2);
        let position = global_position(&app, mover);
        assert!(
            position.abs_diff_eq(Vec2::new(expected, 3.0), 1e-3),
            "{position}"
        );
    }
}

#[test]
fn a_mover_that_is_rotated_into_a_wall_leaves_it() {
    let mut app = test_app();
    spawn(&mut app, (RectCollider::new(4.0, 40.0), Solid));
    let oar = (RectCollider::new(6.0, 1.0), Mover::default());
    let oar = spawn(
        &mut app,
        (
            oar,
            rotated(Vec2::new(3.0, 0.0), std::f32::consts::FRAC_PI_2),
        ),
    );
    app.update();
    assert_eq!(global_position(&app, oar), Vec2::new(3.0, 0.0));
    app.world_mut().get_mut::<Transform>(oar).unwrap().rotation = Quat::IDENTITY;
    app.update();
    let position = global_position(&app, oar);
    assert!(
        position.abs_diff_eq(Vec2::new(5.02, 0.0), 1e-3),
        "{position}"
    );
}

/// The end of a bar that moves up from below, and the events, with this wall at the origin.
fn fly_into(wall: impl Bundle, x: f32, angle: f32) -> (Vec2, Vec<Brief>) {
    let mut app = test_app();
    spawn(&mut app, (wall, Solid));
    let mover = Mover {
        displacement: Vec2::Y * 120.0,
        ..default()
    };
    let start = rotated(Vec2::new(x, -40.0), angle);
    let bar = spawn(&mut app, (RectCollider::new(6.0, 4.0), mover, start));
    let events = brief_step(&mut app);
    (global_position(&app, bar), events)
}

#[test]
fn a_polygon_with_a_vertex_on_a_straight_edge_blocks_movers_as_a_rectangle_does() {
    let outline = [(10, 10), (-10, 10), (-10, -10), (10, -10), (10, 0)];
    let outline = outline.map(|(x, y)| Vec2::new(x as f32, y as f32));
    for angle in [-0.5, 0.5] {
        for x in [-9.0, -5.0, 0.0, 4.0, 9.0, 12.0] {
            let rectangle = RectCollider::new(20.0, 20.0);
            let (expected, expected_events) = fly_into(rectangle, x, angle);
            for first in 0..outline.len() {
                let mut outline = outline;
                outline.rotate_left(first);
                let polygon = PolygonCollider::new(outline).unwrap();
                let (end, events) = fly_into(polygon, x, angle);
                assert!(
                    end.distance(expected) < 1e-2,
                    "{end} {expected} {outline:?}"
                );
                assert_eq!(events, expected_events);
            }
        }
    }
    // Half of the height of the rotated bar below the edge.
    let (end, _) = fly_into(RectCollider::new(20.0, 20.0), 9.0, -0.5);
    assert!(end.distance(Vec2::new(9.0, -13.2)) < 0.05);
}

#[test]
fn a_thin_wall_blocks_what_is_faster_than_any_game_needs() {
    for speed in [1e8, 1e12, 1e20, 1e30, f32::MAX] {
        for response in [MoverResponse::Slide, MoverResponse::Stop] {
            let mut app = test_app();
            spawn(
                &mut app,
                (RectCollider::new(THIN, 40.0), Solid, at(5.0, 0.0)),
            );
            let mover = Mover {
                response,
                ..Mover::with_velocity(Vec2::X * speed)
            };
            let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
            steps(&mut app, 2);
            let position = global_position(&app, mover);
            assert!(
                position.abs_diff_eq(Vec2::new(3.93, 0.0), 1e-3),
                "{speed} {response:?}: {position}"
            );
        }
    }
}

#[test]
fn a_wall_that_is_put_on_a_mover_pushes_it_out() {
    let mut app = test_app();
    let mover = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    let wall = spawn(
        &mut app,
        (RectCollider::new(4.0, 40.0), Solid, at(10.0, 0.0)),
    );
    app.update();
    assert_eq!(global_position(&app, mover), Vec2::ZERO);
    set_position(&mut app, wall, Vec2::new(2.5, 0.0));
    assert_eq!(brief_step(&mut app), [started(mover, wall)]);
    let position = global_position(&app, mover);
    assert!(
        position.abs_diff_eq(Vec2::new(-0.52, 0.0), 1e-3),
        "{position}"
    );
}
