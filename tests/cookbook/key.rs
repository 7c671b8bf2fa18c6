//! How does a key open the doors of its color?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Of a key, or of a door: a key without `Solid`, and a door with it.
#[derive(Component, Clone, Copy, PartialEq)]
enum Lock {
    Red,
    Blue,
}

/// The keys that a hero has.
#[derive(Component, Default)]
#[require(CollidingEntities)]
struct KeyRing(Vec<Lock>);

/// Also opens for whoever leans against the door already, and then finds the key.
fn open(
    mut heroes: Query<(&mut KeyRing, &CollidingEntities)>,
    locks: Query<(Entity, &Lock, Has<Solid>)>,
    mut commands: Commands,
) {
    for (mut ring, touched) in &mut heroes {
        for (entity, &lock, is_door) in touched.iter().flat_map(|&other| locks.get(other)) {
            ring.0.extend((!is_door).then_some(lock));
            if ring.0.contains(&lock) {
                commands.entity(entity).try_despawn();
            }
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// To the right, and along the door slowly.
fn walk(mut movers: Query<&mut Mover>) {
    for mut mover in &mut movers {
        mover.velocity = Vec2::new(100.0, 10.0);
    }
}

/// A hero that walks from the origin to a door at 100.
fn app_with_door(door: Lock) -> (App, Entity, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, (walk, open));
    });
    let door = (door, RectCollider::new(10.0, 200.0), Solid);
    let door = app.world_mut().spawn((door, at(100.0, 0.0))).id();
    let hero = (KeyRing::default(), CircleCollider::new(5.0));
    let hero = (hero, Mover::default(), at(0.0, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    (app, door, hero)
}

fn spawn_key(app: &mut App, key: Lock, x: f32, y: f32) -> Entity {
    let key = (key, CircleCollider::new(3.0), at(x, y));
    app.world_mut().spawn(key).id()
}

#[test]
fn a_key_opens_the_doors_of_its_color_alone() {
    for (color, opens) in [(Lock::Red, true), (Lock::Blue, false)] {
        let (mut app, door, hero) = app_with_door(color);
        let key = spawn_key(&mut app, Lock::Red, 50.0, 0.0);
        run(&mut app, 0.25);
        assert!(exists(&app, key) && exists(&app, door));
        run(&mut app, 1.75);
        assert!(!exists(&app, key));
        assert_eq!(exists(&app, door), !opens);
        let x = position(&app, hero).x;
        assert_eq!(x > 150.0, opens, "{x}");
    }
}

#[test]
fn a_key_that_is_found_at_the_door_opens_it() {
    let (mut app, door, hero) = app_with_door(Lock::Blue);
    run(&mut app, 1.5);
    assert!(exists(&app, door));
    // The hero slides along the door to the key, and touches the door all the time.
    let key = position(&app, hero) + Vec2::Y * 12.0;
    let key = spawn_key(&mut app, Lock::Blue, key.x, key.y);
    run(&mut app, 0.25);
    assert!(exists(&app, key) && exists(&app, door));
    run(&mut app, 0.25);
    assert!(!exists(&app, key) && !exists(&app, door));
}
