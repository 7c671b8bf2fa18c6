//! Dungeon: crates to push, a sword of three blades, and a guard of three hurtboxes.

use bevy::{color::palettes::tailwind::*, prelude::*};
use bevy_thud::prelude::*;

use super::{
    games::{Game, Intent, Layer, Tally, playing},
    kit::Fill,
};

pub const CELL: f32 = 40.0;
const ROWS: [&str; 18] = [
    "################################",
    "#.........#...........#........#",
    "#.........#...........#........#",
    "#..c......#....s......#..s.....#",
    "#.........#...........#........#",
    "#.........#...##......#........#",
    "#.........#...##......#.....####",
    "#.@..c..p.G...........D...B..E.#",
    "#.........#...##......#.....####",
    "#.........#...##......#........#",
    "#.........#...........#........#",
    "#.........####..#######........#",
    "#...c.....#...........#........#",
    "#......c..#.s.....k.s.#..s.....#",
    "#.........#...........#........#",
    "#.........#...........#........#",
    "#.........#...........#........#",
    "################################",
];
const SWING_SECONDS: f32 = 0.16;
/// A swing goes from this angle to the opposite one, relative to where the hero looks.
const SWING_ANGLE: f32 = 1.3;
const SIGHT: f32 = 280.0;

#[derive(Component)]
#[require(Mover)]
pub struct Hero {
    ahead: Vec2,
    /// The seconds for which it cannot steer.
    stun: f32,
    pub has_key: bool,
}

#[derive(Component)]
#[require(Mover, Solid)]
pub struct Foe {
    health: u32,
    stun: f32,
}

/// The seconds since its swing began. The blades are children of it, and it is one of the hero.
#[derive(Component)]
struct Sword(f32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub enum Thing {
    Plate,
    Gate,
    Key,
    Door,
    Exit,
}

pub fn plugin(app: &mut App) {
    let steps = (strike, hurt, touch, walk, swing, chase).chain();
    app.add_systems(OnEnter(Game::Dungeon), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Dungeon)));
}

fn spawn(tally: Res<Tally>, mut commands: Commands) {
    let table = LayerTable::new()
        .collide(Layer::Wall, [Layer::Hero, Layer::Foe, Layer::Item])
        .collide(Layer::Hero, [Layer::Foe, Layer::Item, Layer::Zone])
        .collide(Layer::Foe, [Layer::Foe, Layer::Item, Layer::Shot])
        .collide(Layer::Item, [Layer::Item, Layer::Zone]);
    commands.insert_resource(table);
    let map = TileCollider::from_rows_with(ROWS, Vec2::splat(CELL), |cell| cell == '#');
    for (row, line) in (0..).zip(ROWS) {
        for (column, cell) in (0..).zip(line.chars()) {
            let center = map.cell_center(UVec2::new(column, row));
            spawn_cell(cell, center, tally.level, &mut commands);
        }
    }
    commands.spawn((Layer::Wall, Solid, map, Fill(SLATE_700)));
}

fn spawn_cell(cell: char, center: Vec2, level: u32, commands: &mut Commands) {
    let at = Transform::from_translation(center.extend(1.0));
    let square = |size: f32| (RectCollider::from_size(Vec2::splat(size)), at);
    let round = |radius: f32| (CircleCollider::new(radius), at);
    let foe = |health| (Layer::Foe, Foe { health, stun: 0.0 }, Fill(ROSE_400));
    let hero = Hero {
        ahead: Vec2::X,
        stun: 0.0,
        has_key: false,
    };
    let arm = |x| {
        let at = Transform::from_xyz(x, 0.0, 0.1);
        (Layer::Foe, CircleCollider::new(13.0), Fill(ROSE_600), at)
    };
    match cell {
        '@' => commands.spawn((Layer::Hero, hero, round(13.0), Fill(LIME_300))),
        'c' => commands.spawn((Layer::Item, Pushable, square(34.0), Fill(AMBER_600))),
        's' => commands.spawn((foe(1 + level), round(13.0))),
        'B' => {
            let arms = children![arm(-38.0), arm(38.0)];
            commands.spawn((foe(5 + 2 * level), round(24.0), Turning(2.5), arms))
        }
        'p' => commands.spawn((Layer::Zone, Thing::Plate, square(24.0), Fill(AMBER_800))),
        'k' => commands.spawn((Layer::Zone, Thing::Key, round(9.0), Fill(YELLOW_300))),
        'E' => commands.spawn((Layer::Zone, Thing::Exit, square(36.0), Fill(SKY_400))),
        'G' => commands.spawn((
            Layer::Wall,
            Solid,
            Thing::Gate,
            square(40.0),
            Fill(AMBER_800),
        )),
        'D' => commands.spawn((
            Layer::Wall,
            Solid,
            Thing::Door,
            square(40.0),
            Fill(YELLOW_600),
        )),
        _ => return,
    };
}

/// Once per swing, however many blades hit how many of its hurtboxes.
fn strike(
    mut hits: Hits<With<Sword>, With<Foe>>,
    mut foes: Query<(&mut Foe, &mut Mover, &Transform)>,
    hero: Single<&Transform, With<Hero>>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        if let Ok((mut foe, mut mover, at)) = foes.get_mut(hit.b)
            && foe.health > 0
        {
            foe.health -= 1;
            foe.stun = 0.25;
            mover.velocity = 300.0 * away(hero.translation, at.translation);
            if foe.health == 0 {
                tally.kill(hit.b, 10);
                commands.entity(hit.b).despawn();
            }
        }
    }
}

fn away(from: Vec3, to: Vec3) -> Vec2 {
    (to - from).truncate().normalize_or(Vec2::X)
}

fn hurt(
    mut hits: Hits<With<Foe>, With<Hero>>,
    foes: Query<&Transform, With<Foe>>,
    mut hero: Single<(&mut Hero, &mut Mover, &Transform)>,
    mut tally: ResMut<Tally>,
) {
    let (hero, mover, at) = &mut *hero;
    for foe in hits.read().filter_map(|hit| foes.get(hit.a).ok()) {
        mover.velocity = 420.0 * away(foe.translation, at.translation);
        hero.stun = 0.2;
        tally.lose_life();
    }
}

/// What the hero and the crates touch: a crate opens the gate, a key the door.
fn touch(
    mut hits: Hits<With<Thing>, Or<(With<Hero>, With<Pushable>)>>,
    things: Query<(Entity, &Thing)>,
    all: Query<Entity, With<Layer>>,
    mut hero: Single<(Entity, &mut Hero)>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        let is_hero = hit.b == hero.0;
        let opened = match things.get(hit.a) {
            Ok((_, Thing::Plate)) if !is_hero => Thing::Gate,
            Ok((_, Thing::Key)) if is_hero => Thing::Key,
            Ok((_, Thing::Door)) if is_hero && hero.1.has_key => Thing::Door,
            Ok((_, Thing::Exit)) if is_hero => {
                tally.level += 1;
                tally.score += 100;
                all.iter()
                    .for_each(|entity| commands.entity(entity).try_despawn());
                return commands.run_system_cached(spawn);
            }
            _ => continue,
        };
        hero.1.has_key |= opened == Thing::Key;
        for (entity, _) in things.iter().filter(|(_, thing)| **thing == opened) {
            commands.entity(entity).try_despawn();
        }
    }
}

fn walk(time: Res<Time>, intent: Res<Intent>, mut hero: Single<(&mut Hero, &mut Mover)>) {
    let (hero, mover) = &mut *hero;
    hero.stun -= time.delta_secs();
    let direction = intent.steer.normalize_or_zero();
    hero.ahead = direction.normalize_or(hero.ahead);
    if hero.stun <= 0.0 {
        mover.velocity = direction * 230.0;
    }
}

fn swing(
    time: Res<Time>,
    intent: Res<Intent>,
    hero: Single<(Entity, &Hero)>,
    mut swords: Query<(Entity, &mut Sword, &mut Transform)>,
    mut commands: Commands,
) {
    let (entity, hero) = *hero;
    let turn = |seconds: f32| {
        let angle = SWING_ANGLE * (1.0 - 2.0 * seconds / SWING_SECONDS);
        Quat::from_rotation_z(hero.ahead.to_angle() + angle)
    };
    for (entity, mut sword, mut transform) in &mut swords {
        sword.0 += time.delta_secs();
        transform.rotation = turn(sword.0);
        if sword.0 > SWING_SECONDS {
            commands.entity(entity).despawn();
        }
    }
    if intent.act && swords.is_empty() {
        let blade = |x| {
            let at = Transform::from_xyz(x, 0.0, 0.5);
            (
                Layer::Shot,
                RectCollider::new(14.0, 7.0),
                Swept,
                Fill(SLATE_200),
                at,
            )
        };
        let pivot = (
            Transform::from_rotation(turn(0.0)),
            Visibility::default(),
            ChildOf(entity),
        );
        commands.spawn((
            Sword(0.0),
            pivot,
            children![blade(24.0), blade(38.0), blade(52.0)],
        ));
    }
}

/// Foes chase the hero if no wall hides it.
fn chase(
    time: Res<Time>,
    mut foes: Query<(&mut Foe, &mut Mover, &Transform)>,
    hero: Single<&Transform, With<Hero>>,
    query: SpatialQuery,
) {
    let walls = SpatialQueryFilter::only(Layer::Wall);
    for (mut foe, mut mover, at) in &mut foes {
        foe.stun -= time.delta_secs();
        if foe.stun <= 0.0 {
            let to_hero = (hero.translation - at.translation).truncate();
            let ray = Ray2d::new(
                at.translation.truncate(),
                Dir2::new(to_hero).unwrap_or(Dir2::X),
            );
            let sees =
                to_hero.length() < SIGHT && query.cast_ray(ray, to_hero.length(), &walls).is_none();
            mover.velocity = to_hero.normalize_or_zero() * if sees { 90.0 } else { 0.0 };
        }
    }
}
