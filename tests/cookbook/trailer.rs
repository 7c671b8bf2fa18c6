//! How does a car pull a trailer?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Faces its car, from whose position it keeps this distance. Walls block it like any mover.
#[derive(Component)]
#[require(Mover)]
struct Trailer {
    car: Entity,
    distance: f32,
}

/// The trailer makes up in this step for what the car drove in the last one.
fn pull(
    time: Res<Time>,
    cars: Query<&Transform, Without<Trailer>>,
    mut trailers: Query<(&Trailer, &mut Mover, &mut Transform)>,
) {
    for (trailer, mut mover, mut transform) in &mut trailers {
        let Ok(car) = cars.get(trailer.car) else {
            continue;
        };
        let to_car = (car.translation - transform.translation).truncate();
        let Ok((direction, distance)) = Dir2::new_and_length(to_car) else {
            continue;
        };
        transform.rotation = Quat::from_rotation_z(to_car.to_angle());
        let missing = distance - trailer.distance;
        mover.velocity = direction * (missing / time.delta_secs().max(f32::EPSILON));
    }
}

// ---- What tests it ----

use crate::app::*;

fn road() -> (App, Entity, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, pull);
    });
    let car = (
        RectCollider::new(20.0, 10.0),
        Mover::default(),
        at(0.0, 0.0),
    );
    let car = app.world_mut().spawn(car).id();
    let trailer = Trailer {
        car,
        distance: 24.0,
    };
    let trailer = (trailer, RectCollider::new(16.0, 10.0), at(-24.0, 0.0));
    let trailer = app.world_mut().spawn(trailer).id();
    (app, car, trailer)
}

fn drive(app: &mut App, car: Entity, velocity: Vec2) {
    let mut entity = app.world_mut().entity_mut(car);
    entity.get_mut::<Mover>().unwrap().velocity = velocity;
}

#[test]
fn it_follows_in_curves_and_backward() {
    let (mut app, car, trailer) = road();
    for step in 0..640 {
        let forward = if step < 400 { 100.0 } else { -40.0 };
        drive(
            &mut app,
            car,
            Vec2::from_angle(step as f32 * 0.01) * forward,
        );
        app.update();
        let distance = position(&app, car).distance(position(&app, trailer));
        // The car has driven a step since.
        assert!(
            (distance - 24.0).abs() < 100.0 * STEP_SECS + 0.01,
            "{distance}"
        );
    }
}

#[test]
fn a_wall_holds_it_back_and_it_comes_after_when_the_car_goes_around() {
    let (mut app, car, trailer) = road();
    let wall = (RectCollider::new(10.0, 40.0), Solid, at(-7.0, 30.0));
    app.world_mut().spawn(wall);
    drive(&mut app, car, Vec2::new(0.0, 100.0));
    for _ in 0..64 {
        app.update();
        let x = position(&app, trailer).x;
        let y = position(&app, trailer).y;
        assert!(
            x < -20.0 || !(5.0..55.0).contains(&y),
            "in the wall at {x}, {y}"
        );
    }
    let left_behind = position(&app, car).distance(position(&app, trailer));
    drive(&mut app, car, Vec2::new(-60.0, 0.0));
    run(&mut app, 1.0);
    let distance = position(&app, car).distance(position(&app, trailer));
    assert!(distance < 26.0, "{distance}, after {left_behind}");
}
