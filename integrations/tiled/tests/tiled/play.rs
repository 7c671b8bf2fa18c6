//! Movers and walkers in levels, and levels that are unloaded.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::TiledRules;

use crate::common::{Level, layer, load, map_text, position, spawn, tileset};

fn tiles() -> String {
    tileset(
        4,
        r#"
<tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>
<tile id="1"><objectgroup><object id="1" x="0" y="16"><polygon points="0,0 16,0 16,-16"/></object>
</objectgroup></tile>
<tile id="2" type="OneWay"><objectgroup><object id="1" x="0" y="0" width="16" height="4"/>
</objectgroup></tile>"#,
    )
}

/// A floor with a ramp up to a higher floor, a wall at the right end, and a plank above.
fn text() -> String {
    let csv = "\
0,0,0,0,0,0,0,1,
0,0,0,0,0,0,0,1,
3,3,0,0,0,0,0,1,
0,0,0,0,0,0,0,1,
0,0,0,2,1,1,1,1,
1,1,1,1,1,1,1,1";
    map_text(8, 6, "", &(tiles() + &layer(8, 6, "Ground", "", csv)))
}

#[test]
fn a_mover_is_blocked() {
    let mut level = Level::new(&text()).no_errors();
    let hero = (
        CircleCollider::new(4.0),
        Mover::with_velocity(Vec2::new(300.0, 0.0)),
        Transform::from_xyz(60.0, -50.0, 0.0),
    );
    let hero = level.app.world_mut().spawn(hero).id();
    for _ in 0..60 {
        level.app.update();
    }
    let x = position(&level, hero).x;
    assert!((107.0..108.0).contains(&x), "{x}");
}

#[test]
fn a_walker_lands_and_climbs() {
    let mut level = Level::new(&text()).no_errors();
    let walker = (
        CapsuleCollider::new(4.0, 4.0),
        Walker::default(),
        Transform::from_xyz(24.0, -20.0, 0.0),
    );
    let walker = level.app.world_mut().spawn(walker).id();
    let run = |level: &mut Level, updates: u32, x: f32| {
        for _ in 0..updates {
            let mut mover = level
                .app
                .world_mut()
                .get_mut::<Mover>(walker)
                .expect("a mover");
            mover.velocity.x = x;
            mover.velocity.y -= 10.0;
            level.app.update();
        }
        let ground = level.get::<Ground>(walker).expect("a walker");
        assert!(ground.is_on_floor());
        position(level, walker)
    };
    // On the plank, whose top is at 32; then on the floor, up the ramp, and at the wall.
    let on_plank = run(&mut level, 60, 0.0);
    assert!((on_plank.y + 26.0).abs() < 0.1, "{on_plank}");
    let at_wall = run(&mut level, 200, 60.0);
    assert!((at_wall.x - 108.0).abs() < 0.1, "{at_wall}");
    assert!((at_wall.y + 58.0).abs() < 0.1, "{at_wall}");
    let at_left = run(&mut level, 60, -60.0);
    assert!(
        (at_left.y + 58.0).abs() > 10.0 || at_left.x > 48.0,
        "{at_left}"
    );
}

#[test]
fn a_walker_crosses_arches_and_tiles_of_several_shapes_as_one_floor() {
    // An arch is not convex, and the other has two shapes side by side, a hair apart from the edge.
    let tiles = tileset(
        2,
        r#"
<tile id="0"><objectgroup><object id="1" x="0" y="0">
 <polygon points="0,0 16,0 16,16 12,16 12,8 4,8 4,16 0,16"/></object></objectgroup></tile>
<tile id="1"><objectgroup><object id="1" x="0" y="0" width="8" height="16"/>
 <object id="2" x="8" y="0" width="8.0001" height="12"/></objectgroup></tile>"#,
    );
    let csv = "1,1,2,2,1,2,1,2,1,1";
    let text = map_text(10, 1, "", &(tiles + &layer(10, 1, "Ground", "", csv)));
    for speed in [20.0, 97.0, 333.0] {
        let mut level = Level::new(&text).no_errors();
        let walker = (
            RectCollider::new(6.0, 8.0),
            Walker::default(),
            Transform::from_xyz(10.0, 4.1, 0.0),
        );
        let walker = level.app.world_mut().spawn(walker).id();
        let mut updates = 0;
        while position(&level, walker).x < 150.0 {
            let mut mover = level
                .app
                .world_mut()
                .get_mut::<Mover>(walker)
                .expect("a mover");
            mover.velocity.x = speed;
            mover.velocity.y -= 10.0;
            level.app.update();
            updates += 1;
            let at = position(&level, walker);
            assert!(
                updates == 1 || (3.9..4.2).contains(&at.y),
                "{at} at {speed}"
            );
            assert!(updates < 1000, "stuck at {at}");
        }
        let expected = 140.0 / (speed * 0.016);
        assert!(
            (updates as f32 - expected).abs() < 3.0,
            "{updates} and not {expected}"
        );
    }
}

#[test]
fn despawning_unloads_and_it_can_be_loaded_again() {
    let mut level = Level::new(&text()).no_errors();
    let before = level.app.world().entities().len();
    level.app.world_mut().despawn(level.map);
    level.app.update();
    assert!(!level.is_solid(120.0, 40.0));
    assert_eq!(level.count::<TileCollider>(), 0);
    let map = load(&[("level.tmx", &text())]).expect("it can be read");
    level.map = spawn(&mut level.app, &map, &TiledRules::new()).entity;
    level.app.update();
    assert!(level.is_solid(120.0, 40.0));
    assert_eq!(level.app.world().entities().len(), before);
}
