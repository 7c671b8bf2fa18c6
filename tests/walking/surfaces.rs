//! Floor, wall and ceiling are told apart by their angle.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Body, Course, bodies},
    long::cases,
};

/// Half spaces as different kinds of colliders: their surface goes through the origin, upward.
fn surfaces() -> Vec<(&'static str, Shape)> {
    let square = [
        [-100.0, -200.0],
        [100.0, -200.0],
        [100.0, 0.0],
        [-100.0, 0.0],
    ]
    .map(Vec2::from);
    vec![
        (
            "rectangle",
            Shape::rect(Vec2::new(0.0, -100.0), Vec2::splat(200.0), Rot2::IDENTITY),
        ),
        ("polygon", Shape::polygon(square).unwrap()),
        (
            "capsule",
            Shape::capsule(Vec2::new(-100.0, -50.0), Vec2::new(100.0, -50.0), 50.0),
        ),
        ("circle", Shape::circle(Vec2::new(0.0, -90.0), 90.0)),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Floor,
    Wall,
    Ceiling,
}

fn roles(ground: &Ground) -> Vec<Role> {
    let all = [
        (ground.floor(), Role::Floor),
        (ground.wall(), Role::Wall),
        (ground.ceiling(), Role::Ceiling),
    ];
    all.into_iter()
        .filter_map(|(contact, role)| contact.map(|_| role))
        .collect()
}

#[test]
fn floor_wall_and_ceiling_are_told_apart_at_the_limit_angle() {
    let body = Shape::circle(Vec2::ZERO, 6.0);
    let limit = Walker::default().max_slope;
    for (name, surface) in surfaces() {
        for &up_angle in cases(&[0.0f32, -2.0][..], &[0.0, 0.5, 1.5, 3.0, -2.0]) {
            for (angle, expected) in [
                (limit - 1e-3, Role::Floor),
                (limit + 1e-3, Role::Wall),
                (1.5, Role::Wall),
                (std::f32::consts::PI - limit - 1e-3, Role::Wall),
                (std::f32::consts::PI - limit + 1e-3, Role::Ceiling),
            ] {
                for side in [1.0, -1.0] {
                    for scale in [1.0, -1.0, 2.0] {
                        let up = Vec2::from_angle(up_angle);
                        let normal = Vec2::from_angle(up_angle + side * angle);
                        let walker = Walker {
                            up: Dir2::new(up).unwrap(),
                            ..default()
                        };
                        let mut course = Course::new(&body, normal * 6.02, walker);
                        let turn = normal.to_angle() - std::f32::consts::FRAC_PI_2;
                        let parent = Transform::from_scale(Vec3::new(scale, scale.abs(), 1.0))
                            .with_rotation(Quat::from_rotation_z(turn));
                        let parent = course.app.world_mut().spawn(parent).id();
                        let wall = (Body(surface.clone()), Solid, ChildOf(parent));
                        course.app.world_mut().spawn(wall);
                        course.gravity = 0.0;
                        course.step();
                        let found = roles(course.ground());
                        assert_eq!(
                            found,
                            [expected],
                            "{name}, up {up_angle}, angle {angle}, side {side}, scale {scale}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_walker_walks_with_any_up() {
    for (name, body) in bodies() {
        if name == "polygon" {
            continue;
        }
        for up_angle in [0.0f32, 1.0, 2.5, -1.5] {
            let up = Vec2::from_angle(up_angle);
            let walker = Walker {
                up: Dir2::new(up).unwrap(),
                ..default()
            };
            let mut course = Course::new(&body, up * 30.0, walker);
            let turn = up_angle - std::f32::consts::FRAC_PI_2;
            let floor = (
                RectCollider::new(2000.0, 16.0),
                Transform::from_translation((-8.0 * up).extend(0.0))
                    .with_rotation(Quat::from_rotation_z(turn)),
                Solid,
            );
            course.app.world_mut().spawn(floor);
            course.settle();
            course.speed = 100.0;
            let start = course.position();
            course.steps(60);
            let right = -up.perp();
            assert!(
                (course.position() - start).distance(right * 100.0) < 0.1,
                "{name} {up_angle}"
            );
            assert_eq!(course.left, []);
        }
    }
}

#[test]
fn a_walker_that_falls_past_a_ledge_does_not_land_on_its_vertex() {
    let body = &bodies()[1].1;
    let walker = Walker {
        max_slope: 1.2,
        ..default()
    };
    for start in 0..20 {
        let height = 6.8 + 0.02 * start as f32;
        let mut course = Course::new(body, Vec2::new(0.0, height), walker.clone());
        course.mover().skin_width = 1.0;
        course.block([16.95, -50.0], [20.0, 100.0]);
        for _ in 0..40 {
            course.step();
            assert_eq!(course.landed, [], "from {height} at {}", course.position());
        }
        assert!(
            course.position().y < -50.0,
            "from {height}: {}",
            course.position()
        );
    }
}

#[test]
fn the_tiles_ahead_are_no_walls_for_a_large_walker() {
    let body = Shape::rect(Vec2::ZERO, Vec2::splat(40.0), Rot2::IDENTITY);
    let mut course = Course::new(&body, Vec2::new(0.0, 20.1), Walker::default());
    for number in -20..20 {
        course.block([2.0 * number as f32, -1.0], [2.0, 2.0]);
    }
    course.settle();
    course.speed = 0.5;
    for _ in 0..1200 {
        course.step();
        assert_eq!(
            roles(course.ground()),
            [Role::Floor],
            "{}",
            course.position()
        );
    }
}
