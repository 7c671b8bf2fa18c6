//! How does a boomerang return to its thrower through walls?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Knows its thrower. Has a `Mover` with `MoverResponse::Stop`, and `Ignores::always(thrower)`.
#[derive(Component)]
struct Boomerang(Entity);

/// It turns around at what blocks it, or 200 units away.
fn fly(
    mut boomerangs: Query<(Entity, &Boomerang, &mut Mover, &MoverHits, &Transform)>,
    transforms: Query<&Transform>,
    collisions: Collisions,
    mut commands: Commands,
) {
    for (entity, &Boomerang(thrower), mut mover, hits, transform) in &mut boomerangs {
        let there = transforms.get(thrower).unwrap_or(transform);
        let to_thrower = (there.translation - transform.translation).truncate();
        if !hits.is_empty() || to_thrower.length() > 200.0 {
            mover.response = MoverResponse::Pass;
            commands.entity(entity).remove::<Ignores>();
        }
        if mover.response == MoverResponse::Pass {
            mover.velocity = 300.0 * to_thrower.normalize_or_zero();
        }
        if collisions.contains(entity, thrower) {
            commands.entity(entity).despawn();
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// A boomerang of radius 4 that flies to the right from its thrower of radius 8 at the origin.
fn app_after_throw() -> (App, Entity, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, fly);
    });
    let thrower = (CircleCollider::new(8.0), Mover::default(), Solid);
    let thrower = app.world_mut().spawn((thrower, at(0.0, 0.0))).id();
    let mut mover = Mover::with_velocity(Vec2::X * 300.0);
    mover.response = MoverResponse::Stop;
    let boomerang = (Boomerang(thrower), CircleCollider::new(4.0), mover);
    let ignores = Ignores::always(thrower);
    let boomerang = app
        .world_mut()
        .spawn((boomerang, ignores, at(0.0, 0.0)))
        .id();
    (app, thrower, boomerang)
}

/// Updates until the boomerang is caught, for two seconds at most. Returns how far to the right it
/// was, and where it was last.
fn flight(app: &mut App, boomerang: Entity) -> (f32, Vec2) {
    let (mut farthest, mut last) = (0.0f32, Vec2::ZERO);
    for _ in 0..128 {
        app.update();
        if !exists(app, boomerang) {
            return (farthest, last);
        }
        last = position(app, boomerang);
        farthest = farthest.max(last.x);
    }
    panic!("at {last}");
}

#[test]
fn it_turns_around_in_the_air_or_at_a_wall_however_near() {
    for (wall_x, expected) in [(None, 200.0), (Some(100.0), 91.0), (Some(14.0), 5.0)] {
        let (mut app, _, boomerang) = app_after_throw();
        if let Some(x) = wall_x {
            let wall = (RectCollider::new(10.0, 100.0), Solid, at(x, 0.0));
            app.world_mut().spawn(wall);
        }
        let (farthest, last) = flight(&mut app, boomerang);
        assert!(
            (expected - 0.1..expected + 6.0).contains(&farthest),
            "{farthest}"
        );
        assert!(last.length() < 12.0, "{last}");
    }
}

#[test]
fn it_returns_through_a_wall_to_where_its_thrower_is_now() {
    let (mut app, thrower, boomerang) = app_after_throw();
    run(&mut app, 0.5);
    let wall = (RectCollider::new(300.0, 10.0), Solid, at(100.0, 50.0));
    app.world_mut().spawn(wall);
    app.world_mut().entity_mut(thrower).insert(at(0.0, 100.0));
    let (_, last) = flight(&mut app, boomerang);
    assert!(last.distance(Vec2::Y * 100.0) < 12.0, "{last}");
}
