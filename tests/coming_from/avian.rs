//! A port of avian's example of one-way platforms: `examples/one_way_platform_2d.rs` of `avian2d`
//! 0.7.0, github.com/avianphysics/avian, MIT or Apache-2.0.
//
// The original: a dynamic body without rotation and restitution; collision hooks that read contact
// normals, a set of who passes for each platform, and two commands to keep it; an enum of how to
// pass. Here: `Walker`, `OneWay` and `Ground::drop_through`.

use bevy::prelude::*;
use bevy_thud::prelude::*;

const SPEED: f32 = 250.0;
const JUMP_SPEED: f32 = 450.0;
/// In world units per second squared.
const GRAVITY: f32 = 1000.0;

#[derive(Component)]
struct Actor;

fn port(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, steer)
        .add_systems(FixedUpdate, fall);
}

fn spawn(mut commands: Commands) {
    for (x, y, width, height) in [
        (0.0, 300.0, 1000.0, 50.0),
        (0.0, -300.0, 1000.0, 50.0),
        (-475.0, 0.0, 50.0, 550.0),
        (475.0, 0.0, 50.0, 550.0),
    ] {
        let wall = (RectCollider::new(width, height), Solid);
        commands.spawn((wall, Transform::from_xyz(x, y, 0.0)));
    }
    for y in [-192.0, -96.0, 0.0, 96.0, 192.0] {
        let platform = (RectCollider::new(500.0, 25.0), Solid, OneWay(Dir2::Y));
        commands.spawn((platform, Transform::from_xyz(0.0, y, 0.0)));
    }
    commands.spawn((Actor, RectCollider::new(20.0, 20.0), Walker::default()));
}

fn steer(keys: Res<ButtonInput<KeyCode>>, actor: Single<(&mut Mover, &mut Ground), With<Actor>>) {
    let (mut mover, mut ground) = actor.into_inner();
    let pressed = |keys_of| f32::from(keys.any_pressed(keys_of));
    let right = pressed([KeyCode::KeyD, KeyCode::ArrowRight]);
    let left = pressed([KeyCode::KeyA, KeyCode::ArrowLeft]);
    mover.velocity.x = SPEED * (right - left);
    if keys.all_pressed([KeyCode::ArrowDown, KeyCode::Space]) {
        ground.drop_through();
    } else if keys.just_pressed(KeyCode::Space) && ground.is_on_floor() {
        mover.velocity.y = JUMP_SPEED;
    }
}

fn fall(time: Res<Time>, mut actor: Single<&mut Mover, With<Actor>>) {
    actor.velocity.y -= GRAVITY * time.delta_secs();
}

// ---- What plays it ----

use crate::app::*;

/// Where the center of the actor is while it stands: on the floor, and on each platform.
const FLOOR: f32 = -264.98;
const PLATFORMS: [f32; 5] = [-169.48, -73.48, 22.52, 118.52, 214.52];

/// The actor stands on the second platform from below.
fn stage() -> (App, Entity) {
    let mut app = app(CollisionPlugin::in_fixed_schedule(), port);
    let actor = single::<Actor>(&mut app);
    run(&mut app, 0.5);
    (app, actor)
}

fn stands_at(app: &App, actor: Entity, y: f32) {
    let position = position(app, actor);
    assert!((position.y - y).abs() < 0.01, "{position} {y}");
    assert!(app.world().get::<Ground>(actor).unwrap().is_on_floor());
}

#[test]
fn the_actor_falls_out_of_the_platform_that_it_starts_in() {
    let (app, actor) = stage();
    stands_at(&app, actor, PLATFORMS[1]);
}

#[test]
fn a_jump_leads_through_a_platform_and_ends_on_it() {
    let (mut app, actor) = stage();
    for y in &PLATFORMS[2..] {
        tap(&mut app, &[KeyCode::Space]);
        run(&mut app, 1.0);
        stands_at(&app, actor, *y);
    }
}

#[test]
fn down_and_space_drop_through_one_platform_or_through_all_while_held() {
    let drop = [KeyCode::ArrowDown, KeyCode::Space];
    let (mut app, actor) = stage();
    tap(&mut app, &drop);
    run(&mut app, 0.5);
    stands_at(&app, actor, PLATFORMS[0]);
    for _ in 0..3 {
        tap(&mut app, &[KeyCode::Space]);
        run(&mut app, 1.0);
    }
    stands_at(&app, actor, PLATFORMS[3]);
    hold(&mut app, &drop);
    assert_eq!(stops_above_the_floor(&mut app, actor), 3);
    stands_at(&app, actor, FLOOR);
}

/// In how many updates of the next two seconds a platform stops its fall.
fn stops_above_the_floor(app: &mut App, actor: Entity) -> usize {
    let stops = (0..128).filter(|_| {
        app.update();
        velocity(app, actor).y == 0.0 && position(app, actor).y > FLOOR + 1.0
    });
    stops.count()
}

#[test]
fn without_the_layer_of_the_platforms_it_falls_through_all_without_a_stop() {
    const PLATFORM: LayerMask = LayerMask::layer(1);
    let (mut app, actor) = stage();
    let world = app.world_mut();
    let mut platforms = world.query_filtered::<Entity, With<OneWay>>();
    for platform in platforms.iter(world).collect::<Vec<_>>() {
        let layers = CollisionLayers::new(PLATFORM, LayerMask::ALL);
        world.entity_mut(platform).insert(layers);
    }
    world.get_mut::<Mover>(actor).unwrap().blocked_by = !PLATFORM;
    assert_eq!(stops_above_the_floor(&mut app, actor), 0);
    stands_at(&app, actor, FLOOR);
}

#[test]
fn walls_and_the_ceiling_block_it() {
    let (mut app, actor) = stage();
    hold(&mut app, &[KeyCode::KeyD]);
    run(&mut app, 0.5);
    let x = position(&app, actor).x;
    assert!((x - SPEED * 0.5).abs() < 0.01, "{x}");
    run(&mut app, 2.0);
    stands_at(&app, actor, FLOOR);
    assert!((position(&app, actor).x - 439.98).abs() < 0.01);

    let (mut app, actor) = stage();
    for _ in 0..4 {
        tap(&mut app, &[KeyCode::Space]);
        run(&mut app, 1.0);
    }
    // From the highest platform, a jump would be 101 units high.
    tap(&mut app, &[KeyCode::Space]);
    let heights = (0..20).map(|_| {
        app.update();
        position(&app, actor).y
    });
    let height = heights.fold(f32::MIN, f32::max);
    assert!((height - 264.98).abs() < 0.01, "{height}");
}
