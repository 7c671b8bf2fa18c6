//! Bad input: one clear error each, and the rest loads.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledObject, TiledProblem};

use crate::common::{Level, errors_with, layer, load, map_text, tileset};

fn full_tile() -> String {
    let tile = r#"<tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup></tile>"#;
    tileset(4, tile)
}

fn errors(content: &str) -> Vec<String> {
    errors_with(&[], content)
}

fn errors_of_object(object: &str) -> Vec<String> {
    errors(&format!(
        "<objectgroup id=\"2\" name=\"Things\">{object}</objectgroup>"
    ))
}

#[test]
fn files_that_cannot_be_read() {
    let message = |text: Option<&str>| {
        let files: Vec<(&str, &str)> = text.map(|text| ("level.tmx", text)).into_iter().collect();
        let error = load(&files).expect_err("it cannot be read");
        assert!(
            matches!(error.problem, TiledProblem::Unreadable(_)),
            "{error}"
        );
        error.to_string()
    };
    assert!(message(None).starts_with("level.tmx: cannot be read: "));
    let whole = map_text(8, 8, "", &(full_tile() + &layer(1, 1, "Ground", "", "1")));
    for length in (0..whole.len()).step_by(7) {
        message(Some(&whole[..length]));
    }
    let end = whole.find("</layer>").expect("it has a layer");
    let expected = "level.tmx: cannot be read: it ends too early";
    assert_eq!(message(Some(&whole[..end])), expected);
    assert!(message(Some("no XML")).contains("cannot be read"));
    let expected = "level.tmx:1: cannot be read: it is a <tileset>, and not a <map>";
    assert_eq!(message(Some("<tileset/>")), expected);
    let level = Level::new("<map/>");
    assert_eq!(level.errors, ["level.tmx: the size of its tiles is zero"]);
    load(&[("level.tmx", &whole)]).expect("it can be read");
}

#[test]
fn tilesets_and_templates_that_cannot_be_read() {
    let content =
        r#"<tileset firstgid="1" source="gone.tsx"/><tileset firstgid="9" source="cut.tsx"/>
<tileset firstgid="20" source="zero.tsx"/>"#
            .to_owned()
            + &layer(4, 1, "Ground", "", "1,9,20,0")
            + r#"<objectgroup id="2" name="Things"><object id="1" template="gone.tx" x="0" y="0"/>
<object id="2" gid="1" x="0" y="0" width="16" height="16"/></objectgroup>"#;
    let cut = "<tileset name=\"cut\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"1\"><tile id=";
    let zero = r#"<tileset name="zero" tilewidth="0" tileheight="16" tilecount="1" columns="1">
<image source="a.png" width="8" height="8"/></tileset>"#;
    let errors = errors_with(&[("cut.tsx", cut), ("zero.tsx", zero)], &content);
    assert_eq!(errors.len(), 4, "{errors:#?}");
    assert!(errors[0].starts_with("gone.tsx: cannot be read: "));
    assert!(errors[1].starts_with("cut.tsx: cannot be read: "));
    assert_eq!(errors[2], "zero.tsx: the size of its tiles is zero");
    assert!(errors[3].starts_with("gone.tx: cannot be read: "));
}

#[test]
fn a_tileset_in_the_map_whose_tiles_have_no_size() {
    let tiles = full_tile().replace("tilewidth=\"16\"", "tilewidth=\"0\"");
    let more = full_tile().replace("firstgid=\"1\"", "firstgid=\"5\"");
    let errors = errors(&(tiles + &more + &layer(2, 1, "Ground", "", "1,5")));
    assert_eq!(errors, ["level.tmx: the size of its tiles is zero"]);
}

#[test]
fn only_orthogonal_maps() {
    for orientation in ["isometric", "staggered", "hexagonal", "oblique"] {
        let text = map_text(8, 8, "", &(full_tile() + &layer(1, 1, "Ground", "", "1")));
        let text = text.replace("orthogonal", orientation);
        let mut level = Level::new(&text);
        let expected =
            format!("level.tmx: the map is {orientation}, and only orthogonal maps have colliders");
        assert_eq!(level.errors, [expected]);
        assert_eq!(level.count::<TileCollider>(), 0);
    }
    let text = map_text(8, 8, "", "").replace("tileheight=\"16\"", "tileheight=\"0\"");
    let level = Level::new(&text);
    assert_eq!(level.errors, ["level.tmx: the size of its tiles is zero"]);
}

#[test]
fn layers_without_cells_and_with_wrong_data() {
    let with = |layer: String| errors(&(full_tile() + &layer));
    let none = r#"<layer id="1" name="Ground" width="2" height="2"></layer>"#;
    let expected = "level.tmx, layer \"Ground\": the layer has no cells";
    assert_eq!(with(none.into()), [expected]);
    assert_eq!(with(layer(0, 2, "Ground", "", "")), [expected]);
    assert_eq!(
        with(layer(2, 2, "Ground", "", "1,1,1")),
        ["level.tmx, layer \"Ground\": 3 cells are listed instead of 4; missing ones are empty"]
    );
    let cut =
        "level.tmx, layer \"Ground\": its cells are empty, since their data cannot be decoded";
    assert_eq!(
        with(layer(2, 2, "Ground", "", "1,1,x,1")),
        [
            "level.tmx, layer \"Ground\", cell (0, 1): `x` is not the number of a tile; the cell \
             is empty"
        ]
    );
    let text = map_text(
        8,
        8,
        "",
        &(full_tile() + &layer(2, 2, "Ground", "", "1,y,x,1")),
    );
    let mut level = Level::new(&text);
    assert_eq!(level.picture([0.0, 0.0], 16.0, 2, 2), "#.\n.#\n");
    assert!(
        level.errors[0]
            .ends_with("`y` is not the number of a tile; the cell is empty (and 1 more like this)")
    );
    let encoded = layer(2, 2, "Ground", "", "1,1,1,1").replace("csv", "morse");
    assert_eq!(
        with(encoded),
        [format!("{cut}: the encoding `morse` is unknown")]
    );
    let wide = layer(2, 2, "Ground", "", "1,1,1,1").replace("width=\"2\"", "width=\"wide\"");
    let errors = with(wide);
    let first = "level.tmx, layer \"Ground\": the attribute `width` is `wide`, which cannot be \
                 read; it is ignored";
    assert_eq!(errors[0], first);
}

#[test]
fn cells_of_which_no_tileset_knows_the_tile() {
    let tiles = full_tile().replace("firstgid=\"1\"", "firstgid=\"10\"");
    let content = tiles + &layer(3, 2, "Ground", "", "10,3,0,0,2147483699,10");
    let errors = errors(&content);
    let expected = [
        "level.tmx, layer \"Ground\", cell (1, 0): no tileset has the number 3",
        "level.tmx, layer \"Ground\", cell (1, 1): the tileset has no tile 41",
    ];
    assert_eq!(errors, expected);
}

#[test]
fn objects_without_size_or_with_wrong_outlines() {
    let prefix = "level.tmx, layer \"Things\", object 3 \"it\"";
    let no_size = format!("{prefix}: its size is zero, so it has no collider");
    for shape in ["", "<ellipse/>", "<capsule/>"] {
        let object = format!(r#"<object id="3" name="it" x="8" y="8" width="8">{shape}</object>"#);
        assert_eq!(errors_of_object(&object), [no_size.as_str()]);
    }
    let negative = r#"<object id="3" name="it" x="8" y="8" width="8" height="-4"/>"#;
    assert_eq!(errors_of_object(negative), [no_size.as_str()]);
    let points = |tag: &str, points: &str| {
        errors_of_object(&format!(
            r#"<object id="3" name="it" x="8" y="8"><{tag} points="{points}"/></object>"#
        ))
    };
    let flat = points("polygon", "0,0 16,16 8,8");
    let expected = "it has no collider: a polygon has no area";
    assert_eq!(flat, [format!("{prefix}: {expected}")]);
    assert!(points("polygon", "0,0 16,0")[0].contains("too few points: 2"));
    assert!(points("polygon", "0,0 16,16 16,0 0,16").is_empty());
    let line =
        format!("{prefix}: it has no collider: a polyline needs two different, finite points");
    assert_eq!(points("polyline", "4,4 4,4"), [line.as_str()]);
    let malformed = points("polyline", "4,4 4;5");
    assert_eq!(malformed.len(), 2);
    let expected = "the attribute `points` is `4,4 4;5`, which cannot be read; it is ignored";
    assert_eq!(malformed[0], format!("{prefix}: {expected}"));
    assert!(points("polyline", "4,4  8,4").is_empty(), "two spaces");
    let rotated = r#"<object id="3" name="it" x="8" y="8" width="8" height="8" rotation="NaN"/>"#;
    let expected = "the attribute `rotation` is `NaN`, which cannot be read; it is ignored";
    assert_eq!(errors_of_object(rotated), [format!("{prefix}: {expected}")]);
    let tile = r#"<object id="3" name="it" gid="7" x="8" y="8" width="8" height="8"/>"#;
    assert_eq!(
        errors_of_object(tile),
        [format!("{prefix}: no tileset has the number 7")]
    );
}

#[test]
fn properties_of_unknown_types_and_wrong_values() {
    let prefix = "level.tmx, layer \"Things\", object 3";
    let property = |property: &str| {
        errors_of_object(&format!(
            r#"<object id="3" x="8" y="8" width="8" height="8"><properties>{property}</properties>
</object>"#
        ))
    };
    let wrong = |name: &str, found: &str, expected: &str| {
        let problem =
            format!("the property `{name}` is `{found}`, and not {expected}; it is ignored");
        [format!("{prefix}: {problem}")]
    };
    assert_eq!(
        property(r#"<property name="a" type="quaternion" value="1"/>"#),
        [format!(
            "{prefix}: the property `a` has the unknown type `quaternion`, and is read as a string"
        )]
    );
    assert_eq!(
        property(r#"<property name="solid" type="bool" value="maybe"/>"#),
        wrong("solid", "maybe", "true or false")
    );
    assert_eq!(
        property(r#"<property name="a" type="int" value="1.5"/>"#),
        wrong("a", "1.5", "a whole number")
    );
    assert_eq!(
        property(r##"<property name="a" type="color" value="#12"></property>"##),
        wrong("a", "#12", "a color")
    );
    let expected = "the attribute `name` is ``, which cannot be read; it is ignored";
    let nameless = property(r#"<property value="1"/>"#);
    assert_eq!(nameless, [format!("{prefix}: {expected}")]);
    // Of the right type, and yet nothing that this crate understands.
    assert_eq!(
        property(r#"<property name="solid" value="yes"/>"#),
        wrong("solid", "yes", "true or false")
    );
    let directions = "true, false, up, down, left or right";
    assert_eq!(
        property(r#"<property name="one_way" value="north"/>"#),
        wrong("one_way", "north", directions)
    );
    let masks = "numbers from 0 to 31, or names that the rules know";
    assert_eq!(
        property(r#"<property name="CollisionFilters" value="nobody"/>"#),
        wrong("CollisionFilters", "nobody", masks)
    );
}

#[test]
fn shapes_of_tiles_are_reported_once() {
    let tiles = tileset(
        2,
        r#"<tile id="0"><objectgroup>
<object id="1" x="0" y="8" width="16" height="8"/>
<object id="2" x="0" y="0"><polygon points="0,0 16,16 8,8"/></object>
<object id="3" x="0" y="0"><point/></object></objectgroup></tile>
<tile id="1"><properties><property name="swept" value="no"/></properties></tile>"#,
    );
    let flipped = 1_u32 | 1 << 31;
    let csv = format!("1,1,{flipped},2");
    let content = tiles + &layer(4, 1, "Ground", "", &csv) + &layer(4, 1, "More", "", &csv);
    let mut level = Level::new(&map_text(4, 1, "", &content));
    let prefix = "level.tmx, layer \"Ground\", tile";
    let expected = [
        format!("{prefix} 0, its object 2: it has no collider: a polygon has no area"),
        format!(
            "{prefix} 0, its object 3: a point or a text has no area, and is no collision shape of \
             a tile"
        ),
        format!("{prefix} 1: the property `swept` is `no`, and not true or false; it is ignored"),
    ];
    assert_eq!(level.errors, expected);
    assert!(level.is_solid(8.0, 12.0) && level.is_solid(24.0, 12.0));
}

#[test]
fn objects_with_errors_are_there_without_colliders() {
    let object = r#"<object id="3" x="8" y="8"/>"#;
    let content = format!("<objectgroup id=\"2\" name=\"Things\">{object}</objectgroup>");
    let mut level = Level::new(&map_text(8, 8, "", &content));
    let entity = level.object(3);
    assert!(level.get::<RectCollider>(entity).is_none());
    assert_eq!(level.count::<TiledObject>(), 1);
    assert_eq!(
        level.get::<Transform>(entity),
        Some(&Transform::from_xyz(8.0, -8.0, 0.0))
    );
}

#[test]
fn maps_tilesets_and_templates_in_json_are_named() {
    let json = "\u{feff}\n { \"layers\": [], \"type\": \"map\" }";
    let map = bevy_thud_tiled::TiledMap::read_with("level.tmj", |_: &std::path::Path| {
        Ok(json.as_bytes().to_vec())
    });
    let error = map.expect_err("it cannot be read");
    let expected = "cannot be read: it is JSON, and only XML is read: save it as";
    assert_eq!(error.to_string(), format!("level.tmj: {expected} `.tmx`"));
    let content = r#"<tileset firstgid="1" source="tiles.tsj"/>
<objectgroup id="2" name="Things"><object id="1" template="keg.tj" x="0" y="0"/></objectgroup>"#;
    let errors = errors_with(&[("tiles.tsj", json), ("keg.tj", json)], content);
    let expected = [
        format!("tiles.tsj: {expected} `.tsx`"),
        format!("keg.tj: {expected} `.tx`"),
    ];
    assert_eq!(errors, expected);
    // By its content, whatever its name is.
    let error = load(&[("level.tmx", "[]")]).expect_err("it cannot be read");
    assert!(error.to_string().contains("it is JSON"), "{error}");
}

#[test]
fn what_no_tileset_has_is_reported_once_for_all_chunks_of_a_layer() {
    let tiles = full_tile().replace("firstgid=\"1\"", "firstgid=\"10\"");
    let chunk = |x: i32| {
        let cells = vec!["3"; 16].join(",");
        format!("<chunk x=\"{x}\" y=\"0\" width=\"4\" height=\"4\">{cells}</chunk>")
    };
    let chunks: String = [0, 4, 8, 100].map(chunk).concat();
    let layer = |name: &str| {
        format!(
            "<layer id=\"1\" name=\"{name}\" width=\"4\" height=\"4\"><data encoding=\"csv\">\
             {chunks}</data></layer>"
        )
    };
    let content = tiles + &layer("Ground") + &layer("More");
    let level = Level::new(&map_text(4, 4, "infinite=\"1\"", &content));
    let expected = ["Ground", "More"].map(|name| {
        format!(
            "level.tmx, layer \"{name}\", cell (0, 0): no tileset has the number 3 (and 63 more \
                 like this)"
        )
    });
    assert_eq!(level.errors, expected);
}

#[test]
fn a_tile_that_a_tileset_does_not_have_is_reported_once() {
    let flipped = |bits: u32| (10 | bits << 29).to_string();
    let csv = [0, 1, 2, 3, 4, 5, 6, 7].map(flipped).join(",");
    let object = |id: u32| {
        format!("<object id=\"{id}\" gid=\"10\" x=\"8\" y=\"8\" width=\"8\" height=\"8\"/>")
    };
    let objects = object(3) + &object(4);
    let content = full_tile()
        + &layer(8, 1, "Ground", "", &csv)
        + &layer(8, 1, "More", "", &csv)
        + &format!("<objectgroup id=\"2\" name=\"Things\">{objects}</objectgroup>")
        + &layer(1, 1, "Last", "", "11");
    let expected = [
        "level.tmx, layer \"Ground\", cell (0, 0): the tileset has no tile 9",
        "level.tmx, layer \"Last\", cell (0, 0): the tileset has no tile 10",
    ];
    assert_eq!(errors(&content), expected);
}
