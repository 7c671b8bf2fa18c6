//! How does a shot bounce three times and not four?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// How many times it may still bounce.
#[derive(Component)]
struct Bounces(u32);

fn shot(velocity: Vec2) -> impl Bundle {
    let mut mover = Mover::with_velocity(velocity);
    mover.response = MoverResponse::Bounce;
    (Bounces(3), CircleCollider::new(2.0), mover)
}

/// Receives every bounce, also if there are several in one update. Runs in `PostUpdate` after
/// `CollisionSystems::Report`, so that the shot is gone before it is drawn again.
fn bounce(
    mut hits: MessageReader<MoverHit>,
    mut shots: Query<&mut Bounces>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        if let Ok(mut bounces) = shots.get_mut(hit.entity) {
            match bounces.0.checked_sub(1) {
                Some(left) => bounces.0 = left,
                None => commands.entity(hit.entity).try_despawn(),
            }
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// A shot at this speed, halfway between two walls. Its center has 43 units of room on both sides.
fn shot_between_walls(speed: f32) -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(PostUpdate, bounce.after(CollisionSystems::Report));
    });
    for x in [-50.0, 50.0] {
        let wall = (RectCollider::new(10.0, 40.0), Solid, at(x, 0.0));
        app.world_mut().spawn(wall);
    }
    let shot = (shot(Vec2::X * speed), at(0.0, 0.0));
    let shot = app.world_mut().spawn(shot).id();
    (app, shot)
}

#[test]
fn it_turns_around_three_times_and_is_gone_at_the_fourth_wall() {
    let (mut app, shot) = shot_between_walls(640.0);
    let mut directions = vec![1.0];
    for _ in 0..100 {
        app.update();
        if let Some(mover) = app.world().get::<Mover>(shot) {
            directions.push(mover.velocity.x.signum());
        }
    }
    assert!(!exists(&app, shot));
    directions.dedup();
    assert_eq!(directions, [1.0, -1.0, 1.0, -1.0]);
}

#[test]
fn bounces_in_one_update_count_each() {
    // The fourth wall is 301 units away.
    for (distance, survives) in [(290.0, true), (310.0, false)] {
        let (mut app, shot) = shot_between_walls(distance / STEP_SECS);
        app.update();
        assert_eq!(exists(&app, shot), survives, "{distance}");
    }
}
