//! The level: what becomes of the cells and entities of `course.ldtk`.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{
    LdtkCellKind, LdtkEntity, LdtkEntityRule, LdtkFields, LdtkLevel, LdtkMap, LdtkRules,
};

use super::{
    Restart, Score,
    enemies::Enemy,
    hero,
    machines::{self, Machine, Motion},
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

/// What cells and entities become. Entities get rectangles, except those to which the game gives a
/// circle or a capsule.
fn rules() -> LdtkRules {
    const LAYER: &str = "Ground";
    let plank = CellShape::rect(0.0..1.0, 0.7..1.0);
    LdtkRules::new()
        .named(LAYER, "earth", CellShape::FULL)
        .named(LAYER, "ramp_up", CellShape::slope(0.0, 1.0))
        .named(LAYER, "ramp_down", CellShape::slope(1.0, 0.0))
        .named(LAYER, "gentle_up_low", CellShape::slope(0.0, 0.5))
        .named(LAYER, "gentle_up_high", CellShape::slope(0.5, 1.0))
        .named(LAYER, "half", CellShape::rect(0.0..1.0, 0.0..0.5))
        .named(LAYER, "plank", LdtkCellKind::from(plank).one_way(Dir2::Y))
        .entity("Hero", LdtkEntityRule::point())
        .entity("Enemy", LdtkEntityRule::point())
        .entity("Coin", LdtkEntityRule::point())
        .entity("Wheel", LdtkEntityRule::point())
}

/// The lower left corner of the level is the origin of the world, so entities have the same
/// position in both.
fn spawn(mut commands: Commands) -> Result {
    let map = LdtkMap::from_json(MAP)?.with_file_name("course.ldtk");
    map.spawn_level("Course", &rules(), &mut commands)?;
    Ok(())
}

/// Gives an entity of the level what its identifier stands for.
fn equip(
    added: On<Add, LdtkEntity>,
    entities: Query<(&LdtkEntity, &LdtkFields, &Transform)>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) -> Result {
    let (entity, fields, transform) = entities.get(added.entity)?;
    let position = transform.translation.truncate();
    let mut commands = commands.entity(added.entity);
    match entity.identifier.as_str() {
        "Hero" => {
            commands.insert(hero::hero(position));
        }
        "Enemy" => {
            commands.insert(Enemy::default());
        }
        "Coin" => {
            score.all_coins += 1;
            commands.insert(Coin).observe(pickups::collect);
        }
        "Checkpoint" => {
            let checkpoint = Checkpoint::default();
            commands.insert(checkpoint).observe(pickups::reach);
        }
        "Goal" => {
            commands.insert(Goal).observe(pickups::finish);
        }
        "Wheel" => {
            let circle = CircleCollider::new(entity.size.x / 2.0);
            commands.insert((circle, Machine::Wheel, Motion::turn(fields)?));
        }
        "Ferry" => {
            commands.insert((Machine::Ferry, Motion::shuttle(position, fields)?));
        }
        "Lift" => {
            commands.insert((Machine::Lift, Motion::shuttle(position, fields)?));
        }
        "Crusher" => {
            commands.insert((Machine::Crusher, Motion::shuttle(position, fields)?));
        }
        "Seesaw" => {
            commands.insert((Machine::Seesaw, Motion::tilt(fields)?));
        }
        "Conveyor" => {
            commands.insert((Machine::Conveyor, machines::belt(fields)?));
        }
        other => return Err(format!("the map has a {other}, which the game does not know").into()),
    }
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
