//! How does a foe knock the hero back, and stun it for a moment?

use bevy::prelude::*;
use bevy_thud::prelude::*;

#[derive(Component)]
struct Foe;

/// For how many more seconds the hero cannot steer.
#[derive(Component, Default)]
struct Stun(f32);

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    foes: Query<(), With<Foe>>,
    hero: Single<(Entity, &mut Mover, &mut Stun)>,
    collisions: Collisions,
) {
    let (hero, mut mover, mut stun) = hero.into_inner();
    stun.0 -= time.delta_secs();
    let mut touched = collisions.of(hero).filter(|_| stun.0 <= 0.0);
    if let Some((_, contact)) = touched.find(|(other, _)| foes.contains(*other)) {
        // The normal points to the foe.
        mover.velocity = -400.0 * contact.normal;
        stun.0 = 0.2;
    } else if stun.0 <= 0.0 {
        let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
        let right = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
        mover.velocity = Vec2::new(120.0 * right, 0.0);
    }
}

// ---- What tests it ----

use crate::app::*;

/// A hero at the origin that walks to the right, where a foe is. Both have a radius of 5.
fn app_with_foe() -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, walk);
    });
    let foe = (Foe, CircleCollider::new(5.0), at(40.0, 0.0));
    app.world_mut().spawn(foe);
    let hero = (Stun::default(), CircleCollider::new(5.0), Mover::default());
    let hero = app.world_mut().spawn((hero, at(0.0, 0.0))).id();
    press(&mut app, KeyCode::ArrowRight);
    (app, hero)
}

/// The positions of the hero at which it turns around.
fn turning_points(app: &mut App, hero: Entity, seconds: f32) -> Vec<f32> {
    let mut xs = vec![];
    for _ in 0..(seconds / STEP_SECS) as usize {
        app.update();
        xs.push(position(app, hero).x);
    }
    let turns = xs.windows(3).filter(|x| (x[1] > x[0]) != (x[2] > x[1]));
    turns.map(|x| x[1]).collect()
}

#[test]
fn a_hero_is_thrown_back_comes_again_and_is_thrown_back_again() {
    let (mut app, hero) = app_with_foe();
    // There in 0.25 seconds, back 80 units in 0.2, there again in 0.67.
    let turns = turning_points(&mut app, hero, 1.2);
    assert_eq!(turns.len(), 3, "{turns:?}");
    for (turn, expected) in turns.iter().zip([30.0, -50.0, 30.0]) {
        assert!((turn - expected).abs() < 8.0, "{turns:?}");
    }
}

#[test]
fn a_hero_with_its_back_to_a_wall_is_stunned_again_and_again() {
    let (mut app, hero) = app_with_foe();
    let wall = (RectCollider::new(10.0, 40.0), Solid, at(20.0, 0.0));
    app.world_mut().spawn(wall);
    app.world_mut().entity_mut(hero).insert(at(31.0, 0.0));
    let mut stuns = 0;
    let mut last = 0.0;
    for _ in 0..64 {
        app.update();
        let stun = app.world().get::<Stun>(hero).unwrap().0;
        stuns += usize::from(stun > last);
        last = stun;
    }
    assert_eq!(stuns, 5);
}
