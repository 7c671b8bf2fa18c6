//! Properties as any type that serde reads.

use bevy_thud_tiled::{MapPropertyError, TiledProperties, TiledValue};
use serde::Deserialize;

use crate::common::{Level, map_text};

/// The properties of an object.
fn properties(all: &str) -> TiledProperties {
    let content = format!(
        r#"<objectgroup id="1" name="l"><object id="1" x="0" y="0"><point/>
<properties>{all}</properties></object></objectgroup>"#
    );
    let mut level = Level::new(&map_text(4, 4, "", &content)).no_errors();
    let object = level.object(1);
    let found = level.get::<TiledProperties>(object);
    found.expect("all objects have them").clone()
}

const ALL: &str = r##"
<property name="facing" propertytype="Facing" value="Left"/>
<property name="speed" type="float" value="2"/><property name="lives" type="int" value="3"/>
<property name="open" type="bool" value="true"/><property name="song" type="file" value="a.ogg"/>
<property name="tint" type="color" value="#80ff0001"/>
<property name="door" type="object" value="7"/><property name="nobody" type="object" value="0"/>
<property name="doors" type="list"><item type="object" value="7"/><item type="object" value="8"/>
</property>
<property name="stats" type="class" propertytype="Stats"><properties>
<property name="hp" type="int" value="7"/><property name="target" type="object" value="9"/>
<property name="resists" type="list"><item value="fire"/></property>
<property name="pace" type="class" propertytype="Pace"><properties>
<property name="walk" type="float" value="1.5"/></properties></property>
</properties></property>"##;

#[derive(Deserialize, PartialEq, Debug)]
enum Facing {
    Left,
    Right,
}

#[derive(Deserialize, PartialEq, Debug, Default)]
#[serde(default)]
struct Pace {
    walk: f32,
    run: f32,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Stats {
    hp: u32,
    target: Option<u32>,
    resists: Vec<String>,
    pace: Pace,
}

fn stats() -> Stats {
    Stats {
        hp: 7,
        target: Some(9),
        resists: vec!["fire".into()],
        pace: Pace {
            walk: 1.5,
            run: 0.0,
        },
    }
}

#[test]
fn serde_reads_a_property_of_any_type() {
    let all = properties(ALL);
    assert_eq!(all.get("facing"), Ok(Facing::Left));
    assert_eq!(all.get("speed"), Ok(2.0_f32));
    assert_eq!(
        (all.get("lives"), all.get("lives")),
        (Ok(3_u8), Ok(3.0_f32))
    );
    assert_eq!(all.get("open"), Ok(true));
    assert_eq!(all.get("song"), Ok("a.ogg".to_string()));
    assert_eq!(all.get("tint"), Ok([255_u8, 0, 1, 128]));
    assert_eq!(all.get("door"), Ok(7_u32));
    assert_eq!(all.get("nobody"), Ok(None::<u32>));
    assert_eq!(all.get("doors"), Ok(vec![7_u32, 8]));
    assert_eq!(all.get("stats"), Ok(stats()));
    assert_eq!(all.value("lives"), Some(&TiledValue::Int(3)));
    assert_eq!(all.value("life"), None);
}

#[test]
fn serde_reads_all_properties_as_a_struct() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Guard {
        facing: Facing,
        doors: Vec<u32>,
        nobody: Option<u32>,
        delay: Option<f32>,
        stats: Stats,
    }
    let guard = Guard {
        facing: Facing::Left,
        doors: vec![7, 8],
        nobody: None,
        delay: None,
        stats: stats(),
    };
    assert_eq!(properties(ALL).parse(), Ok(guard));
    assert_eq!(properties("").parse(), Ok(Pace::default()));
}

#[test]
fn errors_list_the_names_that_there_are() {
    let of = |error: MapPropertyError| error.to_string();
    let all = properties(
        r#"<property name="a" type="int" value="1"/><property name="b" type="object" value="0"/>
<property name="c" type="class" propertytype="C"><properties>
<property name="x" type="int" value="1"/></properties></property>"#,
    );
    let get = |name| of(all.get::<u32>(name).unwrap_err());
    assert_eq!(get("d"), "no property d: there are a, b, c");
    assert_eq!(get("b"), "property b: invalid type: null, expected u32");
    let class = of(all.get::<Stats>("c").unwrap_err());
    assert_eq!(class, "property c: missing field `hp`; its members are x");
    let whole = of(all.parse::<Stats>().unwrap_err());
    assert_eq!(whole, "properties: missing field `hp`; there are a, b, c");
    let slow = properties(r#"<property name="walk" value="slow"/>"#);
    let walk = of(slow.parse::<Pace>().unwrap_err());
    assert!(walk.starts_with("properties: walk: invalid type"), "{walk}");
    assert!(walk.ends_with("expected f32; there are walk"), "{walk}");
    let empty = properties("");
    let empty = of(empty.get::<u32>("d").unwrap_err());
    assert_eq!(empty, "no property d: there are none");
    let facing = properties(r#"<property name="facing" value="Up"/>"#);
    let facing = of(facing.get::<Facing>("facing").unwrap_err());
    assert!(facing.contains("`Left` or `Right`"), "{facing}");
}
