//! What properties and classes set, and which of them precede.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledBlocking, TiledLayer, TiledProperties, TiledRole, TiledRules};

use crate::common::{Level, layer, map_text, tileset};

fn property(name: &str, kind: &str, value: &str) -> String {
    format!("<property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>")
}

fn properties(all: &[[&str; 3]]) -> String {
    let all: String = all.iter().map(|[a, b, c]| property(a, b, c)).collect();
    format!("<properties>{all}</properties>")
}

/// What the collider of an entity does.
fn role(level: &Level, entity: Entity) -> Option<TiledBlocking> {
    let has_collider =
        level.get::<RectCollider>(entity).is_some() || level.get::<TileCollider>(entity).is_some();
    let is_solid = level.get::<Solid>(entity).is_some();
    match level.get::<OneWay>(entity) {
        _ if !has_collider => None,
        Some(one_way) if is_solid => Some(TiledBlocking::OneWay(one_way.0)),
        _ if is_solid => Some(TiledBlocking::Solid),
        _ => Some(TiledBlocking::Sensor),
    }
}

fn object(more: &str, content: &str) -> String {
    format!("<object id=\"5\" {more} x=\"8\" y=\"8\" width=\"16\" height=\"16\">{content}</object>")
}

/// The role of an object with these properties, in a layer with these, in a group with these.
fn role_of(of_object: &str, of_layer: &str, of_group: &str) -> Option<TiledBlocking> {
    let object = object("", of_object);
    let content = format!(
        "<group id=\"1\" name=\"g\">{of_group}<objectgroup id=\"2\" name=\"l\">{of_layer}\
         {object}\
         </objectgroup></group>"
    );
    let mut level = Level::new(&map_text(4, 4, "", &content)).no_errors();
    let entity = level.object(5);
    role(&level, entity)
}

#[test]
fn properties_set_what_an_object_does() {
    use TiledBlocking::{OneWay, Sensor, Solid};
    let cases: [(&[[&str; 3]], Option<TiledBlocking>); 12] = [
        (&[], Some(Sensor)),
        (&[["solid", "bool", "true"]], Some(Solid)),
        (&[["solid", "bool", "false"]], Some(Sensor)),
        (&[["sensor", "bool", "true"]], Some(Sensor)),
        (&[["collider", "bool", "false"]], None),
        (&[["collider", "bool", "true"]], Some(Sensor)),
        (&[["one_way", "bool", "true"]], Some(OneWay(Dir2::Y))),
        (&[["one_way", "bool", "false"]], Some(Sensor)),
        (&[["OneWay", "string", "Up"]], Some(OneWay(Dir2::Y))),
        (&[["one_way", "string", "down"]], Some(OneWay(Dir2::NEG_Y))),
        (&[["one_way", "string", "left"]], Some(OneWay(Dir2::NEG_X))),
        (&[["one_way", "string", "right"]], Some(OneWay(Dir2::X))),
    ];
    for (set, expected) in cases {
        assert_eq!(role_of(&properties(set), "", ""), expected, "{set:?}");
    }
}

#[test]
fn what_an_object_does_not_set_comes_from_its_layer_and_groups() {
    let solid = properties(&[["solid", "bool", "true"]]);
    let sensor = properties(&[["sensor", "bool", "true"]]);
    let none = properties(&[["collider", "bool", "false"]]);
    assert_eq!(role_of("", &solid, ""), Some(TiledBlocking::Solid));
    assert_eq!(role_of("", "", &solid), Some(TiledBlocking::Solid));
    assert_eq!(role_of("", &solid, &none), Some(TiledBlocking::Solid));
    assert_eq!(role_of(&sensor, &solid, ""), Some(TiledBlocking::Sensor));
    assert_eq!(role_of(&none, &solid, ""), None);
    assert_eq!(role_of("", &none, &solid), None);
}

#[test]
fn layers_add_up_from_masks_and_swept() {
    let group = properties(&[
        ["swept", "bool", "true"],
        ["collision_filters", "string", "1,2"],
    ]);
    let layer = properties(&[["CollisionLayers", "string", "walls, doors"]]);
    let object = object("type=\"Gate\"", "");
    let content = format!(
        "<group id=\"1\" name=\"g\">{group}<objectgroup id=\"2\" name=\"l\">{layer}{object}\
         </objectgroup></group>"
    );
    let rules = TiledRules::new()
        .mask("walls", LayerMask::layer(0))
        .mask("doors", LayerMask::layer(3))
        .class("Gate", TiledRole::one_way(Dir2::X));
    let text = map_text(4, 4, "", &content);
    let mut level = Level::with(&[("level.tmx", &text)], &rules).no_errors();
    let gate = level.object(5);
    assert_eq!(role(&level, gate), Some(TiledBlocking::OneWay(Dir2::X)));
    let layers = level.get::<CollisionLayers>(gate).copied();
    let expected = CollisionLayers::new(LayerMask(9), LayerMask(6));
    assert_eq!(layers, Some(expected));
    assert!(level.get::<Swept>(gate).is_some());
}

#[test]
fn properties_take_the_same_texts_as_fields_of_ldtk() {
    let set = properties(&[
        ["Solid", "string", "true"],
        ["SWEPT", "string", " True "],
        ["one_way", "string", "false"],
        ["CollisionLayers", "string", "3"],
        ["CollisionFilters", "string", "a, b,4"],
    ]);
    let content = format!(
        "<objectgroup id=\"1\" name=\"l\">{}</objectgroup>",
        object("", &set)
    );
    let rules = TiledRules::new()
        .mask("a", LayerMask::layer(0))
        .mask("b", LayerMask::layer(1));
    let text = map_text(4, 4, "", &content);
    let mut level = Level::with(&[("level.tmx", &text)], &rules).no_errors();
    let thing = level.object(5);
    assert_eq!(role(&level, thing), Some(TiledBlocking::Solid));
    assert!(level.get::<Swept>(thing).is_some());
    let layers = level.get::<CollisionLayers>(thing).copied();
    let expected = CollisionLayers::new(LayerMask(0b1000), LayerMask(0b10011));
    assert_eq!(layers, Some(expected));
}

#[test]
fn a_property_without_layers_counts_as_not_set() {
    let empty = [
        property("collision_layers", "string", ""),
        property("collision_layers", "string", " , "),
        "<property name=\"collision_layers\" type=\"list\"/>".into(),
        "<property name=\"collision_layers\" type=\"list\"><item value=\"\"/></property>".into(),
    ];
    let layers_by = |properties: &str, layer: &str| {
        let object = object("", &format!("<properties>{properties}</properties>"));
        let content = format!("<objectgroup id=\"2\" name=\"l\">{layer}{object}</objectgroup>");
        let rules = TiledRules::new().mask("nothing", LayerMask::NONE);
        let text = map_text(4, 4, "", &content);
        let mut level = Level::with(&[("level.tmx", &text)], &rules).no_errors();
        let entity = level.object(5);
        let layers = level.get::<CollisionLayers>(entity).copied();
        layers.unwrap_or_default().memberships
    };
    let outer = properties(&[["collision_layers", "string", "3"]]);
    for empty in empty {
        let default = CollisionLayers::default().memberships;
        assert_eq!(layers_by(&empty, ""), default, "{empty}");
        assert_eq!(layers_by(&empty, &outer), LayerMask::layer(3), "{empty}");
    }
    let named = property("collision_layers", "string", "nothing");
    assert_eq!(layers_by(&named, &outer), LayerMask::NONE, "it is set");
}

#[test]
fn properties_come_before_the_class_and_the_rules() {
    let role_by = |class: &str, set: &str, rules: TiledRules| {
        let content = format!(
            "<objectgroup id=\"2\" name=\"l\">{}</objectgroup>",
            object(&format!("type=\"{class}\""), set)
        );
        let text = map_text(4, 4, "", &content);
        let mut level = Level::with(&[("level.tmx", &text)], &rules).no_errors();
        let entity = level.object(5);
        role(&level, entity)
    };
    let set = properties(&[["one_way", "bool", "true"]]);
    let plain = TiledRules::new;
    let up = Some(TiledBlocking::OneWay(Dir2::Y));
    assert_eq!(role_by("Solid", "", plain()), Some(TiledBlocking::Solid));
    assert_eq!(role_by("OneWay", "", plain()), up);
    assert_eq!(role_by("NoCollider", "", plain()), None);
    assert_eq!(role_by("Sensor", &set, plain()), up);
    assert_eq!(role_by("Unknown", "", plain()), Some(TiledBlocking::Sensor));
    let by_layer = plain().layer("l", TiledRole::solid());
    assert_eq!(
        role_by("", "", by_layer.clone()),
        Some(TiledBlocking::Solid)
    );
    assert_eq!(role_by("Sensor", "", by_layer), Some(TiledBlocking::Sensor));
    let by_default = plain().objects(TiledRole::solid());
    assert_eq!(role_by("", "", by_default), Some(TiledBlocking::Solid));
}

#[test]
fn tiles_have_roles_each_with_a_grid_of_its_own() {
    let full = |id: u32, class: &str, set: &str, of_shape: &str| {
        format!(
            "<tile id=\"{id}\" type=\"{class}\">{set}<objectgroup><object id=\"1\" x=\"0\" \
             y=\"0\" width=\"16\" height=\"16\">{of_shape}</object></objectgroup></tile>"
        )
    };
    let sensor = properties(&[["sensor", "bool", "true"]]);
    let up = properties(&[["one_way", "string", "up"]]);
    let none = properties(&[["collider", "bool", "false"]]);
    let tiles = tileset(
        8,
        &[
            full(0, "", "", ""),
            full(1, "", &sensor, ""),
            full(2, "OneWay", "", ""),
            full(3, "Sensor", "", &up),
            full(4, "", &none, ""),
        ]
        .concat(),
    );
    let rotated = 3_u32 | 1 << 31 | 1 << 29; // A quarter clockwise.
    let csv = format!("1,2,3,4,5,{rotated}");
    let text = map_text(6, 1, "", &(tiles + &layer(6, 1, "Ground", "", &csv)));
    let mut level = Level::new(&text).no_errors();
    let mut at = |column: u8| {
        let entity = level.only(f32::from(column) * 16.0 + 8.0, 8.0);
        role(&level, entity)
    };
    assert_eq!(at(0), Some(TiledBlocking::Solid));
    assert_eq!(at(1), Some(TiledBlocking::Sensor));
    assert_eq!(at(2), Some(TiledBlocking::OneWay(Dir2::Y)));
    assert_eq!(at(3), Some(TiledBlocking::OneWay(Dir2::Y)));
    assert_eq!(at(5), Some(TiledBlocking::OneWay(Dir2::X)));
    assert!(!level.is_solid(4.5 * 16.0, 8.0));
    assert_eq!(level.count::<TileCollider>(), 4);
}

#[test]
fn other_properties_are_handed_on() {
    let set = r##"<properties><property name="song" value="cave.ogg"/>
<property name="gravity" type="float" value="9.5"/><property name="door" type="object" value="5"/>
<property name="tint" type="color" value=""/><property name="sky" type="color" value="#ff00ff00"/>
<property name="list" type="list"><item type="int" value="1"/><item value="two"/></property>
<property name="stats" type="class" propertytype="Stats"><properties>
<property name="hp" type="int" value="7"/></properties></property></properties>"##;
    let content = format!("<objectgroup id=\"2\" name=\"l\" class=\"Area\">{set}</objectgroup>");
    let mut level = Level::new(&map_text(4, 4, "", &content)).no_errors();
    let world = level.app.world_mut();
    let mut layers = world.query::<(&TiledLayer, &TiledProperties)>();
    let (layer, properties) = layers.single(world).expect("one layer");
    assert_eq!((layer.name.as_str(), layer.class.as_str()), ("l", "Area"));
    assert_eq!(properties.str("song"), Some("cave.ogg"));
    assert_eq!(properties.float("gravity"), Some(9.5));
    assert_eq!(properties.object("door"), Some(5));
    assert_eq!(properties.len(), 7);
}

#[test]
fn each_property_of_an_object_overrides_what_is_around_it() {
    use TiledBlocking::{OneWay, Sensor, Solid};
    let up = Some(OneWay(Dir2::Y));
    // By the object, the layer and the group.
    let cases = [
        ("one_way=false", "one_way=true", "", Some(Solid)),
        ("one_way=false", "solid=true", "", Some(Solid)),
        ("one_way=false", "sensor=true", "", Some(Sensor)),
        ("one_way=false", "collider=false", "", None),
        ("one_way=true", "sensor=true", "", up),
        ("one_way=true", "collider=false", "", up),
        ("sensor=false", "sensor=true", "", Some(Solid)),
        ("sensor=false", "solid=false", "", Some(Solid)),
        ("sensor=false", "sensor=true", "one_way=true", up),
        ("sensor=false", "one_way=true", "", up),
        ("sensor=false", "collider=false", "", None),
        ("sensor=true", "one_way=true", "", Some(Sensor)),
        ("sensor=true", "solid=true", "", Some(Sensor)),
        ("solid=true", "one_way=true", "", Some(Solid)),
        ("solid=true", "sensor=true", "", Some(Solid)),
        ("solid=true", "collider=false", "", Some(Solid)),
        ("solid=false", "one_way=true", "", Some(Sensor)),
        ("collider=true", "collider=false", "", Some(Sensor)),
        ("collider=true", "collider=false", "solid=true", Some(Solid)),
        ("collider=true", "collider=false", "one_way=true", up),
        ("collider=true", "one_way=true", "", up),
        ("collider=false", "one_way=true", "", None),
        ("", "one_way=false", "one_way=true", Some(Solid)),
        ("", "sensor=false", "sensor=true", Some(Solid)),
        ("", "collider=true", "collider=false", Some(Sensor)),
        // Of one element: no collider is none, whatever it would do.
        ("collider=false solid=true", "", "", None),
        ("one_way=true solid=true", "", "", up),
    ];
    let set = |text: &str| {
        let all = text.split_whitespace().filter_map(|it| it.split_once('='));
        let all: Vec<[&str; 3]> = all.map(|(name, value)| [name, "bool", value]).collect();
        properties(&all)
    };
    let mut wrong = Vec::new();
    for (object, layer, group, expected) in cases {
        let found = role_of(&set(object), &set(layer), &set(group));
        if found != expected {
            wrong.push((object, layer, group, expected, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_tile_overrides_its_layer_and_a_shape_its_tile() {
    let set = |name: &str, value: &str| properties(&[[name, "bool", value]]);
    let tile = |id: u32, of_tile: &str, of_shape: &str| {
        format!(
            "<tile id=\"{id}\">{of_tile}<objectgroup><object id=\"1\" x=\"0\" y=\"0\" width=\"16\" \
             height=\"16\">{of_shape}</object></objectgroup></tile>"
        )
    };
    let tiles = tileset(
        8,
        &[
            tile(0, &set("one_way", "false"), ""),
            tile(1, &set("collider", "false"), &set("collider", "true")),
            tile(2, &set("sensor", "true"), &set("sensor", "false")),
            // Without a shape: this alone is no role.
            format!("<tile id=\"3\">{}</tile>", set("one_way", "false")),
            format!("<tile id=\"4\">{}</tile>", set("collider", "true")),
        ]
        .concat(),
    );
    let role_in = |of_layer: &str, column: u8| {
        let layer = layer(5, 1, "Ground", of_layer, "1,2,3,4,5");
        let text = map_text(5, 1, "", &(tiles.clone() + &layer));
        let mut level = Level::new(&text).no_errors();
        let found = level.at(f32::from(column) * 16.0 + 8.0, -8.0);
        found.first().and_then(|entity| role(&level, *entity))
    };
    let one_way = set("one_way", "true");
    let up = Some(TiledBlocking::OneWay(Dir2::Y));
    let solid = Some(TiledBlocking::Solid);
    let in_one_way = [0, 1, 2, 3, 4].map(|column| role_in(&one_way, column));
    assert_eq!(in_one_way, [solid, up, up, solid, up]);
    let alone = [0, 1, 2, 3, 4].map(|column| role_in("", column));
    assert_eq!(alone, [solid, solid, solid, None, None]);
}
