//! How does a hero climb a ladder?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A collider without `Solid`.
#[derive(Component)]
struct Ladder;

fn climb(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    ladders: Query<(), With<Ladder>>,
    hero: Single<(Entity, &mut Mover), With<Walker>>,
    collisions: Collisions,
    mut is_climbing: Local<bool>,
) {
    let (hero, mut mover) = hero.into_inner();
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let up = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    let mut touched = collisions.of(hero);
    let is_at_ladder = touched.any(|(other, _)| ladders.contains(other));
    // Up or down grabs the ladder. Whoever walks off it lets go.
    *is_climbing = is_at_ladder && (*is_climbing || up != 0.0);
    mover.velocity.x = 100.0 * axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    if *is_climbing {
        mover.velocity.y = 80.0 * up;
    } else {
        mover.velocity.y -= 900.0 * time.delta_secs();
    }
}

// ---- What tests it ----

use crate::app::*;

/// A hero at this height, at the foot of a ladder from 0 to 100.
fn stage(y: f32) -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, climb);
    });
    let floor = (RectCollider::new(400.0, 20.0), Solid, at(0.0, -10.0));
    app.world_mut().spawn(floor);
    let ladder = (Ladder, RectCollider::new(10.0, 100.0), at(0.0, 50.0));
    app.world_mut().spawn(ladder);
    let hero = (RectCollider::new(10.0, 10.0), Walker::default());
    let hero = app.world_mut().spawn((hero, at(0.0, y))).id();
    (app, hero)
}

#[test]
fn a_hero_climbs_a_ladder_stays_on_it_and_falls_beside_it() {
    let (mut app, hero) = stage(5.02);
    press(&mut app, KeyCode::ArrowUp);
    run(&mut app, 1.0);
    let above = position(&app, hero);
    assert!((80.0..86.0).contains(&above.y), "{above}");
    release(&mut app);
    run(&mut app, 0.5);
    assert_eq!(position(&app, hero).x, above.x);
    assert!((position(&app, hero).y - above.y).abs() < 0.01);
    press(&mut app, KeyCode::ArrowDown);
    run(&mut app, 0.25);
    let below = position(&app, hero);
    assert!((above.y - below.y - 20.0).abs() < 0.1, "{below}");
    release(&mut app);
    press(&mut app, KeyCode::ArrowRight);
    run(&mut app, 1.0);
    let beside = position(&app, hero);
    assert!(beside.x > 90.0 && beside.y < 5.1, "{beside}");
}

#[test]
fn a_hero_that_does_not_grab_the_ladder_falls_past_it() {
    let (mut app, hero) = stage(90.0);
    run(&mut app, 0.25);
    let y = position(&app, hero).y;
    assert!((50.0..75.0).contains(&y), "{y}");
    run(&mut app, 0.5);
    assert!(position(&app, hero).y < 5.1);
}
