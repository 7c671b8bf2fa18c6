//! Objects of layers: kinds, rotation, tiles, templates.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledObject, TiledProperties, TiledRules, TiledTile};

use crate::common::{Level, map_text, tileset};

fn group(objects: &str) -> String {
    format!(r#"<objectgroup id="2" name="Things">{objects}</objectgroup>"#)
}

fn level(objects: &str) -> Level {
    Level::new(&map_text(8, 8, "", &group(objects))).no_errors()
}

#[test]
fn kinds_of_objects_have_their_colliders() {
    let mut level = level(
        r#"
<object id="1" name="box" type="Box" x="8" y="16" width="16" height="8"/>
<object id="2" x="40" y="8" width="16" height="16"><ellipse/></object>
<object id="3" x="64" y="8" width="16" height="8"><ellipse/></object>
<object id="4" x="88" y="8" width="8" height="32"><capsule/></object>
<object id="5" x="8" y="40"><polygon points="0,0 16,0 16,16 8,8 0,16"/></object>
<object id="6" x="40" y="40"><polyline points="0,0 16,0 16,16"/></object>
<object id="7" x="72" y="40"><point/></object>
<object id="8" x="88" y="48" width="20" height="10"><text>hello</text></object>"#,
    );
    let bodies: [(u32, [f32; 2]); 7] = [
        (1, [16.0, -20.0]),
        (2, [48.0, -16.0]),
        (3, [72.0, -12.0]),
        (4, [92.0, -24.0]),
        (5, [8.0, -40.0]),
        (7, [72.0, -40.0]),
        (8, [98.0, -53.0]),
    ];
    for (id, at) in bodies {
        let entity = level.object(id);
        let transform = level.get::<GlobalTransform>(entity).expect("it has one");
        assert_eq!(transform.translation().truncate(), Vec2::from(at), "{id}");
        assert!(level.get::<Solid>(entity).is_none(), "a sensor");
    }
    let [rect, circle, ellipse, capsule, polygon, line, point, text] =
        [1, 2, 3, 4, 5, 6, 7, 8].map(|id| level.object(id));
    let data = level.get::<TiledObject>(rect).expect("an object");
    assert_eq!((data.name.as_str(), data.class.as_str()), ("box", "Box"));
    assert_eq!(data.size, Vec2::new(16.0, 8.0));
    assert_eq!(level.get::<Name>(rect).map(Name::as_str), Some("box"));
    assert_eq!(
        level.get::<RectCollider>(rect),
        Some(&RectCollider::new(16.0, 8.0))
    );
    assert_eq!(
        level.get::<CircleCollider>(circle),
        Some(&CircleCollider::new(8.0))
    );
    let capsule = level.get::<CapsuleCollider>(capsule).expect("a capsule");
    let expected = CapsuleCollider::between(Vec2::Y * -12.0, Vec2::Y * 12.0, 4.0);
    assert_eq!(*capsule, expected);
    assert!(level.get::<PolygonCollider>(ellipse).is_some());
    assert!(level.get::<PolygonCollider>(polygon).is_some());
    assert_eq!([level.only(48.0, 40.0), level.only(56.0, 48.0)], [line; 2]);
    assert!(!level.is_solid(72.0, 40.0) && !level.is_solid(98.0, 53.0));
    assert!(level.get::<TiledObject>(point).is_some());
    let text = level
        .get::<TiledObject>(text)
        .and_then(|it| it.text.clone());
    assert_eq!(text.as_deref(), Some("hello"));
    // The ellipse, and the notch of the polygon.
    assert!(level.is_solid(65.5, 12.0) && level.is_solid(72.0, 8.5));
    assert!(!level.is_solid(66.0, 9.0));
    assert!(level.is_solid(10.0, 50.0) && !level.is_solid(16.0, 53.0));
}

#[test]
fn objects_rotate_clockwise_about_their_position() {
    let mut level = level(
        r#"
<object id="1" x="40" y="40" width="16" height="8" rotation="90"/>
<object id="2" x="80" y="40" width="16" height="16" rotation="45"><ellipse/></object>
<object id="3" x="40" y="80" rotation="180"><polygon points="0,0 16,0 0,8"/></object>
<object id="4" x="80" y="80" rotation="-90"><polyline points="0,0 16,0"/></object>
<object id="5" x="110" y="80" rotation="90" width="8" height="24"><capsule/></object>"#,
    );
    // 90 degrees: to the left of its position, downward.
    let rect = level.only(36.0, 48.0);
    assert!(level.is_solid(33.0, 55.0) && level.is_solid(39.0, 41.0));
    assert!(!level.is_solid(41.0, 48.0) && !level.is_solid(36.0, 57.0));
    assert_eq!(rect, level.object(1));
    assert!(level.is_solid(80.0, 40.0 + 128.0_f32.sqrt()));
    assert!(!level.is_solid(80.0, 42.0));
    assert!(level.is_solid(38.0, 79.0) && level.is_solid(26.0, 79.8));
    assert!(!level.is_solid(42.0, 81.0));
    assert!(level.is_solid(80.0, 70.0) && !level.is_solid(80.0, 90.0));
    assert!(level.is_solid(88.0, 84.0) && level.is_solid(108.0, 84.0));
}

fn barrel() -> String {
    // The left third is solid.
    tileset(
        2,
        r#"<tile id="0" type="Barrel"><properties><property name="hp" type="int" value="3"/>
<property name="loot" value="coin"/></properties>
<objectgroup><object id="1" x="0" y="0" width="4" height="16"/></objectgroup></tile>"#,
    )
}

#[test]
fn objects_with_a_tile_stand_on_their_bottom_left() {
    let objects = r#"
<object id="1" gid="1" x="32" y="64" width="32" height="16">
 <properties><property name="loot" value="key"/></properties></object>
<object id="2" gid="2147483649" x="80" y="64" width="16" height="16"/>
<object id="3" gid="536870913" x="32" y="32" width="16" height="16"/>
<object id="4" gid="2" x="80" y="32" width="16" height="16"/>
<object id="5" gid="1" x="32" y="96" width="16" height="16" rotation="90"/>"#;
    let text = map_text(8, 8, "", &(barrel() + &group(objects)));
    let mut level = Level::new(&text).no_errors();
    // Twice as wide as its image: 8 of 32 are solid.
    let barrel = level.only(33.0, 50.0);
    assert!(level.is_solid(39.0, 63.0));
    assert!(!level.is_solid(41.0, 50.0) && !level.is_solid(33.0, 65.0));
    assert!(!level.is_solid(33.0, 47.0));
    assert!(
        level.get::<Solid>(barrel).is_some(),
        "as in a layer of tiles"
    );
    // Flipped to the right, and to the top.
    assert!(level.is_solid(93.0, 50.0) && !level.is_solid(81.0, 50.0));
    assert!(level.is_solid(40.0, 17.0) && !level.is_solid(33.0, 30.0));
    // Without a shape all of it reports.
    let all = level.only(88.0, 24.0);
    assert!(level.get::<Solid>(all).is_none());
    // Rotated about its bottom left: what was up is right.
    assert!(level.is_solid(40.0, 97.0) && !level.is_solid(40.0, 101.0));
    let data = level.get::<TiledObject>(barrel).expect("an object");
    assert_eq!(data.class, "Barrel");
    let properties = level.get::<TiledProperties>(barrel).expect("properties");
    assert_eq!(properties.float("hp"), Some(3.0));
    assert_eq!(properties.str("loot"), Some("key"));
    assert_eq!(level.get::<TiledTile>(barrel).map(|it| it.id), Some(0));
}

#[test]
fn the_alignment_of_a_tileset_counts() {
    let object = r#"<object id="1" gid="1" x="64" y="64" width="16" height="16"/>"#;
    for (alignment, x, y) in [
        ("unspecified", 64.0, 48.0),
        ("topleft", 64.0, 64.0),
        ("top", 56.0, 64.0),
        ("topright", 48.0, 64.0),
        ("left", 64.0, 56.0),
        ("center", 56.0, 56.0),
        ("right", 48.0, 56.0),
        ("bottomleft", 64.0, 48.0),
        ("bottom", 56.0, 48.0),
        ("bottomright", 48.0, 48.0),
    ] {
        let aligned = format!("objectalignment=\"{alignment}\" columns=");
        let tiles = barrel().replace("columns=", &aligned);
        let text = map_text(8, 8, "", &(tiles + &group(object)));
        let mut level = Level::new(&text).no_errors();
        let entity = level.object(1);
        let at = level.get::<GlobalTransform>(entity).expect("it has one");
        let center = at.translation().truncate();
        assert_eq!(center, Vec2::new(x + 8.0, -y - 8.0), "{alignment}");
        assert!(level.is_solid(x + 1.0, y + 1.0) && !level.is_solid(x + 5.0, y + 1.0));
    }
}

#[test]
fn templates_give_shape_tile_and_properties() {
    let tsx = barrel().replace("firstgid=\"1\"", "");
    let barrel = r#"<?xml version="1.0" encoding="UTF-8"?>
<template><tileset firstgid="1" source="tiles.tsx"/>
<object name="keg" type="Keg" gid="1" width="16" height="16">
<properties><property name="solid" type="bool" value="false"/>
<property name="loot" value="ale"/></properties></object></template>"#;
    let disc = r#"<template><object name="disc" width="16" height="16" rotation="0"><ellipse/>
</object></template>"#;
    let objects = r#"
<object id="1" template="keg.tx" x="32" y="32"/>
<object id="2" template="keg.tx" x="64" y="32">
 <properties><property name="solid" type="bool" value="true"/></properties></object>
<object id="3" template="things/disc.tx" x="96" y="32"/>
<object id="4" template="things/disc.tx" name="large" x="96" y="64" width="32" height="32"/>"#;
    let text = map_text(8, 8, "", &group(objects));
    let files = [
        ("level.tmx", text.as_str()),
        ("tiles.tsx", tsx.as_str()),
        ("keg.tx", barrel),
        ("things/disc.tx", disc),
    ];
    let mut level = Level::with(&files, &TiledRules::new()).no_errors();
    let sensor = level.only(33.0, 20.0);
    assert!(level.get::<Solid>(sensor).is_none());
    let data = level.get::<TiledObject>(sensor).expect("an object");
    assert_eq!((data.name.as_str(), data.class.as_str()), ("keg", "Keg"));
    let properties = level.get::<TiledProperties>(sensor).expect("properties");
    assert_eq!(properties.str("loot"), Some("ale"));
    assert_eq!(properties.float("hp"), Some(3.0), "of the tile");
    let wall = level.only(65.0, 20.0);
    assert!(level.get::<Solid>(wall).is_some());
    let disc = level.only(104.0, 40.0);
    assert_eq!(
        level.get::<CircleCollider>(disc),
        Some(&CircleCollider::new(8.0))
    );
    let large = level.only(112.0, 80.0);
    assert_eq!(
        level.get::<CircleCollider>(large),
        Some(&CircleCollider::new(16.0))
    );
    let name = level.get::<TiledObject>(large).map(|it| it.name.as_str());
    assert_eq!(name, Some("large"));
}

#[test]
fn rules_set_the_thickness_of_lines_and_how_far_layers_are_apart() {
    let line = r#"<object id="1" x="8" y="16"><polyline points="0,0 16,0"/></object>"#;
    let text = map_text(
        8,
        8,
        "",
        &("<group id=\"1\" name=\"g\"/>".to_owned() + &group(line)),
    );
    let rules = TiledRules::new().line_radius(3.0).z_step(0.25);
    let mut level = Level::with(&[("level.tmx", &text)], &rules).no_errors();
    assert!(level.is_solid(16.0, 18.5) && !level.is_solid(16.0, 19.5));
    let line = level.object(1);
    let transform = level.get::<GlobalTransform>(line).expect("it has one");
    assert_eq!(transform.translation().z, 0.25);
}

#[test]
fn ellipses_are_off_by_less_than_a_quarter_of_a_pixel() {
    for (width, height) in [(5.0, 4.0), (16.0, 8.0), (90.0, 250.0), (400.0, 30.0)] {
        let ellipse = format!(
            "<object id=\"1\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\">\
             <ellipse/></object>"
        );
        let mut level = level(&ellipse);
        let entity = level.object(1);
        let polygon = level.get::<PolygonCollider>(entity).expect("a polygon");
        let vertices = polygon.polygon().vertices();
        assert!((8..=64).contains(&vertices.len()), "{}", vertices.len());
        let radii = Vec2::new(width, height) / 2.0;
        let next = vertices.iter().cycle().skip(1);
        for (vertex, next) in vertices.iter().zip(next) {
            for point in [*vertex, vertex.midpoint(*next)] {
                // Along the line from the center, which is no shorter than the distance.
                let on_ellipse = point / (point / radii).length();
                let error = point.distance(on_ellipse);
                assert!(error < 0.25, "{error} of {width} {height}");
            }
        }
    }
    let small = level(r#"<object id="1" x="0" y="0" width="0.1" height="0.2"><ellipse/></object>"#);
    assert!(small.errors.is_empty());
}
