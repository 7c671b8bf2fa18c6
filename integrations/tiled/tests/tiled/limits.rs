//! Numbers and references without end: one clear error each, and the rest loads.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledMapRoot, TiledOrigin, TiledRules};

use crate::common::{Level, errors_with, layer, map_text, tileset};

fn things(objects: &str) -> String {
    format!("<objectgroup id=\"2\" name=\"Things\">{objects}</objectgroup>")
}

const FULL: &str = r#"<tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup></tile>"#;

#[test]
fn a_tileset_of_any_number_of_tiles() {
    for count in [4_000_000_000, u32::MAX] {
        let tiles = tileset(count, FULL);
        let content = tiles.clone() + &layer(2, 1, "Ground", "", "1,268435455");
        assert!(errors_with(&[], &content).is_empty());
        let mut level = Level::new(&map_text(8, 8, "", &content));
        assert!(level.is_solid(8.0, 8.0));
        let tsx = tiles.replace("firstgid=\"1\"", "");
        let content = "<tileset firstgid=\"1\" source=\"tiles.tsx\"/>".to_owned()
            + &layer(1, 1, "Ground", "", "1");
        assert!(errors_with(&[("tiles.tsx", &tsx)], &content).is_empty());
    }
}

#[test]
fn a_tileset_needs_no_columns() {
    for (margin, spacing) in [(0, 0), (200, 0), (0, u32::MAX), (u32::MAX, 5)] {
        let with = format!("margin=\"{margin}\" spacing=\"{spacing}\"");
        let tiles = tileset(4, FULL).replace("columns=\"8\"", &with);
        let content = tiles.clone() + &layer(1, 1, "Ground", "", "1");
        assert!(errors_with(&[], &content).is_empty());
        assert!(Level::new(&map_text(1, 1, "", &content)).is_solid(8.0, 8.0));
        // Without their number, all are there.
        let uncounted = tiles.replace("tilecount=\"4\"", "");
        let content = uncounted + &layer(3, 1, "Ground", "", "1,65,268435455");
        assert!(errors_with(&[], &content).is_empty());
        let beyond = tiles + &layer(3, 1, "Ground", "", "1,4,5");
        let expected = "level.tmx, layer \"Ground\", cell (2, 0): the tileset has no tile 4";
        assert_eq!(errors_with(&[], &beyond), [expected]);
    }
}

#[test]
fn a_template_that_refers_to_itself() {
    let itself = r#"<template><object template="itself.tx" width="8" height="8"/></template>"#;
    let errors = errors_with(
        &[("itself.tx", itself)],
        &things(r#"<object id="1" template="itself.tx" x="0" y="0" width="8" height="8"/>"#),
    );
    assert_eq!(errors, ["itself.tx: cannot be read: it refers to itself"]);
}

#[test]
fn templates_that_refer_to_each_other() {
    let template = |other: &str| {
        format!("<template><object template=\"{other}\" width=\"8\" height=\"8\"/></template>")
    };
    let files = [
        ("maps/a.tx", template("../maps/b.tx")),
        ("maps/../maps/b.tx", template("../maps/a.tx")),
        ("maps/../maps/../maps/a.tx", template("../maps/b.tx")),
    ];
    let files = [0, 1, 2].map(|index| (files[index].0, files[index].1.as_str()));
    let errors = errors_with(
        &files,
        &things(r#"<object id="1" template="maps/a.tx" x="0" y="0"/>"#),
    );
    assert_eq!(
        errors,
        ["maps/../maps/../maps/a.tx: cannot be read: it refers to itself"]
    );
}

#[test]
fn a_tileset_and_a_template_that_refer_to_each_other() {
    let tsx = tileset(
        1,
        "<tile id=\"0\"><objectgroup><object id=\"1\" template=\"t.tx\" x=\"0\" y=\"0\"/>\
         </objectgroup></tile>",
    );
    let tsx = tsx.replace("firstgid=\"1\"", "");
    let tx = r#"<template><tileset firstgid="1" source="t.tsx"/>
<object gid="1" width="16" height="16"/></template>"#;
    let content =
        "<tileset firstgid=\"1\" source=\"t.tsx\"/>".to_owned() + &layer(1, 1, "Ground", "", "1");
    let errors = errors_with(&[("t.tsx", &tsx), ("t.tx", tx)], &content);
    assert_eq!(errors, ["t.tsx: cannot be read: it refers to itself"]);
}

#[test]
fn a_map_that_is_its_own_template_or_tileset() {
    for content in [
        things(r#"<object id="1" template="level.tmx" x="0" y="0" width="8" height="8"/>"#),
        "<tileset firstgid=\"1\" source=\"level.tmx\"/>".into(),
    ] {
        let errors = errors_with(&[], &content);
        assert_eq!(errors, ["level.tmx: cannot be read: it refers to itself"]);
    }
}

#[test]
fn templates_of_collision_shapes() {
    let tiles = tileset(
        1,
        "<tile id=\"0\"><objectgroup><object id=\"1\" template=\"t.tx\" x=\"8\" y=\"0\"/>\
         </objectgroup></tile>",
    );
    let tx = r#"<template><object width="8" height="16"/></template>"#;
    let text = map_text(1, 1, "", &(tiles + &layer(1, 1, "Ground", "", "1")));
    let files = [("level.tmx", text.as_str()), ("t.tx", tx)];
    let mut level = Level::with(&files, &TiledRules::new()).no_errors();
    assert_eq!(level.picture([0.0, 0.0], 4.0, 4, 1), "..##\n");
}

#[test]
fn groups_in_groups_without_end() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("{}{}", open.repeat(count), close.repeat(count))
    };
    let groups = nested("<group id=\"1\" name=\"g\">", "</group>", 50_000);
    let classes = nested(
        "<properties><property name=\"p\" type=\"class\">",
        "</property></properties>",
        50_000,
    );
    let lists = nested("<item type=\"list\">", "</item>", 50_000);
    let lists = format!("<property name=\"p\" type=\"list\">{lists}</property>");
    for content in [
        groups,
        things(&format!(
            "<object id=\"1\" x=\"0\" y=\"0\"><point/>{classes}</object>"
        )),
        things(&format!(
            "<object id=\"1\" x=\"0\" y=\"0\"><point/><properties>{lists}</properties></object>"
        )),
    ] {
        let errors = errors_with(&[], &content);
        assert_eq!(errors.len(), 1, "{errors:?}");
        let expected = "elements are nested too deep; what is inside of them is ignored";
        assert!(errors[0].ends_with(expected), "{errors:?}");
    }
}

#[test]
fn a_map_of_any_size_has_a_center() {
    let text = map_text(100_000, 3_000_000_000, "", "");
    let rules = TiledRules::new().origin(TiledOrigin::Center);
    let level = Level::with(&[("level.tmx", &text)], &rules).no_errors();
    let root = level.get::<TiledMapRoot>(level.map).expect("a map");
    assert_eq!(root.position(Vec2::ZERO), Vec2::new(-800_000.0, 2.4e10));
}

#[test]
fn a_shape_of_a_tile_far_from_its_cell() {
    // In the last cells that there are numbers for.
    let shape = r#"<tile id="0"><objectgroup>
<object id="1" x="34359736320" y="0" width="2048" height="16"/></objectgroup></tile>"#;
    let csv = vec!["1"; 200].join(",");
    let content = tileset(1, shape) + &layer(200, 1, "Ground", "", &csv);
    let mut level = Level::new(&map_text(200, 1, "", &content)).no_errors();
    assert_eq!(level.count::<TileCollider>(), 0);
}

#[test]
fn an_infinite_layer_without_size() {
    let data =
        "<layer name=\"Ground\" width=\"0\" height=\"0\"><data encoding=\"csv\">x,1</data></layer>";
    let content = tileset(1, FULL) + data;
    let level = Level::new(&map_text(0, 0, "infinite=\"1\"", &content));
    let expected =
        "level.tmx, layer \"Ground\": 2 cells are listed instead of 0; missing ones are empty";
    assert_eq!(level.errors, [expected]);
}
