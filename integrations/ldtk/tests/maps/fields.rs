//! Fields: those that name components, and all others.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{
    LdtkContents, LdtkEntity, LdtkEntityRef, LdtkEntityRule, LdtkFields, LdtkProblem, LdtkRules,
    LdtkValue, MapPropertyError,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::builder::*;

fn with_fields(fields: &[[Value; 3]], rules: &LdtkRules) -> LdtkContents {
    let thing = thing("Lift", [0, 0], [16, 16], [0.0, 0.0], fields);
    let map = room([4, 4], vec![things([4, 4], vec![thing])]);
    map.contents("Room", rules).unwrap()
}

fn field(identifier: &str, kind: &str, value: Value) -> [Value; 3] {
    [json!(identifier), json!(kind), value]
}

#[test]
fn fields_name_components() {
    let rules = LdtkRules::new().mask("Heroes", LayerMask::layer(4));
    let fields = [
        field("one_way", "LocalEnum.Direction", json!("Left")),
        field("Swept", "Bool", json!(true)),
        field("CollisionLayers", "Array<Int>", json!([1, 3])),
        field("collision_filters", "String", json!("Heroes")),
    ];
    let contents = with_fields(&fields, &rules);
    assert_eq!(contents.errors, []);
    let entity = &contents.entities[0];
    assert!(entity.is_solid && entity.is_swept);
    assert_eq!(entity.one_way, Some(Dir2::NEG_X));
    let layers = CollisionLayers::new(LayerMask(0b1010), LayerMask::layer(4));
    assert_eq!(entity.layers, Some(layers));
}

#[test]
fn components_of_fields_are_inserted() {
    let fields = [
        field("OneWay", "Bool", json!(true)),
        field("Swept", "Bool", json!(true)),
        field("CollisionLayers", "Int", json!(2)),
    ];
    let thing = thing("Lift", [0, 0], [16, 16], [0.0, 0.0], &fields);
    let map = room([4, 4], vec![things([4, 4], vec![thing])]);
    let mut app = app();
    // Observers see all that is in the map.
    app.add_observer(
        |added: On<Add, LdtkEntity>,
         lifts: Query<(&Solid, &OneWay, &Swept, &CollisionLayers, &LdtkFields)>| {
            let (_, one_way, _, layers, fields) = lifts.get(added.entity).unwrap();
            assert_eq!(one_way.0, Dir2::Y);
            assert_eq!(layers.memberships, LayerMask::layer(2));
            assert_eq!(fields.int("CollisionLayers"), Some(2));
        },
    );
    spawn(&mut app, &map, "Room", &LdtkRules::new());
    let world = app.world_mut();
    assert_eq!(world.query::<&LdtkEntity>().iter(world).count(), 1);
}

#[test]
fn fields_precede_rules_and_a_sensor_is_never_solid() {
    let rules = LdtkRules::new().other_entities(LdtkEntityRule::rect().one_way(Dir2::Y).swept());
    let is_solid = |fields: &[[Value; 3]]| {
        let contents = with_fields(fields, &rules);
        assert_eq!(contents.errors, []);
        contents.entities[0].is_solid
    };
    let yes = |name| field(name, "Bool", json!(true));
    let no = |name| field(name, "Bool", json!(false));
    assert!(is_solid(&[]));
    assert!(is_solid(&[no("Sensor")]));
    assert!(is_solid(&[field("Solid", "Bool", Value::Null)]));
    assert!(!is_solid(&[no("Solid")]));
    assert!(!is_solid(&[yes("Sensor"), yes("Solid")]));
    let contents = with_fields(&[no("OneWay"), no("Swept")], &rules);
    let entity = &contents.entities[0];
    assert_eq!(
        (entity.one_way, entity.is_swept, entity.is_solid),
        (None, false, true)
    );
}

#[test]
fn values_that_do_not_fit_are_told_and_change_nothing() {
    let fields = [
        field("Solid", "String", json!("yes")),
        field("OneWay", "String", json!("sideways")),
        field("CollisionLayers", "Int", json!(32)),
        field("CollisionFilters", "Array<String>", json!(["Nobody"])),
    ];
    let contents = with_fields(&fields, &LdtkRules::new());
    let errors = contents.errors.iter().map(|error| match &error.problem {
        LdtkProblem::Field { field, .. } => field.as_str(),
        other => panic!("{other}"),
    });
    let all = ["CollisionFilters", "CollisionLayers", "OneWay", "Solid"];
    assert_eq!(errors.collect::<Vec<_>>(), all);
    assert_eq!(
        contents.errors[3].to_string(),
        "map, level \"Room\", layer \"Things\", entity Lift iid-Lift: the field `Solid` is \
         `yes`, and not true or false; it is ignored",
    );
    let entity = &contents.entities[0];
    assert!(!entity.is_solid && entity.one_way.is_none() && entity.layers.is_none());
}

#[test]
fn all_fields_are_handed_on() {
    let reference = json!({
        "entityIid": "door", "layerIid": "things", "levelIid": "cellar", "worldIid": "house",
    });
    let tile = json!({"tilesetUid": 100, "x": 16, "y": 32, "w": 16, "h": 8});
    let fields = [
        field("health", "Int", json!(3)),
        field("speed", "Float", json!(2)),
        field("is_open", "Bool", json!(true)),
        field("text", "Multilines", json!("a\nb")),
        field("color", "Color", json!("#D181E8")),
        field(
            "path",
            "Array<Point>",
            json!([{"cx": 0, "cy": 0}, {"cx": 3, "cy": 1}]),
        ),
        field("exit", "EntityRef", reference),
        field("look", "Tile", tile),
        field("nothing", "Int", Value::Null),
    ];
    let contents = with_fields(&fields, &LdtkRules::new().units_per_pixel(0.5));
    let fields = &contents.entities[0].fields;
    assert_eq!(
        (fields.int("health"), fields.float("health")),
        (Some(3), Some(3.0))
    );
    assert_eq!(
        (fields.float("speed"), fields.int("speed")),
        (Some(2.0), None)
    );
    assert_eq!(
        (fields.bool("is_open"), fields.str("text")),
        (Some(true), Some("a\nb"))
    );
    assert_eq!(fields.str("color"), Some("#D181E8"));
    // The centers of cells of 8 units, in a level that is 32 units high.
    assert_eq!(
        fields.points("path"),
        [Vec2::new(4.0, 28.0), Vec2::new(28.0, 20.0)]
    );
    let door = LdtkEntityRef {
        entity: "door".into(),
        layer: "things".into(),
        level: "cellar".into(),
        world: "house".into(),
    };
    assert_eq!(fields.entity("exit"), Some(&door));
    let rect = Rect::new(16.0, 32.0, 32.0, 40.0);
    let tile = LdtkValue::Tile { tileset: 100, rect };
    assert_eq!(fields.value("look"), Some(&tile));
    assert_eq!(fields.value("nothing"), Some(&LdtkValue::Null));
    assert_eq!(fields.iter().count(), 9);
    assert_eq!(fields.value("health2"), None);
}

#[test]
fn points_are_where_the_entity_stands_if_its_author_puts_it_there() {
    let own_cell = [
        json!("path"),
        json!("Array<Point>"),
        json!([{"cx": 2, "cy": 1}]),
    ];
    for (pivot, px) in [
        ([0.0, 0.0], [32, 16]),
        ([0.5, 0.5], [40, 24]),
        ([0.5, 1.0], [40, 32]),
        ([1.0, 0.0], [48, 16]),
    ] {
        let lift = thing("Lift", px, [64, 16], pivot, std::slice::from_ref(&own_cell));
        let mut things = things([10, 5], vec![lift]);
        things["__pxTotalOffsetX"] = json!(3);
        let map = room([10, 5], vec![things]);
        let contents = contents(&map, &LdtkRules::new().units_per_pixel(0.5));
        let lift = &contents.entities[0];
        assert_eq!(lift.fields.points("path"), [lift.center], "{pivot:?}");
        let position = lift.center;
        let cell = IVec2::new(2, 1);
        let point = LdtkValue::Point { position, cell };
        assert_eq!(
            lift.fields.value("path"),
            Some(&LdtkValue::Array(vec![point]))
        );
    }
}

#[test]
fn serde_reads_fields_of_any_type() {
    #[derive(Deserialize, PartialEq, Debug)]
    enum Facing {
        Left,
        Right,
    }
    let door =
        |iid: &str| json!({"entityIid": iid, "layerIid": "", "levelIid": "", "worldIid": ""});
    let fields = [
        field("doors", "Array<EntityRef>", json!([door("a"), door("b")])),
        field(
            "path",
            "Array<Point>",
            json!([{"cx": 0, "cy": 3}, {"cx": 1, "cy": 3}]),
        ),
        field("facing", "LocalEnum.Facing", json!("Left")),
        field("all", "Array<LocalEnum.Facing>", json!(["Right", "Left"])),
        field("names", "Array<String>", json!(["Ann", "Bo"])),
        field("speed", "Float", json!(2)),
        field("delay", "Float", Value::Null),
    ];
    let contents = with_fields(&fields, &LdtkRules::new());
    let fields = &contents.entities[0].fields;
    let doors: Vec<LdtkEntityRef> = fields.get("doors").unwrap();
    assert_eq!(
        doors.iter().map(|door| &door.entity).collect::<Vec<_>>(),
        ["a", "b"]
    );
    assert_eq!(
        fields.get::<Vec<Vec2>>("path").unwrap(),
        fields.points("path")
    );
    assert_eq!(
        fields.get::<[[f32; 2]; 2]>("path").unwrap(),
        [[8.0, 8.0], [24.0, 8.0]]
    );
    assert_eq!(fields.get::<Facing>("facing").unwrap(), Facing::Left);
    assert_eq!(
        fields.get::<Vec<Facing>>("all").unwrap(),
        [Facing::Right, Facing::Left]
    );
    assert_eq!(fields.get::<Vec<String>>("names").unwrap(), ["Ann", "Bo"]);
    assert_eq!(fields.get::<f32>("speed").unwrap(), 2.0);
    assert_eq!(fields.get::<Option<f32>>("delay").unwrap(), None);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Lift {
        path: Vec<Vec2>,
        speed: f32,
        delay: Option<f32>,
    }
    let lift = Lift {
        path: fields.points("path"),
        speed: 2.0,
        delay: None,
    };
    assert_eq!(fields.parse::<Lift>().unwrap(), lift);
    let error = |error: MapPropertyError| error.to_string();
    assert_eq!(
        error(fields.get::<f32>("sped").unwrap_err()),
        "no field sped: there are all, delay, doors, facing, names, path, speed"
    );
    assert_eq!(
        error(fields.get::<f32>("delay").unwrap_err()),
        "field delay: invalid type: null, expected f32"
    );
}

#[test]
fn levels_have_fields_as_well() {
    let mut room = level("Room", [0, 0], [4, 4], vec![]);
    room["fieldInstances"] = json!([{
        "__identifier": "music", "__type": "String", "__value": "calm.ogg", "__tile": null,
        "defUid": 0, "realEditorValues": [],
    }]);
    let map = map(&project("Free", vec![room]));
    let mut app = app();
    let room = spawn(&mut app, &map, "Room", &LdtkRules::new());
    let fields = app.world().get::<LdtkFields>(room).unwrap();
    assert_eq!(fields.str("music"), Some("calm.ogg"));
}

#[test]
fn an_array_that_nobody_filled_counts_as_not_set() {
    let fields = [
        field("CollisionLayers", "Array<Int>", json!([])),
        field("CollisionFilters", "Array<LocalEnum.Team>", json!([null])),
    ];
    let contents = with_fields(&fields, &LdtkRules::new());
    assert_eq!(contents.errors, []);
    assert_eq!(contents.entities[0].layers, None);
    // Nor does an item that nobody filled count.
    let fields = [field("CollisionLayers", "Array<Int>", json!([null, 3]))];
    let contents = with_fields(&fields, &LdtkRules::new());
    let layers = CollisionLayers::new(LayerMask::layer(3), LayerMask::ALL);
    assert_eq!(contents.entities[0].layers, Some(layers));
}

#[test]
fn fields_take_the_same_texts_as_properties_of_tiled() {
    let rules = LdtkRules::new()
        .mask("a", LayerMask::layer(0))
        .mask("b", LayerMask::layer(1));
    let text = |name, value: &str| field(name, "String", json!(value));
    let fields = [
        text("Solid", "true"),
        text("SWEPT", " True "),
        text("one_way", "false"),
        text("CollisionLayers", "3"),
        text("CollisionFilters", "a, b,4"),
    ];
    let contents = with_fields(&fields, &rules);
    assert_eq!(contents.errors, []);
    let entity = &contents.entities[0];
    let flags = (entity.is_solid, entity.is_swept, entity.one_way);
    assert_eq!(flags, (true, true, None));
    let layers = CollisionLayers::new(LayerMask(0b1000), LayerMask(0b10011));
    assert_eq!(entity.layers, Some(layers));
    // A new property, which nobody filled.
    let contents = with_fields(&[text("CollisionLayers", ""), text("Solid", " , ")], &rules);
    assert_eq!(contents.errors, []);
    assert_eq!(contents.entities[0].layers, None);
}

#[test]
fn a_field_gives_and_takes_a_collider() {
    let collider_by = |rule: LdtkEntityRule, value: Value| {
        let rules = LdtkRules::new().other_entities(rule);
        let contents = with_fields(&[field("Collider", "Bool", value)], &rules);
        assert_eq!(contents.errors, []);
        let collider = contents.entities[0].collider;
        collider.map(|collider| collider.size)
    };
    let (rect, point) = (LdtkEntityRule::rect(), LdtkEntityRule::point());
    let size = Some(Vec2::splat(16.0));
    assert_eq!(collider_by(rect, Value::Null), size);
    assert_eq!(collider_by(rect, json!(false)), None);
    assert_eq!(collider_by(point, Value::Null), None);
    assert_eq!(collider_by(point, json!(true)), size);
    assert_eq!(
        collider_by(rect.less(4.0), json!(true)),
        Some(Vec2::splat(12.0))
    );
}
