//! How does a hit freeze both fighters for six steps, and a zone slow down who is in it?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// `Fist` is on children of fighters. Only `Body` collides with the other two.
#[derive(Component, Reflect)]
enum Layer {
    Fist,
    Body,
    Zone,
}

impl CollisionLayer for Layer {}

#[derive(Component)]
struct Fighter;

/// For how many more steps it is frozen.
#[derive(Component)]
struct HitStop(u32);

/// On a collider without `Solid`.
#[derive(Component)]
struct SlowZone;

fn freeze(mut hits: Hits<With<Fighter>, With<Fighter>>, mut commands: Commands) {
    for hit in hits.between(Layer::Fist, Layer::Body) {
        for fighter in [hit.a, hit.b] {
            commands.entity(fighter).try_insert(HitStop(6));
        }
    }
}

/// Velocities stay as they are, and count again when time goes on.
fn scale_time(
    mut movers: Query<(Entity, &mut Mover, Option<&mut HitStop>)>,
    zones: Query<(), With<SlowZone>>,
    collisions: Collisions,
    mut commands: Commands,
) {
    for (entity, mut mover, stop) in &mut movers {
        let mut touched = collisions.of(entity);
        let is_slow = touched.any(|(other, _)| zones.contains(other));
        let mut time_scale = if is_slow { 0.25 } else { 1.0 };
        match stop {
            Some(mut stop) if stop.0 > 0 => {
                stop.0 -= 1;
                time_scale = 0.0;
            }
            Some(_) => drop(commands.entity(entity).try_remove::<HitStop>()),
            None => {}
        }
        if mover.time_scale != time_scale {
            mover.time_scale = time_scale;
        }
    }
}

// ---- What tests it ----

use crate::app::*;

fn stage() -> App {
    app(|app| {
        let table = LayerTable::new().collide(Layer::Body, [Layer::Fist, Layer::Zone]);
        app.add_layer_table(table);
        app.add_systems(Update, (freeze, scale_time).chain());
    })
}

fn spawn(app: &mut App, x: f32, speed: f32) -> Entity {
    let mover = Mover::with_velocity(Vec2::X * speed);
    let body = (Layer::Body, CircleCollider::new(5.0));
    app.world_mut()
        .spawn((Fighter, body, mover, at(x, 0.0)))
        .id()
}

#[test]
fn both_are_frozen_for_six_steps_and_go_on_as_before() {
    let mut app = stage();
    let hero = spawn(&mut app, 0.0, 100.0);
    let fist = (Layer::Fist, CircleCollider::new(3.0), at(6.0, 0.0));
    app.world_mut().entity_mut(hero).with_child(fist);
    let foe = spawn(&mut app, 30.0, -20.0);
    for mover in [hero, foe] {
        let mut still = vec![];
        let mut before = position(&app, mover);
        let velocity = app.world().get::<Mover>(mover).unwrap().velocity;
        for step in 0..32 {
            app.update();
            let now = position(&app, mover);
            still.extend((now == before).then_some(step));
            before = now;
        }
        let expected: Vec<i32> = match still.first() {
            Some(first) if mover == hero => (*first..first + 6).collect(),
            _ => vec![],
        };
        assert_eq!(still, expected);
        assert_eq!(app.world().get::<Mover>(mover).unwrap().velocity, velocity);
    }
    let moved = [hero, foe].map(|mover| position(&app, mover).x);
    let seconds = 58.0 * STEP_SECS;
    let expected = [100.0 * seconds, 30.0 - 20.0 * seconds];
    for (moved, expected) in moved.into_iter().zip(expected) {
        assert!((moved - expected).abs() < 0.01, "{moved}, not {expected}");
    }
}

#[test]
fn a_zone_slows_down_who_is_in_it() {
    let mut app = stage();
    let area = (RectCollider::new(100.0, 100.0), at(0.0, 0.0));
    let zone = (SlowZone, Layer::Zone, area);
    app.world_mut().spawn(zone);
    let [inside, outside] = [0.0, 200.0].map(|x| spawn(&mut app, x, 40.0));
    run(&mut app, 0.125);
    let [slow, free] = [inside, outside].map(|mover| position(&app, mover).x);
    run(&mut app, 0.5);
    let moved = position(&app, inside).x - slow;
    assert!((moved - 5.0).abs() < 0.01, "{moved}");
    let moved = position(&app, outside).x - free;
    assert!((moved - 20.0).abs() < 0.01, "{moved}");
}
