//! Meshes and materials, each made once: entities that share them are drawn in one batch.

use bevy::{ecs::system::SystemParam, platform::collections::HashMap, prelude::*};

pub mod palette {
    use bevy::prelude::*;

    pub const VOID: Color = Color::srgb(0.035, 0.045, 0.07);
    pub const FLOOR: Color = Color::srgb(0.085, 0.105, 0.15);
    pub const FLOOR_LINE: Color = Color::srgb(0.105, 0.128, 0.18);
    pub const WALL: Color = Color::srgb(0.36, 0.42, 0.52);
    pub const WALL_TOP: Color = Color::srgb(0.48, 0.55, 0.66);
    pub const SHADOW: Color = Color::srgba(0.0, 0.0, 0.0, 0.35);
    pub const DOOR: Color = Color::srgb(0.78, 0.55, 0.16);
    pub const DOOR_TOP: Color = Color::srgb(0.93, 0.72, 0.27);
    pub const PLATE: Color = Color::srgb(0.30, 0.23, 0.11);
    pub const PLATE_LIT: Color = DOOR_TOP;
    pub const PRESS: Color = Color::srgb(0.40, 0.27, 0.25);
    pub const PRESS_TOP: Color = Color::srgb(0.58, 0.38, 0.33);
    pub const STEEL: Color = Color::srgb(0.74, 0.79, 0.84);
    pub const TURNSTILE: Color = Color::srgb(0.05, 0.24, 0.27);
    pub const ARROW: Color = Color::srgb(0.25, 0.85, 0.82);
    pub const HAZARD: Color = Color::srgb(0.26, 0.19, 0.10);
    pub const HAZARD_LIVE: Color = Color::srgb(0.95, 0.25, 0.15);
    pub const HAZARD_FLOOR: Color = Color::srgb(0.115, 0.10, 0.125);
    pub const PLAYERS: [Color; 2] = [Color::srgb(0.30, 0.72, 1.0), Color::srgb(1.0, 0.48, 0.80)];
    pub const IRON: Color = Color::srgb(0.16, 0.17, 0.21);
    pub const GRUNT: Color = Color::srgb(0.42, 0.74, 0.32);
    pub const SKITTERER: Color = Color::srgb(0.86, 0.84, 0.36);
    pub const BRUTE: Color = Color::srgb(0.72, 0.24, 0.26);
    pub const BRUTE_ANGRY: Color = Color::srgb(1.0, 0.36, 0.24);
    pub const SPITTER: Color = Color::srgb(0.60, 0.40, 0.86);
    pub const GLOB: Color = Color::srgb(0.78, 0.60, 1.0);
    pub const RIM: Color = Color::srgb(0.03, 0.04, 0.06);
    pub const WHITE: Color = Color::srgb(0.97, 0.97, 0.95);
    pub const CROSS: Color = Color::srgb(0.86, 0.16, 0.20);
    pub const EMBER: Color = Color::srgb(0.85, 0.22, 0.06);
    pub const FLAME: Color = Color::srgb(1.0, 0.52, 0.10);
    pub const GLOW: Color = Color::srgb(1.0, 0.86, 0.40);
    pub const HINT: Color = Color::srgba(0.035, 0.045, 0.07, 0.88);
    pub const AIM: Color = Color::srgba(1.0, 0.86, 0.40, 0.55);
    pub const HALO: Color = Color::srgba(1.0, 0.50, 0.10, 0.16);
    pub const HEALTHY: Color = Color::srgb(0.36, 0.82, 0.40);
    pub const DYING: Color = Color::srgb(0.92, 0.28, 0.24);
    pub const PORTAL: Color = Color::srgba(0.85, 0.35, 0.95, 0.75);
}

/// The meshes, of size 1, and the materials made so far.
#[derive(Resource)]
struct Paintbox {
    disc: Handle<Mesh>,
    square: Handle<Mesh>,
    triangle: Handle<Mesh>,
    ring: Handle<Mesh>,
    paints: HashMap<[u8; 4], Handle<ColorMaterial>>,
}

pub fn plugin(app: &mut App) {
    app.add_systems(PreStartup, fill_paintbox);
}

fn fill_paintbox(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>) {
    commands.insert_resource(Paintbox {
        disc: meshes.add(Circle::new(1.0)),
        square: meshes.add(Rectangle::new(1.0, 1.0)),
        triangle: meshes.add(Triangle2d::new(
            Vec2::new(1.0, 0.0),
            Vec2::new(0.0, 0.5),
            Vec2::new(0.0, -0.5),
        )),
        ring: meshes.add(Annulus::new(0.8, 1.0)),
        paints: HashMap::default(),
    });
}

/// Spawns drawn parts of an entity.
#[derive(SystemParam)]
pub struct Brush<'w> {
    paintbox: ResMut<'w, Paintbox>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
}

/// Something that is drawn.
pub type Drawing = (Mesh2d, MeshMaterial2d<ColorMaterial>, Transform);

impl Brush<'_> {
    pub fn paint(&mut self, color: Color) -> MeshMaterial2d<ColorMaterial> {
        let key = color.to_srgba().to_u8_array();
        let materials = &mut self.materials;
        let paint = self
            .paintbox
            .paints
            .entry(key)
            .or_insert_with(|| materials.add(color));
        MeshMaterial2d(paint.clone())
    }

    pub fn disc(&mut self, color: Color, position: Vec3, radius: f32) -> Drawing {
        self.draw(
            self.paintbox.disc.clone(),
            color,
            position,
            Vec2::splat(radius),
        )
    }

    /// The line width is a fifth of the radius.
    pub fn ring(&mut self, color: Color, position: Vec3, radius: f32) -> Drawing {
        self.draw(
            self.paintbox.ring.clone(),
            color,
            position,
            Vec2::splat(radius),
        )
    }

    pub fn rect(&mut self, color: Color, position: Vec3, size: Vec2) -> Drawing {
        self.draw(self.paintbox.square.clone(), color, position, size)
    }

    /// Its base of width `size.y` is centered at `position`, and its tip is `size.x` to the right.
    pub fn triangle(&mut self, color: Color, position: Vec3, size: Vec2) -> Drawing {
        self.draw(self.paintbox.triangle.clone(), color, position, size)
    }

    fn draw(&mut self, mesh: Handle<Mesh>, color: Color, position: Vec3, size: Vec2) -> Drawing {
        let transform = Transform::from_translation(position).with_scale(size.extend(1.0));
        (Mesh2d(mesh), self.paint(color), transform)
    }
}
