//! A port of Godot's "Dodge the Creeps": `2d/dodge_the_creeps` of
//! github.com/godotengine/godot-demo-projects at cae8dc5, for Godot 4.7, MIT.
//
// The original: an `Area2D`, rigid bodies without gravity and with an empty mask, a
// `VisibleOnScreenNotifier2D`, a `Path2D`, timers and signals. Here: colliders, `Mover`, a collider
// as large as the screen, a `LayerTable`, timers and observers. The interface and sounds are left
// out.

use std::f32::consts::FRAC_PI_4;

use bevy::prelude::*;
use bevy_thud::prelude::*;

const SCREEN: Vec2 = Vec2::new(480.0, 720.0);
const SPEED: f32 = 400.0;

#[derive(Component, Reflect)]
enum Layer {
    Player,
    Mob,
    Screen,
}

impl CollisionLayer for Layer {}

#[derive(Component)]
struct Player;

#[derive(Component)]
struct Mob;

#[derive(Resource)]
struct Game {
    is_over: bool,
    score: u32,
    start_timer: Timer,
    score_timer: Timer,
    mob_timer: Timer,
    random: fastrand::Rng,
}

impl Default for Game {
    fn default() -> Self {
        Self {
            is_over: true,
            score: 0,
            start_timer: Timer::from_seconds(2.0, TimerMode::Once),
            score_timer: Timer::from_seconds(1.0, TimerMode::Repeating),
            mob_timer: Timer::from_seconds(0.5, TimerMode::Repeating),
            random: fastrand::Rng::with_seed(7),
        }
    }
}

fn port(app: &mut App) {
    app.add_layer_table(LayerTable::new().collide(Layer::Mob, [Layer::Player, Layer::Screen]))
        .init_resource::<Game>()
        .add_systems(Startup, spawn)
        .add_systems(Update, (start, steer, keep_time).chain());
}

fn spawn(mut commands: Commands) {
    let player = (Player, Layer::Player, CapsuleCollider::new(27.0, 14.0));
    commands
        .spawn((player, ColliderDisabled, Visibility::Hidden))
        .observe(on_body_entered);
    commands
        .spawn((Layer::Screen, RectCollider::new(SCREEN.x, SCREEN.y)))
        .observe(on_screen_exited);
}

fn start(
    keys: Res<ButtonInput<KeyCode>>,
    player: Single<(Entity, &mut Transform, &mut Visibility), With<Player>>,
    mobs: Query<Entity, With<Mob>>,
    mut game: ResMut<Game>,
    mut commands: Commands,
) {
    if !game.is_over || !keys.just_pressed(KeyCode::Enter) {
        return;
    }
    *game = Game {
        is_over: false,
        random: game.random.fork(),
        ..default()
    };
    for mob in &mobs {
        commands.entity(mob).despawn();
    }
    let (player, mut transform, mut visibility) = player.into_inner();
    // At (240, 450) from the top left.
    transform.translation = Vec3::new(0.0, -90.0, 10.0);
    *visibility = Visibility::Inherited;
    commands.entity(player).remove::<ColliderDisabled>();
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    mut player: Single<&mut Transform, With<Player>>,
) {
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    let displacement = Vec2::new(x, y).normalize_or_zero() * SPEED * time.delta_secs();
    let position = player.translation.truncate() + displacement;
    let position = position.clamp(-SCREEN / 2.0, SCREEN / 2.0);
    player.translation = position.extend(player.translation.z);
}

fn keep_time(time: Res<Time>, mut game: ResMut<Game>, mut commands: Commands) {
    if game.is_over || !game.start_timer.tick(time.delta()).is_finished() {
        return;
    }
    game.score_timer.tick(time.delta());
    game.score += game.score_timer.times_finished_this_tick();
    game.mob_timer.tick(time.delta());
    for _ in 0..game.mob_timer.times_finished_this_tick() {
        commands.spawn(mob(&mut game.random));
    }
}

/// A creep on the edge of the screen, that moves inward.
fn mob(random: &mut fastrand::Rng) -> impl Bundle {
    let corner = SCREEN / 2.0;
    // Clockwise from the top left. A side, from its start and in this direction, has the inside on
    // its right.
    let sides = [
        (Vec2::new(-corner.x, corner.y), Vec2::X, SCREEN.x),
        (corner, Vec2::NEG_Y, SCREEN.y),
        (Vec2::new(corner.x, -corner.y), Vec2::NEG_X, SCREEN.x),
        (-corner, Vec2::Y, SCREEN.y),
    ];
    let mut along = random.f32() * 2.0 * (SCREEN.x + SCREEN.y);
    let mut side = 0;
    while side < 3 && along > sides[side].2 {
        along -= sides[side].2;
        side += 1;
    }
    let (start, forward, _) = sides[side];
    let angle = (random.f32() * 2.0 - 1.0) * FRAC_PI_4;
    let direction = Vec2::from_angle(angle).rotate(-forward.perp());
    let speed = 150.0 + 100.0 * random.f32();
    mob_at(start + forward * along, direction * speed)
}

fn mob_at(position: Vec2, velocity: Vec2) -> impl Bundle {
    let rotation = Quat::from_rotation_z(velocity.to_angle());
    // As long as 100, and lying.
    let half = Vec2::new(13.0, 0.0);
    (
        Mob,
        Layer::Mob,
        CapsuleCollider::between(-half, half, 37.0),
        Mover::with_velocity(velocity),
        Transform::from_translation(position.extend(0.0)).with_rotation(rotation),
    )
}

fn on_body_entered(
    entered: On<CollisionStart>,
    mut player: Single<&mut Visibility, With<Player>>,
    mut game: ResMut<Game>,
    mut commands: Commands,
) {
    **player = Visibility::Hidden;
    game.is_over = true;
    commands.entity(entered.entity).insert(ColliderDisabled);
}

fn on_screen_exited(exited: On<CollisionEnd>, mut commands: Commands) {
    commands.entity(exited.other).try_despawn();
}

// ---- What plays it ----

use crate::app::*;

/// A game that has just started.
fn stage() -> (App, Entity) {
    let mut app = app(CollisionPlugin::default(), port);
    let player = single::<Player>(&mut app);
    tap(&mut app, &[KeyCode::Enter]);
    (app, player)
}

fn game(app: &App) -> &Game {
    app.world().resource()
}

fn mobs(app: &mut App) -> usize {
    let mut mobs = app.world_mut().query_filtered::<(), With<Mob>>();
    mobs.iter(app.world()).count()
}

fn is_hidden(app: &App, player: Entity) -> bool {
    let player = app.world().entity(player);
    player.get::<Visibility>() == Some(&Visibility::Hidden) && player.contains::<ColliderDisabled>()
}

#[test]
fn the_player_is_as_fast_in_all_directions_and_stays_on_the_screen() {
    let (mut app, player) = stage();
    let start = position(&app, player);
    assert_eq!(start, Vec2::new(0.0, -90.0));
    hold(&mut app, &[KeyCode::ArrowUp, KeyCode::ArrowRight]);
    run(&mut app, 15.0 / 64.0);
    let moved = (position(&app, player) - start).length();
    assert!((moved - 100.0).abs() < 0.01, "{moved}");
    run(&mut app, 1.5);
    assert_eq!(position(&app, player), SCREEN / 2.0);
}

#[test]
fn a_creep_ends_the_game_and_the_next_one_starts_without_creeps() {
    let (mut app, player) = stage();
    // They touch after 123 units.
    let creep = mob_at(Vec2::new(200.0, -90.0), Vec2::new(-200.0, 0.0));
    app.world_mut().spawn(creep);
    run(&mut app, 0.6);
    assert!(!game(&app).is_over && !is_hidden(&app, player));
    run(&mut app, 0.05);
    assert!(game(&app).is_over && is_hidden(&app, player));
    // The creep goes on, and no others come.
    run(&mut app, 0.5);
    assert_eq!(mobs(&mut app), 1);
    run(&mut app, 5.0);
    assert_eq!((mobs(&mut app), game(&app).score), (0, 0));

    tap(&mut app, &[KeyCode::Enter]);
    assert!(!game(&app).is_over && !is_hidden(&app, player));
    let creep = mob_at(Vec2::new(-100.0, 100.0), Vec2::new(1.0, 0.0));
    app.world_mut().spawn(creep);
    app.update();
    app.world_mut().resource_mut::<Game>().is_over = true;
    tap(&mut app, &[KeyCode::Enter]);
    assert_eq!(mobs(&mut app), 0);
}

/// How many creeps came.
#[derive(Resource, Default)]
struct Count(usize);

#[test]
fn creeps_come_every_half_second_and_go_when_they_leave_the_screen() {
    let (mut app, player) = stage();
    app.init_resource::<Count>();
    app.add_observer(|_: On<Add, Mob>, mut count: ResMut<Count>| count.0 += 1);
    app.world_mut().entity_mut(player).insert(ColliderDisabled);
    run(&mut app, 1.9);
    assert_eq!(app.world().resource::<Count>().0, 0);
    run(&mut app, 20.2);
    assert_eq!(app.world().resource::<Count>().0, 40);
    assert_eq!(game(&app).score, 20);
    // One needs 6 seconds at most to cross the screen, and as it spawns, it is on it.
    let on_screen = mobs(&mut app);
    assert!((3..20).contains(&on_screen), "{on_screen}");
    app.world_mut().resource_mut::<Game>().is_over = true;
    run(&mut app, 7.0);
    assert_eq!(mobs(&mut app), 0);
}

#[test]
fn creeps_pass_through_each_other() {
    let (mut app, _) = stage();
    let creeps = [-1.0, 1.0].map(|side| {
        let creep = mob_at(
            Vec2::new(150.0 * side, 200.0),
            Vec2::new(-150.0 * side, 0.0),
        );
        app.world_mut().spawn(creep).id()
    });
    run(&mut app, 1.5);
    let [left, right] = creeps.map(|creep| position(&app, creep));
    assert!(left.distance(Vec2::new(75.0, 200.0)) < 0.01, "{left}");
    assert!(right.distance(Vec2::new(-75.0, 200.0)) < 0.01, "{right}");
}
