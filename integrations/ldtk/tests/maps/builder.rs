//! Writes maps as LDtk 1.5 does, with the parts that its documentation requires.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkContents, LdtkMap, LdtkRules};
use serde_json::{Value, json};

pub const CELL: i64 = 16;

/// A project of one world with a layout.
pub fn project(layout: &str, levels: Vec<Value>) -> Value {
    json!({
        "iid": "project-iid", "jsonVersion": "1.5.3", "bgColor": "#40465B",
        "externalLevels": false, "defaultGridSize": CELL, "worldLayout": layout,
        "worldGridWidth": 256, "worldGridHeight": 256, "toc": [], "worlds": [],
        "defs": {
            "layers": [
                layer_def("Walls", 1, Some(100)), layer_def("Ground", 2, Some(100)),
                layer_def("Things", 3, None), layer_def("Plain", 4, None),
            ],
            "entities": [
                entity_def("Hero", 10, [16, 16]), entity_def("Crate", 11, [8, 12]),
                entity_def("Lift", 12, [16, 16]),
            ],
            "enums": [], "externalEnums": [], "levelFields": [],
            "tilesets": [{
                "__cWid": 8, "__cHei": 8, "identifier": "Tiles", "uid": 100, "relPath": "tiles.png",
                "pxWid": 128, "pxHei": 128, "tileGridSize": CELL, "spacing": 0, "padding": 0,
                "tags": [], "tagsSourceEnumUid": 200, "customData": [], "embedAtlas": null,
                "enumTags": [
                    {"enumValueId": "Wall", "tileIds": [1, 2, 5]},
                    {"enumValueId": "Slope", "tileIds": [3, 5]},
                    {"enumValueId": "Door", "tileIds": [4]},
                ],
            }],
        },
        "levels": levels,
    })
}

fn layer_def(identifier: &str, uid: i64, tileset: Option<i64>) -> Value {
    json!({
        "__type": "IntGrid", "identifier": identifier, "uid": uid, "gridSize": CELL,
        "displayOpacity": 1.0, "pxOffsetX": 0, "pxOffsetY": 0, "parallaxFactorX": 0,
        "parallaxFactorY": 0, "parallaxScaling": true, "tilesetDefUid": tileset,
        "tilePivotX": 0, "tilePivotY": 0, "intGridValuesGroups": [],
        // In no order.
        "intGridValues": [
            {"value": 3, "identifier": "plank", "color": "#FFFFFF", "tile": null, "groupUid": 0},
            {"value": 1, "identifier": "wall", "color": "#000000", "tile": null, "groupUid": 0},
            {"value": 2, "identifier": "ramp", "color": "#FF0000", "tile": null, "groupUid": 0},
            {"value": 7, "identifier": null, "color": "#FF0000", "tile": null, "groupUid": 0},
            {"value": 900, "identifier": "lava", "color": "#FF0000", "tile": null, "groupUid": 0},
        ],
    })
}

fn entity_def(identifier: &str, uid: i64, size: [i64; 2]) -> Value {
    json!({
        "identifier": identifier, "uid": uid, "tags": ["thing"],
        "width": size[0], "height": size[1],
        "color": "#94D9B3", "nineSliceBorders": [], "pivotX": 0.5, "pivotY": 1, "tileRect": null,
        "tileRenderMode": "FitInside", "tilesetId": null, "uiTileRect": null,
    })
}

/// A level of this many columns and rows, with its top left at a position in its world.
pub fn level(identifier: &str, top_left: [i64; 2], cells: [i64; 2], layers: Vec<Value>) -> Value {
    json!({
        "__bgColor": "#40465B", "__bgPos": null, "__neighbours": [], "bgRelPath": null,
        "externalRelPath": null, "fieldInstances": [], "identifier": identifier,
        "iid": format!("iid-{identifier}"), "uid": 0, "worldDepth": 0,
        "worldX": top_left[0], "worldY": top_left[1],
        "pxWid": cells[0] * CELL, "pxHei": cells[1] * CELL, "layerInstances": layers,
    })
}

fn layer(identifier: &str, kind: &str, uid: i64, cells: [i64; 2]) -> Value {
    json!({
        "__identifier": identifier, "__type": kind, "__cWid": cells[0], "__cHei": cells[1],
        "__gridSize": CELL, "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0,
        "__tilesetDefUid": null, "__tilesetRelPath": null, "iid": format!("iid-{identifier}"),
        "layerDefUid": uid, "levelId": 0, "overrideTilesetUid": null, "pxOffsetX": 0,
        "pxOffsetY": 0, "visible": true, "autoLayerTiles": [], "entityInstances": [],
        "gridTiles": [], "intGridCsv": [], "optionalRules": [], "seed": 1,
    })
}

/// The layer "Walls" from rows of digits, spaces and periods.
pub fn walls(rows: &[&str]) -> Value {
    let numbers = rows.iter().flat_map(|row| row.bytes());
    let numbers: Vec<i64> = numbers
        .map(|byte| i64::from(byte.saturating_sub(b'0')))
        .map(|number| if number > 9 { 0 } else { number })
        .collect();
    let mut layer = layer(
        "Walls",
        "IntGrid",
        1,
        [rows[0].len() as i64, rows.len() as i64],
    );
    layer["intGridCsv"] = json!(numbers);
    layer
}

/// The layer "Ground" with tiles `[x, y, tile, flips]`, in pixels.
pub fn ground(cells: [i64; 2], tiles: &[[i64; 4]]) -> Value {
    let mut layer = layer("Ground", "Tiles", 2, cells);
    layer["__tilesetDefUid"] = json!(100);
    layer["gridTiles"] = tiles.iter().map(|tile| self::tile(*tile)).collect();
    layer
}

pub fn tile([x, y, tile, flips]: [i64; 4]) -> Value {
    json!({"px": [x, y], "src": [0, 0], "f": flips, "t": tile, "d": [0], "a": 1})
}

/// The layer "Things".
pub fn things(cells: [i64; 2], entities: Vec<Value>) -> Value {
    let mut layer = layer("Things", "Entities", 3, cells);
    layer["entityInstances"] = json!(entities);
    layer
}

/// An entity at its pivot, in pixels, with fields of identifier, type and value.
pub fn thing(
    identifier: &str,
    px: [i64; 2],
    size: [i64; 2],
    pivot: [f32; 2],
    fields: &[[Value; 3]],
) -> Value {
    let fields = fields.iter().map(|[identifier, kind, value]| {
        json!({
            "__identifier": identifier, "__type": kind, "__value": value, "__tile": null,
            "defUid": 0, "realEditorValues": [],
        })
    });
    json!({
        "__identifier": identifier, "__grid": [0, 0], "__pivot": pivot, "__tags": ["thing"],
        "__tile": null, "__smartColor": "#94D9B3", "iid": format!("iid-{identifier}"),
        "width": size[0], "height": size[1], "defUid": 11, "px": px,
        "fieldInstances": fields.collect::<Vec<Value>>(),
    })
}

pub fn map(project: &Value) -> LdtkMap {
    LdtkMap::from_json(project.to_string()).unwrap()
}

/// A map with one level, "Room", at the origin.
pub fn room(cells: [i64; 2], layers: Vec<Value>) -> LdtkMap {
    room_at([0, 0], cells, layers)
}

/// A map with one level, "Room", with its top left at a position in its world.
pub fn room_at(top_left: [i64; 2], cells: [i64; 2], layers: Vec<Value>) -> LdtkMap {
    map(&project(
        "Free",
        vec![level("Room", top_left, cells, layers)],
    ))
}

/// What rules make of "Room", which has to be without errors.
pub fn contents(map: &LdtkMap, rules: &LdtkRules) -> LdtkContents {
    assert_eq!(map.errors(rules), []);
    map.contents("Room", rules).unwrap()
}

/// All that is wrong with a map and the rules for it.
pub fn messages(map: &LdtkMap, rules: &LdtkRules) -> Vec<String> {
    let errors = map.errors(rules);
    errors.iter().map(ToString::to_string).collect()
}

/// Walls of value 1.
pub fn full_walls() -> LdtkRules {
    LdtkRules::new().numbered("Walls", 1, CellShape::FULL)
}

/// An app with the plugin. An update is a sixty-fourth of a second.
pub fn app() -> App {
    let step = std::time::Duration::from_secs_f32(1.0 / 64.0);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(step));
    app.finish();
    app.cleanup();
    app
}

/// Spawns a level, and updates.
pub fn spawn(app: &mut App, map: &LdtkMap, level: &str, rules: &LdtkRules) -> Entity {
    let mut commands = app.world_mut().commands();
    let entity = map.spawn_level(level, rules, &mut commands).unwrap();
    app.update();
    entity
}

pub fn run(app: &mut App, updates: usize) {
    (0..updates).for_each(|_| app.update());
}

pub use crate::helpers::is_solid_at;
pub use bevy::ecs::system::RunSystemOnce;
