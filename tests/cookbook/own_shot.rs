//! How does a shot leave its shooter without hitting it?

use bevy::prelude::*;
use bevy_thud::prelude::*;

#[derive(Component)]
struct Player;

#[derive(Component)]
struct Shot;

#[derive(Component)]
struct Health(i32);

/// The shot ignores the player until it has left it. If it bounces back, it hits.
fn shoot(player: Single<(Entity, &Transform), With<Player>>, mut commands: Commands) {
    let (player, &transform) = *player;
    let mut mover = Mover::with_velocity(Vec2::X * 400.0);
    mover.response = MoverResponse::Bounce;
    let shot = (Shot, CircleCollider::new(4.0), mover, transform);
    commands.spawn((shot, Ignores::until_apart(player)));
}

fn hurt(mut hits: Hits<With<Shot>, With<Health>>, mut victims: Query<&mut Health>) {
    for hit in hits.first_per_a() {
        if let Ok(mut health) = victims.get_mut(hit.b) {
            health.0 -= 1;
        }
    }
}

// ---- What tests it ----

use bevy::input::common_conditions::input_just_pressed;

use crate::app::*;

/// A player with a radius of 10 that has just shot to the right.
fn app_after_shot() -> (App, Entity) {
    let mut app = app(|app| {
        let shoot = shoot.run_if(input_just_pressed(KeyCode::Space));
        app.add_systems(Update, (shoot, hurt));
    });
    let player = (Player, Health(3), CircleCollider::new(10.0));
    let mover = (Mover::default(), Solid);
    let player = app.world_mut().spawn((player, mover)).id();
    press(&mut app, KeyCode::Space);
    app.update();
    release(&mut app);
    (app, player)
}

fn health(app: &App, entity: Entity) -> i32 {
    app.world().get::<Health>(entity).unwrap().0
}

#[test]
fn it_hits_its_shooter_only_when_it_comes_back() {
    let (mut app, player) = app_after_shot();
    let wall = (RectCollider::new(10.0, 40.0), Solid, at(100.0, 0.0));
    app.world_mut().spawn(wall);
    // It turns around after 0.23 seconds, and is back after 0.42.
    run(&mut app, 0.3);
    assert_eq!(health(&app, player), 3);
    run(&mut app, 0.2);
    assert_eq!(health(&app, player), 2);
}

#[test]
fn it_hits_whoever_stands_beside_the_shooter() {
    let (mut app, player) = app_after_shot();
    let foe = (Health(3), CircleCollider::new(10.0), at(25.0, 0.0));
    let foe = app.world_mut().spawn(foe).id();
    run(&mut app, 0.2);
    assert_eq!(health(&app, player), 3);
    assert_eq!(health(&app, foe), 2);
}
