//! The order of picks at one position.

use bevy::{
    camera::{Viewport, visibility::RenderLayers},
    prelude::*,
};
use bevy_thud::prelude::*;

use crate::common::{
    CENTER, app_with_camera, ball, camera, flat, flat_camera, hits_at, hovered_at, in_window,
    picked_at, spawn, test_app,
};

#[test]
fn the_higher_one_is_in_front() {
    for zs in [[1.0, 3.0, -2.0], [3.0, 1.0, 2.0], [-1.0, -3.0, -2.0]] {
        let mut app = app_with_camera();
        let mut balls = zs.map(|z| (z, spawn(&mut app, ball(0.0, 0.0, z))));
        balls.sort_by(|(z, _), (other, _)| other.total_cmp(z));
        app.update();
        assert_eq!(picked_at(&mut app, CENTER), balls.map(|(_, ball)| ball));
        assert_eq!(hovered_at(&mut app, CENTER), [balls[0].1]);
    }
}

#[test]
fn seen_from_below_the_lower_one_is_in_front() {
    let mut app = test_app();
    let below = Transform::from_xyz(0.0, 0.0, -10.0).looking_at(Vec3::ZERO, Vec3::Y);
    spawn(&mut app, (flat_camera(), below));
    let lower = spawn(&mut app, ball(0.0, 0.0, 1.0));
    let higher = spawn(&mut app, ball(0.0, 0.0, 2.0));
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), [lower, higher]);
}

#[test]
fn the_height_is_that_in_the_world() {
    let mut app = app_with_camera();
    let root = spawn(&mut app, Transform::from_xyz(0.0, 0.0, 5.0));
    let child = spawn(&mut app, (ball(0.0, 0.0, -1.0), ChildOf(root)));
    let other = spawn(&mut app, ball(0.0, 0.0, 3.0));
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), [child, other]);
}

#[test]
fn at_the_same_height_the_least_entity_is_in_front() {
    let mut app = app_with_camera();
    let mut balls: Vec<_> = (0..40)
        .map(|_| spawn(&mut app, ball(0.0, 0.0, 1.0)))
        .collect();
    balls.sort_unstable();
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), balls);
    assert_eq!(hovered_at(&mut app, CENTER), [balls[0]]);
}

#[test]
fn keys_take_the_place_of_ids() {
    let mut app = app_with_camera();
    let keyed = |app: &mut App, key| spawn(app, (ball(0.0, 0.0, 1.0), StableKey(key)));
    let [last, first, middle] = [30, 10, 20].map(|key| keyed(&mut app, key));
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), [first, middle, last]);
}

/// As the depth of sprites does, so that both can be mixed. The near plane of a `Camera2d` is a
/// thousand units above the camera.
#[test]
fn the_depth_counts_from_the_near_plane() {
    let lens = camera(PerspectiveProjection::default().into(), None, 1.0);
    for (camera, eye, expected) in [(flat_camera(), 40.0, 1028.0), (lens, 40.0, 27.9)] {
        let mut app = test_app();
        spawn(&mut app, (camera, Transform::from_xyz(0.0, 0.0, eye)));
        spawn(&mut app, ball(0.0, 0.0, 12.0));
        app.update();
        let location = in_window(&mut app, CENTER);
        let hits = hits_at(&mut app, location);
        let (_, hit) = &hits[0].picks[0];
        assert!((hit.depth - expected).abs() < 1e-3, "{hit:?}");
        assert_eq!(hit.normal, Some(Vec3::Z));
    }
}

#[test]
fn what_a_later_camera_draws_is_in_front() {
    let mut app = test_app();
    let (first, second) = (RenderLayers::layer(0), RenderLayers::layer(1));
    let later = |(camera, projection)| (Camera { order: 2, ..camera }, projection);
    spawn(&mut app, (later(flat_camera()), second.clone()));
    spawn(&mut app, (flat_camera(), first));
    let higher = spawn(&mut app, ball(0.0, 0.0, 9.0));
    let lower = spawn(&mut app, (ball(0.0, 0.0, 0.0), second));
    app.update();
    let location = in_window(&mut app, CENTER);
    let mut hits = hits_at(&mut app, location);
    hits.sort_by(|hits, others| hits.order.total_cmp(&others.order));
    let hits: Vec<_> = (hits.iter())
        .map(|hits| (hits.order, hits.picks[0].0, hits.picks.len()))
        .collect();
    assert_eq!(hits, [(0.0, higher, 1), (2.0, lower, 1)]);
    assert_eq!(hovered_at(&mut app, CENTER), [lower]);
}

#[test]
fn both_sides_of_a_split_screen_pick() {
    let mut app = test_app();
    let side = |x| {
        let viewport = Viewport {
            physical_position: UVec2::new(x, 0),
            physical_size: UVec2::new(100, 100),
            ..default()
        };
        camera(flat(1.0), Some(viewport), 1.0)
    };
    let far_away = Transform::from_xyz(300.0, 0.0, 0.0);
    spawn(&mut app, side(0));
    spawn(&mut app, (side(100), far_away));
    let left = spawn(&mut app, ball(0.0, 0.0, 0.0));
    let right = spawn(&mut app, ball(300.0, 0.0, 0.0));
    app.update();
    assert_eq!(picked_at(&mut app, Vec2::new(50.0, 50.0)), [left]);
    assert_eq!(picked_at(&mut app, Vec2::new(150.0, 50.0)), [right]);
}
