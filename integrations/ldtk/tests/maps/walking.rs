//! Walkers on loaded levels.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkCellKind, LdtkRules};

use crate::builder::*;

fn walker(app: &mut App, at: Vec2) -> Entity {
    let walker = (CapsuleCollider::new(5.0, 6.0), Walker::default());
    let at = Transform::from_translation(at.extend(0.0));
    let entity = app.world_mut().spawn((walker, at)).id();
    app.add_systems(Update, |mut movers: Query<&mut Mover>, time: Res<Time>| {
        for mut mover in &mut movers {
            mover.velocity.y -= 900.0 * time.delta_secs();
        }
    });
    entity
}

fn position(app: &App, entity: Entity) -> Vec2 {
    app.world()
        .get::<Transform>(entity)
        .unwrap()
        .translation
        .truncate()
}

fn walk_right(mut movers: Query<&mut Mover>) {
    for mut mover in &mut movers {
        mover.velocity.x = 60.0;
    }
}

#[test]
fn a_walker_lands_on_the_floor_of_a_level_and_climbs_its_ramp() {
    let rows = ["......", "......", "...211", "111111"];
    let map = map(&project(
        "Free",
        vec![level("Room", [320, 64], [6, 4], vec![walls(&rows)])],
    ));
    let rules = full_walls().named("Walls", "ramp", CellShape::slope(0.0, 1.0));
    let mut app = app();
    spawn(&mut app, &map, "Room", &rules);
    let hero = walker(&mut app, Vec2::new(330.0, -70.0));
    run(&mut app, 60);
    // Its capsule is 8 from its center to its foot. The floor is three cells below the top.
    let landed = position(&app, hero);
    assert!((landed.y - (-64.0 - 48.0 + 8.0)).abs() < 0.1, "{landed}");
    assert!(app.world().get::<Ground>(hero).unwrap().is_on_floor());
    app.add_systems(PreUpdate, walk_right);
    run(&mut app, 70);
    let climbed = position(&app, hero);
    assert!((climbed.y - (-64.0 - 32.0 + 8.0)).abs() < 0.1, "{climbed}");
    assert!(climbed.x > 320.0 + 64.0, "{climbed}");
}

#[test]
fn a_plank_is_passed_from_below_and_carries_from_above() {
    let map = room([3, 4], vec![walls(&["...", "333", "...", "111"])]);
    let plank = LdtkCellKind::from(CellShape::rect(0.0..1.0, 0.75..1.0)).one_way(Dir2::Y);
    let rules = full_walls().named("Walls", "plank", plank);
    let mut app = app();
    spawn(&mut app, &map, "Room", &rules);
    let hero = walker(&mut app, Vec2::new(24.0, -40.0));
    run(&mut app, 30);
    app.world_mut().get_mut::<Mover>(hero).unwrap().velocity.y = 260.0;
    run(&mut app, 60);
    let landed = position(&app, hero);
    assert!((landed.y - (-16.0 + 8.0)).abs() < 0.1, "{landed}");
}

#[test]
fn a_walker_crosses_from_level_to_level() {
    let room = |name| level(name, [-1, -1], [4, 2], vec![walls(&["....", "1111"])]);
    let map = map(&project(
        "LinearHorizontal",
        vec![room("Left"), room("Right")],
    ));
    let mut app = app();
    map.spawn_all(&full_walls(), &mut app.world_mut().commands());
    let hero = walker(&mut app, Vec2::new(10.0, -8.0));
    run(&mut app, 10);
    app.add_systems(PreUpdate, walk_right);
    for _ in 0..100 {
        app.update();
        let ground = app.world().get::<Ground>(hero).unwrap();
        assert!(ground.is_on_floor(), "at {}", position(&app, hero));
    }
    let end = position(&app, hero);
    assert!(
        end.x > 100.0 && (end.y - (-16.0 + 8.0)).abs() < 0.1,
        "{end}"
    );
}

#[test]
fn spikes_report_and_block_nothing() {
    let map = room([3, 2], vec![walls(&[".2.", "111"])]);
    let spikes = LdtkCellKind::from(CellShape::rect(0.0..1.0, 0.0..0.5)).sensor();
    let rules: LdtkRules = full_walls().named("Walls", "ramp", spikes);
    let mut app = app();
    spawn(&mut app, &map, "Room", &rules);
    let hero = walker(&mut app, Vec2::new(24.0, -4.0));
    run(&mut app, 30);
    let world = app.world_mut();
    let spikes = world
        .query_filtered::<Entity, (With<TileCollider>, Without<Solid>)>()
        .single(world)
        .unwrap();
    let collides = move |collisions: Collisions| collisions.contains(hero, spikes);
    assert!(world.run_system_once(collides).unwrap());
    assert!((position(&app, hero).y - (-16.0 + 8.0)).abs() < 0.1);
}

#[test]
fn a_floor_whose_tiles_have_several_names_is_smooth() {
    // Every second tile is a slope as well, of the same shape.
    let tiles: Vec<[i64; 4]> = (0..12)
        .map(|x| [x * 16, 16, [1, 5][x as usize % 2], 0])
        .collect();
    let map = room([12, 2], vec![ground([12, 2], &tiles)]);
    let rules = LdtkRules::new()
        .tagged("Ground", "Wall", CellShape::FULL)
        .tagged("Ground", "Slope", CellShape::FULL);
    let mut app = app();
    spawn(&mut app, &map, "Room", &rules);
    let hero = walker(&mut app, Vec2::new(10.0, -8.0));
    run(&mut app, 10);
    app.add_systems(PreUpdate, walk_right);
    let mut last = position(&app, hero);
    for _ in 0..150 {
        app.update();
        let now = position(&app, hero);
        assert!((now.x - last.x - 60.0 / 64.0).abs() < 1e-3, "{last} {now}");
        assert!((now.y - last.y).abs() < 1e-3, "{last} {now}");
        last = now;
    }
}
