//! Test apps with a headless window and a mouse.

use bevy::{
    camera::{ComputedCameraValues, NormalizedRenderTarget, RenderTargetInfo, Viewport},
    picking::{
        InteractionPlugin, PickingPlugin, PickingSettings,
        backend::PointerHits,
        hover::HoverMap,
        pointer::{Location, PointerAction, PointerId, PointerInput},
    },
    prelude::*,
    window::{PrimaryWindow, WindowRef},
};
use bevy_thud::{CollisionPickingPlugin, prelude::*};

/// Of every target, in logical pixels.
pub const SIZE: Vec2 = Vec2::new(200.0, 100.0);

/// The center of every target, in logical pixels from its top-left corner. A camera at the origin
/// shows the origin there.
pub const CENTER: Vec2 = Vec2::new(100.0, 50.0);

/// An app with a window and a mouse, but without a camera.
pub fn test_app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionPickingPlugin,
    ))
    .insert_resource(PickingSettings {
        // The window would be behind everything.
        is_window_picking_enabled: false,
        ..default()
    })
    .add_plugins((PickingPlugin, InteractionPlugin));
    app.init_resource::<Recorded>().add_systems(Last, record);
    app.finish();
    app.cleanup();
    spawn(&mut app, (Window::default(), PrimaryWindow));
    spawn(&mut app, PointerId::Mouse);
    app
}

/// The same with a camera at the origin that shows a unit as a pixel.
pub fn app_with_camera() -> App {
    let mut app = test_app();
    spawn(&mut app, flat_camera());
    app
}

pub fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn(bundle).id()
}

/// A circle of radius 10 at a position.
pub fn ball(x: f32, y: f32, z: f32) -> impl Bundle {
    (CircleCollider::new(10.0), Transform::from_xyz(x, y, z))
}

/// A camera at the origin that shows a unit as a pixel, as `Camera2d` does.
pub fn flat_camera() -> (Camera, Projection) {
    camera(flat(1.0), None, 1.0)
}

/// A projection that shows this many units as a pixel.
pub fn flat(scale: f32) -> Projection {
    OrthographicProjection {
        scale,
        ..OrthographicProjection::default_2d()
    }
    .into()
}

/// A camera with all that Bevy computes for a target of [`SIZE`], with this many physical pixels
/// per logical one.
pub fn camera(
    mut projection: Projection,
    viewport: Option<Viewport>,
    scale_factor: f32,
) -> (Camera, Projection) {
    let physical_size = (SIZE * scale_factor).as_uvec2();
    let drawn = (viewport.as_ref()).map_or(physical_size, |viewport| viewport.physical_size);
    let logical = drawn.as_vec2() / scale_factor;
    projection.update(logical.x, logical.y);
    let computed = ComputedCameraValues {
        clip_from_view: projection.get_clip_from_view(),
        target_info: Some(RenderTargetInfo {
            physical_size,
            scale_factor,
        }),
        ..default()
    };
    let camera = Camera {
        viewport,
        computed,
        ..default()
    };
    (camera, projection)
}

/// A position in the first window, in logical pixels from its top-left corner.
pub fn in_window(app: &mut App, position: Vec2) -> Location {
    let window = app
        .world_mut()
        .query_filtered::<Entity, With<PrimaryWindow>>()
        .single(app.world())
        .unwrap();
    let target = WindowRef::Primary.normalize(Some(window)).unwrap();
    Location {
        target: NormalizedRenderTarget::Window(target),
        position,
    }
}

/// Sends a mouse event, and returns what the mouse hits then.
pub fn act(app: &mut App, location: Location, action: PointerAction) -> Vec<PointerHits> {
    let input = PointerInput::new(PointerId::Mouse, location, action);
    app.world_mut().write_message(input);
    app.update();
    app.world().resource::<Recorded>().0.clone()
}

/// What pointers hit in the last update.
#[derive(Resource, Default)]
struct Recorded(Vec<PointerHits>);

fn record(mut hits: MessageReader<PointerHits>, mut recorded: ResMut<Recorded>) {
    recorded.0 = hits.read().cloned().collect();
}

/// Moves the mouse, and returns what it hits there.
pub fn hits_at(app: &mut App, location: Location) -> Vec<PointerHits> {
    let delta = Vec2::ZERO;
    act(app, location, PointerAction::Move { delta })
}

/// The entities that the mouse hits at a position of the first window, from front to back for each
/// camera.
pub fn picked_at(app: &mut App, position: Vec2) -> Vec<Entity> {
    let location = in_window(app, position);
    let hits = hits_at(app, location);
    let picks = hits.iter().flat_map(|hits| &hits.picks);
    picks.map(|(entity, _)| *entity).collect()
}

/// The entities that the mouse hovers at a position of the first window, sorted.
pub fn hovered_at(app: &mut App, position: Vec2) -> Vec<Entity> {
    picked_at(app, position);
    let hovered = &app.world().resource::<HoverMap>()[&PointerId::Mouse];
    let mut hovered: Vec<Entity> = hovered.keys().copied().collect();
    hovered.sort_unstable();
    hovered
}
