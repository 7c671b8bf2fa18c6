//! How does a hero crouch, and stand up only where there is room?

use bevy::prelude::*;
use bevy_thud::prelude::*;

const STANDING: RectCollider = RectCollider::new(10.0, 20.0);
/// Half as high, with its feet where they were.
const CROUCHING: RectCollider = RectCollider::new(10.0, 10.0).with_offset(Vec2::new(0.0, -5.0));

fn crouch(
    keys: Res<ButtonInput<KeyCode>>,
    hero: Single<(Entity, &Transform, &mut RectCollider), With<Walker>>,
    query: SpatialQuery,
) {
    let (hero, transform, mut collider) = hero.into_inner();
    let position = transform.translation.truncate();
    let standing = STANDING.shape().translated(position);
    let standing = query.of(hero).map(|hero| hero.with_shape(standing));
    if keys.pressed(KeyCode::ArrowDown) {
        collider.set_if_neq(CROUCHING);
    } else if standing.is_some_and(|hero| hero.fits()) {
        collider.set_if_neq(STANDING);
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn a_hero_crouches_through_a_tunnel_and_stands_up_behind_it() {
    let mut app = app(|app| {
        app.add_systems(Update, crouch);
    });
    let floor = (RectCollider::new(1000.0, 20.0), Solid, at(0.0, -10.0));
    let tunnel = (RectCollider::new(80.0, 20.0), Solid, at(60.0, 25.0));
    app.world_mut().spawn(floor);
    app.world_mut().spawn(tunnel);
    let hero = (STANDING, Walker::default(), at(0.0, 10.02));
    let hero = app.world_mut().spawn(hero).id();
    let walk = |app: &mut App, speed: f32, seconds: f32| {
        app.world_mut().get_mut::<Mover>(hero).unwrap().velocity.x = speed;
        run(app, seconds);
        let collider = app.world().get::<RectCollider>(hero).unwrap();
        (position(app, hero).x, *collider)
    };

    let (x, collider) = walk(&mut app, 100.0, 0.5);
    assert!(x < 15.0, "{x}");
    assert_eq!(collider, STANDING);
    press(&mut app, KeyCode::ArrowDown);
    let (x, collider) = walk(&mut app, 0.0, 0.1);
    assert!(x < 15.0, "{x}");
    assert_eq!(collider, CROUCHING);
    let (x, _) = walk(&mut app, 100.0, 0.5);
    assert!((40.0..80.0).contains(&x), "{x}");
    release(&mut app);
    let (_, collider) = walk(&mut app, 0.0, 0.25);
    assert_eq!(collider, CROUCHING);
    let (x, collider) = walk(&mut app, 100.0, 1.0);
    assert!(x > 105.0, "{x}");
    assert_eq!(collider, STANDING);
    assert!(app.world().get::<Ground>(hero).unwrap().is_on_floor());
}
