//! The maps of three games: a road for creeps, a track for cars, and the rooms of a dungeon.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The corners of the road of the creeps.
pub const ROAD: [Vec2; 10] = [
    Vec2::new(-570.0, 220.0),
    Vec2::new(-140.0, 220.0),
    Vec2::new(-140.0, 20.0),
    Vec2::new(-440.0, 20.0),
    Vec2::new(-440.0, -200.0),
    Vec2::new(60.0, -200.0),
    Vec2::new(60.0, 140.0),
    Vec2::new(320.0, 140.0),
    Vec2::new(320.0, -120.0),
    Vec2::new(540.0, -120.0),
];

/// Where towers are built.
pub const PADS: [Vec2; 9] = [
    Vec2::new(-290.0, 120.0),
    Vec2::new(-40.0, 120.0),
    Vec2::new(-290.0, -90.0),
    Vec2::new(-60.0, -90.0),
    Vec2::new(160.0, 50.0),
    Vec2::new(220.0, 240.0),
    Vec2::new(210.0, -90.0),
    Vec2::new(420.0, 40.0),
    Vec2::new(420.0, -230.0),
];

/// How many points the track has.
pub const POINTS: usize = 96;

/// A point of the center of the track. The index wraps around.
pub fn track(index: usize) -> Vec2 {
    let angle = (index % POINTS) as f32 / POINTS as f32 * TAU;
    let wave = 1.0 + 0.1 * (3.0 * angle + 1.0).cos() - 0.12 * (2.0 * angle).cos();
    Vec2::new(480.0 * angle.cos(), 214.0 * angle.sin()) * wave
}

/// The pose of a car at a point of the track, this far to the left of the center.
pub fn pose(index: usize, left: f32, z: f32) -> Transform {
    let along = track(index + 1) - track(index + POINTS - 1);
    let position = track(index) + along.normalize().perp() * left;
    Transform::from_translation(position.extend(z))
        .with_rotation(Quat::from_rotation_z(along.to_angle()))
}

/// A closed line this far to the left of the center of the track.
pub fn lane(left: f32) -> Vec<Vec2> {
    let points = (0..POINTS).map(|index| pose(index, left, 0.0).translation.truncate());
    points.collect()
}

/// How a car has to steer to follow the line this far to the left of the center of the track, from
/// -1 for right to 1 for left.
pub fn steering(car: &Transform, left: f32) -> f32 {
    let position = car.translation.truncate();
    let squared = |index: &usize| track(*index).distance_squared(position);
    let nearest = (0..POINTS).min_by(|a, b| squared(a).total_cmp(&squared(b)));
    let ahead = pose(nearest.unwrap_or(0) + 6, left, 0.0);
    let offset = ahead.translation.truncate() - position;
    (2.5 * car.local_x().truncate().angle_to(offset)).clamp(-1.0, 1.0)
}

/// The size of a cell of the dungeon.
pub const CELL: f32 = 40.0;

/// `@` is the hero, `c` a crate, `p` a plate that opens the gate `G`, `k` a key to the door `D`,
/// `s` a slime and `B` a guard.
pub const DUNGEON: [&str; 18] = [
    "################################",
    "#.........#...........#........#",
    "#.........#...........#........#",
    "#..c......#....s......#..s.....#",
    "#.........#...........#........#",
    "#.........#...##......#........#",
    "#.........#...##......#........#",
    "#.@..c..p.G...........D...B....#",
    "#.........#...##......#........#",
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

/// The characters of a map, and the centers of their cells.
pub fn cells<'a>(
    rows: &'a [&'a str],
    map: &'a TileCollider,
) -> impl Iterator<Item = (char, Vec3)> + 'a {
    let rows = (0..).zip(rows);
    let cells = rows.flat_map(|(row, line)| {
        let columns = (0..).zip(line.chars());
        columns.map(move |(column, cell)| (cell, UVec2::new(column, row)))
    });
    cells.map(|(cell, at)| (cell, map.cell_center(at).extend(1.0)))
}
