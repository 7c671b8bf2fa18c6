//! How does a hero return to the last checkpoint?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A collider without `Solid`.
#[derive(Component)]
struct Checkpoint;

/// The place to which a hero returns.
#[derive(Component)]
struct Home(Vec2);

/// Added with `app.add_observer(reach)`.
fn reach(
    start: On<CollisionStart>,
    checkpoints: Query<&Transform, With<Checkpoint>>,
    mut homes: Query<&mut Home>,
) {
    if let (Ok(there), Ok(mut home)) = (checkpoints.get(start.other), homes.get_mut(start.entity)) {
        home.0 = there.translation.truncate();
    }
}

/// Falling out of the world leads back.
fn return_home(mut heroes: Query<(&Home, &mut Transform, &mut Mover)>) {
    for (home, mut transform, mut mover) in &mut heroes {
        if transform.translation.y < -200.0 {
            transform.translation = home.0.extend(transform.translation.z);
            mover.velocity = Vec2::ZERO;
        }
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn who_falls_out_of_the_world_returns_to_the_last_checkpoint() {
    let mut app = app(|app| {
        app.add_observer(reach).add_systems(Update, return_home);
    });
    for x in [50.0, 120.0] {
        let checkpoint = (Checkpoint, RectCollider::new(10.0, 40.0), at(x, 0.0));
        app.world_mut().spawn(checkpoint);
    }
    let hero = (CircleCollider::new(5.0), Mover::default(), Home(Vec2::ZERO));
    let hero = app.world_mut().spawn((hero, at(0.0, 0.0))).id();
    for (seconds, expected) in [(0.25, 0.0), (0.75, 50.0), (0.25, 50.0), (1.0, 120.0)] {
        let right = (Vec2::X * 100.0, seconds);
        let down = (Vec2::Y * -400.0, 1.0);
        for (velocity, seconds) in [right, down] {
            app.world_mut().get_mut::<Mover>(hero).unwrap().velocity = velocity;
            run(&mut app, seconds);
        }
        assert_eq!(position(&app, hero), Vec2::X * expected);
    }
}
