//! Bevy's user interface in front of colliders.

use bevy::{
    log::LogPlugin,
    picking::{
        Pickable,
        hover::HoverMap,
        pointer::{PointerAction, PointerId, PointerInput},
    },
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    window::WindowResolution,
    winit::WinitPlugin,
};
use bevy_thud::{CollisionPickingPlugin, prelude::*};

use crate::common::{CENTER, SIZE, ball, in_window, spawn};

/// A collider around the center of the screen, behind a node of the user interface on the left
/// half. Returns the app, the collider and the node.
fn app_with_ui() -> (App, [Entity; 2]) {
    let mut app = App::new();
    let window = Window {
        resolution: WindowResolution::new(SIZE.x as u32, SIZE.y as u32),
        ..default()
    };
    let no_device = RenderPlugin {
        render_creation: WgpuSettings {
            backends: None,
            ..default()
        }
        .into(),
        ..default()
    };
    let plugins = DefaultPlugins.build().disable::<WinitPlugin>();
    app.add_plugins((
        plugins
            .disable::<LogPlugin>()
            .set(no_device)
            .set(WindowPlugin {
                primary_window: Some(window),
                ..default()
            }),
        CollisionPlugin::default(),
        CollisionPickingPlugin,
    ));
    app.finish();
    app.cleanup();
    spawn(&mut app, Camera2d);
    let ball = spawn(&mut app, ball(0.0, 0.0, 1.0));
    let panel = Node {
        width: Val::Px(SIZE.x / 2.0),
        height: Val::Px(SIZE.y),
        ..default()
    };
    let panel = spawn(&mut app, panel);
    app.update();
    app.update();
    (app, [ball, panel])
}

/// The entities that the mouse hovers at a position, sorted.
fn hovered_at(app: &mut App, position: Vec2) -> Vec<Entity> {
    let location = in_window(app, position);
    let delta = Vec2::ZERO;
    let input = PointerInput::new(PointerId::Mouse, location, PointerAction::Move { delta });
    app.world_mut().write_message(input);
    app.update();
    let hovered = &app.world().resource::<HoverMap>()[&PointerId::Mouse];
    let mut hovered: Vec<Entity> = hovered.keys().copied().collect();
    hovered.sort_unstable();
    hovered
}

const LEFT: Vec2 = Vec2::new(-5.0, 0.0);
const RIGHT: Vec2 = Vec2::new(5.0, 0.0);

#[test]
fn the_user_interface_is_in_front_of_colliders() {
    let (mut app, [ball, panel]) = app_with_ui();
    assert_eq!(hovered_at(&mut app, CENTER + LEFT), [panel]);
    assert_eq!(hovered_at(&mut app, CENTER + RIGHT), [ball]);
}

#[test]
fn a_node_that_ignores_pointers_lets_them_through_to_colliders() {
    let (mut app, [ball, panel]) = app_with_ui();
    app.world_mut().entity_mut(panel).insert(Pickable::IGNORE);
    assert_eq!(hovered_at(&mut app, CENTER + LEFT), [ball]);
    let both = Pickable {
        should_block_lower: false,
        is_hoverable: true,
    };
    app.world_mut().entity_mut(panel).insert(both);
    let mut expected = [ball, panel];
    expected.sort();
    assert_eq!(hovered_at(&mut app, CENTER + LEFT), expected);
}
