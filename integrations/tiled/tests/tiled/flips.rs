//! Flips of tiles that are not square, as Tiled's `CellRenderer` draws them: scaled, then flipped
//! on the same bottom left.

use bevy::prelude::*;
use bevy_thud_tiled::{TiledObject, TiledTile};

use crate::common::{Level, layer, map_text};

/// Horizontal, vertical, diagonal.
type Flips = [bool; 3];

fn gid(flips: Flips) -> u32 {
    let [horizontal, vertical, diagonal] = flips.map(u32::from);
    1 | horizontal << 31 | vertical << 30 | diagonal << 29
}

fn all_flips() -> [Flips; 8] {
    [0_u8, 1, 2, 3, 4, 5, 6, 7].map(|bits| [1, 2, 4].map(|bit| bits & bit != 0))
}

/// One tile, of which 8 pixels at the left are solid, and 24 at the bottom.
fn tiles(more: &str, offset: &str) -> String {
    format!(
        r#"<tileset firstgid="1" name="test" tilewidth="32" tileheight="16" tilecount="1"
 columns="1" {more}>{offset}<image source="test.png" width="32" height="16"/>
<tile id="0"><objectgroup><object id="1" x="0" y="0">
<polygon points="0,0 8,0 8,8 24,8 24,16 0,16"/></object></objectgroup></tile></tileset>"#
    )
}

/// An object with the tile, whose position is (32, 64): 8 pixels a letter, from (32, 0).
fn pictures_of_object(tiles: &str, size: [u32; 2]) -> [String; 8] {
    let [width, height] = size;
    all_flips().map(|flips| {
        let object = format!(
            "<objectgroup id=\"2\" name=\"Things\"><object id=\"1\" gid=\"{}\" x=\"32\" y=\"64\" \
             width=\"{width}\" height=\"{height}\"/></objectgroup>",
            gid(flips)
        );
        let text = map_text(8, 8, "", &(tiles.to_owned() + &object));
        let mut level = Level::new(&text).no_errors();
        level.picture([32.0, 0.0], 8.0, 8, 8)
    })
}

/// With empty rows above and below, and empty columns at the right.
fn padded(picture: &str, rows_above: usize) -> String {
    let rows = picture.lines().map(|row| format!("{row:.<8}\n"));
    let empty = "........\n";
    let above = empty.repeat(rows_above);
    let below = empty.repeat(8 - rows_above - picture.lines().count());
    above + &rows.collect::<String>() + &below
}

#[test]
fn an_object_at_the_size_of_its_tile() {
    let expected = [
        padded("#...\n###.", 6),
        padded("...#\n.###", 6),
        padded("###.\n#...", 6),
        padded(".###\n...#", 6),
        padded("##\n.#\n.#\n..", 4),
        padded("##\n#.\n#.\n..", 4),
        padded("..\n.#\n.#\n##", 4),
        padded("..\n#.\n#.\n##", 4),
    ];
    assert_eq!(pictures_of_object(&tiles("", ""), [32, 16]), expected);
}

#[test]
fn a_stretched_object() {
    let expected = [
        padded("##......\n######..", 6),
        padded("......##\n..######", 6),
        padded("######..\n##......", 6),
        padded("..######\n......##", 6),
        padded("##\n##\n.#\n.#\n.#\n.#\n..\n..", 0),
        padded("##\n##\n#.\n#.\n#.\n#.\n..\n..", 0),
        padded("..\n..\n.#\n.#\n.#\n.#\n##\n##", 0),
        padded("..\n..\n#.\n#.\n#.\n#.\n##\n##", 0),
    ];
    assert_eq!(pictures_of_object(&tiles("", ""), [64, 16]), expected);
}

#[test]
fn an_object_that_keeps_the_proportions_of_its_tile() {
    let tiles = tiles("fillmode=\"preserve-aspect-fit\"", "");
    let expected = [
        padded("..#.....\n..###...", 6),
        padded(".....#..\n...###..", 6),
        padded("..###...\n..#.....", 6),
        padded("...###..\n.....#..", 6),
        padded("##\n.#\n.#\n..", 2),
        padded("##\n#.\n#.\n..", 2),
        padded("..\n.#\n.#\n##", 2),
        padded("..\n#.\n#.\n##", 2),
    ];
    assert_eq!(pictures_of_object(&tiles, [64, 16]), expected);
}

#[test]
fn a_stretched_object_whose_tileset_has_an_offset() {
    // By 16 pixels to the right and 8 upward, whatever the flips are.
    let tiles = tiles("", "<tileoffset x=\"8\" y=\"-8\"/>");
    let pictures = pictures_of_object(&tiles, [64, 16]);
    let expected = padded("..##....\n..######", 5);
    assert_eq!(pictures[0], expected);
    let expected = padded("...#\n...#\n...#\n...#\n..##\n..##", 1);
    assert_eq!(pictures[6], expected);
}

#[test]
fn the_entity_of_an_object_is_at_the_center_of_what_is_drawn() {
    for (flips, center) in [
        ([true, true, false], [64.0, -56.0]),
        ([false, false, true], [40.0, -32.0]),
    ] {
        let object = format!(
            "<objectgroup id=\"2\" name=\"Things\"><object id=\"1\" gid=\"{}\" x=\"32\" y=\"64\" \
             width=\"64\" height=\"16\"/></objectgroup>",
            gid(flips)
        );
        let text = map_text(8, 8, "", &(tiles("", "") + &object));
        let mut level = Level::new(&text).no_errors();
        let entity = level.object(1);
        let transform = level.get::<GlobalTransform>(entity).expect("it has one");
        assert_eq!(transform.translation().truncate(), Vec2::from(center));
        let object = level.get::<TiledObject>(entity).expect("an object");
        assert_eq!(object.size, Vec2::new(64.0, 16.0), "before its flips");
        let flips = level.get::<TiledTile>(entity).map(|tile| tile.flips);
        assert_eq!(flips.map(|it| it.diagonal), Some(center[0] < 64.0));
    }
}

#[test]
fn a_cell_at_the_size_of_a_grid_that_is_not_square() {
    let tiles = r#"<tileset firstgid="1" name="test" tilewidth="16" tileheight="16" tilecount="1"
 columns="1" tilerendersize="grid"><image source="test.png" width="16" height="16"/>
<tile id="0"><objectgroup><object id="1" x="0" y="0">
<polygon points="0,0 4,0 4,8 12,8 12,16 0,16"/></object></objectgroup></tile></tileset>"#;
    let pictures = all_flips().map(|flips| {
        let csv = format!("0,{}", gid(flips));
        let content = tiles.to_owned() + &layer(1, 2, "Ground", "", &csv);
        let text = map_text(1, 2, "", &content).replacen("tilewidth=\"16\"", "tilewidth=\"32\"", 1);
        let mut level = Level::new(&text).no_errors();
        // Not where convex pieces touch.
        level.picture([0.5, 0.25], 4.0, 8, 8)
    });
    let expected = [
        padded("##......\n##......\n######..\n######..", 4),
        padded("......##\n......##\n..######\n..######", 4),
        padded("######..\n######..\n##......\n##......", 4),
        padded("..######\n..######\n......##\n......##", 4),
        padded("####\n####\n..##\n..##\n..##\n..##\n....\n....", 0),
        padded("####\n####\n##..\n##..\n##..\n##..\n....\n....", 0),
        padded("....\n....\n..##\n..##\n..##\n..##\n####\n####", 0),
        padded("....\n....\n##..\n##..\n##..\n##..\n####\n####", 0),
    ];
    assert_eq!(pictures, expected);
}
