//! The warning about a mover that the game moves by its `Transform`.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::hints::{assert_silent, assert_warned};
use crate::common::*;

const SET_VELOCITY: &str = "Set `Mover::velocity` instead";

/// Lets the game move a mover by its `Transform`, or turn it, or whatever `write` does.
fn write_in_each_update(
    app: &mut App,
    name: &str,
    mover: Mover,
    write: impl Fn(usize, Mut<Transform>),
) {
    let hero = (ball(0.0, 0.0), mover, Name::new(name.to_string()));
    let hero = spawn(app, hero);
    for update in 0..20 {
        write(update, app.world_mut().get_mut(hero).unwrap());
        app.update();
    }
    app.world_mut().despawn(hero);
}

#[test]
fn a_mover_that_is_moved_by_its_transform_is_named() {
    collect_warnings();
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 50.0), Solid, at(15.0, 0.0));
    spawn(&mut app, wall);
    // The plugin moves these.
    for number in 0..100u8 {
        let mover = Mover::with_velocity(Vec2::Y);
        spawn(&mut app, (ball(-10.0 * f32::from(number + 1), 0.0), mover));
    }
    let name = "a hero whose position is written;";
    write_in_each_update(&mut app, name, Mover::default(), |_, mut transform| {
        transform.translation.x += 1.0;
    });
    assert_warned(&mut app, name, SET_VELOCITY);
    let other = "another hero whose position is written;";
    write_in_each_update(&mut app, other, Mover::default(), |_, mut transform| {
        transform.translation.x += 1.0;
    });
    assert_silent(&mut app, other);
}

#[test]
fn a_mover_that_begins_next_to_the_wall_into_which_it_is_written_is_named() {
    collect_warnings();
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 50.0), Solid, at(2.1, 0.0));
    spawn(&mut app, wall);
    let name = "a hero at a wall;";
    write_in_each_update(&mut app, name, Mover::default(), |_, mut transform| {
        transform.translation.x += 0.5;
    });
    assert_warned(&mut app, name, SET_VELOCITY);
}

#[test]
fn a_mover_that_is_written_within_a_room_of_one_grid_is_not_named() {
    collect_warnings();
    let mut app = test_app();
    let room = TileCollider::from_rows(["####", "#..#", "#..#", "####"], Vec2::splat(40.0));
    spawn(&mut app, (room, Solid));
    let name = "a remote hero in a room;";
    write_in_each_update(&mut app, name, Mover::default(), |_, mut transform| {
        transform.translation.x += 1.0;
    });
    assert_silent(&mut app, name);
}

/// What `write` does to the `Transform` of a mover before each fixed step.
fn write_between_steps(name: &str, write: impl Fn(usize, Mut<Transform>)) {
    collect_warnings();
    let mut app = unstarted_app(CollisionPlugin::in_fixed_schedule());
    start(&mut app);
    let hero = Mover::with_velocity(Vec2::new(64.0, 32.0));
    let hero = spawn(
        &mut app,
        (ball(0.0, 0.0), hero, Name::new(name.to_string())),
    );
    for step in 0..300 {
        write(step, app.world_mut().get_mut(hero).unwrap());
        app.update();
    }
}

#[test]
fn a_mover_that_is_set_back_between_steps_is_named_once() {
    let name = "an interpolated hero;";
    write_between_steps(name, |_, mut transform| {
        transform.translation -= Vec3::new(0.5, 0.25, 0.0);
    });
    let warnings = warnings_about(name);
    assert!(
        warnings.len() == 1 && warnings[0].contains("of a child"),
        "{warnings:?}"
    );
}

#[test]
fn a_mover_that_the_game_moves_between_steps_is_not_named() {
    let name = "a hero that jumps;";
    write_between_steps(name, |step, mut transform| {
        if step.is_multiple_of(5) {
            transform.translation.x += 100.0;
        }
    });
    write_between_steps(name, |_, mut transform| {
        transform.translation.z += 1.0;
    });
    // By whole steps, as in a rollback, and no farther than the border of the world.
    write_between_steps(name, |step, mut transform| {
        if step % 3 == 2 {
            transform.translation -= Vec3::new(2.0, 1.0, 0.0);
        }
    });
    write_between_steps(name, |_, mut transform| {
        transform.translation.x = transform.translation.x.min(40.0);
    });
    assert_eq!(warnings_about(name), Vec::<String>::new());
}

#[test]
fn a_mover_whose_transform_may_be_meant_to_be_written_is_not_named() {
    collect_warnings();
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 50.0), Solid, at(15.0, 0.0));
    spawn(&mut app, wall);
    let pass = Mover {
        response: MoverResponse::Pass,
        ..default()
    };
    let steered = Mover::with_velocity(Vec2::X);
    let name = "a hero that may be written;";
    write_in_each_update(&mut app, name, Mover::default(), |update, mut transform| {
        transform.rotate_z(0.1);
        if update.is_multiple_of(5) {
            transform.translation.x += 100.0;
        }
    });
    // There is no wall in the path of this one.
    write_in_each_update(&mut app, name, Mover::default(), |_, mut transform| {
        transform.translation.y += 1.0;
    });
    write_in_each_update(&mut app, name, pass, |_, mut transform| {
        transform.translation.x += 1.0;
    });
    write_in_each_update(&mut app, name, steered, |_, mut transform| {
        transform.translation.y += 1.0;
    });
    // A lift moves this one.
    let lift = (RectCollider::new(20.0, 2.0), Solid, Swept, at(0.0, -2.0));
    let lift = spawn(&mut app, lift);
    app.update();
    let rider = (ball(0.0, 0.0), Mover::default(), Name::new(name));
    let rider = spawn(&mut app, rider);
    for _ in 0..20 {
        let mut lift: Mut<Transform> = app.world_mut().get_mut(lift).unwrap();
        lift.translation.y += 1.0;
        app.update();
    }
    let transform: &Transform = app.world().get(rider).unwrap();
    assert!(transform.translation.y > 15.0);
    assert_silent(&mut app, name);
}
