//! How does a sword hit each foe once per swing?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A child of whoever swings it: a collider that is enabled while it swings.
#[derive(Component)]
struct Sword;

#[derive(Component)]
struct Health(i32);

/// An overlap starts once, however long it lasts. The next swing starts it anew.
fn hit(mut hits: Hits<With<Sword>, With<Health>>, mut foes: Query<&mut Health>) {
    for hit in hits.read() {
        if let Ok(mut health) = foes.get_mut(hit.b) {
            health.0 -= 1;
        }
    }
}

fn swing(
    keys: Res<ButtonInput<KeyCode>>,
    sword: Single<Entity, With<Sword>>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::Space) {
        commands.entity(*sword).remove::<ColliderDisabled>();
    } else if keys.just_released(KeyCode::Space) {
        commands.entity(*sword).insert(ColliderDisabled);
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn each_swing_hits_each_foe_once() {
    let mut app = app(|app| {
        app.add_systems(Update, (swing, hit).chain());
    });
    let sword = (Sword, RectCollider::new(20.0, 4.0), ColliderDisabled);
    app.world_mut().spawn((sword, at(0.0, 0.0)));
    let foes = [3.0, 6.0].map(|x| {
        let foe = (Health(10), CircleCollider::new(2.0), at(x, 0.0));
        app.world_mut().spawn(foe).id()
    });
    for swings in 1..=3 {
        press(&mut app, KeyCode::Space);
        app.update();
        app.world_mut()
            .resource_mut::<ButtonInput<KeyCode>>()
            .clear();
        run(&mut app, 0.25);
        for foe in foes {
            assert_eq!(app.world().get::<Health>(foe).unwrap().0, 10 - swings);
        }
        app.world_mut()
            .resource_mut::<ButtonInput<KeyCode>>()
            .release(KeyCode::Space);
        app.update();
        app.world_mut()
            .resource_mut::<ButtonInput<KeyCode>>()
            .clear();
        app.update();
    }
}

#[test]
fn a_sword_moves_with_its_bearer_and_does_not_hurt_it() {
    let mut app = app(|app| {
        app.add_systems(Update, (swing, hit).chain());
    });
    let mover = Mover::with_velocity(Vec2::X * 100.0);
    let bearer = (Health(10), CircleCollider::new(8.0), mover);
    let bearer = app.world_mut().spawn((bearer, at(0.0, 0.0))).id();
    let sword = (Sword, RectCollider::new(20.0, 4.0), ColliderDisabled);
    let sword = (sword, at(10.0, 0.0), ChildOf(bearer));
    app.world_mut().spawn(sword);
    let foe = (Health(10), CircleCollider::new(2.0), at(100.0, 0.0));
    let foe = app.world_mut().spawn(foe).id();
    press(&mut app, KeyCode::Space);
    let health = |app: &App| [bearer, foe].map(|who| app.world().get::<Health>(who).unwrap().0);
    run(&mut app, 0.5);
    assert_eq!(health(&app), [10, 10]);
    run(&mut app, 0.5);
    assert_eq!(health(&app), [10, 9]);
}
