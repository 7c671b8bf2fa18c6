//! Entities: where they stand, and how large they are.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkEntityRule, LdtkMap, LdtkRules};
use serde_json::json;

use crate::builder::*;

/// A room of 10 by 5 cells with an entity at 40 pixels from the left and 32 from the top.
fn with_thing(size: [i64; 2], pivot: [f32; 2]) -> LdtkMap {
    let things = things([10, 5], vec![thing("Crate", [40, 32], size, pivot, &[])]);
    room([10, 5], vec![things])
}

#[test]
fn an_entity_is_at_the_center_of_its_rectangle_whatever_its_pivot() {
    for (pivot, center) in [
        ([0.0, 0.0], Vec2::new(50.0, 45.0)),
        ([0.5, 1.0], Vec2::new(40.0, 51.0)),
        ([1.0, 0.5], Vec2::new(30.0, 48.0)),
        ([0.5, 0.5], Vec2::new(40.0, 48.0)),
    ] {
        let map = with_thing([20, 6], pivot);
        let contents = contents(&map, &LdtkRules::new());
        let entity = &contents.entities[0];
        assert_eq!(entity.center, center, "{pivot:?}");
        assert_eq!(entity.collider, Some(RectCollider::new(20.0, 6.0)));
        assert_eq!(entity.entity.size, Vec2::new(20.0, 6.0));
    }
}

#[test]
fn an_entity_collides_where_it_is_in_the_world() {
    let things = things(
        [10, 5],
        vec![thing("Crate", [40, 32], [20, 6], [0.0, 0.0], &[])],
    );
    let map = map(&project(
        "Free",
        vec![level("Room", [1000, 64], [10, 5], vec![things])],
    ));
    let rules = LdtkRules::new().entity("Crate", LdtkEntityRule::rect().solid());
    let mut app = app();
    let room = spawn(&mut app, &map, "Room", &rules);
    assert!(is_solid_at(&mut app, Vec2::new(1040.1, -96.1)));
    assert!(is_solid_at(&mut app, Vec2::new(1059.9, -101.9)));
    assert!(!is_solid_at(&mut app, Vec2::new(1039.9, -99.0)));
    assert!(!is_solid_at(&mut app, Vec2::new(1050.0, -102.1)));
    let world = app.world_mut();
    let mut entities = world.query::<(&LdtkEntity, &ChildOf)>();
    let (entity, parent) = entities.single(world).unwrap();
    assert_eq!(
        (entity.layer.as_str(), entity.tags.as_slice()),
        ("Things", &["thing".into()][..])
    );
    assert_eq!(entity.level, "iid-Room");
    assert_eq!(parent.parent(), room);
}

#[test]
fn an_entity_moves_with_the_offset_of_its_layer() {
    let mut things = things(
        [10, 5],
        vec![thing("Crate", [40, 32], [20, 6], [0.5, 0.5], &[])],
    );
    things["__pxTotalOffsetX"] = json!(3);
    things["__pxTotalOffsetY"] = json!(5);
    let contents = contents(&room([10, 5], vec![things]), &LdtkRules::new());
    assert_eq!(contents.entities[0].center, Vec2::new(43.0, 43.0));
}

#[test]
fn a_collider_as_large_as_the_definition_keeps_the_pivot() {
    // Its definition is 8 by 12.
    let map = with_thing([20, 6], [0.5, 1.0]);
    let rule = LdtkEntityRule::rect().with_definition_size();
    let contents = contents(&map, &LdtkRules::new().entity("Crate", rule));
    let collider = contents.entities[0].collider.unwrap();
    assert_eq!(collider.size, Vec2::new(8.0, 12.0));
    // Both stand on the pivot.
    let foot = contents.entities[0].center + collider.offset - collider.size * Vec2::Y / 2.0;
    assert_eq!(foot, Vec2::new(40.0, 48.0));
}

#[test]
fn rules_are_chosen_by_identifier_then_by_tag() {
    let map = with_thing([20, 6], [0.0, 0.0]);
    let is_solid = |rules: LdtkRules| contents(&map, &rules).entities[0].is_solid;
    let solid = LdtkEntityRule::rect().solid();
    let tagged = || LdtkRules::new().entities_tagged("thing", solid);
    assert!(is_solid(tagged()));
    assert!(!is_solid(tagged().entity("Crate", LdtkEntityRule::rect())));
    assert!(is_solid(LdtkRules::new().other_entities(solid)));
    assert!(!is_solid(LdtkRules::new().entity("Hero", solid)));
    let rules = LdtkRules::new().entity("Crate", LdtkEntityRule::point());
    assert_eq!(contents(&map, &rules).entities[0].collider, None);
}

#[test]
fn a_hero_as_wide_as_a_shaft_falls_into_it_without_its_skins() {
    let hero = || thing("Hero", [16, 16], [16, 16], [0.0, 1.0], &[]);
    let map = room(
        [3, 3],
        vec![walls(&["...", "1.1", "111"]), things([3, 3], vec![hero()])],
    );
    let falls = |rule: LdtkEntityRule, skin_width: f32, units: f32| {
        let rules = full_walls().entity("Hero", rule).units_per_pixel(units);
        let mut app = app();
        app.add_observer(move |added: On<Add, LdtkEntity>, mut commands: Commands| {
            let mover = Mover {
                skin_width,
                ..Mover::with_velocity(Vec2::NEG_Y * 60.0 * units)
            };
            commands.entity(added.entity).insert(mover);
        });
        spawn(&mut app, &map, "Room", &rules);
        run(&mut app, 60);
        let world = app.world_mut();
        let mut hero = world.query_filtered::<&GlobalTransform, With<LdtkEntity>>();
        hero.single(world).unwrap().translation().y < -20.0 * units
    };
    let rect = LdtkEntityRule::rect();
    for (skin_width, units) in [
        (0.02, 1.0),
        (0.125, 1.0),
        (0.00125, 1.0 / 16.0),
        (0.125, 6.25),
    ] {
        assert!(!falls(rect, skin_width, units), "{skin_width} {units}");
        let fits = rect.less_skins(skin_width);
        assert!(falls(fits, skin_width, units), "{skin_width} {units}");
    }
}

#[test]
fn a_rule_that_leaves_nothing_of_a_rectangle_is_an_error() {
    let map = with_thing([20, 6], [0.0, 0.0]);
    for units in [6.0, 7.0, 30.0] {
        let rule = LdtkEntityRule::rect().less(units);
        let rules = LdtkRules::new().entity("Crate", rule);
        let message = "map, level \"Room\", layer \"Things\", entity Crate iid-Crate: its size, \
                       less that of its rule, is not greater than zero";
        assert_eq!(messages(&map, &rules), [message]);
        let contents = map.contents("Room", &rules).unwrap();
        assert_eq!(contents.entities[0].collider, None);
    }
}
