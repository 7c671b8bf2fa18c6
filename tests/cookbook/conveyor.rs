//! How does a conveyor belt carry crates and the hero, seen from the side?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Carries each `Walker` that stands on it.
fn belt() -> impl Bundle {
    let conveyor = Conveyor(Vec2::X * 60.0);
    (RectCollider::new(200.0, 10.0), Solid, conveyor)
}

fn wooden_crate() -> impl Bundle {
    let collider = RectCollider::new(16.0, 16.0);
    (collider, Pushable, Walker::default())
}

/// On a floor, the velocity is relative to it: a crate rests on a belt with a velocity of zero.
fn fall(time: Res<Time>, mut crates: Query<(&mut Mover, &Ground), With<Pushable>>) {
    for (mut mover, ground) in &mut crates {
        if ground.is_on_floor() {
            mover.velocity.x = 0.0;
        }
        mover.velocity.y -= 900.0 * time.delta_secs();
    }
}

// ---- What tests it ----

use crate::app::*;

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    mut heroes: Query<&mut Mover, (With<Walker>, Without<Pushable>)>,
) {
    for mut mover in &mut heroes {
        mover.velocity.x = 60.0 * -f32::from(keys.pressed(KeyCode::ArrowLeft));
        mover.velocity.y -= 900.0 * time.delta_secs();
    }
}

/// A belt from -100 to 100, 50 units above a floor, and two crates with a hero between them.
fn stage() -> (App, Entity, [Entity; 2], Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, (walk, fall));
    });
    let floor = (RectCollider::new(1000.0, 10.0), Solid, at(0.0, -55.0));
    app.world_mut().spawn(floor);
    let belt = app.world_mut().spawn((belt(), at(0.0, -5.0))).id();
    let crates = [-80.0, 0.0].map(|x| {
        let crate_ = (wooden_crate(), at(x, 8.02));
        app.world_mut().spawn(crate_).id()
    });
    let hero = (CircleCollider::new(5.0), Walker::default());
    let hero = app.world_mut().spawn((hero, at(-40.0, 5.02))).id();
    run(&mut app, 0.1);
    (app, belt, crates, hero)
}

#[test]
fn it_carries_all_alike_and_backward_once_reversed() {
    let (mut app, belt, crates, hero) = stage();
    let all = [crates[0], hero, crates[1]];
    for speed in [60.0, -60.0] {
        app.world_mut().get_mut::<Conveyor>(belt).unwrap().0 = Vec2::X * speed;
        let before = all.map(|entity| position(&app, entity));
        run(&mut app, 0.5);
        for (entity, before) in all.into_iter().zip(before) {
            let moved = position(&app, entity) - before;
            assert!(moved.distance(Vec2::X * speed / 2.0) < 0.1, "{moved}");
        }
    }
}

#[test]
fn a_crate_comes_to_rest_on_the_floor_below() {
    let (mut app, _, [_, first], _) = stage();
    run(&mut app, 3.0);
    let rests = position(&app, first);
    assert!((100.0..150.0).contains(&rests.x), "{rests}");
    assert!((rests.y - -42.0).abs() < 0.1, "{rests}");
    run(&mut app, 0.25);
    assert_eq!(position(&app, first), rests);
}

#[test]
fn a_hero_that_walks_against_the_belt_stays_where_it_is() {
    let (mut app, _, [last, _], hero) = stage();
    press(&mut app, KeyCode::ArrowLeft);
    let before = position(&app, hero);
    run(&mut app, 0.3);
    let moved = position(&app, hero) - before;
    assert!(moved.length() < 0.1, "{moved}");
    // The crate behind it arrives, and is held up.
    run(&mut app, 1.0);
    let gap = position(&app, hero).x - position(&app, last).x;
    assert!((13.0..13.1).contains(&gap), "{gap}");
}
