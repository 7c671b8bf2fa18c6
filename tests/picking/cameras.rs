//! Cameras of all kinds, viewports and targets.

use std::f32::consts::FRAC_PI_6;

use bevy::{
    camera::{NormalizedRenderTarget, RenderTarget, Viewport},
    picking::pointer::Location,
    prelude::*,
    window::WindowRef,
};
use bevy_thud::prelude::*;

use crate::common::{
    CENTER, SIZE, app_with_camera, ball, camera, flat, flat_camera, hits_at, in_window, picked_at,
    spawn, test_app,
};

fn viewport(position: (u32, u32), size: (u32, u32)) -> Option<Viewport> {
    Some(Viewport {
        physical_position: position.into(),
        physical_size: size.into(),
        ..default()
    })
}

fn perspective() -> Projection {
    PerspectiveProjection::default().into()
}

/// Cameras of all kinds, each with positions that it shows.
fn cases() -> Vec<(&'static str, (Camera, Projection), Transform, Vec<Vec3>)> {
    let plain = Transform::IDENTITY;
    let positions = vec![
        Vec3::ZERO,
        Vec3::new(30.0, -20.0, 0.0),
        Vec3::new(-40.0, 25.0, 7.0),
        Vec3::new(5.0, 5.0, -300.0),
    ];
    let near = vec![Vec3::ZERO, Vec3::new(6.0, -7.0, 5.0)];
    let tilted = Transform::from_xyz(20.0, -60.0, 80.0).looking_at(Vec3::ZERO, Vec3::Y);
    let from_below = Transform::from_xyz(3.0, 4.0, -50.0).looking_at(Vec3::ZERO, Vec3::Y);
    let rotated = Transform::from_xyz(9.0, 5.0, 2.0)
        .with_rotation(Quat::from_rotation_z(FRAC_PI_6))
        .with_scale(Vec3::new(1.5, 1.5, 1.0));
    let off_center = OrthographicProjection {
        viewport_origin: Vec2::new(0.25, 0.5),
        ..OrthographicProjection::default_2d()
    };
    let lens = || camera(perspective(), None, 1.0);
    vec![
        ("plain", flat_camera(), plain, positions.clone()),
        (
            "zoomed",
            camera(flat(2.5), None, 1.0),
            plain,
            positions.clone(),
        ),
        ("rotated", flat_camera(), rotated, positions.clone()),
        (
            "fine pixels",
            camera(flat(1.0), None, 2.0),
            rotated,
            positions.clone(),
        ),
        (
            "off center",
            camera(off_center.into(), None, 1.0),
            plain,
            positions,
        ),
        (
            "viewport",
            camera(flat(1.0), viewport((60, 20), (80, 70)), 1.0),
            rotated,
            near.clone(),
        ),
        ("tilted", flat_camera(), tilted, near.clone()),
        (
            "perspective",
            lens(),
            Transform::from_xyz(0.0, 0.0, 60.0),
            near.clone(),
        ),
        ("tilted perspective", lens(), tilted, near.clone()),
        ("perspective from below", lens(), from_below, near),
    ]
}

#[test]
fn a_pointer_hits_what_the_camera_shows_there() {
    for (name, camera, transform, positions) in cases() {
        for position in positions {
            let mut app = test_app();
            let eye = spawn(&mut app, (camera.clone(), transform));
            let disc = CircleCollider::new(2.0);
            let disc = spawn(&mut app, (disc, Transform::from_translation(position)));
            app.update();
            let on_screen = |shown: Vec3| {
                let global = GlobalTransform::from(transform);
                camera.0.world_to_viewport(&global, shown).unwrap()
            };
            let context = format!("{name}: {position}");
            let location = in_window(&mut app, on_screen(position));
            let hits = hits_at(&mut app, location);
            let [(entity, hit)] = &hits[0].picks[..] else {
                panic!("{context}: {hits:?}");
            };
            assert_eq!((*entity, hit.camera), (disc, eye), "{context}");
            let point = hit.position.unwrap();
            assert!(point.distance(position) < 0.01, "{context}: {point}");
            assert_eq!(point.z, position.z, "{context}");
            for (angle, is_inside) in (0..16).map(|i| (i / 2, i % 2 == 0)) {
                let radius = if is_inside { 1.9 } else { 2.1 };
                let offset = Vec2::from_angle(angle as f32) * radius;
                let picked = picked_at(&mut app, on_screen(position + offset.extend(0.0)));
                assert_eq!(
                    picked.len(),
                    usize::from(is_inside),
                    "{context} and {offset}"
                );
            }
        }
    }
}

#[test]
fn a_viewport_shows_nothing_beside_it() {
    let mut app = test_app();
    let viewport = viewport((60, 20), (80, 70));
    spawn(&mut app, camera(flat(1.0), viewport, 1.0));
    let everywhere = spawn(&mut app, RectCollider::new(1000.0, 1000.0));
    app.update();
    assert_eq!(picked_at(&mut app, Vec2::new(61.0, 21.0)), [everywhere]);
    assert_eq!(picked_at(&mut app, Vec2::new(59.0, 21.0)), []);
    assert_eq!(picked_at(&mut app, Vec2::new(61.0, 19.0)), []);
}

#[test]
fn only_what_is_between_the_planes_is_shown() {
    let flat = OrthographicProjection {
        near: 5.0,
        far: 20.0,
        ..OrthographicProjection::default_2d()
    };
    let perspective = PerspectiveProjection {
        near: 5.0,
        far: 20.0,
        ..default()
    };
    for projection in [Projection::from(flat), Projection::from(perspective)] {
        for scale in [1.0, 2.0] {
            let eye = Transform::from_xyz(0.0, 0.0, 100.0).with_scale(Vec3::splat(scale));
            for (depth, is_shown) in [
                (-10.0, false),
                (4.5, false),
                (5.5, true),
                (19.5, true),
                (20.5, false),
            ] {
                let mut app = test_app();
                spawn(&mut app, (camera(projection.clone(), None, 1.0), eye));
                let position = eye.transform_point(Vec3::NEG_Z * depth);
                let everywhere = RectCollider::new(1000.0, 1000.0);
                spawn(
                    &mut app,
                    (everywhere, Transform::from_translation(position)),
                );
                app.update();
                // In a corner, the distance to the far plane is the longest.
                let picked = picked_at(&mut app, Vec2::ONE);
                assert_eq!(picked.len(), usize::from(is_shown), "{depth} {scale}");
            }
        }
    }
}

#[test]
fn nothing_is_hit_along_the_plane_of_the_colliders() {
    let mut app = test_app();
    let sideways = Transform::from_xyz(0.0, -50.0, 0.0).looking_at(Vec3::ZERO, Vec3::Z);
    spawn(&mut app, (flat_camera(), sideways));
    spawn(&mut app, ball(0.0, 0.0, 0.0));
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), []);
}

#[test]
fn a_pointer_is_in_one_window() {
    let mut app = test_app();
    let other_window = spawn(&mut app, Window::default());
    let target = RenderTarget::Window(WindowRef::Entity(other_window));
    let elsewhere = Transform::from_xyz(500.0, 0.0, 0.0);
    spawn(&mut app, flat_camera());
    spawn(&mut app, (flat_camera(), target, elsewhere));
    let here = spawn(&mut app, ball(0.0, 0.0, 0.0));
    let there = spawn(&mut app, ball(500.0, 0.0, 0.0));
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), [here]);
    let target = WindowRef::Entity(other_window).normalize(None).unwrap();
    let target = NormalizedRenderTarget::Window(target);
    let position = CENTER;
    let hits = hits_at(&mut app, Location { target, position });
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].picks[0].0, there);
}

#[test]
fn a_pointer_may_be_in_an_image() {
    let mut app = test_app();
    let image = Handle::<Image>::default();
    spawn(
        &mut app,
        (flat_camera(), RenderTarget::Image(image.clone().into())),
    );
    let ball = spawn(&mut app, ball(0.0, 0.0, 0.0));
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), []);
    let target = NormalizedRenderTarget::Image(image.into());
    let position = CENTER;
    let hits = hits_at(&mut app, Location { target, position });
    assert_eq!(hits[0].picks[0].0, ball);
}

#[test]
fn corners_and_edges_are_where_they_are_drawn() {
    let mut app = app_with_camera();
    let rotated =
        Transform::from_xyz(20.0, 10.0, 0.0).with_rotation(Quat::from_rotation_z(FRAC_PI_6));
    spawn(&mut app, (RectCollider::new(40.0, 8.0), rotated));
    app.update();
    for (x, y, is_inside) in [
        (19.5, 3.5, true),
        (-19.5, 3.5, true),
        (20.5, 3.5, false),
        (19.5, 4.5, false),
        (-19.5, -4.5, false),
    ] {
        let shown = rotated.transform_point(Vec3::new(x, y, 0.0)).truncate();
        let position = SIZE / 2.0 + shown * Vec2::new(1.0, -1.0);
        let picked = picked_at(&mut app, position);
        assert_eq!(picked.len(), usize::from(is_inside), "{x}, {y}");
    }
}
