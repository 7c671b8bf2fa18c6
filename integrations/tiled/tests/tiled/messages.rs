//! Messages as a user reads them: with the line, and one for each kind of mistake.

use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledMap, TiledRules};

use crate::common::{Level, app, layer, load, map_text, spawn, tileset};

fn messages(files: &[(&str, &str)], rules: &TiledRules) -> Vec<String> {
    let map = load(files).expect("it can be read");
    let errors = spawn(&mut app(), &map, rules).errors;
    errors.iter().map(ToString::to_string).collect()
}

fn of_map(content: &str) -> Vec<String> {
    messages(
        &[("level.tmx", &map_text(4, 4, "", content))],
        &TiledRules::new(),
    )
}

#[test]
fn messages_have_the_line_of_the_element() {
    // The tileset begins in the third line, and has two before its content.
    let content = tileset(
        1,
        "\n<tile id=\"0\">\n<objectgroup>\n<object id=\"5\"/></objectgroup></tile>",
    ) + "\n"
        + &layer(2, 2, "Ground", "", "1,0,0,x")
        + "\n<objectgroup id=\"2\" name=\"Things\">\n<object id=\"3\" width=\"8\"/>\n\
           </objectgroup>";
    let expected = [
        "level.tmx:9, layer \"Ground\", cell (1, 1): `x` is not the number of a tile; the cell is \
         empty",
        "level.tmx:7, layer \"Ground\", tile 0, its object 5: its size is zero, so it has no \
         collider",
        "level.tmx:11, layer \"Things\", object 3: its size is zero, so it has no collider",
    ];
    assert_eq!(of_map(&content), expected);
}

#[test]
fn a_kind_of_mistake_is_one_message_with_a_count() {
    let objects = |size: &str| -> String {
        let ids = 1..=259;
        ids.map(|id| format!("<object id=\"{}\" {size}/>\n", id + 300 * size.len()))
            .collect()
    };
    let group = |name: &str, objects: &str| {
        format!("<objectgroup id=\"2\" name=\"{name}\">\n{objects}</objectgroup>")
    };
    let content = group("A", &objects("width=\"8\"")) + &group("B", &objects("height=\"89\""));
    let problem = "its size is zero, so it has no collider (and 258 more like this)";
    let expected = [
        format!("level.tmx:4, layer \"A\", object 2701: {problem}"),
        format!("level.tmx:264, layer \"B\", object 3301: {problem}"),
    ];
    assert_eq!(of_map(&content), expected);
    // Properties by name.
    let object = |id: u32| {
        format!(
            "<object id=\"{id}\"><point/><properties><property name=\"a\" type=\"odd{id}\"/>\
             <property name=\"b\" type=\"odd\"/></properties></object>"
        )
    };
    let errors = of_map(&group("A", &(object(1) + &object(2) + &object(3))));
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors
            .iter()
            .all(|it| it.ends_with("(and 2 more like this)"))
    );
}

#[test]
fn files_that_are_something_else_say_so() {
    let refused = |name: &str, bytes: &[u8]| {
        let read = TiledMap::read_with(name, |_| Ok(bytes.to_vec()));
        read.expect_err("it cannot be read").to_string()
    };
    let utf16: Vec<u8> = "\u{feff}<map/>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, expected) in [
        (
            utf16.as_slice(),
            "a.tmx: cannot be read: it is UTF-16, and only UTF-8 is read: save it as UTF-8",
        ),
        (
            b"<map>\n<a name=\"\xe4\"/></map>",
            "a.tmx:2: cannot be read: it is not UTF-8: save it as UTF-8",
        ),
        (b"", "a.tmx: cannot be read: it has no element"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid",
            "a.tmx: cannot be read: it is a pointer of Git LFS: get the file itself by `git lfs \
             pull`",
        ),
        (
            b"<map>\n<layer>\n</map>",
            "a.tmx:3: cannot be read: expected 'layer' tag, not 'map' at 3:1",
        ),
    ] {
        assert_eq!(refused("a.tmx", bytes), expected);
    }
    let dtd = "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE map SYSTEM \
               \"http://mapeditor.org/dtd/1.0/map.dtd\">\n<map tilewidth=\"1\" tileheight=\"1\"/>";
    load(&[("level.tmx", dtd)]).expect("old maps have a DTD");
}

#[test]
fn a_layer_that_the_rules_do_not_name() {
    let content = r#"<properties><property name="collision_layers" value="monster"/></properties>"#;
    let text = map_text(4, 4, "", content);
    let layer = LayerMask::layer(1);
    let rules = TiledRules::new()
        .mask("monsters", layer)
        .mask("heroes", layer);
    let expected = "level.tmx:2: the property `collision_layers` is `monster`, and not numbers \
                    from 0 to 31, or names that the rules know (`heroes`, `monsters`); it is \
                    ignored";
    assert_eq!(messages(&[("level.tmx", &text)], &rules), [expected]);
}

#[test]
fn a_tile_overrides_its_tileset() {
    let set = |name: &str, value: &str| {
        format!(
            "<properties><property name=\"{name}\" type=\"bool\" value=\"{value}\"/></properties>"
        )
    };
    let tiles = set("solid", "true")
        + &format!("<tile id=\"1\">{}</tile>", set("collider", "false"))
        + "<tile id=\"2\" type=\"Sensor\"/>";
    let content = tileset(3, &tiles) + &layer(3, 1, "Ground", "", "1,2,3");
    let mut level = Level::new(&map_text(3, 1, "", &content)).no_errors();
    assert_eq!(level.picture([0.0, 0.0], 16.0, 3, 1), "#.#\n");
    let [wall, sensor] = [level.only(8.0, 8.0), level.only(40.0, 8.0)];
    assert!(level.get::<Solid>(wall).is_some() && level.get::<Solid>(sensor).is_none());
    let wrong = tileset(3, &set("swept", "true").replace("true", "often"));
    let errors = of_map(&(wrong + &layer(3, 1, "Ground", "", "1,2,3")));
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn cells_as_elements_are_not_tiles_of_a_tileset() {
    let data = "<data><tile gid=\"1\"/><tile gid=\"one\"/></data>";
    let content =
        tileset(1, "") + "<layer name=\"Ground\" width=\"2\" height=\"1\">" + data + "</layer>";
    let expected = "level.tmx:4, layer \"Ground\": the attribute `gid` is `one`, which cannot be \
                    read; it is ignored";
    assert_eq!(of_map(&content), [expected]);
}
