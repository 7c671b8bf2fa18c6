//! How does a hero slide down a wall and jump off it?

use bevy::prelude::*;
use bevy_thud::prelude::*;

fn wall_jump(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    hero: Single<(&mut Mover, &Ground)>,
) {
    let (mut mover, ground) = hero.into_inner();
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let right = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    // Steering takes time, so that the jump leads away from the wall.
    let change = 600.0 * time.delta_secs();
    mover.velocity.x += (120.0 * right - mover.velocity.x).clamp(-change, change);
    mover.velocity.y -= 900.0 * time.delta_secs();
    if let Some(wall) = ground.wall().filter(|_| !ground.is_on_floor()) {
        // Whoever presses against the wall slides down slowly.
        if wall.normal.x * right < 0.0 {
            mover.velocity.y = mover.velocity.y.max(-60.0);
        }
        if keys.just_pressed(KeyCode::Space) {
            mover.velocity = Vec2::new(200.0 * wall.normal.x.signum(), 300.0);
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// A hero that fell for half a second while a key was pressed. It touches a wall whose center is at
/// an x of 15.02.
fn fall(wall_x: f32, key: KeyCode) -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, wall_jump);
    });
    let wall = (RectCollider::new(20.0, 2000.0), Solid, at(wall_x, 0.0));
    app.world_mut().spawn(wall);
    let hero = (RectCollider::new(10.0, 10.0), Walker::default());
    let hero = app.world_mut().spawn((hero, at(0.0, 0.0))).id();
    press(&mut app, key);
    run(&mut app, 0.5);
    (app, hero)
}

fn velocity(app: &App, hero: Entity) -> Vec2 {
    app.world().get::<Mover>(hero).unwrap().velocity
}

#[test]
fn a_hero_slides_down_slowly_while_it_presses_against_a_wall() {
    let (app, hero) = fall(15.02, KeyCode::ArrowRight);
    assert!((velocity(&app, hero).y + 60.0).abs() < 0.01);
    let (app, hero) = fall(15.02, KeyCode::ArrowDown);
    assert!(app.world().get::<Ground>(hero).unwrap().wall().is_some());
    assert!(velocity(&app, hero).y < -400.0);
}

#[test]
fn a_jump_leads_away_from_the_wall_and_needs_one() {
    let (mut app, hero) = fall(15.02, KeyCode::ArrowRight);
    let start = position(&app, hero);
    press(&mut app, KeyCode::Space);
    app.update();
    assert_eq!(velocity(&app, hero), Vec2::new(-200.0, 300.0));
    release(&mut app);
    run(&mut app, 0.2);
    let moved = position(&app, hero) - start;
    assert!(moved.x < -15.0 && moved.y > 15.0, "{moved}");

    let (mut app, hero) = fall(500.0, KeyCode::ArrowRight);
    press(&mut app, KeyCode::Space);
    app.update();
    assert!(velocity(&app, hero).y < -400.0);
}
