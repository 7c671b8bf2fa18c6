//! How do foes see the player, chase it and keep apart?

use bevy::prelude::*;
use bevy_thud::prelude::*;

const SIGHT: f32 = 300.0;
const SPEED: f32 = 80.0;

#[derive(Component)]
struct Player;

#[derive(Component)]
#[require(Mover, Solid)]
struct Foe;

/// Only walls hide the player. Foes are `Solid` movers, which keeps them apart.
fn chase(
    mut foes: Query<(&mut Mover, &Transform), With<Foe>>,
    player: Single<&Transform, With<Player>>,
    movers: Query<(), With<Mover>>,
    query: SpatialQuery,
) {
    let walls = SpatialQueryFilter::default().only_solid();
    let walls = walls.with_predicate(|entity| !movers.contains(entity));
    for (mut mover, transform) in &mut foes {
        let to_player = (player.translation - transform.translation).truncate();
        if let Ok((direction, distance)) = Dir2::new_and_length(to_player) {
            let ray = Ray2d::new(transform.translation.truncate(), direction);
            let sees = distance < SIGHT && query.cast_ray(ray, distance, &walls).is_none();
            mover.velocity = direction * if sees { SPEED } else { 0.0 };
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// A player at the origin, and foes, all of radius 8.
fn app_with_foes<const N: usize>(places: [(f32, f32); N]) -> (App, [Entity; N]) {
    let mut app = app(|app| {
        app.add_systems(Update, chase);
    });
    let player = (Player, Mover::default(), Solid, CircleCollider::new(8.0));
    app.world_mut().spawn(player);
    let foes = places.map(|(x, y)| {
        let foe = (Foe, CircleCollider::new(8.0), at(x, y));
        app.world_mut().spawn(foe).id()
    });
    (app, foes)
}

#[test]
fn a_foe_chases_whom_it_sees() {
    let places = [(100.0, 0.0), (0.0, 200.0), (-400.0, 0.0)];
    let (mut app, [near, hidden, far]) = app_with_foes(places);
    let wall = (RectCollider::new(60.0, 10.0), Solid, at(0.0, 100.0));
    let wall = app.world_mut().spawn(wall).id();
    let puddle = (CircleCollider::new(10.0), at(50.0, 0.0));
    app.world_mut().spawn(puddle);
    // Otherwise nobody would see the wall before the end of the next update.
    refresh_colliders(app.world_mut());
    run(&mut app, 3.0);
    assert!(position(&app, near).length() < 17.0);
    assert_eq!(position(&app, hidden), Vec2::Y * 200.0);
    assert_eq!(position(&app, far), Vec2::X * -400.0);
    app.world_mut().despawn(wall);
    run(&mut app, 3.0);
    assert!(position(&app, hidden).length() < 17.0);
}

#[test]
fn foes_in_a_row_come_near_and_keep_apart() {
    let row = [100.0, 120.0, 140.0, 160.0, 180.0].map(|x| (x, 0.0));
    let (mut app, foes) = app_with_foes(row);
    run(&mut app, 3.0);
    let places = foes.map(|foe| position(&app, foe));
    for (index, place) in places.iter().enumerate() {
        assert!(place.length() < 90.0, "{places:?}");
        let others = &places[..index];
        let apart = others.iter().all(|other| other.distance(*place) > 15.9);
        assert!(apart, "{places:?}");
    }
}
