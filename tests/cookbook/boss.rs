//! How does a boss fit through a corridor that is narrower than it?

use bevy::prelude::*;
use bevy_thud::prelude::*;

#[derive(Component)]
struct Boss(i32);

#[derive(Component)]
struct Shot;

/// Walls block the small collider of the boss itself. That of its child is as large as the boss
/// looks, and only reports. To let the corridor stop the boss instead, add `MoverPart` to the
/// child.
fn boss() -> impl Bundle {
    let hurtbox = CircleCollider::new(40.0);
    let feet = (CircleCollider::new(8.0), Mover::default());
    (Boss(10), feet, children![hurtbox])
}

/// Added with `app.add_observer(hurt)`. What hits the child bubbles up to the boss.
fn hurt(
    start: On<CollisionStart>,
    shots: Query<(), With<Shot>>,
    mut bosses: Query<&mut Boss>,
    mut commands: Commands,
) {
    if let (Ok(mut boss), Ok(())) = (bosses.get_mut(start.entity), shots.get(start.other)) {
        boss.0 -= 1;
        commands.entity(start.other).try_despawn();
    }
}

// ---- What tests it ----

use crate::app::*;

/// A boss that walks to a corridor from 50 to 150, 24 units wide.
fn app_with_boss() -> (App, Entity, Entity) {
    let mut app = app(|app| {
        app.add_observer(hurt);
    });
    for y in [-32.0, 32.0] {
        let wall = (RectCollider::new(100.0, 40.0), Solid, at(100.0, y));
        app.world_mut().spawn(wall);
    }
    let boss = app.world_mut().spawn((boss(), at(0.0, 0.0))).id();
    let mut mover = app.world_mut().get_mut::<Mover>(boss).unwrap();
    mover.velocity = Vec2::X * 100.0;
    let hurtbox = app.world().get::<Children>(boss).unwrap()[0];
    (app, boss, hurtbox)
}

#[test]
fn a_boss_passes_and_its_large_hurtbox_is_hit_in_the_corridor() {
    let (mut app, boss, _) = app_with_boss();
    run(&mut app, 1.0);
    // It is at 100. The first one ends 15 units short of the hurtbox, the second one hits it.
    let shots = [180.0, 150.0].map(|x| {
        let shot = (Shot, CircleCollider::new(2.0), Mover::default());
        app.world_mut().spawn((shot, at(x, 0.0))).id()
    });
    run(&mut app, 0.1);
    assert_eq!(shots.map(|shot| exists(&app, shot)), [true, false]);
    assert_eq!(app.world().get::<Boss>(boss).unwrap().0, 9);
    run(&mut app, 1.9);
    let boss = position(&app, boss);
    assert!(boss.distance(Vec2::X * 300.0) < 0.1, "{boss}");
}

#[test]
fn a_boss_with_a_rigid_child_is_stopped_before_the_corridor() {
    let (mut app, boss, hurtbox) = app_with_boss();
    app.world_mut().entity_mut(hurtbox).insert(MoverPart);
    run(&mut app, 3.0);
    let x = position(&app, boss).x;
    assert!((11.0..12.0).contains(&x), "{x}");
}
