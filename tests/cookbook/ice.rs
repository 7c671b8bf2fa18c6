//! How do I make a floor slippery, such as ice?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A marker for floors.
#[derive(Component)]
struct Ice;

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    ice: Query<(), With<Ice>>,
    hero: Single<(&mut Mover, &Ground)>,
) {
    let (mut mover, ground) = hero.into_inner();
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let speed = 120.0 * axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    // In a tile map, `floor.cell` is the cell that the hero stands on.
    let acceleration = match ground.floor() {
        Some(floor) if ice.contains(floor.entity) => 150.0,
        Some(_) => 2000.0,
        None => 600.0,
    };
    let change = acceleration * time.delta_secs();
    mover.velocity.x += (speed - mover.velocity.x).clamp(-change, change);
    mover.velocity.y -= 900.0 * time.delta_secs();
}

// ---- What tests it ----

use crate::app::*;

/// How far a hero slides after the key was released.
fn slide(floor: impl Bundle) -> f32 {
    let mut app = app(|app| {
        app.add_systems(Update, walk);
    });
    let rect = (RectCollider::new(1000.0, 20.0), Solid, at(0.0, -10.0));
    app.world_mut().spawn((rect, floor));
    let hero = (CircleCollider::new(5.0), Walker::default(), at(0.0, 5.02));
    let hero = app.world_mut().spawn(hero).id();
    press(&mut app, KeyCode::ArrowRight);
    run(&mut app, 1.0);
    let start = position(&app, hero).x;
    release(&mut app);
    run(&mut app, 1.0);
    position(&app, hero).x - start
}

#[test]
fn a_hero_slides_on_ice() {
    let (stone, ice) = (slide(()), slide(Ice));
    assert!((1.0..5.0).contains(&stone), "{stone}");
    assert!((40.0..60.0).contains(&ice), "{ice}");
}
