//! How does a hero push crates by whole cells, and into holes?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The size of a cell. Hero, crates and holes are at centers of cells, and a bit smaller.
const CELL: f32 = 16.0;

#[derive(Component)]
struct Hero;

#[derive(Component)]
#[require(Solid)]
struct Crate;

/// Blocks the hero. A crate fills it.
#[derive(Component)]
#[require(Solid)]
struct Hole;

fn push(
    keys: Res<ButtonInput<KeyCode>>,
    mut hero: Single<&mut Transform, (With<Hero>, Without<Crate>)>,
    mut crates: Query<&mut Transform, With<Crate>>,
    holes: Query<(), With<Hole>>,
    query: SpatialQuery,
    mut commands: Commands,
) {
    let key = |key, x, y| {
        if keys.just_pressed(key) {
            Vec2::new(x, y)
        } else {
            Vec2::ZERO
        }
    };
    let step = key(KeyCode::ArrowRight, CELL, 0.0) + key(KeyCode::ArrowLeft, -CELL, 0.0);
    let step = if step == Vec2::ZERO {
        key(KeyCode::ArrowUp, 0.0, CELL) + key(KeyCode::ArrowDown, 0.0, -CELL)
    } else {
        step
    };
    let solid = SpatialQueryFilter::default().only_solid();
    let solid_at = |cells: f32| {
        let center = hero.translation.truncate() + cells * step;
        query.point_intersections(center, &solid).next()
    };
    let can_step = match (solid_at(1.0), solid_at(2.0)) {
        _ if step == Vec2::ZERO => false,
        (None, _) => true,
        (Some(pushed), None) if let Ok(mut pushed) = crates.get_mut(pushed) => {
            pushed.translation += step.extend(0.0);
            true
        }
        (Some(pushed), Some(hole)) if crates.contains(pushed) && holes.contains(hole) => {
            commands.entity(pushed).despawn();
            commands.entity(hole).despawn();
            true
        }
        _ => false,
    };
    if can_step {
        hero.translation += step.extend(0.0);
    }
}

// ---- What tests it ----

use crate::app::*;

/// Plays these moves on a map of a hero `@`, crates `$`, holes `o` and walls `#`. Returns the map
/// after them.
fn play(rows: &[&str], moves: &str) -> Vec<String> {
    let mut app = app(|app| {
        app.add_systems(Update, push);
    });
    let center = |column: usize, row: usize| at(column as f32 * CELL, row as f32 * -CELL);
    for (row, text) in rows.iter().enumerate() {
        for (column, tile) in text.chars().enumerate() {
            let thing = (RectCollider::new(12.0, 12.0), center(column, row));
            let mut entity = app.world_mut().spawn(thing);
            match tile {
                '@' => entity.insert(Hero),
                '$' => entity.insert(Crate),
                'o' => entity.insert(Hole),
                '#' => entity.insert(Solid),
                _ => {
                    entity.despawn();
                    continue;
                }
            };
        }
    }
    app.update();
    for key in moves.chars() {
        press(
            &mut app,
            match key {
                'r' => KeyCode::ArrowRight,
                'l' => KeyCode::ArrowLeft,
                'u' => KeyCode::ArrowUp,
                _ => KeyCode::ArrowDown,
            },
        );
        app.update();
        release(&mut app);
    }
    let mut things = app
        .world_mut()
        .query::<(&Transform, Has<Hero>, Has<Crate>, Has<Hole>)>();
    let mut map: Vec<Vec<char>> = rows.iter().map(|row| vec!['.'; row.len()]).collect();
    for (transform, is_hero, is_crate, is_hole) in things.iter(app.world()) {
        let cell = (transform.translation.truncate() / CELL).round();
        map[-cell.y as usize][cell.x as usize] = match (is_hero, is_crate, is_hole) {
            (true, ..) => '@',
            (_, true, _) => '$',
            (.., true) => 'o',
            _ => '#',
        };
    }
    map.iter().map(|row| row.iter().collect()).collect()
}

#[test]
fn crates_move_by_cells_one_at_a_time_and_not_into_walls() {
    assert_eq!(play(&["@$..#"], "rrr"), ["..@$#"]);
    assert_eq!(play(&["@$$.#"], "rr"), ["@$$.#"]);
    assert_eq!(play(&["@", "$", ".", "#"], "dd"), [".", "@", "$", "#"]);
    assert_eq!(play(&["...", "@$.", "..."], "rul"), ["@..", "..$", "..."]);
}

#[test]
fn a_hole_blocks_the_hero_until_a_crate_fills_it() {
    assert_eq!(play(&["@o.."], "rr"), ["@o.."]);
    assert_eq!(play(&["@$o."], "rrr"), ["...@"]);
}
