//! How does a conveyor belt carry crates and the hero, seen from above?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A collider without `Solid`, and its velocity in world units per second.
#[derive(Component)]
struct Belt(Vec2);

/// For crates and heroes: movers that belts carry.
#[derive(Component)]
#[require(Mover, CollidingEntities)]
struct Carried;

/// On several belts, their mean velocity counts.
fn carry(
    time: Res<Time>,
    belts: Query<&Belt>,
    mut carried: Query<(&mut Mover, &CollidingEntities), With<Carried>>,
) {
    for (mut mover, overlapped) in &mut carried {
        let belts = overlapped.iter().filter_map(|&other| belts.get(other).ok());
        let velocities: Vec<Vec2> = belts.map(|belt| belt.0).collect();
        let mean = velocities.iter().sum::<Vec2>() / velocities.len().max(1) as f32;
        mover.displacement += mean * time.delta_secs();
    }
}

// ---- What tests it ----

use crate::app::*;

/// An app with two belts side by side to the right, from 0 to 100, and one up from there.
fn app_with_belts() -> App {
    let mut app = app(|app| {
        app.add_systems(Update, carry);
    });
    for y in [-5.0, 5.0] {
        let right = (Belt(Vec2::X * 64.0), RectCollider::new(100.0, 10.0));
        app.world_mut().spawn((right, at(50.0, y)));
    }
    let up = (Belt(Vec2::Y * 64.0), RectCollider::new(20.0, 200.0));
    app.world_mut().spawn((up, at(110.0, 90.0)));
    app
}

fn spawn(app: &mut App, thing: impl Bundle, x: f32) -> Entity {
    let thing = (Carried, RectCollider::new(8.0, 8.0), thing, at(x, 0.0));
    app.world_mut().spawn(thing).id()
}

#[test]
fn belts_carry_crates_around_a_corner_and_the_hero_against_its_will() {
    let mut app = app_with_belts();
    let crate_ = spawn(&mut app, Pushable, 20.0);
    let hero = spawn(&mut app, Mover::with_velocity(Vec2::X * -32.0), 60.0);
    let beside = spawn(&mut app, Pushable, -20.0);
    app.update();
    let before = position(&app, hero).x;
    run(&mut app, 0.25);
    let moved = position(&app, hero).x - before;
    assert!((moved - 8.0).abs() < 0.01, "{moved}");
    app.world_mut().despawn(hero);
    run(&mut app, 2.0);
    let carried = position(&app, crate_);
    assert!((96.0..110.0).contains(&carried.x), "{carried}");
    assert!((30.0..90.0).contains(&carried.y), "{carried}");
    assert_eq!(position(&app, beside), Vec2::X * -20.0);
}

#[test]
fn crates_queue_at_a_wall_and_do_not_leap_after_a_pause() {
    let mut app = app_with_belts();
    let wall = (RectCollider::new(10.0, 40.0), Solid, at(95.0, 0.0));
    app.world_mut().spawn(wall);
    let crates = [20.0, 40.0, 60.0].map(|x| spawn(&mut app, Pushable, x));
    app.update();
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    run(&mut app, 0.5);
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.update();
    let xs = crates.map(|crate_| position(&app, crate_).x);
    for (x, expected) in xs.into_iter().zip([21.0, 41.0, 61.0]) {
        assert!((x - expected).abs() < 0.1, "{xs:?}");
    }
    run(&mut app, 2.0);
    let xs = crates.map(|crate_| position(&app, crate_).x);
    for (x, expected) in xs.into_iter().zip([70.0, 78.0, 86.0]) {
        assert!((x - expected).abs() < 0.1, "{xs:?}");
    }
}
