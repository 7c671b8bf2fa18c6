//! How do cars ram each other, fighters push each other back, and a hero push a row of crates?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// What a driver or a fighter wants, in world units per second.
#[derive(Component)]
struct Drive(Vec2);

/// A car, a fighter or a crate. Where two of them press against each other, both go on at their
/// common speed, by weight.
fn pushable(weight: f32) -> impl Bundle {
    let mover = Mover {
        weight,
        ..default()
    };
    (RectCollider::new(16.0, 16.0), Pushable, mover)
}

/// A hero is not `Pushable`, and pushes what is at its own speed.
fn hero() -> impl Bundle {
    (CircleCollider::new(8.0), Mover::default())
}

fn drive(mut movers: Query<(&mut Mover, &Drive)>) {
    for (mut mover, drive) in &mut movers {
        mover.velocity = drive.0;
    }
}

// ---- What tests it ----

use crate::app::*;

fn app_with(movers: impl FnOnce(&mut World) -> Vec<Entity>) -> (App, Vec<Entity>) {
    let mut app = app(|app| {
        app.add_systems(Update, drive);
    });
    let movers = movers(app.world_mut());
    app.update();
    (app, movers)
}

/// By how much each of these moves to the right in a second.
fn moved(app: &mut App, movers: &[Entity]) -> Vec<f32> {
    let xs = |app: &App| -> Vec<f32> {
        let xs = movers.iter().map(|&mover| position(app, mover).x);
        xs.collect()
    };
    let before = xs(app);
    run(app, 1.0);
    let after = xs(app).into_iter().zip(before);
    after.map(|(after, before)| after - before).collect()
}

#[test]
fn a_car_rams_a_parked_one_along_at_its_share_of_the_weight() {
    let (mut app, cars) = app_with(|world| {
        let car = (pushable(3.0), Drive(Vec2::X * 60.0), at(0.0, 0.0));
        let parked = (pushable(1.0), at(16.1, 0.0));
        vec![world.spawn(car).id(), world.spawn(parked).id()]
    });
    for moved in moved(&mut app, &cars) {
        assert!((moved - 45.0).abs() < 0.5, "{moved}");
    }
}

#[test]
fn fighters_of_equal_weight_stand_still_and_a_heavier_one_wins() {
    for (weight, expected) in [(1.0, 0.0), (2.0, 20.0)] {
        let (mut app, fighters) = app_with(|world| {
            let left = (pushable(weight), Drive(Vec2::X * 60.0), at(0.0, 0.0));
            let right = (pushable(1.0), Drive(Vec2::X * -60.0), at(16.1, 0.0));
            vec![world.spawn(left).id(), world.spawn(right).id()]
        });
        for moved in moved(&mut app, &fighters) {
            assert!((moved - expected).abs() < 0.5, "{weight}: {moved}");
        }
    }
}

#[test]
fn a_hero_pushes_a_row_of_crates_at_its_own_speed() {
    let (mut app, movers) = app_with(|world| {
        let walker = (hero(), Drive(Vec2::X * 60.0), at(-16.1, 0.0));
        let mut movers = vec![world.spawn(walker).id()];
        let crates = (0..8).map(|number| (pushable(5.0), at(16.05 * number as f32, 0.0)));
        movers.extend(crates.map(|bundle| world.spawn(bundle).id()));
        movers
    });
    for moved in moved(&mut app, &movers) {
        assert!((moved - 60.0).abs() < 0.5, "{moved}");
    }
}
