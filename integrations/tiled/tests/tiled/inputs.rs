//! Small files after faults of real ones: they load, or one sentence names the cause.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{MapPersistent, TiledMap, TiledObject, TiledRules, TiledTile};

use crate::common::{Level, app, spawn};

fn read(name: &str) -> TiledMap {
    let path = format!("{}/tests/inputs/{name}", env!("CARGO_MANIFEST_DIR"));
    TiledMap::read(path).unwrap_or_else(|error| panic!("{error}"))
}

fn level(name: &str) -> Level {
    let mut level = Level::spawn(app(), &read(name), &TiledRules::new());
    level.app.update();
    level
}

/// Why a file is refused, without the path of its folder.
fn refused(name: &str) -> String {
    let path = format!("{}/tests/inputs/{name}", env!("CARGO_MANIFEST_DIR"));
    let error = TiledMap::read(path).expect_err("it cannot be read");
    without_folder(&error.to_string()).into()
}

fn without_folder(error: &str) -> &str {
    error.rsplit_once("tests/inputs/").map_or(error, |it| it.1)
}

/// The names of all objects, sorted.
fn names(level: &mut Level) -> Vec<String> {
    let mut objects = level.app.world_mut().query::<&TiledObject>();
    let objects = objects.iter(level.app.world());
    let mut names: Vec<String> = objects.map(|it| it.name.clone()).collect();
    names.sort_unstable();
    names
}

#[test]
fn images_do_not_matter() {
    let mut image_layer = level("image_layer_without_size.tmx").no_errors();
    assert!(image_layer.is_solid(31.0, 15.0) && !image_layer.is_solid(33.0, 8.0));
    for name in ["embedded_image.tmx", "collection_image_without_size.tmx"] {
        let mut level = level(name).no_errors();
        let picture = level.picture([0.0, 0.0], 8.0, 5, 3);
        assert_eq!(picture, "####.\n####.\n.....\n", "{name}");
        let wall = level.only(8.0, 8.0);
        assert!(level.get::<Solid>(wall).is_some(), "{name}");
    }
}

#[test]
fn tilesets_that_do_not_count_their_tiles() {
    for name in ["old_embedded_tileset.tmx", "old_external_tileset.tmx"] {
        let mut level = level(name).no_errors();
        let picture = level.picture([0.0, 0.0], 8.0, 5, 3);
        assert_eq!(picture, "####.\n####.\n.....\n", "{name}");
    }
}

#[test]
fn wang_sets_of_any_version_do_not_matter() {
    let mut level = level("wangset_of_1_4.tmx").no_errors();
    assert!(level.is_solid(31.0, 15.0) && !level.is_solid(33.0, 8.0));
}

#[test]
fn each_object_is_there_whatever_its_id_is() {
    let mut doubled = level("duplicate_ids.tmx");
    assert_eq!(names(&mut doubled), ["coin", "door", "hero"]);
    let expected = "duplicate_ids.tmx, layer \"Things\", object 7 \"hero\": another object has the \
                    same id, by which `MapPersistent` finds it again: cut it and paste it in \
                    Tiled (and 1 more like this)";
    assert_eq!(doubled.errors.len(), 1);
    assert_eq!(without_folder(&doubled.errors[0]), expected);
    let mut without = level("no_ids.tmx");
    assert_eq!(names(&mut without), ["coin", "door", "hero"]);
    let expected = "no_ids.tmx, layer \"Things\", object \"hero\": it has no id, by which \
                    `MapPersistent` finds it again: save the map with a newer Tiled (and 2 more \
                    like this)";
    assert_eq!(without.errors.len(), 1);
    assert_eq!(without_folder(&without.errors[0]), expected);
}

#[test]
fn objects_persist_by_ids_of_their_own() {
    // One that persists does not stand for another one with its id.
    for (name, again) in [
        (
            "duplicate_ids.tmx",
            ["coin", "coin", "door", "hero", "hero"].as_slice(),
        ),
        (
            "no_ids.tmx",
            &["coin", "coin", "door", "door", "hero", "hero"],
        ),
    ] {
        let map = read(name);
        let rules = TiledRules::new();
        let mut app = app();
        app.add_observer(|added: On<Add, TiledObject>, mut commands: Commands| {
            commands.entity(added.entity).insert(MapPersistent);
        });
        let mut level = Level::spawn(app, &map, &rules);
        assert_eq!(names(&mut level), ["coin", "door", "hero"]);
        level.app.world_mut().despawn(level.map);
        let _ = spawn(&mut level.app, &map, &rules);
        assert_eq!(names(&mut level), again, "{name}");
    }
}

#[test]
fn the_points_of_a_path_are_where_they_are_in_the_world() {
    let expected = [[32.0, 20.0], [32.0, 84.0], [0.0, 84.0]];
    let transform = Transform::from_xyz(5.0, 7.0, 0.0).with_scale(Vec3::splat(1.0 / 16.0));
    for transform in [Transform::IDENTITY, transform] {
        let rules = TiledRules::new().transform(transform);
        let mut level = Level::spawn(app(), &read("polyline_path.tmx"), &rules).no_errors();
        let path = level.object(2);
        let path = level.get::<TiledObject>(path).expect("an object");
        let expected = expected.map(|[x, y]| {
            let point = transform.transform_point(Vec3::new(x, -y, 0.0));
            point.truncate()
        });
        assert_eq!(path.points.len(), 3);
        for (point, expected) in path.points.iter().zip(expected) {
            assert!(
                point.distance(expected) < 1e-4,
                "{point}, and not {expected}"
            );
        }
        let lift = level.object(1);
        let lift = level.get::<TiledObject>(lift).expect("an object");
        assert!(lift.points.is_empty());
    }
}

#[test]
fn truth_may_be_a_string() {
    let mut level = level("solid_as_string.tmx").no_errors();
    let [wall, plank, start] = [1, 2, 3].map(|id| level.object(id));
    assert!(level.get::<Solid>(wall).is_some() && level.get::<OneWay>(wall).is_none());
    assert_eq!(level.get::<OneWay>(plank), Some(&OneWay(Dir2::Y)));
    assert!(level.get::<RectCollider>(start).is_none(), "a point");
}

#[test]
fn tiles_are_as_their_tileset() {
    let mut level = level("tileset_property.tmx").no_errors();
    let picture = level.picture([0.0, 0.0], 8.0, 5, 3);
    assert_eq!(picture, "####.\n####.\n.....\n");
    let wall = level.only(8.0, 8.0);
    assert!(level.get::<Solid>(wall).is_some());
    assert!(level.get::<TiledTile>(wall).is_none(), "a grid");
}

#[test]
fn one_sentence_names_the_cause() {
    let map = read("isometric.tmx");
    let errors = spawn(&mut app(), &map, &TiledRules::new()).errors;
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let errors: Vec<&str> = errors.iter().map(|it| without_folder(it)).collect();
    let expected = "isometric.tmx:2: the map is isometric, and only orthogonal maps have colliders";
    assert_eq!(errors, [expected]);
    let expected = "merge_conflict.tmx:4: cannot be read: it has a merge conflict, which begins \
                    here: resolve it in version control";
    assert_eq!(refused("merge_conflict.tmx"), expected);
    let expected = "levels.world: cannot be read: it is a world, a list of maps: read each of its \
                    maps";
    assert_eq!(refused("levels.world"), expected);
}
