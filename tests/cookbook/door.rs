//! How does a door close on nobody?

use bevy::prelude::*;
use bevy_thud::prelude::*;

const SPEED: f32 = 80.0;

#[derive(Component)]
#[require(Solid, Swept)]
struct Door {
    open: Vec2,
    closed: Vec2,
}

/// A key holds the door open, and so does every mover that the closed door would overlap.
fn slide(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    query: SpatialQuery,
    mut doors: Query<(Entity, &Door, &mut Transform)>,
) {
    for (entity, door, mut transform) in &mut doors {
        let position = transform.translation.truncate();
        let offset = door.closed - position;
        let collider = query.of(entity);
        let fits = collider.is_some_and(|door| door.moved_by(offset).fits());
        let closes = fits && !keys.pressed(KeyCode::Space);
        let target = if closes { door.closed } else { door.open };
        let next = position.move_towards(target, SPEED * time.delta_secs());
        transform.translation = next.extend(transform.translation.z);
    }
}

// ---- What tests it ----

use crate::app::*;

const OPEN: Vec2 = Vec2::new(0.0, 40.0);

/// A door that is open at first, and a hero with a radius of 8 that may be in its way.
fn app_with_door(hero_x: f32, velocity: Vec2) -> (App, Entity, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, slide);
    });
    let (open, closed) = (OPEN, Vec2::ZERO);
    let door = (Door { open, closed }, RectCollider::new(10.0, 40.0));
    let door = app.world_mut().spawn((door, at(0.0, 40.0))).id();
    let mover = Mover::with_velocity(velocity);
    let hero = (CircleCollider::new(8.0), mover, at(hero_x, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    (app, door, hero)
}

#[test]
fn it_stays_open_while_the_key_is_held_or_someone_is_in_it() {
    let (mut app, door, hero) = app_with_door(0.0, Vec2::ZERO);
    run(&mut app, 1.0);
    assert_eq!(position(&app, door), OPEN);
    assert_eq!(position(&app, hero), Vec2::ZERO);
    app.world_mut().entity_mut(hero).insert(at(50.0, 0.0));
    run(&mut app, 1.0);
    assert_eq!(position(&app, door), Vec2::ZERO);
    press(&mut app, KeyCode::Space);
    run(&mut app, 1.0);
    assert_eq!(position(&app, door), OPEN);
    release(&mut app);
    run(&mut app, 1.0);
    assert_eq!(position(&app, door), Vec2::ZERO);
}

#[test]
fn it_opens_again_for_who_enters_while_it_closes() {
    let (mut app, door, hero) = app_with_door(-20.0, Vec2::X * 60.0);
    run(&mut app, 0.1);
    assert!(position(&app, door).y < 38.0);
    run(&mut app, 0.3);
    assert_eq!(position(&app, door), OPEN);
    run(&mut app, 1.1);
    assert_eq!(position(&app, door), Vec2::ZERO);
    // The door neither stopped the hero nor pushed it.
    let hero = position(&app, hero);
    assert!(hero.x > 60.0 && hero.y == 0.0, "{hero}");
}
