//! The pointer events that entities receive.

use std::time::Duration;

use bevy::{
    picking::{DefaultPickingPlugins, input::PointerInputPlugin, pointer::PointerAction},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_thud::{CollisionPickingPlugin, prelude::*};

use crate::common::{CENTER, act, app_with_camera, ball, in_window, picked_at, spawn};

/// The events that observers received.
#[derive(Resource, Default)]
struct Received(Vec<(&'static str, Entity)>);

fn listen<E: EntityEvent>(app: &mut App, entity: Entity, name: &'static str) {
    app.init_resource::<Received>();
    (app.world_mut().entity_mut(entity)).observe(
        move |event: On<E>, mut received: ResMut<Received>| {
            received.0.push((name, event.event_target()));
        },
    );
}

fn received(app: &mut App) -> Vec<(&'static str, Entity)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Received>().0)
}

#[test]
fn a_collider_receives_a_click() {
    let mut app = app_with_camera();
    let ball = spawn(&mut app, ball(30.0, 0.0, 0.0));
    listen::<Pointer<Click>>(&mut app, ball, "click");
    listen::<Pointer<Over>>(&mut app, ball, "over");
    listen::<Pointer<Out>>(&mut app, ball, "out");
    app.update();

    picked_at(&mut app, CENTER);
    assert_eq!(received(&mut app), []);
    picked_at(&mut app, CENTER + Vec2::new(25.0, 5.0));
    assert_eq!(received(&mut app), [("over", ball)]);

    let location = in_window(&mut app, CENTER + Vec2::new(25.0, 5.0));
    for action in [PointerAction::Press, PointerAction::Release] {
        act(&mut app, location.clone(), action(PointerButton::Primary));
    }
    assert_eq!(received(&mut app), [("click", ball)]);
    picked_at(&mut app, CENTER);
    assert_eq!(received(&mut app), [("out", ball)]);
}

#[test]
fn parents_receive_pointer_events() {
    let mut app = app_with_camera();
    let ship = spawn(&mut app, Transform::from_xyz(10.0, 0.0, 0.0));
    let gun = spawn(&mut app, (ball(20.0, 0.0, 0.0), ChildOf(ship)));
    listen::<Pointer<Over>>(&mut app, ship, "over");
    app.update();
    assert_eq!(picked_at(&mut app, CENTER + Vec2::new(30.0, 0.0)), [gun]);
    assert_eq!(received(&mut app), [("over", ship)]);
}

/// A resting pointer hits what moves under it. Bevy renders a mover where the update moved it.
#[test]
fn a_mover_is_hit_where_it_is_drawn() {
    let mut app = app_with_camera();
    let step = Duration::from_millis(100);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    let ball = ball(-95.0, 0.0, 0.0);
    let mover = spawn(&mut app, (ball, Mover::with_velocity(Vec2::X * 300.0)));
    app.update();
    let mut times_over = 0;
    for _ in 0..6 {
        let drawn = app.world().get::<GlobalTransform>(mover).unwrap();
        let is_over = drawn.translation().length() < 10.0;
        assert_eq!(picked_at(&mut app, CENTER).contains(&mover), is_over);
        times_over += u32::from(is_over);
    }
    assert_eq!(times_over, 1);
}

#[test]
fn without_what_it_needs_it_idles() {
    let base = || {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPickingPlugin));
        app
    };
    let mut without_picking = base();
    without_picking.add_plugins(CollisionPlugin::default());
    without_picking.update();
    let mut without_colliders = base();
    // There is no window with a mouse.
    let picking = DefaultPickingPlugins.build();
    without_colliders.add_plugins(picking.disable::<PointerInputPlugin>());
    without_colliders.update();
}
