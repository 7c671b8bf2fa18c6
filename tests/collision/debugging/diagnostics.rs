//! `CollisionDiagnosticsPlugin`: counts and durations.

use bevy::{
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};

use crate::common::*;

fn value_of(app: &App, path: &DiagnosticPath) -> Option<f64> {
    let store = app.world().resource::<DiagnosticsStore>();
    store.get(path)?.value()
}

#[test]
fn diagnostics_count_colliders_pairs_and_changes() {
    let mut app = unstarted_app(CollisionPlugin::default());
    app.add_plugins(CollisionDiagnosticsPlugin::default())
        .init_resource::<DiagnosticsStore>();
    start(&mut app);
    for x in [0.0, 1.5, 3.0, 50.0] {
        spawn(&mut app, ball(x, 0.0));
    }
    app.update();
    let value = |path: &DiagnosticPath| value_of(&app, path);
    type Plugin = CollisionDiagnosticsPlugin;
    assert_eq!(value(&Plugin::COLLIDERS), Some(4.0));
    assert_eq!(value(&Plugin::PAIRS), Some(2.0));
    assert_eq!(value(&Plugin::CHANGES), Some(2.0));
    for time in [
        &Plugin::SYNC,
        &Plugin::MOVE,
        &Plugin::DETECT,
        &Plugin::REPORT,
    ] {
        let milliseconds = value(time).expect("it is measured");
        assert!((0.0..10_000.0).contains(&milliseconds), "{time:?}");
    }
    app.update();
    assert_eq!(value_of(&app, &Plugin::PAIRS), Some(2.0));
    assert_eq!(value_of(&app, &Plugin::CHANGES), Some(0.0));
}

#[test]
fn diagnostics_say_what_took_the_time() {
    type Plugin = CollisionDiagnosticsPlugin;
    let mut app = unstarted_app(CollisionPlugin::default());
    app.add_plugins(CollisionDiagnosticsPlugin::default())
        .init_resource::<DiagnosticsStore>();
    start(&mut app);
    let noise = (0..64 * 64).map(|cell| cell * 7 % 5 < 2);
    let map = TileCollider::from_cells(64, noise, Vec2::ONE);
    spawn(&mut app, (map, at(0.0, 0.0)));
    let sensor = spawn(&mut app, (CircleCollider::new(8.0), at(0.0, 0.0)));
    app.update();
    let counts = |app: &App| {
        let paths = [&Plugin::SHAPE_TESTS, &Plugin::SORTED_BOXES];
        paths.map(|path| value_of(app, path).unwrap_or(-1.0))
    };
    assert_eq!(counts(&app), [1.0, 2.0]);
    // At rest there is nothing to do.
    app.update();
    assert_eq!(counts(&app), [0.0; 2]);
    set_position(&mut app, sensor, Vec2::splat(0.1));
    app.update();
    assert_eq!(counts(&app), [1.0, 0.0]);
}

#[test]
fn diagnostics_without_the_plugin_measure_nothing() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionDiagnosticsPlugin::default()));
    app.init_resource::<DiagnosticsStore>();
    app.finish();
    app.cleanup();
    app.update();
    assert_eq!(value_of(&app, &CollisionDiagnosticsPlugin::PAIRS), None);
}
