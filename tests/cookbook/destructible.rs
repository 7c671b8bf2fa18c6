//! How does a wall break after three hits?

use bevy::prelude::*;
use bevy_thud::prelude::*;

#[derive(Component)]
struct Shot;

#[derive(Component)]
#[require(Solid)]
struct Wall {
    hits_left: u32,
}

/// A shot is a `Mover`. A `MoverHit` says what blocked it.
fn damage(
    mut hits: MessageReader<MoverHit>,
    shots: Query<(), With<Shot>>,
    mut walls: Query<&mut Wall>,
    mut commands: Commands,
) {
    for hit in hits.read().filter(|hit| shots.contains(hit.entity)) {
        commands.entity(hit.entity).try_despawn();
        if let Ok(mut wall) = walls.get_mut(hit.blocker) {
            wall.hits_left = wall.hits_left.saturating_sub(1);
            if wall.hits_left == 0 {
                commands.entity(hit.blocker).try_despawn();
            }
        }
    }
}

// ---- What tests it ----

use crate::app::*;

fn app_with_wall() -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, damage);
    });
    let wall = (Wall { hits_left: 3 }, RectCollider::new(10.0, 40.0));
    let wall = app.world_mut().spawn((wall, at(50.0, 0.0))).id();
    (app, wall)
}

/// Spawns a mover that goes right, and updates for a second.
fn send(app: &mut App, kind: impl Bundle) -> Entity {
    let mover = Mover::with_velocity(Vec2::X * 200.0);
    let sent = (kind, CircleCollider::new(2.0), mover, at(0.0, 0.0));
    let sent = app.world_mut().spawn(sent).id();
    run(app, 1.0);
    sent
}

#[test]
fn the_third_shot_breaks_the_wall_and_the_fourth_flies_on() {
    let (mut app, wall) = app_with_wall();
    for stands in [true, true, false] {
        let shot = send(&mut app, Shot);
        assert!(!exists(&app, shot));
        assert_eq!(exists(&app, wall), stands);
    }
    let shot = send(&mut app, Shot);
    assert!(position(&app, shot).x > 100.0);
}

#[test]
fn others_that_walk_into_it_do_not_hurt_it() {
    let (mut app, wall) = app_with_wall();
    let walker = send(&mut app, ());
    // The wall stopped it.
    assert!((position(&app, walker).x - 43.0).abs() < 0.1);
    assert_eq!(app.world().get::<Wall>(wall).unwrap().hits_left, 3);
}
