//! How does a teleporter not send its traveler back at once?

use bevy::prelude::*;
use bevy_thud::prelude::*;

#[derive(Component)]
struct Portal {
    exit: Entity,
}

/// The traveler ignores the exit until it has left it. Then the exit is an entrance again.
fn teleport(
    mut hits: Hits<With<Mover>, With<Portal>>,
    portals: Query<&Portal>,
    mut transforms: Query<&mut Transform>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        if let Ok(&Portal { exit }) = portals.get(hit.b)
            && let Ok([mut traveler, there]) = transforms.get_many_mut([hit.a, exit])
        {
            traveler.translation = there.translation.with_z(traveler.translation.z);
            commands
                .entity(hit.a)
                .try_insert(Ignores::until_apart(exit));
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// Updates for this long, and returns how many times the traveler jumped.
fn jumps(app: &mut App, traveler: Entity, seconds: f32) -> usize {
    let mut last = position(app, traveler);
    let mut jumps = 0;
    for _ in 0..(seconds / STEP_SECS) as usize {
        app.update();
        let next = position(app, traveler);
        jumps += usize::from(next.distance(last) > 50.0);
        last = next;
    }
    jumps
}

#[test]
fn a_traveler_arrives_once_and_may_return() {
    let mut app = app(|app| {
        app.add_systems(Update, teleport);
    });
    let portals = [0.0, 200.0].map(|x| {
        let portal = (CircleCollider::new(10.0), at(x, 0.0));
        app.world_mut().spawn(portal).id()
    });
    for [portal, exit] in [portals, [portals[1], portals[0]]] {
        app.world_mut().entity_mut(portal).insert(Portal { exit });
    }
    let mover = Mover::with_velocity(Vec2::X / STEP_SECS);
    let traveler = (CircleCollider::new(4.0), mover, at(-50.0, 0.0));
    let traveler = app.world_mut().spawn(traveler).id();
    assert_eq!(jumps(&mut app, traveler, 2.0), 1);
    let x = position(&app, traveler).x;
    assert!((250.0..320.0).contains(&x), "{x}");
    // It turns around.
    let mut mover = app.world_mut().get_mut::<Mover>(traveler).unwrap();
    mover.velocity = -mover.velocity;
    assert_eq!(jumps(&mut app, traveler, 2.0), 1);
    let x = position(&app, traveler).x;
    assert!((-100.0..-20.0).contains(&x), "{x}");
}
