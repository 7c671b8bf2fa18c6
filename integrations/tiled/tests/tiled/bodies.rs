//! Objects of several shapes, or of shapes that are not convex, are one body.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::TiledObject;

use crate::common::{Level, map_text, tileset};

/// An object in a room of 160 by 160 pixels, with a tile of these shapes at 16 to 32 by 16 to 32,
/// and a wall whose left edge is at 100.
fn room(shapes: &str) -> Level {
    let tiles = format!("<tile id=\"0\"><objectgroup>{shapes}</objectgroup></tile>");
    let objects = r#"<objectgroup id="2" name="Things">
<object id="1" gid="1" x="16" y="32" width="16" height="16"/>
<object id="2" type="Solid" x="100" y="0" width="10" height="160"/></objectgroup>"#;
    let text = map_text(10, 10, "", &(tileset(1, &tiles) + objects));
    Level::new(&text).no_errors()
}

/// How far the right edge of the object, at 32 pixels, gets on its path to the wall.
fn right_after_flight(level: &mut Level) -> f32 {
    let object = level.object(1);
    let mover = Mover::with_velocity(Vec2::new(300.0, 0.0));
    level.app.world_mut().entity_mut(object).insert(mover);
    for _ in 0..60 {
        level.app.update();
    }
    let transform = level.get::<Transform>(object).expect("it has one");
    transform.translation.x + 8.0
}

const ARCH: &str = r#"<object id="1" x="0" y="0">
<polygon points="0,0 16,0 16,16 12,16 12,8 4,8 4,16 0,16"/></object>"#;
const GEAR: &str = r#"<object id="1" x="8" y="8"><polygon points="8,0 6,4 4,6 0,8 -4,6 -6,4 -8,0
 -6,-4 -4,-6 0,-8 4,-6 6,-4"/></object>"#;
const TOUCHING: &str = r#"<object id="1" x="0" y="0" width="8" height="16"/>
<object id="2" x="8" y="0" width="8" height="8"/>"#;
const APART: &str = r#"<object id="1" x="0" y="0" width="4" height="16"/>
<object id="2" x="12" y="0" width="4" height="16"/>"#;

#[test]
fn an_object_of_any_shape_is_one_collider_that_walls_block() {
    for shapes in [ARCH, GEAR, TOUCHING, APART] {
        let mut level = room(shapes);
        let object = level.object(1);
        assert!(level.get::<PolygonCollider>(object).is_some(), "{shapes}");
        assert!(level.get::<Children>(object).is_none(), "{shapes}");
        assert!(level.get::<Solid>(object).is_some(), "{shapes}");
        let right = right_after_flight(&mut level);
        assert!((99.0..100.0).contains(&right), "{right}: {shapes}");
    }
}

#[test]
fn hits_report_the_object() {
    for shapes in [ARCH, GEAR, TOUCHING, APART] {
        let mut level = room(shapes);
        let object = level.object(1);
        let ball = (
            CircleCollider::new(2.0),
            Mover::with_velocity(Vec2::new(-300.0, 0.0)),
            Transform::from_xyz(60.0, -20.0, 0.0),
        );
        level.app.world_mut().spawn(ball);
        let mut blockers = Vec::new();
        for _ in 0..20 {
            level.app.update();
            let world = level.app.world_mut();
            let mut hits = world.resource_mut::<Messages<MoverHit>>();
            blockers.extend(hits.drain().map(|hit| hit.blocker));
        }
        assert!(blockers.contains(&object), "{shapes}");
        assert!(level.get::<TiledObject>(blockers[0]).is_some(), "{shapes}");
    }
}

#[test]
fn a_shape_inside_of_another_one_is_no_hole() {
    for inner in [
        r#"<object id="2" x="4" y="4" width="8" height="8"/>"#,
        r#"<object id="2" x="4" y="0" width="8" height="16"/>"#,
        r#"<object id="2" x="0" y="0" width="16" height="16"/>"#,
    ] {
        let outer = r#"<object id="1" x="0" y="0" width="16" height="16"/>"#;
        for shapes in [[outer, inner], [inner, outer]] {
            let mut level = room(&shapes.concat());
            let object = level.object(1);
            assert!(level.get::<Children>(object).is_none(), "{inner}");
            for at in [17.0, 24.0, 31.0] {
                assert_eq!(level.only(at, 24.0), object, "{at}: {inner}");
            }
        }
    }
}

#[test]
fn shapes_that_cross_each_other_are_one_collider() {
    // A cross.
    let shapes = r#"<object id="1" x="6" y="0" width="4" height="16"/>
<object id="2" x="0" y="7" width="16" height="2"/>"#;
    let mut level = room(shapes);
    let object = level.object(1);
    assert!(level.get::<PolygonCollider>(object).is_some());
    assert!(level.get::<Children>(object).is_none());
    let right = right_after_flight(&mut level);
    assert!((99.0..100.0).contains(&right), "{right}");
}

#[test]
fn sensors_of_an_object_are_not_blocked() {
    // Its body is at the left, and what it sees goes on to the right.
    let shapes = r#"<object id="1" type="Sensor" x="0" y="0" width="16" height="16"/>
<object id="2" x="0" y="0" width="8" height="16"/>"#;
    let mut level = room(shapes);
    let object = level.object(1);
    assert!(level.get::<Solid>(object).is_some());
    let children = level.get::<Children>(object).map(|it| it.to_vec());
    let [sensor] = children.expect("a sensor")[..] else {
        panic!("several children")
    };
    assert!(level.get::<Solid>(sensor).is_none() && level.get::<MoverPart>(sensor).is_none());
    let right = right_after_flight(&mut level);
    assert!((107.0..108.0).contains(&right), "{right}");
}

#[test]
fn a_polyline_is_one_collider() {
    for (points, at) in [
        ("0,0 16,0 16,16", [[8.0, 0.0], [16.0, 8.0]]),
        ("0,0 16,0 16,16 0,16 0,0", [[8.0, 0.0], [0.0, 8.0]]),
        // It crosses itself.
        ("0,0 16,16 16,0 0,16", [[2.0, 2.0], [16.0, 5.0]]),
    ] {
        let object = format!(
            "<objectgroup id=\"2\" name=\"Things\"><object id=\"1\" type=\"Solid\" x=\"32\" \
             y=\"32\">\
             <polyline points=\"{points}\"/></object></objectgroup>"
        );
        let mut level = Level::new(&map_text(8, 8, "", &object)).no_errors();
        let line = level.object(1);
        assert!(level.get::<Children>(line).is_none(), "{points}");
        assert!(level.get::<PolygonCollider>(line).is_some(), "{points}");
        for [x, y] in at {
            assert!(level.is_solid(32.0 + x, 32.0 + y), "{x}, {y}: {points}");
            assert!(!level.is_solid(32.0 + x - 1.5, 32.0 + y + 0.9), "{x}, {y}");
        }
        let room = level.is_solid(40.0, 41.0);
        assert!(!room, "a closed line is open inside");
        assert_eq!(level.only(32.0 + at[0][0], 32.0 + at[0][1]), line);
    }
}

#[test]
fn touching_shapes_are_joined_at_any_size() {
    let thirds = r#"<object id="1" x="0" y="0" width="5.3333" height="16"/>
<object id="2" x="5.3333" y="0" width="5.3333" height="11"/>
<object id="3" x="10.6666" y="3" width="5.3334" height="13"/>
<object id="4" x="0" y="12.7"><polygon points="0,0 4.1,0 4.1,2.2 0,3.3"/></object>"#;
    let tiles = format!("<tile id=\"0\"><objectgroup>{thirds}</objectgroup></tile>");
    for (width, height) in [
        (16.0, 16.0),
        (23.7, 41.3),
        (7.1, 500.9),
        (0.3, 0.7),
        (1999.3, 3.1),
    ] {
        let objects = format!(
            "<objectgroup id=\"2\" name=\"Things\"><object id=\"1\" gid=\"1\" x=\"16\" y=\"32\" \
             width=\"{width}\" height=\"{height}\"/></objectgroup>"
        );
        let text = map_text(10, 10, "", &(tileset(1, &tiles) + &objects));
        let mut level = Level::new(&text).no_errors();
        let object = level.object(1);
        assert!(level.get::<PolygonCollider>(object).is_some());
        assert!(level.get::<Children>(object).is_none(), "{width} {height}");
    }
}
