//! Colors, and parts of drawings.

use bevy::{ecs::system::SystemParam, prelude::*};

pub mod palette {
    use bevy::prelude::*;

    pub const SKY: Color = Color::srgb(0.52, 0.76, 0.90);
    pub const FAR_HILL: Color = Color::srgb(0.45, 0.69, 0.80);
    pub const NEAR_HILL: Color = Color::srgb(0.39, 0.63, 0.68);
    pub const CLOUD: Color = Color::srgba(1.0, 1.0, 1.0, 0.45);
    pub const EARTH: Color = Color::srgb(0.42, 0.29, 0.24);
    pub const EARTH_DARK: Color = Color::srgb(0.36, 0.24, 0.20);
    pub const GRASS: Color = Color::srgb(0.37, 0.67, 0.27);
    pub const WOOD: Color = Color::srgb(0.76, 0.54, 0.28);
    pub const WOOD_DARK: Color = Color::srgb(0.56, 0.37, 0.18);
    pub const STEEL: Color = Color::srgb(0.52, 0.57, 0.64);
    pub const STEEL_DARK: Color = Color::srgb(0.27, 0.30, 0.36);
    pub const STRIPE: Color = Color::srgb(0.97, 0.77, 0.20);
    pub const DANGER: Color = Color::srgb(0.75, 0.22, 0.22);
    pub const COIN: Color = Color::srgb(1.0, 0.80, 0.15);
    pub const COIN_RIM: Color = Color::srgb(0.83, 0.55, 0.05);
    pub const HERO: Color = Color::srgb(0.93, 0.37, 0.19);
    pub const HERO_DARK: Color = Color::srgb(0.24, 0.28, 0.55);
    pub const ENEMY: Color = Color::srgb(0.48, 0.24, 0.62);
    pub const WHITE: Color = Color::srgb(0.98, 0.98, 0.96);
    pub const INK: Color = Color::srgb(0.10, 0.10, 0.14);
}

/// Makes parts of drawings.
#[derive(SystemParam)]
pub struct Brush<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
}

pub type Drawing = (Mesh2d, MeshMaterial2d<ColorMaterial>, Transform);

impl Brush<'_> {
    pub fn disc(&mut self, color: Color, at: Vec3, radius: f32) -> Drawing {
        self.draw(Circle::new(radius).into(), color, at)
    }

    pub fn capsule(&mut self, color: Color, at: Vec3, radius: f32, length: f32) -> Drawing {
        self.draw(Capsule2d::new(radius, length).into(), color, at)
    }

    pub fn triangle(&mut self, color: Color, z: f32, corners: [Vec2; 3]) -> Drawing {
        let [a, b, c] = corners;
        self.draw(Triangle2d::new(a, b, c).into(), color, z * Vec3::Z)
    }

    /// A convex polygon with corners that are counterclockwise.
    pub fn polygon(&mut self, color: Color, z: f32, corners: &[Vec2]) -> Drawing {
        let polygon = ConvexPolygon::new(corners.iter().copied()).expect("the corners are convex");
        self.draw(polygon.into(), color, z * Vec3::Z)
    }

    fn draw(&mut self, mesh: Mesh, color: Color, at: Vec3) -> Drawing {
        let mesh = Mesh2d(self.meshes.add(mesh));
        let material = MeshMaterial2d(self.materials.add(color));
        (mesh, material, Transform::from_translation(at))
    }
}

pub fn rect(color: Color, at: Vec3, size: Vec2) -> (Sprite, Transform) {
    let sprite = Sprite::from_color(color, size);
    (sprite, Transform::from_translation(at))
}

/// A bar from one point to another.
pub fn bar(color: Color, z: f32, [from, to]: [Vec2; 2], width: f32) -> (Sprite, Transform) {
    let (middle, along) = (from.midpoint(to), to - from);
    let (sprite, at) = rect(color, middle.extend(z), Vec2::new(along.length(), width));
    (
        sprite,
        at.with_rotation(Quat::from_rotation_z(along.to_angle())),
    )
}
