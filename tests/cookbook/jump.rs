//! How do I add coyote time, a jump buffer and a variable jump height?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// How long a press of the jump key still counts, in seconds ("jump buffer").
#[derive(Component, Default)]
struct JumpBuffer(f32);

fn jump(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    hero: Single<(&mut Mover, &Ground, &mut JumpBuffer)>,
) {
    let (mut mover, ground, mut buffer) = hero.into_inner();
    mover.velocity.y -= 900.0 * time.delta_secs();
    buffer.0 -= time.delta_secs();
    if keys.just_pressed(KeyCode::Space) {
        buffer.0 = 0.1;
    }
    // Up to a tenth of a second after walking off an edge ("coyote time").
    let may_jump = ground.air_seconds() < 0.1 && mover.velocity.y <= 0.0;
    let is_held = keys.pressed(KeyCode::Space);
    if may_jump && buffer.0 > 0.0 {
        buffer.0 = 0.0;
        mover.velocity.y = if is_held { 300.0 } else { 150.0 };
    } else if keys.just_released(KeyCode::Space) {
        // A key that is released early makes a lower jump.
        mover.velocity.y = mover.velocity.y.min(150.0);
    }
}

// ---- What tests it ----

use crate::app::*;

/// A hero whose feet are this high above a floor that ends at x = 50.
fn stage(height: f32) -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, jump);
    });
    let floor = (RectCollider::new(100.0, 20.0), Solid, at(0.0, -10.0));
    app.world_mut().spawn(floor);
    let hero = (RectCollider::new(10.0, 10.0), Walker::default());
    let hero = (hero, JumpBuffer::default(), at(0.0, 5.0 + height));
    let hero = app.world_mut().spawn(hero).id();
    (app, hero)
}

fn keys(app: &mut App) -> Mut<'_, ButtonInput<KeyCode>> {
    app.world_mut().resource_mut()
}

/// Presses the key in one update, and releases it in the next unless it is held.
fn press_jump(app: &mut App, is_held: bool) {
    press(app, KeyCode::Space);
    app.update();
    keys(app).clear();
    if !is_held {
        keys(app).release(KeyCode::Space);
        app.update();
        keys(app).clear();
    }
}

#[test]
fn a_jump_is_possible_until_shortly_after_an_edge() {
    for (seconds, expected) in [(0.3, true), (0.6, true), (0.75, false)] {
        let (mut app, hero) = stage(0.02);
        run(&mut app, 0.1);
        app.world_mut().get_mut::<Mover>(hero).unwrap().velocity.x = 100.0;
        run(&mut app, seconds);
        let ground = app.world().get::<Ground>(hero).unwrap();
        assert_eq!(ground.is_on_floor(), seconds < 0.5);
        press_jump(&mut app, true);
        let rises = app.world().get::<Mover>(hero).unwrap().velocity.y > 0.0;
        assert_eq!(rises, expected, "after {seconds} s");
    }
}

#[test]
fn a_key_that_is_pressed_shortly_before_landing_counts() {
    // It lands after 0.21 s.
    let cases = [(0.0, true, 5.0), (0.15, true, 55.0), (0.15, false, 15.0)];
    for (seconds, is_held, expected) in cases {
        let (mut app, hero) = stage(20.0);
        run(&mut app, seconds);
        press_jump(&mut app, is_held);
        assert!(app.world().get::<Mover>(hero).unwrap().velocity.y < 0.0);
        run(&mut app, 0.3);
        let y = position(&app, hero).y;
        assert!((y - expected).abs() < 4.0, "after {seconds} s: {y}");
    }
}

#[test]
fn a_jump_is_lower_if_the_key_is_released_early() {
    let [high, low] = [true, false].map(|is_held| {
        let (mut app, hero) = stage(0.02);
        run(&mut app, 0.1);
        press_jump(&mut app, is_held);
        let heights = (0..40).map(|_| {
            app.update();
            position(&app, hero).y - 5.0
        });
        heights.fold(0.0, f32::max)
    });
    assert!((45.0..60.0).contains(&high), "{high}");
    assert!((10.0..25.0).contains(&low), "{low}");
}
