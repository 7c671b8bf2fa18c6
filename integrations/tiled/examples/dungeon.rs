//! A small dungeon seen from above, from a map of Tiled: walls, round pillars, pits, monsters that
//! walk. WASD or the arrow keys walk. Edit `assets/dungeon.tmx` in Tiled while it runs.
//!
//! `--headless` plays without a window, as fast as possible, for `--seconds` of the game.

#[path = "dungeon/draw.rs"]
mod draw;

use std::time::Duration;

use argh::FromArgs;
use bevy::{app::AppExit, prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use bevy_thud_tiled::{
    TiledMap, TiledObject, TiledOrigin, TiledPersistent, TiledProperties, TiledReloadPlugin,
    TiledReloaded, TiledRole, TiledRules, spawn_map,
};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
const SPEED: f32 = 110.0;
const RADIUS: f32 = 5.0;

/// A small dungeon from a map of Tiled
#[derive(FromArgs)]
struct Options {
    /// plays without a window
    #[argh(switch)]
    headless: bool,
    /// ends after this many seconds
    #[argh(option)]
    seconds: Option<f32>,
}

/// The one that the keys move.
#[derive(Component)]
struct Hero {
    start: Vec3,
}

#[derive(Component)]
struct Monster;

/// The rectangle that wins.
#[derive(Component)]
struct Exit;

#[derive(Resource, Default)]
struct Score {
    falls: u32,
    wins: u32,
}

fn main() -> AppExit {
    let options: Options = argh::from_env();
    let mut app = App::new();
    if options.headless {
        play_headless(&mut app, options.seconds.unwrap_or(10.0));
        return AppExit::Success;
    }
    app.add_plugins((draw::plugins(ASSETS), game))
        .add_systems(Update, steer.before(go_back));
    if let Some(seconds) = options.seconds {
        let is_over = move |time: Res<Time<Real>>| time.elapsed_secs() > seconds;
        let close = |mut exit: MessageWriter<AppExit>| {
            exit.write_default();
        };
        app.add_systems(Last, close.run_if(is_over));
    }
    app.run()
}

/// The game without its window.
fn game(app: &mut App) {
    app.add_plugins((CollisionPlugin::default(), TiledReloadPlugin))
        .init_resource::<Score>()
        .add_observer(equip)
        .add_systems(Startup, load)
        .add_systems(Update, (go_back, report));
}

fn load(mut commands: Commands) -> Result {
    let map = TiledMap::read(format!("{ASSETS}/dungeon.tmx"))?;
    let rules = TiledRules::new()
        .origin(TiledOrigin::Center)
        .class("Pit", TiledRole::sensor())
        .class("Rubble", TiledRole::solid());
    for error in spawn_map(&map, &rules, &mut commands).errors {
        warn!("{error}");
    }
    Ok(())
}

/// Adds what the classes of the objects stand for.
fn equip(
    added: On<Add, TiledObject>,
    objects: Query<(&TiledObject, Option<&TiledProperties>, &Transform, &ChildOf)>,
    layers: Query<&Transform>,
    mut commands: Commands,
) {
    let Ok((object, properties, transform, layer)) = objects.get(added.entity) else {
        return;
    };
    let mut entity = commands.entity(added.entity);
    match object.class.as_str() {
        "Hero" => {
            let layer = layers.get(layer.parent()).copied().unwrap_or_default();
            let start = (layer * *transform).translation;
            let body = (CircleCollider::new(RADIUS), Mover::default());
            entity.insert((Hero { start }, body, TiledPersistent));
        }
        "Monster" => {
            let speed = properties.and_then(|it| it.float("speed")).unwrap_or(40.0);
            let direction = Vec2::from_angle(object.id as f32);
            let mover = Mover {
                velocity: speed * direction,
                response: MoverResponse::Bounce,
                ..default()
            };
            entity.insert((Monster, mover));
        }
        "Exit" => {
            entity.insert(Exit);
        }
        _ => {}
    }
}

fn steer(keys: Res<ButtonInput<KeyCode>>, mut hero: Single<&mut Mover, With<Hero>>) {
    let is_pressed = |key, arrow| f32::from(keys.any_pressed([key, arrow]));
    let x = is_pressed(KeyCode::KeyD, KeyCode::ArrowRight)
        - is_pressed(KeyCode::KeyA, KeyCode::ArrowLeft);
    let y =
        is_pressed(KeyCode::KeyW, KeyCode::ArrowUp) - is_pressed(KeyCode::KeyS, KeyCode::ArrowDown);
    hero.velocity = Vec2::new(x, y).normalize_or_zero() * SPEED;
}

/// Pits and monsters send the hero back, and so does the exit.
fn go_back(
    mut pits: Hits<With<Hero>, (With<TileCollider>, Without<Solid>)>,
    mut monsters: Hits<With<Hero>, With<Monster>>,
    mut exits: Hits<With<Hero>, With<Exit>>,
    hero: Single<(Entity, &Hero, &mut Transform)>,
    mut score: ResMut<Score>,
    mut collisions: ResMut<CollisionState>,
) {
    let falls = pits.first_per_a().count() + monsters.first_per_a().count();
    let wins = exits.first_per_a().count();
    if falls + wins == 0 {
        return;
    }
    let (entity, hero, mut transform) = hero.into_inner();
    transform.translation = hero.start;
    collisions.teleport(entity);
    score.falls += u32::from(falls > 0);
    score.wins += u32::from(wins > 0);
}

fn report(mut reloaded: MessageReader<TiledReloaded>) {
    for reloaded in reloaded.read() {
        for error in &reloaded.errors {
            warn!("{error}");
        }
        for stuck in &reloaded.stuck {
            warn!("{} is inside of a wall", stuck.mover);
        }
    }
}

/// A hero who wanders about, sixty steps a second. Nobody may end up inside of a wall.
fn play_headless(app: &mut App, seconds: f32) {
    let step = Duration::from_nanos(16_666_667);
    app.add_plugins((MinimalPlugins, TransformPlugin, game))
        .insert_resource(TimeUpdateStrategy::ManualDuration(step))
        .add_systems(Update, (wander, watch));
    let mut steps = 0;
    while (steps as f32) < seconds * 60.0 {
        app.update();
        steps += 1;
    }
    let world = app.world_mut();
    let mut hero = world.query_filtered::<&Transform, With<Hero>>();
    let at = hero.single(world).map(|hero| hero.translation.truncate());
    let score = world.resource::<Score>();
    let [falls, wins] = [score.falls, score.wins];
    println!("{steps} steps, {falls} falls, {wins} wins, the hero is at {at:?}");
}

fn wander(time: Res<Time>, mut hero: Single<&mut Mover, With<Hero>>) {
    let seconds = time.elapsed_secs();
    let angle = 2.0 * (0.7 * seconds).sin() + 3.0 * (0.31 * seconds).cos();
    hero.velocity = SPEED * Vec2::from_angle(angle);
}

fn watch(movers: Query<Entity, With<Mover>>, query: SpatialQuery) {
    for mover in &movers {
        let walls = query.of(mover).map(|mover| mover.in_the_way());
        let walls = walls.unwrap_or_default();
        assert!(walls.is_empty(), "{mover} is inside of {walls:?}");
    }
}
