//! The camera: the wheel zooms about the mouse, the right or middle button pans, and F resets the
//! view.

use bevy::{
    ecs::system::SystemParam,
    input::mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    prelude::*,
};

use super::{Pointer, Working};

/// The area of the world that the initial view shows at least.
const HOME: Vec2 = Vec2::new(1280.0, 720.0);
/// World units per pixel.
const NEAREST: f32 = 0.05;
const FURTHEST: f32 = 10.0;
const ZOOM_PER_LINE: f32 = 1.12;
const PIXELS_PER_LINE: f32 = 40.0;

/// Whether the view is the initial one: then it is fitted to the window whenever that is resized.
#[derive(Resource)]
struct AtHome(bool);

/// Converts between the world and the window.
#[derive(SystemParam)]
pub struct View<'w, 's> {
    camera: Single<'w, 's, (&'static Transform, &'static Projection), With<Camera2d>>,
    window: Single<'w, 's, &'static Window>,
}

impl View<'_, '_> {
    /// World units per pixel.
    pub fn pixel(&self) -> f32 {
        match self.camera.1 {
            Projection::Orthographic(projection) => projection.scale,
            _ => 1.0,
        }
    }

    /// The size of the window, in pixels.
    pub fn size(&self) -> Vec2 {
        self.window.size()
    }

    /// From the window's upper left corner, in pixels.
    pub fn to_window(&self, world: Vec2) -> Vec2 {
        let from_middle = (world - self.camera.0.translation.truncate()) / self.pixel();
        self.size() / 2.0 + from_middle * Vec2::new(1.0, -1.0)
    }

    /// The visible area of the world.
    pub fn area(&self) -> Rect {
        let center = self.camera.0.translation.truncate();
        Rect::from_center_size(center, self.size() * self.pixel())
    }
}

pub fn plugin(app: &mut App) {
    app.insert_resource(AtHome(true))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Camera2d);
        })
        .add_systems(Update, (zoom, pan, go_home).chain().in_set(Working::Keys));
}

fn zoom(
    scroll: Res<AccumulatedMouseScroll>,
    pointer: Res<Pointer>,
    camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>,
    mut at_home: ResMut<AtHome>,
) {
    let lines = match scroll.unit {
        MouseScrollUnit::Line => scroll.delta.y,
        MouseScrollUnit::Pixel => scroll.delta.y / PIXELS_PER_LINE,
    };
    let (mut transform, mut projection) = camera.into_inner();
    let Projection::Orthographic(projection) = projection.as_mut() else {
        return;
    };
    if lines == 0.0 {
        return;
    }
    at_home.0 = false;
    let wanted = projection.scale * ZOOM_PER_LINE.powf(-lines);
    let scale = wanted.clamp(NEAREST, FURTHEST);
    let fixed = pointer.world.extend(transform.translation.z);
    transform.translation = fixed + (transform.translation - fixed) * (scale / projection.scale);
    projection.scale = scale;
}

fn pan(
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<Pointer>,
    camera: Single<(&mut Transform, &Projection), With<Camera2d>>,
    mut at_home: ResMut<AtHome>,
) {
    let (mut transform, projection) = camera.into_inner();
    let Projection::Orthographic(projection) = projection else {
        return;
    };
    let is_held = buttons.any_pressed([MouseButton::Right, MouseButton::Middle]);
    if is_held && pointer.moved != Vec2::ZERO {
        at_home.0 = false;
        let moved = pointer.moved * Vec2::new(-1.0, 1.0) * projection.scale;
        transform.translation += moved.extend(0.0);
    }
}

fn go_home(
    keys: Res<ButtonInput<KeyCode>>,
    window: Single<Ref<Window>>,
    camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>,
    mut at_home: ResMut<AtHome>,
) {
    at_home.0 |= keys.any_just_pressed([KeyCode::KeyF, KeyCode::Home]);
    if !at_home.0 || !(window.is_changed() || at_home.is_changed()) {
        return;
    }
    let (mut transform, mut projection) = camera.into_inner();
    if let Projection::Orthographic(projection) = projection.as_mut() {
        let scale = (HOME / window.size().max(Vec2::ONE)).max_element();
        projection.scale = scale.clamp(NEAREST, FURTHEST);
    }
    transform.translation.x = 0.0;
    transform.translation.y = 0.0;
}
