//! How does a homing shot turn toward the nearest foe?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The layer of foes: `CollisionLayers::new(FOES, LayerMask::ALL)`.
const FOES: LayerMask = LayerMask::layer(1);
const SIGHT: f32 = 300.0;
/// In radians per second.
const TURN_SPEED: f32 = 4.0;

#[derive(Component)]
#[require(Mover)]
struct Homing;

fn steer(
    time: Res<Time>,
    mut shots: Query<(Entity, &mut Mover, &Transform), With<Homing>>,
    query: SpatialQuery,
) {
    for (entity, mut mover, transform) in &mut shots {
        // A shot without layers of its own is in all of them.
        let foes = SpatialQueryFilter::only(FOES).exclude(entity);
        let position = transform.translation.truncate();
        if let Some((_, nearest)) = query.project_point(position, SIGHT, &foes) {
            let to_foe = nearest.point_b - position;
            let max_turn = TURN_SPEED * time.delta_secs();
            let turn = mover.velocity.angle_to(to_foe).clamp(-max_turn, max_turn);
            mover.velocity = Vec2::from_angle(turn).rotate(mover.velocity);
        }
    }
}

// ---- What tests it ----

use bevy::ecs::system::RunSystemOnce;

use crate::app::*;

fn range() -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, steer);
    });
    let mover = Mover::with_velocity(Vec2::X * 200.0);
    let shot = (Homing, CircleCollider::new(2.0), mover, at(0.0, 0.0));
    let shot = app.world_mut().spawn(shot).id();
    (app, shot)
}

fn foe(app: &mut App, x: f32, y: f32) -> Entity {
    let layers = CollisionLayers::new(FOES, LayerMask::ALL);
    let foe = (CircleCollider::new(8.0), layers, at(x, y));
    app.world_mut().spawn(foe).id()
}

/// Updates until the shot overlaps something, for two seconds at most.
fn hit(app: &mut App, shot: Entity) -> Option<Entity> {
    (0..128).find_map(|_| {
        app.update();
        let read = move |collisions: Collisions| collisions.of(shot).next().map(|(foe, _)| foe);
        app.world_mut().run_system_once(read).unwrap()
    })
}

#[test]
fn it_hits_the_nearest_foe_wherever_that_is() {
    for angle in 0..12 {
        let (mut app, shot) = range();
        let offset = Vec2::from_angle(angle as f32 * 0.5) * 150.0;
        let near = foe(&mut app, offset.x, offset.y);
        foe(&mut app, 1.9 * offset.x, 1.9 * offset.y);
        app.update();
        assert_eq!(hit(&mut app, shot), Some(near), "at {offset}");
    }
}

#[test]
fn it_turns_no_faster_than_it_may_and_flies_straight_without_a_foe() {
    let (mut app, shot) = range();
    foe(&mut app, -400.0, 0.0);
    run(&mut app, 0.25);
    assert_eq!(position(&app, shot).y, 0.0);
    foe(&mut app, 0.0, 100.0);
    let direction = |app: &App| app.world().get::<Mover>(shot).unwrap().velocity.to_angle();
    for _ in 0..32 {
        let before = direction(&app);
        app.update();
        let turn = (direction(&app) - before).abs();
        assert!(turn <= TURN_SPEED * STEP_SECS + 1e-5, "{turn}");
        let speed = app.world().get::<Mover>(shot).unwrap().velocity.length();
        assert!((speed - 200.0).abs() < 0.01, "{speed}");
    }
}
