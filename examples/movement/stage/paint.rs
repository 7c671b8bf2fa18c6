//! Fills colliders with colors. Their outlines are those of `CollisionDebugPlugin`.

use bevy::{color::palettes::tailwind, platform::collections::HashMap, prelude::*};
use bevy_thud::{CollisionGizmos, prelude::*};

pub mod palette {
    use bevy::prelude::*;

    pub const VOID: Color = Color::srgb(0.035, 0.045, 0.07);
    pub const WALL: Color = Color::srgb(0.17, 0.21, 0.29);
    pub const WAY: Color = Color::srgb(0.12, 0.30, 0.36);
    pub const PLAYER: Color = Color::srgb(0.24, 0.62, 0.32);
    pub const BLUE: Color = Color::srgb(0.16, 0.42, 0.78);
    pub const ORANGE: Color = Color::srgb(0.85, 0.48, 0.14);
    pub const VIOLET: Color = Color::srgb(0.52, 0.34, 0.82);
    pub const CRUSHED: Color = Color::srgb(0.88, 0.16, 0.18);
    pub const GLOW: Color = Color::srgb(1.0, 0.86, 0.40);
    pub const PALE: Color = Color::srgb(0.60, 0.66, 0.75);
    pub const WHITE: Color = Color::srgb(0.95, 0.96, 0.97);

    /// The colors of bodies, one after another.
    pub const BODIES: [Color; 3] = [BLUE, ORANGE, VIOLET];
}

/// The color that fills a collider.
#[derive(Component, Clone, Copy, PartialEq)]
pub struct Paint(pub Color);

/// Colors bodies after the collision update, so that its results are seen in the same frame.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Painting;

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(palette::VOID))
        .add_systems(Startup, choose_outlines)
        .add_systems(Update, fill)
        .add_systems(PostUpdate, paint.in_set(Painting));
}

fn choose_outlines(mut gizmos: ResMut<GizmoConfigStore>) {
    let (config, outlines) = gizmos.config_mut::<CollisionGizmos>();
    config.line.width = 1.5;
    outlines.solid = Some(tailwind::SLATE_400.into());
    outlines.mover = Some(tailwind::SLATE_100.into());
    outlines.trigger = Some(tailwind::AMBER_300.into());
    outlines.colliding = None;
    outlines.contact = None;
    outlines.hits = None;
}

fn fill(
    bodies: Query<(Entity, Option<&CircleCollider>, Option<&RectCollider>), Added<Paint>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
) {
    for (body, circle, rect) in &bodies {
        let mesh = match (circle, rect) {
            (Some(circle), _) => meshes.add(Circle::new(circle.radius)),
            (_, Some(rect)) => meshes.add(Rectangle::from_size(rect.size)),
            _ => continue,
        };
        commands.entity(body).insert(Mesh2d(mesh));
    }
}

/// Each color is made once: entities that share it are drawn in one batch.
fn paint(
    bodies: Query<(Entity, &Paint), Changed<Paint>>,
    mut made: Local<HashMap<[u8; 4], Handle<ColorMaterial>>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (body, Paint(color)) in &bodies {
        let key = color.to_srgba().to_u8_array();
        let material = made.entry(key).or_insert_with(|| materials.add(*color));
        let material = MeshMaterial2d(material.clone());
        commands.entity(body).insert(material);
    }
}
