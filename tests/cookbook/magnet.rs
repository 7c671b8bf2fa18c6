//! How do coins fly to the player, as if drawn by a magnet?

use bevy::prelude::*;
use bevy_thud::prelude::*;

const RADIUS: f32 = 100.0;
const SPEED: f32 = 300.0;

#[derive(Component)]
struct Player;

/// Flies through walls.
#[derive(Component)]
#[require(Mover = Mover { response: MoverResponse::Pass, ..default() })]
struct Coin;

fn attract(
    player: Single<&Transform, With<Player>>,
    mut coins: Query<(&mut Mover, &Transform), With<Coin>>,
) {
    for (mut mover, transform) in &mut coins {
        let to_player = (player.translation - transform.translation).truncate();
        let is_near = to_player.length() < RADIUS;
        mover.velocity = to_player.normalize_or_zero() * if is_near { SPEED } else { 0.0 };
    }
}

fn collect(mut hits: Hits<With<Coin>, With<Player>>, mut commands: Commands) {
    for hit in hits.read() {
        commands.entity(hit.a).try_despawn();
    }
}

// ---- What tests it ----

use crate::app::*;

fn app_with_player() -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, (attract, collect));
    });
    let player = (Player, CircleCollider::new(8.0), at(0.0, 0.0));
    let player = app.world_mut().spawn(player).id();
    (app, player)
}

#[test]
fn a_near_coin_is_collected_through_a_wall_and_a_far_one_stays() {
    let (mut app, _) = app_with_player();
    let wall = (RectCollider::new(10.0, 40.0), Solid, at(40.0, 0.0));
    app.world_mut().spawn(wall);
    let [near, far] = [80.0, 150.0].map(|x| {
        let coin = (Coin, CircleCollider::new(4.0), at(x, 0.0));
        app.world_mut().spawn(coin).id()
    });
    run(&mut app, 1.0);
    assert!(!exists(&app, near));
    assert_eq!(position(&app, far), Vec2::X * 150.0);
}

#[test]
fn a_coin_that_the_player_leaves_behind_stops() {
    let (mut app, player) = app_with_player();
    let coin = (Coin, CircleCollider::new(4.0), at(90.0, 0.0));
    let coin = app.world_mut().spawn(coin).id();
    run(&mut app, 0.1);
    let flown = position(&app, coin);
    assert!(flown.x < 80.0, "{flown}");
    app.world_mut().entity_mut(player).insert(at(-500.0, 0.0));
    run(&mut app, 0.5);
    assert_eq!(position(&app, coin), flown);
}
