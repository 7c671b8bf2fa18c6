//! How does a shot not start beyond a wall that the muzzle is in?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// How far from the center of the shooter the muzzle is.
const MUZZLE: f32 = 20.0;
const SPEED: f32 = 500.0;

#[derive(Component)]
struct Shot;

/// It starts at the center of its shooter, and is at the muzzle after its first update, or at what
/// is in between: with a `MoverHit`, like any wall that it hits later.
fn shot(shooter: Entity, center: Vec2, direction: Dir2) -> impl Bundle {
    let mut mover = Mover::with_velocity(direction * SPEED);
    mover.response = MoverResponse::Stop;
    mover.displacement = direction * MUZZLE;
    (
        Shot,
        CircleCollider::new(2.0),
        mover,
        Ignores::until_apart(shooter),
        Transform::from_translation(center.extend(0.0)),
    )
}

fn end_at_walls(
    mut hits: MessageReader<MoverHit>,
    shots: Query<(), With<Shot>>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        if shots.contains(hit.entity) {
            commands.entity(hit.entity).try_despawn();
        }
    }
}

// ---- What tests it ----

use crate::app::*;

#[derive(Resource, Default)]
struct Blockers(Vec<Entity>);

#[test]
fn a_shot_hits_the_wall_in_front_of_which_its_shooter_stands() {
    for (wall_x, thickness) in [(14.0, 8.0), (14.0, 2.0), (20.0, 10.0), (60.0, 10.0)] {
        let mut app = app(|app| {
            app.init_resource::<Blockers>();
            app.add_systems(Update, end_at_walls);
            app.add_systems(
                PostUpdate,
                (|mut hits: MessageReader<MoverHit>,
                  shots: Query<(), With<Shot>>,
                  mut blockers: ResMut<Blockers>| {
                    let hits = hits.read().filter(|hit| shots.contains(hit.entity));
                    blockers.0.extend(hits.map(|hit| hit.blocker));
                })
                .after(CollisionSystems::Report),
            );
        });
        let shooter = (
            CircleCollider::new(8.0),
            Solid,
            Mover::with_velocity(Vec2::X),
            at(0.0, 0.0),
        );
        let shooter = app.world_mut().spawn(shooter).id();
        let wall = (RectCollider::new(thickness, 40.0), Solid, at(wall_x, 0.0));
        let wall = app.world_mut().spawn(wall).id();
        let shot = app
            .world_mut()
            .spawn(shot(shooter, Vec2::ZERO, Dir2::X))
            .id();
        app.update();
        if wall_x > 50.0 {
            let flown = position(&app, shot).x;
            assert!((flown - MUZZLE - SPEED * STEP_SECS).abs() < 0.01, "{flown}");
        }
        run(&mut app, 0.25);
        assert_eq!(app.world().resource::<Blockers>().0, [wall]);
        assert!(!exists(&app, shot));
        assert!(exists(&app, shooter), "it touches a wall");
    }
}
