//! Cells of layers: shapes, flips, sizes, offsets, infinite maps.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledCells, TiledLayer, TiledOrigin, TiledRole, TiledRules, TiledTile};

use crate::common::{Level, layer, map_text, tileset};

/// Tile 0 has no shape, 1 is full, 2 is an L, 3 is a right triangle, 8 wide and 16 high, whose
/// right angle is at the bottom left. 4 is a U of three rectangles, 5 a circle, 6 a capsule, 7 the
/// lower half, rotated there.
fn tiles() -> String {
    tileset(
        8,
        r#"
<tile id="1"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>
<tile id="2"><objectgroup><object id="1" x="0" y="0">
 <polygon points="0,0 8,0 8,8 16,8 16,16 0,16"/></object></objectgroup></tile>
<tile id="3"><objectgroup><object id="1" x="0" y="16">
 <polygon points="0,0 0,-16 8,0"/></object></objectgroup></tile>
<tile id="4"><objectgroup>
 <object id="1" x="0" y="0" width="4" height="16"/>
 <object id="2" x="12" y="0" width="4" height="16"/>
 <object id="3" x="0" y="12" width="16" height="4"/></objectgroup></tile>
<tile id="5"><objectgroup><object id="1" x="0" y="0" width="16" height="16"><ellipse/></object>
 </objectgroup></tile>
<tile id="6"><objectgroup><object id="1" x="4" y="0" width="8" height="16"><capsule/></object>
 </objectgroup></tile>
<tile id="7"><objectgroup><object id="1" x="16" y="8" rotation="90" width="8" height="16"/>
 </objectgroup></tile>"#,
    )
}

fn level(columns: u32, rows: u32, csv: &str) -> Level {
    let content = tiles() + &layer(columns, rows, "Ground", "", csv);
    Level::new(&map_text(columns, rows, "", &content)).no_errors()
}

#[test]
fn tiles_with_shapes_are_walls_and_others_are_open() {
    let mut level = level(4, 2, "1,2,0,2,2,2,2,1");
    let picture = level.picture([0.0, 0.0], 16.0, 4, 2);
    assert_eq!(picture, ".#.#\n###.\n");
    let grid = level.only(24.0, 8.0);
    assert!(level.get::<Solid>(grid).is_some());
    assert_eq!(level.count::<TileCollider>(), 1);
}

#[test]
fn cells_know_their_tiles() {
    let mut level = level(4, 2, "1,2,0,2,2,2,2,1");
    let grid = level.only(24.0, 8.0);
    let tiles = level.get::<TileCollider>(grid).expect("a grid");
    let cell = tiles.cell_at(Vec2::new(24.0, -8.0)).expect("inside");
    let cells = level.get::<TiledCells>(grid).expect("tiles of a grid");
    assert_eq!(cells.in_tiled(cell), IVec2::new(1, 0));
    assert_eq!(cells.tile(cell).map(|tile| tile.id), Some(1));
    assert_eq!(cells.tile(cell + UVec2::X), None);
    assert_eq!(cells.tile(UVec2::new(9, 0)), None);
}

#[test]
fn all_flips_apply_to_shapes() {
    // Each with the triangle as Tiled draws it, in quarters of the cell, and the bits of the flips.
    let bits = |horizontal: bool, vertical: bool, diagonal: bool| {
        u32::from(horizontal) << 31 | u32::from(vertical) << 30 | u32::from(diagonal) << 29
    };
    let cases = [
        (bits(false, false, false), "....\n#...\n#...\n##..\n"),
        (bits(true, false, false), "....\n...#\n...#\n..##\n"),
        (bits(false, true, false), "##..\n#...\n#...\n....\n"),
        (bits(true, true, false), "..##\n...#\n...#\n....\n"),
        // x and y are swapped: the right angle is at the top right.
        (bits(false, false, true), ".###\n...#\n....\n....\n"),
        (bits(true, false, true), "###.\n#...\n....\n....\n"),
        (bits(false, true, true), "....\n....\n...#\n.###\n"),
        (bits(true, true, true), "....\n....\n#...\n###.\n"),
    ];
    for (bits, expected) in cases {
        let mut level = level(1, 1, &(4 | bits).to_string());
        let picture = level.picture([0.0, 0.0], 4.0, 4, 4);
        assert_eq!(picture, expected, "{bits:#x}");
        assert_eq!(level.count::<TileCollider>(), 1);
    }
}

#[test]
fn concave_shapes_and_several_shapes_lose_nothing() {
    let mut level = level(2, 1, "3,5");
    // Not where convex pieces touch.
    let picture = level.picture([0.5, 0.0], 4.0, 8, 4);
    assert_eq!(picture, "##..#..#\n##..#..#\n#####..#\n########\n");
    assert_eq!(level.count::<PolygonCollider>(), 0);
}

#[test]
fn round_and_rotated_shapes() {
    let mut level = level(3, 1, "6,7,8");
    let picture = level.picture([0.0, 0.0], 2.0, 24, 8);
    let expected = "\
..####.....##...........
.######...####..........
########..####..........
########..####..........
########..####..########
########..####..########
.######...####..########
..####.....##...########
";
    assert_eq!(picture, expected);
}

#[test]
fn layers_groups_and_maps_are_offset() {
    let shifted =
        layer(1, 1, "Ground", "", "2").replace("name=", "offsetx=\"10\" offsety=\"4\" name=");
    let content = tiles()
        + "<group id=\"7\" name=\"all\" offsetx=\"100\" offsety=\"-20\">"
        + &shifted
        + "</group>";
    let text = map_text(2, 2, "", &content);
    let mut level = Level::new(&text).no_errors();
    assert!(level.is_solid(111.0, -15.0) && level.is_solid(125.0, -1.0));
    assert!(!level.is_solid(109.0, -15.0) && !level.is_solid(111.0, -17.0));

    let transform = Transform::from_xyz(1000.0, 0.0, 0.0).with_scale(Vec3::splat(0.5));
    for (origin, x, y) in [
        (TiledOrigin::TopLeft, 1000.0, 0.0),
        (TiledOrigin::BottomLeft, 1000.0, 16.0),
        (TiledOrigin::Center, 992.0, 8.0),
    ] {
        let rules = TiledRules::new().origin(origin).transform(transform);
        let mut level = Level::with(&[("level.tmx", &text)], &rules);
        let [x, y] = [x + 110.0 / 2.0, y + 16.0 / 2.0];
        assert!(!level.at(x + 0.5, y - 0.5).is_empty(), "{origin:?}");
        assert!(level.at(x - 0.5, y - 0.5).is_empty(), "{origin:?}");
        assert!(!level.at(x + 7.5, y - 7.5).is_empty(), "{origin:?}");
        assert!(level.at(x + 8.5, y - 7.5).is_empty(), "{origin:?}");
    }
}

#[test]
fn each_layer_is_in_front_of_the_one_before() {
    let layer = |name: &str| layer(1, 1, name, "", "0");
    let group = format!(
        "<group id=\"7\" name=\"b\">{}{}</group>",
        layer("c"),
        layer("d")
    );
    let content = tiles() + &layer("a") + &group + &layer("e");
    let mut level = Level::new(&map_text(1, 1, "", &content)).no_errors();
    let world = level.app.world_mut();
    let mut layers = world.query::<(&TiledLayer, &GlobalTransform)>();
    let mut order: Vec<(String, f32)> = layers
        .iter(world)
        .map(|(layer, transform)| (layer.name.clone(), transform.translation().z))
        .collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let expected = ["a", "b", "c", "d", "e"].map(String::from);
    let expected: Vec<(String, f32)> = expected
        .into_iter()
        .zip([0.0, 1.0, 2.0, 3.0, 4.0])
        .collect();
    assert_eq!(order, expected);
}

#[test]
fn infinite_maps_have_negative_cells() {
    let chunk = |x: i32, y: i32| {
        let mut cells = ["0"; 16];
        cells[5] = "2";
        let cells = cells.join(",");
        format!(r#"<chunk x="{x}" y="{y}" width="4" height="4">{cells}</chunk>"#)
    };
    let content = tiles()
        + r#"<layer id="1" name="Ground" width="4" height="4"><data encoding="csv">"#
        + &chunk(-20, -4)
        + &chunk(16, 8)
        + "</data></layer>";
    let mut level = Level::new(&map_text(4, 4, "infinite=\"1\"", &content)).no_errors();
    // The cells (-19, -3) and (17, 9).
    assert_eq!(level.count::<TileCollider>(), 1);
    assert!(level.is_solid(-19.0 * 16.0 + 1.0, -3.0 * 16.0 + 1.0));
    assert!(!level.is_solid(-19.0 * 16.0 - 1.0, -3.0 * 16.0 + 1.0));
    assert!(level.is_solid(17.0 * 16.0 + 1.0, 9.0 * 16.0 + 1.0));
    let grid = level.only(17.0 * 16.0 + 1.0, 9.0 * 16.0 + 1.0);
    let cells = level.get::<TiledCells>(grid).expect("tiles");
    assert_eq!(cells.first, IVec2::new(-19, -3));
}

#[test]
fn cells_of_an_infinite_map_may_be_in_no_chunk() {
    let encoded = r#"<data encoding="base64">AgAAAAAAAAAAAAAAAgAAAA==</data>"#;
    let elements = r#"<data><tile gid="2"/><tile/><tile/><tile gid="2"/></data>"#;
    for data in [encoded, elements, "<data encoding=\"csv\">2,0,0,2</data>"] {
        let content = tiles()
            + &format!("<layer id=\"1\" name=\"a\" width=\"2\" height=\"2\">{data}</layer>");
        let mut level = Level::new(&map_text(2, 2, "infinite=\"1\"", &content)).no_errors();
        assert_eq!(level.picture([0.0, 0.0], 16.0, 2, 2), "#.\n.#\n", "{data}");
    }
    let both = "<data encoding=\"csv\">2,0,0,2\
                <chunk x=\"4\" y=\"0\" width=\"1\" height=\"1\">2</chunk></data>";
    let content =
        tiles() + &format!("<layer id=\"1\" name=\"a\" width=\"2\" height=\"2\">{both}</layer>");
    let mut level = Level::new(&map_text(2, 2, "infinite=\"1\"", &content)).no_errors();
    assert_eq!(level.picture([0.0, 0.0], 16.0, 5, 2), "#...#\n.#...\n");
}

#[test]
fn cells_far_apart_are_in_several_grids() {
    let chunk = |x: i32| format!(r#"<chunk x="{x}" y="0" width="1" height="1">2</chunk>"#);
    let content = tiles()
        + r#"<layer id="1" name="Ground" width="4" height="4"><data encoding="csv">"#
        + &chunk(-100_000)
        + &chunk(0)
        + &chunk(1)
        + "</data></layer>";
    let mut level = Level::new(&map_text(4, 4, "infinite=\"1\"", &content)).no_errors();
    assert_eq!(level.count::<TileCollider>(), 2);
    assert!(level.is_solid(8.0, 8.0) && level.is_solid(24.0, 8.0));
    assert!(level.is_solid(-1_599_992.0, 8.0));
}

#[test]
fn tiles_larger_than_cells_stand_on_their_bottom_left() {
    let content = r#"<tileset firstgid="1" name="trees" tilewidth="24" tileheight="40" tilecount="2"
 columns="2"><image source="trees.png" width="48" height="40"/>
<tile id="0"><objectgroup><object id="1" x="0" y="0" width="24" height="40"/></objectgroup></tile>
</tileset>"#
        .to_owned() + &layer(3, 3, "Trees", "", "0,0,0,0,0,0,1,0,0");
    let mut level = Level::new(&map_text(3, 3, "", &content)).no_errors();
    let picture = level.picture([0.0, 0.0], 8.0, 6, 6);
    assert_eq!(picture, "......\n###...\n###...\n###...\n###...\n###...\n");
    // Cut at the edges of cells, so that it is one wall.
    assert_eq!(level.count::<TileCollider>(), 1);
    assert_eq!(level.count::<PolygonCollider>(), 0);
    // With x and y swapped it is 40 wide and 24 high.
    let flipped = content.replace("1,0,0</data>", "2684354561,0,0</data>");
    let mut level = Level::new(&map_text(3, 3, "", &flipped)).no_errors();
    let picture = level.picture([0.0, 0.0], 8.0, 6, 6);
    assert_eq!(picture, "......\n......\n......\n#####.\n#####.\n#####.\n");
    // Drawn at the size of the grid.
    let small = content.replace("columns=\"2\"", "columns=\"2\" tilerendersize=\"grid\"");
    let mut level = Level::new(&map_text(3, 3, "", &small)).no_errors();
    let picture = level.picture([0.0, 0.0], 8.0, 6, 6);
    assert_eq!(picture, "......\n......\n......\n......\n##....\n##....\n");
    let kept = small.replace("grid\"", "grid\" fillmode=\"preserve-aspect-fit\"");
    let mut level = Level::new(&map_text(3, 3, "", &kept)).no_errors();
    assert!(level.is_solid(4.0, 40.0) && !level.is_solid(2.5, 40.0));
    assert!(level.is_solid(12.0, 40.0) && !level.is_solid(13.5, 40.0));
}

#[test]
fn shapes_beyond_the_tile_are_kept() {
    let tiles = tileset(
        1,
        r#"<tile id="0"><objectgroup><object id="1" x="-8" y="4" width="32" height="8"/>
</objectgroup></tile>"#,
    );
    let content = tiles + &layer(3, 1, "Ground", "", "0,1,0");
    let mut level = Level::new(&map_text(3, 1, "", &content)).no_errors();
    let picture = level.picture([0.0, 0.0], 4.0, 12, 4);
    assert_eq!(
        picture,
        "............\n..########..\n..########..\n............\n"
    );
}

#[test]
fn polylines_of_tiles_are_lines() {
    let tiles = tileset(
        1,
        r#"<tile id="0"><objectgroup><object id="1" x="0" y="8"><polyline points="0,0 8,0 16,8"/>
</object></objectgroup></tile>"#,
    );
    let content = tiles + &layer(2, 1, "Ground", "", "0,1");
    let mut level = Level::new(&map_text(2, 1, "", &content)).no_errors();
    let line = level.only(20.0, 8.0);
    assert!(level.get::<PolygonCollider>(line).is_some());
    assert!(level.get::<Solid>(line).is_some());
    assert_eq!(level.get::<TiledTile>(line).map(|tile| tile.id), Some(0));
    assert!(level.is_solid(28.0, 12.0) && !level.is_solid(28.0, 8.0));
}

#[test]
fn more_than_255_shapes_take_several_grids() {
    let shapes: String = (0..600)
        .map(|id| {
            let height = 1.0 + 15.0 * id as f32 / 600.0;
            format!(
                "<tile id=\"{id}\"><objectgroup><object id=\"1\" x=\"0\" y=\"0\" width=\"16\" \
                 height=\"{height}\"/></objectgroup></tile>"
            )
        })
        .collect();
    let csv: Vec<String> = (1..=600).map(|gid| gid.to_string()).collect();
    let content = tileset(600, &shapes) + &layer(600, 1, "Ground", "", &csv.join(","));
    let mut level = Level::new(&map_text(600, 1, "", &content)).no_errors();
    assert_eq!(level.count::<TileCollider>(), 3);
    for id in [0_u16, 254, 255, 256, 511, 599] {
        let x = f32::from(id) * 16.0 + 8.0;
        let height = 1.0 + 15.0 * f32::from(id) / 600.0;
        assert!(level.is_solid(x, height - 0.1), "{id}");
        assert!(!level.is_solid(x, height + 0.1), "{id}");
        let grid = level.only(x, 0.5);
        let at = Vec2::new(x, -0.5);
        let cell = level
            .get::<TileCollider>(grid)
            .and_then(|it| it.cell_at(at));
        let tiles = level.get::<TiledCells>(grid).expect("tiles");
        let tile = tiles.tile(cell.expect("inside")).map(|tile| tile.id);
        assert_eq!(tile, Some(u32::from(id)));
    }
}

#[test]
fn tiles_without_shape_are_full_if_something_sets_their_role() {
    let content = tiles() + &layer(2, 1, "Walls", "", "1,2");
    let text = map_text(2, 1, "", &content);
    let picture = |text: &str, rules: &TiledRules| {
        Level::with(&[("level.tmx", text)], rules).picture([0.0, 0.0], 16.0, 2, 1)
    };
    let plain = TiledRules::new();
    assert_eq!(picture(&text, &plain), ".#\n");
    let by_layer = TiledRules::new().layer("Walls", TiledRole::solid());
    assert_eq!(picture(&text, &by_layer), "##\n");
    let property = r#"<properties><property name="solid" type="bool" value="true"/></properties>"#;
    let content = tiles() + &layer(2, 1, "Walls", property, "1,2");
    assert_eq!(picture(&map_text(2, 1, "", &content), &plain), "##\n");
    let classed = text.replace(
        "<tile id=\"1\">",
        "<tile id=\"0\" type=\"Brick\"/><tile id=\"1\">",
    );
    assert_eq!(picture(&classed, &plain), ".#\n");
    let by_class = TiledRules::new().class("Brick", TiledRole::solid());
    assert_eq!(picture(&classed, &by_class), "##\n");
}

#[test]
fn all_encodings_have_the_same_cells() {
    let data = [
        r#"<data encoding="csv">
2,0,
0,2
</data>"#,
        r#"<data><tile gid="2"/><tile gid="0"/><tile/><tile gid="2"/></data>"#,
        r#"<data encoding="base64">
   AgAAAAAAAAAAAAAAAgAAAA==
  </data>"#,
        r#"<data encoding="base64" compression="zlib">eJxjYkAAJiAGAAA4AAU=</data>"#,
        r#"<data encoding="base64" compression="gzip">H4sIAAAAAAAC/2NiQAAmIAYAvaYSwRAAAAA=</data>"#,
        r#"<data encoding="base64" compression="zstd">KLUv/QRYZQAAMAIAAgAAAAEAG8ACdauTNQ==</data>"#,
    ];
    for data in data {
        let layer = format!(r#"<layer id="1" name="a" width="2" height="2">{data}</layer>"#);
        let mut level = Level::new(&map_text(2, 2, "", &(tiles() + &layer))).no_errors();
        assert_eq!(level.picture([0.0, 0.0], 16.0, 2, 2), "#.\n.#\n", "{data}");
    }
}
