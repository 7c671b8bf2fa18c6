//! Where levels are, in every layout.

use bevy::prelude::*;
use bevy_thud_ldtk::{LdtkLevel, LdtkMap, LdtkProblem};
use serde_json::{Value, json};

use crate::builder::*;

/// Two rooms of 4 by 3 and 2 by 2 cells, the only wall at the top left of each.
fn rooms(positions: [[i64; 2]; 2]) -> Vec<Value> {
    let large = walls(&["1...", "....", "...."]);
    let small = walls(&["1.", ".."]);
    vec![
        level("Large", positions[0], [4, 3], vec![large]),
        level("Small", positions[1], [2, 2], vec![small]),
    ]
}

/// Spawns all, and expects the center of the only wall of each level at these points.
fn expect_walls(map: &LdtkMap, expected: [Vec2; 2]) {
    let mut app = app();
    let levels = map.spawn_all(&full_walls(), &mut app.world_mut().commands());
    assert_eq!(levels.len(), 2);
    app.update();
    for center in expected {
        assert!(is_solid_at(&mut app, center), "no wall at {center}");
        for beside in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
            assert!(is_solid_at(&mut app, center + beside * 7.9));
            let outside = center + beside * 8.1;
            assert!(!is_solid_at(&mut app, outside), "a wall at {outside}");
        }
    }
}

#[test]
fn free_and_grid_levels_are_at_their_world_position_with_y_up() {
    for layout in ["Free", "GridVania"] {
        let map = map(&project(layout, rooms([[-64, 32], [256, -512]])));
        expect_walls(&map, [Vec2::new(-56.0, -40.0), Vec2::new(264.0, 504.0)]);
    }
}

#[test]
fn linear_levels_follow_each_other() {
    // The editor writes -1 for both coordinates.
    let levels = || rooms([[-1, -1], [-1, -1]]);
    let first = Vec2::new(8.0, -8.0);
    let map = map(&project("LinearHorizontal", levels()));
    expect_walls(&map, [first, Vec2::new(72.0, -8.0)]);
    let map = crate::builder::map(&project("LinearVertical", levels()));
    expect_walls(&map, [first, Vec2::new(8.0, -56.0)]);
}

#[test]
fn linear_levels_have_the_gap_that_rules_ask_for() {
    let map = map(&project("LinearVertical", rooms([[-1, -1], [-1, -1]])));
    let contents = |level| map.contents(level, &full_walls().linear_gap(48.0)).unwrap();
    assert_eq!(contents("Large").origin, Vec2::new(0.0, -48.0));
    assert_eq!(
        contents("Small").origin,
        Vec2::new(0.0, -48.0 - 48.0 - 32.0)
    );
}

#[test]
fn worlds_have_layouts_of_their_own() {
    let mut project = project("Free", Vec::new());
    project["worldLayout"] = Value::Null;
    project["worlds"] = json!([
        {
            "identifier": "Over", "iid": "over", "worldLayout": "Free", "worldGridWidth": 256,
            "worldGridHeight": 256, "levels": [level("Meadow", [160, 0], [1, 1], vec![])],
        },
        {
            "identifier": "Under", "iid": "under", "worldLayout": "LinearHorizontal",
            "worldGridWidth": 256, "worldGridHeight": 256, "levels": [
                level("Cave", [-1, -1], [3, 1], vec![]), level("Lake", [-1, -1], [1, 1], vec![]),
            ],
        },
    ]);
    let map = map(&project);
    let levels = map
        .levels()
        .map(|level| (&*level.world, &*level.identifier, level.top_left));
    let levels: Vec<(&str, &str, Vec2)> = levels.collect();
    let expected = [
        ("Over", "Meadow", Vec2::new(160.0, 0.0)),
        ("Under", "Cave", Vec2::ZERO),
        ("Under", "Lake", Vec2::new(48.0, 0.0)),
    ];
    assert_eq!(levels, expected);
}

#[test]
fn levels_of_a_depth_are_spawned_alone() {
    let mut levels = rooms([[0, 0], [0, 0]]);
    levels[1]["worldDepth"] = json!(-1);
    let map = map(&project("Free", levels));
    let mut app = app();
    let mut commands = app.world_mut().commands();
    let is_below = |level: &LdtkLevel| level.depth == -1;
    assert_eq!(
        map.spawn_levels(is_below, &full_walls(), &mut commands)
            .len(),
        1
    );
    app.update();
    let world = app.world_mut();
    let mut levels = world.query::<&LdtkLevel>();
    assert_eq!(levels.single(world).unwrap().identifier, "Small");
}

#[test]
fn levels_are_found_by_iid_and_by_a_name_that_no_other_has() {
    let mut levels = rooms([[0, 0], [0, 0]]);
    levels.push(levels[0].clone());
    levels[2]["iid"] = json!("another");
    let map = map(&project("Free", levels));
    assert_eq!(map.level("Small").unwrap().iid, "iid-Small");
    assert_eq!(map.level("another").unwrap().identifier, "Large");
    assert_eq!(
        map.level("Large").unwrap_err().problem,
        LdtkProblem::SeveralLevels
    );
    let expected = LdtkProblem::NoLevel(["Large", "Small", "Large"].map(Into::into).into());
    assert_eq!(map.level("Huge").unwrap_err().problem, expected);
}

#[test]
fn a_level_is_an_entity_that_unloads_with_all_of_it() {
    let things = things(
        [4, 3],
        vec![thing("Crate", [8, 8], [16, 16], [0.0, 0.0], &[])],
    );
    let map = room([4, 3], vec![walls(&["1...", "....", "...."]), things]);
    let mut app = app();
    let before = app.world().entities().count_spawned();
    for _ in 0..2 {
        let room = spawn(&mut app, &map, "Room", &full_walls());
        assert_eq!(app.world().get::<LdtkLevel>(room).unwrap().iid, "iid-Room");
        assert_eq!(app.world().entities().count_spawned(), before + 3);
        assert!(is_solid_at(&mut app, Vec2::new(8.0, -8.0)));
        app.world_mut().despawn(room);
        app.update();
        assert!(!is_solid_at(&mut app, Vec2::new(8.0, -8.0)));
        assert_eq!(app.world().entities().count_spawned(), before);
    }
}

#[test]
fn a_tile_may_be_one_unit_wide() {
    let map = map(&project("Free", rooms([[-64, 32], [256, -512]])));
    let rules = full_walls().units_per_pixel(1.0 / 16.0);
    let mut app = app();
    spawn(&mut app, &map, "Large", &rules);
    assert!(is_solid_at(&mut app, Vec2::new(-3.5, -2.5)));
    assert!(is_solid_at(&mut app, Vec2::new(-3.01, -2.99)));
    assert!(!is_solid_at(&mut app, Vec2::new(-2.99, -2.5)));
}
