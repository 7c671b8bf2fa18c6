//! Movers that turn among walls.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;
use bevy_thud::{geometry::separation, prelude::*};

use crate::common::*;

const SPEEDS: [f32; 5] = [0.5, -2.0, 8.0, -30.0, 200.0];

fn spawn_bar(app: &mut App, size: [f32; 2], position: Vec2, speed: f32) -> Entity {
    let bar = RectCollider::new(size[0], size[1]);
    let transform = Transform::from_translation(position.extend(0.0));
    spawn(app, (bar, Mover::default(), Turning(speed), transform))
}

fn spawn_wall(app: &mut App, center: [f32; 2], size: [f32; 2]) -> Shape {
    let wall = RectCollider::new(size[0], size[1]);
    spawn(app, (wall, Solid, at(center[0], center[1])));
    Shape::rect(center.into(), size.into(), Rot2::IDENTITY)
}

fn angle(app: &App, mover: Entity) -> f32 {
    let transform: &Transform = app.world().get(mover).unwrap();
    transform.rotation.to_euler(EulerRot::ZYX).0
}

fn assert_apart(app: &App, mover: Entity, walls: &[Shape], case: &str) {
    let shape = shape_of(app, mover);
    for wall in walls {
        let distance = separation(&shape, wall).distance;
        assert!(distance > 0.0, "{case}: {distance}");
    }
}

#[test]
fn a_mover_turns_at_its_speed_where_nothing_is_in_the_way() {
    for speed in [0.5, -2.0, 8.0] {
        for is_child in [false, true] {
            let mut app = test_app();
            let mover = spawn_bar(&mut app, [60.0, 10.0], Vec2::ZERO, speed);
            if is_child {
                let mirrored = Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0));
                let parent = spawn(&mut app, mirrored);
                app.world_mut().entity_mut(mover).insert(ChildOf(parent));
            }
            steps(&mut app, 30);
            let turned = 30.0 * STEP_SECS * speed * if is_child { -1.0 } else { 1.0 };
            let off = (angle(&app, mover) - turned) / TAU;
            assert!((off - off.round()).abs() < 1e-4, "{speed}: {off}");
            assert_eq!(global_position(&app, mover), Vec2::ZERO);
        }
    }
}

#[test]
fn walls_on_both_sides_end_a_turn_where_they_touch() {
    for speed in SPEEDS {
        let mut app = test_app();
        let walls = [-20.0, 20.0].map(|y| spawn_wall(&mut app, [0.0, y], [400.0, 10.0]));
        let mover = spawn_bar(&mut app, [60.0, 10.0], Vec2::ZERO, speed);
        for _ in 0..200 {
            app.update();
            assert_apart(&app, mover, &walls, &format!("{speed}"));
        }
        // Half of the height of a bar of 60 by 10 that is turned by this angle is 15.
        let turned = angle(&app, mover).abs();
        let half_height = 30.0 * turned.sin() + 5.0 * turned.cos();
        assert!((half_height - 15.0).abs() < 0.5, "{speed}: {turned}");
    }
}

#[test]
fn a_turn_moves_the_mover_away_from_a_wall_where_it_has_room() {
    for speed in SPEEDS {
        let mut app = test_app();
        let wall = spawn_wall(&mut app, [0.0, -10.0], [400.0, 20.0]);
        let mover = spawn_bar(&mut app, [60.0, 10.0], Vec2::new(0.0, 6.0), speed);
        let mut highest = 0.0f32;
        for _ in 0..400 {
            app.update();
            assert_apart(
                &app,
                mover,
                std::slice::from_ref(&wall),
                &format!("{speed}"),
            );
            highest = highest.max(global_position(&app, mover).y);
        }
        let diagonal = Vec2::new(30.0, 5.0).length();
        assert!(highest < diagonal + 0.1, "{speed}: {highest}");
        if speed.abs() < 10.0 {
            assert!(highest > diagonal - 0.5, "{speed}: {highest}");
        }
    }
}

#[test]
fn rigid_children_turn_along_and_are_blocked() {
    for speed in SPEEDS {
        let mut app = test_app();
        let wall = spawn_wall(&mut app, [0.0, 110.0], [400.0, 20.0]);
        let other = spawn_wall(&mut app, [0.0, -50.0], [400.0, 20.0]);
        let tank = (CircleCollider::new(10.0), Mover::default(), Turning(speed));
        let tank = spawn(&mut app, tank);
        app.world_mut().entity_mut(tank).insert(at(0.0, 60.0));
        let gun = (
            RectCollider::new(200.0, 4.0),
            MoverPart,
            ChildOf(tank),
            at(0.0, 0.0),
        );
        let gun = spawn(&mut app, gun);
        for _ in 0..200 {
            app.update();
            let walls = [wall.clone(), other.clone()];
            let pose: &GlobalTransform = app.world().get(gun).unwrap();
            let turned = pose.to_scale_rotation_translation().1;
            let turned = turned.to_euler(EulerRot::ZYX).0;
            let center = pose.translation().truncate();
            let shape = Shape::rect(center, Vec2::new(200.0, 4.0), Rot2::radians(turned));
            for wall in &walls {
                let distance = separation(&shape, wall).distance;
                assert!(distance > 0.0, "{speed}: {distance}");
            }
        }
        let turned = angle(&app, tank).abs().min(FRAC_PI_2);
        assert!(turned > 0.5 && turned < 1.0, "{speed}: {turned}");
    }
}

#[test]
fn a_speed_that_is_not_finite_turns_nothing() {
    for speed in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut app = test_app();
        let mover = spawn_bar(&mut app, [60.0, 10.0], Vec2::ZERO, speed);
        set_velocity(&mut app, mover, Vec2::X);
        steps(&mut app, 64);
        assert_eq!(angle(&app, mover), 0.0);
        assert!((global_position(&app, mover).x - 1.0).abs() < 0.1);
    }
}

/// In corridors whose widths are round numbers, or any.
#[test]
fn a_turn_in_a_corridor_crushes_nobody() {
    let mut rng = fastrand::Rng::with_seed(5);
    let round = (42..=160).map(|quarters| quarters as f32 / 4.0);
    let widths: Vec<f32> = round
        .chain((0..cases(40, 600)).map(|_| 10.5 + 30.0 * rng.f32()))
        .collect();
    for width in widths {
        let mut app = test_app();
        let middle = width / 2.0 + 10.0;
        let walls = [-middle, middle].map(|y| spawn_wall(&mut app, [0.0, y], [400.0, 20.0]));
        let speed = [0.5, -0.5, 2.0][rng.usize(0..3)];
        let mover = spawn_bar(&mut app, [40.0, 10.0], Vec2::ZERO, speed);
        for update in 0..100 {
            app.update();
            let hits = app.world().get::<MoverHits>(mover).unwrap();
            let case = format!("{width} wide at {speed}, update {update}");
            assert!(!hits.is_crushed(), "{case}");
            assert_apart(&app, mover, &walls, &case);
        }
    }
}
