//! A port of two of bevy_rapier's examples: `examples/player_movement2.rs` and
//! `examples/contact_filter2.rs` of `bevy_rapier2d` 0.35.0, github.com/dimforge/bevy_rapier,
//! Apache-2.0.
//
// The originals: a dynamic body without gravity whose `Velocity` is written in each frame; dynamic
// bodies under gravity, and hooks that compare a component of two bodies. Here: `Mover`; a
// `LayerTable`, and gravity in a system.

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Its speed, in world units per second.
#[derive(Component)]
struct Player(f32);

fn spawn_player(mut commands: Commands) {
    commands.spawn((Player(100.0), CircleCollider::new(50.0), Mover::default()));
}

fn steer(keys: Res<ButtonInput<KeyCode>>, mut players: Query<(&Player, &mut Mover)>) {
    let pressed = |keys_of| f32::from(keys.any_pressed(keys_of));
    let up = pressed([KeyCode::KeyW, KeyCode::ArrowUp]);
    let down = pressed([KeyCode::KeyS, KeyCode::ArrowDown]);
    let left = pressed([KeyCode::KeyA, KeyCode::ArrowLeft]);
    let right = pressed([KeyCode::KeyD, KeyCode::ArrowRight]);
    for (player, mut mover) in &mut players {
        mover.velocity = player.0 * Vec2::new(right - left, up - down).normalize_or_zero();
    }
}

/// In world units per second squared: a hundred pixels are a meter.
const GRAVITY: f32 = 981.0;

#[derive(Component, Reflect, Clone, Copy, PartialEq)]
enum Group {
    A,
    B,
}

impl CollisionLayer for Group {}

/// Each group collides with itself.
fn groups() -> LayerTable<Group> {
    let table = LayerTable::new().collide(Group::A, [Group::A]);
    table.collide(Group::B, [Group::B])
}

fn spawn_cubes(mut commands: Commands) {
    for (y, group) in [(-100.0, Group::A), (0.0, Group::B)] {
        let ground = (RectCollider::new(200.0, 24.0), Solid, group);
        commands.spawn((ground, Transform::from_xyz(0.0, y, 0.0)));
    }
    for (column, row) in (0..4).flat_map(|column| (0..20).map(move |row| (column, row))) {
        let group = [Group::B, Group::A][row % 2];
        let cube = (RectCollider::new(10.0, 10.0), Solid, Mover::default());
        let x = 10.0 * column as f32 + 2.0 * row as f32 - 20.0;
        let y = 10.0 * row as f32 + 25.0;
        commands.spawn((cube, group, Transform::from_xyz(x, y, 0.0)));
    }
}

fn fall(time: Res<Time>, mut cubes: Query<&mut Mover>) {
    for mut cube in &mut cubes {
        cube.velocity.y -= GRAVITY * time.delta_secs();
    }
}

// ---- What plays it ----

use crate::app::*;

fn stage() -> (App, Entity) {
    let mut app = app(CollisionPlugin::default(), |app| {
        app.add_systems(Startup, spawn_player)
            .add_systems(Update, steer);
    });
    let player = single::<Player>(&mut app);
    (app, player)
}

#[test]
fn the_player_is_as_fast_in_all_directions_and_stops_without_keys() {
    let diagonal = 0.5f32.sqrt();
    for (keys, expected) in [
        (&[KeyCode::KeyW][..], Vec2::Y),
        (&[KeyCode::ArrowLeft], Vec2::NEG_X),
        (&[KeyCode::ArrowDown, KeyCode::KeyS], Vec2::NEG_Y),
        (&[KeyCode::KeyA, KeyCode::KeyD], Vec2::ZERO),
        (&[KeyCode::KeyD, KeyCode::ArrowUp], Vec2::splat(diagonal)),
    ] {
        let (mut app, player) = stage();
        hold(&mut app, keys);
        run(&mut app, 63.0 / 64.0);
        let moved = position(&app, player);
        assert!(moved.distance(100.0 * expected) < 0.01, "{keys:?}: {moved}");
        hold(&mut app, &[]);
        run(&mut app, 0.5);
        assert_eq!(position(&app, player), moved);
    }
}

#[test]
fn the_player_stops_at_a_wall_and_slides_along_it_without_friction() {
    let (mut app, player) = stage();
    let wall = (RectCollider::new(20.0, 2000.0), Solid, at(110.0, 0.0));
    app.world_mut().spawn(wall);
    hold(&mut app, &[KeyCode::KeyD]);
    run(&mut app, 2.0);
    let stopped = position(&app, player);
    assert!(stopped.distance(Vec2::X * 49.98) < 0.01, "{stopped}");
    assert_eq!(velocity(&app, player).x, 0.0);
    hold(&mut app, &[KeyCode::KeyD, KeyCode::KeyW]);
    run(&mut app, 63.0 / 64.0);
    let slid = position(&app, player) - stopped;
    assert!(slid.distance(Vec2::Y * 70.71) < 0.02, "{slid}");
}

/// The positions of the cubes of a group, in the order in which they were spawned.
fn pile(app: &mut App, wanted: Group) -> Vec<Vec2> {
    let mut cubes = app
        .world_mut()
        .query_filtered::<(&Transform, &Group), With<Mover>>();
    let cubes = cubes.iter(app.world());
    let cubes = cubes.filter(|(_, group)| **group == wanted);
    cubes.map(|(at, _)| at.translation.truncate()).collect()
}

#[test]
fn cubes_pile_up_on_the_ground_of_their_group_and_pass_through_the_other() {
    let mut app = app(CollisionPlugin::default(), |app| {
        app.add_layer_table(groups())
            .add_systems(Startup, spawn_cubes)
            .add_systems(Update, fall);
    });
    let grounds = [(Group::A, -88.0), (Group::B, 12.0)];
    let spawned = grounds.map(|(group, _)| pile(&mut app, group));
    run(&mut app, 4.0);
    for ((group, ground), spawned) in grounds.into_iter().zip(&spawned) {
        let fallen = pile(&mut app, group);
        for (index, (cube, before)) in fallen.iter().zip(spawned).enumerate() {
            // Ten cubes in each column.
            let y = ground + 5.02 + 10.02 * (index % 10) as f32;
            // Each stays above the one below, but sinks into it.
            assert!((y - 1.5..y + 0.01).contains(&cube.y), "{index}: {cube} {y}");
            assert!((cube.x - before.x).abs() < 0.1, "{index}: {cube} {before}");
        }
        run(&mut app, 4.0);
        for (cube, before) in pile(&mut app, group).iter().zip(&fallen) {
            assert!(cube.distance(*before) < 0.05, "{cube} {before}");
        }
    }
}
