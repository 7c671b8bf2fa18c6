//! The level: what becomes of the cells and entities of `course.ldtk`.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkEntityRule, LdtkFields, LdtkLevel, LdtkMap, LdtkRules};

use super::{
    Restart, Score,
    enemies::Enemy,
    hero, machines,
    pickups::{self, Checkpoint, Coin, Goal},
};

/// In the program, so that a browser has it too. Where there are files, [`LdtkMap::read`] reads
/// them.
const MAP: &str = include_str!("../course.ldtk");

/// Spawns the map, and gives its entities what the game needs.
pub fn plugin(app: &mut App) {
    app.add_systems(PreStartup, spawn)
        .add_observer(equip)
        .add_observer(restart);
}

/// The shapes of the map's cells. Its entities are rectangles, except these.
fn rules() -> LdtkRules {
    const LAYER: &str = "Ground";
    let plank = CellShape::rect(0.0..1.0, 0.7..1.0);
    let rules = LdtkRules::new()
        .named(LAYER, "earth", CellShape::FULL)
        .named(LAYER, "ramp_up", CellShape::slope(0.0, 1.0))
        .named(LAYER, "ramp_down", CellShape::slope(1.0, 0.0))
        .named(LAYER, "gentle_up_low", CellShape::slope(0.0, 0.5))
        .named(LAYER, "gentle_up_high", CellShape::slope(0.5, 1.0))
        .named(LAYER, "half", CellShape::rect(0.0..1.0, 0.0..0.5))
        .named(LAYER, "plank", CellKind::from(plank).one_way(Dir2::Y));
    let round = ["Hero", "Enemy", "Coin", "Wheel"];
    round.into_iter().fold(rules, |rules, identifier| {
        rules.entity(identifier, LdtkEntityRule::point())
    })
}

/// The lower left corner of the map is the origin of the world, so entities have the same position
/// in both.
fn spawn(mut commands: Commands) -> Result {
    let map = LdtkMap::from_json(MAP)?.with_file_name("course.ldtk");
    map.spawn_level("Course", &rules(), &mut commands)?;
    Ok(())
}

fn equip(
    added: On<Add, LdtkEntity>,
    entities: Query<(&LdtkEntity, &LdtkFields, &Transform)>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) -> Result {
    let (entity, fields, transform) = entities.get(added.entity)?;
    let mut spawned = commands.entity(added.entity);
    match entity.identifier.as_str() {
        "Hero" => spawned.insert(hero::hero(transform.translation.truncate())),
        "Enemy" => spawned.insert(Enemy::default()),
        "Coin" => {
            score.all_coins += 1;
            spawned.insert(Coin).observe(pickups::collect)
        }
        "Checkpoint" => {
            let checkpoint = Checkpoint::default();
            spawned.insert(checkpoint).observe(pickups::reach)
        }
        "Goal" => spawned.insert(Goal).observe(pickups::finish),
        _ => machines::equip(&mut spawned, entity, fields, transform)?,
    };
    Ok(())
}

fn restart(
    _: On<Restart>,
    level: Single<Entity, With<LdtkLevel>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    commands.entity(*level).despawn();
    *score = Score::default();
    commands.run_system_cached(spawn);
}
