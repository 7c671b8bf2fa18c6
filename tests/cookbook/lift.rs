//! How does a button call a lift?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A platform that goes to a height and stays there.
#[derive(Component)]
#[require(Solid, Swept)]
struct Lift {
    height: f32,
    speed: f32,
}

/// A collider without `Solid`: who enters it calls the lift.
#[derive(Component)]
struct Button {
    lift: Entity,
    height: f32,
}

/// An observer of each button: `commands.spawn(button).observe(call)`.
fn call(start: On<CollisionStart>, buttons: Query<&Button>, mut lifts: Query<&mut Lift>) {
    if let Ok(button) = buttons.get(start.entity)
        && let Ok(mut lift) = lifts.get_mut(button.lift)
    {
        lift.height = button.height;
    }
}

fn ride(time: Res<Time>, mut lifts: Query<(&Lift, &mut Transform)>) {
    for (lift, mut transform) in &mut lifts {
        let y = transform.translation.y;
        let left = lift.height - y;
        let max = lift.speed * time.delta_secs();
        // Only a lift that moves counts as changed.
        if left != 0.0 {
            transform.translation.y = y + left.clamp(-max, max);
        }
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn it_comes_to_who_is_at_the_button_and_carries_a_rider_down() {
    let mut app = app(|app| {
        app.add_systems(Update, ride);
    });
    let lift = Lift {
        height: 0.0,
        speed: 80.0,
    };
    let lift = (lift, RectCollider::new(40.0, 8.0), at(0.0, 0.0));
    let lift = app.world_mut().spawn(lift).id();
    for (x, height) in [(-60.0, 100.0), (60.0, 0.0)] {
        let button = (
            Button { lift, height },
            CircleCollider::new(6.0),
            at(x, 0.0),
        );
        app.world_mut().spawn(button).observe(call);
    }
    let walker = (CircleCollider::new(5.0), Walker::default());
    let mover = Mover::with_velocity(Vec2::NEG_Y * 50.0);
    let rider = app.world_mut().spawn((walker, mover, at(0.0, 9.02))).id();
    let finger = (CircleCollider::new(1.0), at(0.0, 500.0));
    let finger = app.world_mut().spawn(finger).id();
    for (x, height) in [(-60.0, 100.0), (60.0, 0.0), (-60.0, 100.0)] {
        app.world_mut().entity_mut(finger).insert(at(x, 0.0));
        run(&mut app, 1.5);
        assert_eq!(position(&app, lift).y, height);
        let above = position(&app, rider) - position(&app, lift);
        assert!(above.distance(Vec2::Y * 9.02) < 0.1, "{above}");
    }
}
