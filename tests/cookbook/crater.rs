//! How does ground explode and leave a crater?

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::{geometry::Polygon, prelude::*};

#[derive(Component)]
#[require(Solid)]
struct Ground;

/// Triggered by the game: `commands.trigger(Blast { center, radius: 30.0 })`.
#[derive(Event)]
struct Blast {
    center: Vec2,
    radius: f32,
}

fn dig(
    blast: On<Blast>,
    mut grounds: Query<(Entity, &mut PolygonCollider, &GlobalTransform), With<Ground>>,
    mut commands: Commands,
) {
    let angles = (0..16).map(|i| i as f32 / 16.0 * TAU);
    let rim = angles.map(|angle| blast.center + Vec2::from_angle(angle) * blast.radius);
    for (entity, mut ground, transform) in &mut grounds {
        // A polygon is cut in its own frame.
        let to_ground = transform.affine().inverse();
        let rim = (rim.clone()).map(|point| to_ground.transform_point3(point.extend(0.0)).xy());
        let Ok(crater) = Polygon::new(rim) else {
            continue;
        };
        match ground.polygon().difference(&crater) {
            Some(rest) => _ = ground.set_if_neq(rest.into()),
            None => commands.entity(entity).try_despawn(),
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// Ground below y = 0, in a frame that is moved, turned upside down and scaled.
fn app_with_ground() -> (App, Entity) {
    let mut app = app(|app| {
        app.add_observer(dig);
    });
    let corners = [(-50.0, 0.0), (50.0, 0.0), (50.0, 20.0), (-50.0, 20.0)];
    let collider = PolygonCollider::new(corners.map(Vec2::from)).unwrap();
    let mut transform = at(7.0, 0.0);
    transform.rotation = Quat::from_rotation_z(TAU / 2.0);
    transform.scale = Vec3::splat(2.0);
    let global = GlobalTransform::from(transform);
    let ground = app.world_mut().spawn((Ground, collider, transform, global));
    let ground = ground.id();
    app.update();
    (app, ground)
}

fn trigger(app: &mut App, x: f32, y: f32, radius: f32) {
    let center = Vec2::new(x, y);
    app.world_mut().trigger(Blast { center, radius });
    app.update();
}

/// Where a ball comes to rest that falls from above.
fn fall(app: &mut App, x: f32) -> f32 {
    let mover = Mover::with_velocity(Vec2::NEG_Y * 200.0);
    let ball = (CircleCollider::new(2.0), mover, at(x, 20.0));
    let ball = app.world_mut().spawn(ball).id();
    run(app, 0.6);
    position(app, ball).y
}

#[test]
fn a_ball_falls_into_the_crater_and_not_beside_it() {
    let (mut app, _) = app_with_ground();
    assert!((fall(&mut app, 30.0) - 2.0).abs() < 0.1);
    trigger(&mut app, 30.0, 0.0, 15.0);
    assert!((fall(&mut app, 30.0) + 13.0).abs() < 0.5);
    assert!((fall(&mut app, 60.0) - 2.0).abs() < 0.1);
    // Through all of the ground.
    trigger(&mut app, 30.0, -30.0, 20.0);
    assert!(fall(&mut app, 30.0) < -60.0);
}

#[test]
fn ground_far_away_does_not_change_and_what_is_blown_up_is_gone() {
    let (mut app, ground) = app_with_ground();
    let changed = |app: &App| {
        let ground = app.world().entity(ground).get_ref::<PolygonCollider>();
        ground.unwrap().last_changed()
    };
    let before = changed(&app);
    trigger(&mut app, 500.0, 0.0, 15.0);
    assert_eq!(changed(&app), before);
    trigger(&mut app, 0.0, 0.0, 900.0);
    assert!(!exists(&app, ground));
}
