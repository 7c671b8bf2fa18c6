//! The level: a map of tiles, and what stands between them.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{LevelPart, enemies::enemy, hero::hero, machines, pickups};

/// The width and height of a tile.
pub const TILE: f32 = 16.0;

/// `#` ground, `h` hero, `e` enemy, `o` coin, `c` checkpoint, `g` goal.
const MAP: [&str; 28] = [
    "#......................................................................................##",
    "#......................................................................................##",
    "#......................................................................................##",
    "#......................................................................................##",
    "#....................................o.o.o.............................................##",
    "#....................................................oo................................##",
    "#..............................................o.......................................##",
    "#...............g...o.o....e...o..............c.....................e.o.o.o...c........##",
    "#.............####################..........######........##########################.o.##",
    "#.............####################..........######........##########################...##",
    "#.........................................................######.......................##",
    "#.........................................................######.......................##",
    "#.........................................................######.....................o.##",
    "#.........................................................######.......................##",
    "#.........................................................######.......................##",
    "#...................................................oo..o.##..##.......................##",
    "#.........................................................##..##.....................o.##",
    "#.............oo.................................oo.##....##..##.......................##",
    "#.................o..................o..o..o........##....##..##.......................##",
    "#..........o........................................##.................................##",
    "#...............................oo..................##..o.........o.o.o................##",
    "#.......o............o.........................c....##...........................c.....##",
    "#..............................###............###################........###########...##",
    "#..h.....................e.....###............###########################################",
    "##################################............###########################################",
    "##################################............###########################################",
    "##################################............###########################################",
    "##################################............###########################################",
];

/// The tiles of the stairs, which are smaller.
const STAIRS: [&str; 4] = [
    "......##", //
    "....####", "..######", "########",
];
const STAIR: f32 = 8.0;
const STAIRS_AT: Vec2 = Vec2::new(464.0, 80.0);

/// The outline of the hill: slopes of 27° and 45° up, of 45° down, and steps down.
const HILL: [[f32; 2]; 14] = [
    [112.0, 56.0],
    [368.0, 56.0],
    [368.0, 72.0],
    [352.0, 72.0],
    [352.0, 80.0],
    [336.0, 80.0],
    [336.0, 88.0],
    [320.0, 88.0],
    [320.0, 96.0],
    [304.0, 96.0],
    [256.0, 144.0],
    [224.0, 144.0],
    [176.0, 96.0],
    [112.0, 64.0],
];

/// The left end, the top and the width of each plank.
const PLANKS: [[f32; 3]; 2] = [[768.0, 136.0, 48.0], [864.0, 176.0, 64.0]];
pub const PLANK_THICKNESS: f32 = 5.0;

/// The width and height of the level. Its lower left corner is at the origin.
pub fn size() -> Vec2 {
    TILE * Vec2::new(MAP[0].len() as f32, MAP.len() as f32)
}

/// How many coins there are.
pub fn coin_count() -> usize {
    let coins = MAP.iter().flat_map(|row| row.chars());
    coins.filter(|&tile| tile == 'o').count()
}

/// Spawns everything.
pub fn spawn(mut commands: Commands) {
    let map = TileCollider::from_rows_with(MAP, Vec2::splat(TILE), |tile| tile == '#');
    let at = |position: Vec2| Transform::from_translation(position.extend(0.0));
    commands.spawn((map, Solid, LevelPart, at(size() / 2.0)));
    let stairs = TileCollider::from_rows(STAIRS, Vec2::splat(STAIR));
    commands.spawn((stairs, Solid, LevelPart, at(STAIRS_AT)));
    let hill = PolygonCollider::new(HILL.map(Vec2::from)).expect("the outline is simple");
    commands.spawn((hill, Solid, LevelPart));
    for [left, top, width] in PLANKS {
        let center = Vec2::new(left + width / 2.0, top - PLANK_THICKNESS / 2.0);
        let plank = RectCollider::new(width, PLANK_THICKNESS);
        commands.spawn((plank, Solid, OneWay(Dir2::Y), LevelPart, at(center)));
    }
    machines::spawn(&mut commands);
    spawn_people_and_pickups(&mut commands);
}

fn spawn_people_and_pickups(commands: &mut Commands) {
    for (row, tiles) in MAP.iter().rev().enumerate() {
        for (column, tile) in tiles.chars().enumerate() {
            let floor = TILE * Vec2::new(column as f32 + 0.5, row as f32);
            match tile {
                'h' => drop(commands.spawn(hero(floor + 13.0 * Vec2::Y))),
                'e' => drop(commands.spawn(enemy(floor + 9.0 * Vec2::Y))),
                'o' => pickups::spawn_coin(commands, floor + 8.0 * Vec2::Y),
                'c' => pickups::spawn_checkpoint(commands, floor + 16.0 * Vec2::Y),
                'g' => pickups::spawn_goal(commands, floor + 24.0 * Vec2::Y),
                _ => {}
            }
        }
    }
}
