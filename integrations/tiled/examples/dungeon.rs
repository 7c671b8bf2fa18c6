//! A small dungeon seen from above, from a map of Tiled: walls, round pillars, pits, monsters that
//! walk, a lever that opens a door, a slab that slides along a path. WASD or the arrow keys walk.
//! Edit `assets/dungeon.tmx` in Tiled while it runs.
//!
//! With `--headless` a bot walks to the exit, without a window and as fast as possible.

#[path = "dungeon/bot.rs"]
mod bot;
#[path = "dungeon/draw.rs"]
mod draw;
#[path = "dungeon/mechanisms.rs"]
mod mechanisms;

use argh::FromArgs;
use bevy::{app::AppExit, ecs::error, prelude::*};
use bevy_thud::prelude::*;
use bevy_thud_tiled::{
    MapPersistent, TiledMap, TiledObject, TiledOrigin, TiledProperties, TiledReloadPlugin,
    TiledReloaded, TiledRole, TiledRules, spawn_map,
};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
const SPEED: f32 = 110.0;
const RADIUS: f32 = 5.0;

/// A small dungeon from a map of Tiled
#[derive(FromArgs)]
struct Options {
    /// let a bot play without a window
    #[argh(switch)]
    headless: bool,
    /// how many seconds to play at most (headless 60, in a window without end)
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

#[derive(Resource, Default, Clone, Copy)]
struct Score {
    falls: u32,
    wins: u32,
}

fn main() -> AppExit {
    let options: Options = argh::from_env();
    if options.headless {
        return bot::play(options.seconds.unwrap_or(60.0));
    }
    let mut app = App::new();
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
        .add_plugins(mechanisms::plugin)
        // A mistake in a map that is edited while the game runs does not end it.
        .set_error_handler(error::warn)
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
        .class("Rubble", TiledRole::solid())
        .class("Door", TiledRole::solid())
        .class("Slab", TiledRole::solid())
        .class("Path", TiledRole::no_collider());
    for error in spawn_map(&map, &rules, &mut commands).errors {
        warn!("{error}");
    }
    Ok(())
}

/// Adds what the classes of the objects stand for.
fn equip(
    added: On<Add, TiledObject>,
    objects: Query<(&TiledObject, &TiledProperties, &Transform, &ChildOf)>,
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
            entity.insert((Hero { start }, body, MapPersistent));
        }
        "Monster" => {
            let speed = properties.float("speed").unwrap_or(40.0);
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
