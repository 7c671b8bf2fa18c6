//! How does a radar or minimap find what is near, without checking everything?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// For every collider: one without layers is in all of them, and always found.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
enum Layer {
    Wall,
    Foe,
    Chest,
}

impl CollisionLayer for Layer {}

/// What to draw, and where, as seen from the camera.
#[derive(Resource, Default)]
struct Radar(Vec<(Layer, Vec2)>);

/// Added with `scan.run_if(on_timer(Duration::from_millis(200)))`.
fn scan(
    camera: Single<&Transform, With<Camera2d>>,
    colliders: Query<(&Layer, &Transform)>,
    query: SpatialQuery,
    mut radar: ResMut<Radar>,
) {
    let center = camera.translation.truncate();
    let area = Shape::rect(center, Vec2::new(800.0, 600.0), Rot2::IDENTITY);
    let shown = SpatialQueryFilter::only([Layer::Foe, Layer::Chest]);
    let near = query.shape_intersections(&area, &shown);
    let near = near.filter_map(|entity| colliders.get(entity).ok());
    radar.0 = (near.map(|(&layer, at)| (layer, at.translation.truncate() - center))).collect();
}

// ---- What tests it ----

use std::time::Duration;

use bevy::time::common_conditions::on_timer;

use crate::app::*;

/// An app with a camera at (100, 0), and these colliders.
fn app_with<const N: usize>(colliders: [(Layer, f32, f32); N]) -> (App, [Entity; N]) {
    let table = LayerTable::new()
        .collide(Layer::Wall, [Layer::Foe])
        .collide(Layer::Foe, [Layer::Chest]);
    let mut app = app(|app| {
        let scan = scan.run_if(on_timer(Duration::from_millis(200)));
        app.add_layer_table(table)
            .init_resource::<Radar>()
            .add_systems(Update, scan);
    });
    app.world_mut().spawn((Camera2d, at(100.0, 0.0)));
    let colliders = colliders.map(|(layer, x, y)| {
        let collider = (CircleCollider::new(10.0), layer, at(x, y));
        app.world_mut().spawn(collider).id()
    });
    (app, colliders)
}

fn radar(app: &App) -> &[(Layer, Vec2)] {
    &app.world().resource::<Radar>().0
}

#[test]
fn it_shows_what_is_in_its_layers_and_near() {
    let colliders = [
        (Layer::Foe, 480.0, 0.0),
        (Layer::Wall, 150.0, 0.0),
        (Layer::Chest, 100.0, -280.0),
        (Layer::Foe, 520.0, 0.0),
        (Layer::Foe, 100.0, 320.0),
    ];
    let (mut app, _) = app_with(colliders);
    run(&mut app, 0.25);
    let expected = [
        (Layer::Foe, Vec2::X * 380.0),
        (Layer::Chest, Vec2::Y * -280.0),
    ];
    let found = radar(&app);
    assert!(found.len() == 2, "{found:?}");
    assert!(
        expected.iter().all(|blip| found.contains(blip)),
        "{found:?}"
    );
}

#[test]
fn it_is_up_to_date_five_times_a_second() {
    let (mut app, [foe]) = app_with([(Layer::Foe, 0.0, 0.0)]);
    let mut changes = 0;
    for update in 0..64 {
        let before = radar(&app).to_vec();
        app.world_mut()
            .entity_mut(foe)
            .insert(at(update as f32, 0.0));
        app.update();
        changes += usize::from(radar(&app) != before);
    }
    assert!((4..=5).contains(&changes), "{changes}");
}
