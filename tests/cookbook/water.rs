//! How does water slow a hero down and let it float?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A collider without `Solid`.
#[derive(Component)]
struct Water;

fn swim(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    water: Query<(), With<Water>>,
    hero: Single<(Entity, &mut Mover), With<Walker>>,
    collisions: Collisions,
) {
    let (hero, mut mover) = hero.into_inner();
    let touched = collisions.of(hero);
    let in_water = touched.filter(|(other, _)| water.contains(*other));
    let depths = in_water.map(|(_, contact)| contact.depth);
    // The fraction of the hero under water. It is 20 units high.
    let submerged = (depths.fold(0.0, f32::max) / 20.0).min(1.0);
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let speed = 120.0 - 60.0 * submerged;
    mover.velocity.x = speed * axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    // Buoyancy is twice as strong as gravity: the hero floats with its upper half above the water.
    let acceleration = 900.0 * (2.0 * submerged - 1.0);
    mover.velocity.y += acceleration * time.delta_secs();
    mover.velocity.y *= (-6.0 * submerged * time.delta_secs()).exp();
}

// ---- What tests it ----

use crate::app::*;

/// A hero at this height over water whose surface is at 0.
fn stage(y: f32) -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, swim);
    });
    let water = (Water, RectCollider::new(600.0, 200.0), at(0.0, -100.0));
    app.world_mut().spawn(water);
    let hero = (RectCollider::new(10.0, 20.0), Walker::default());
    let hero = app.world_mut().spawn((hero, at(0.0, y))).id();
    (app, hero)
}

#[test]
fn a_hero_floats_up_or_down_to_the_surface() {
    for start in [30.0, -100.0] {
        let (mut app, hero) = stage(start);
        run(&mut app, 0.25);
        let y = position(&app, hero).y;
        assert!((y - start).abs() > 10.0, "from {start}: {y}");
        run(&mut app, 5.0);
        let y = position(&app, hero).y;
        assert!(y.abs() < 1.0, "from {start}: {y}");
    }
}

#[test]
fn a_hero_is_slower_in_water_than_in_the_air() {
    let speeds = [1000.0, 0.0, -150.0].map(|start| {
        let (mut app, hero) = stage(start);
        press(&mut app, KeyCode::ArrowRight);
        run(&mut app, 0.125);
        app.world().get::<Mover>(hero).unwrap().velocity.x
    });
    let expected = [120.0, 90.0, 60.0];
    for (speed, expected) in speeds.into_iter().zip(expected) {
        assert!((speed - expected).abs() < 5.0, "{speeds:?}");
    }
}
