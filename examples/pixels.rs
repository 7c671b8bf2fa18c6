//! Pixels that collide: the opaque pixels of an image are the solid cells of a grid, rotated and
//! scaled with its sprite.
//!
//! `cargo run --example pixels` opens a window. The mouse flies a ship around a skull, and pixels
//! that touch light up. A click shoots a hole. Rows run down from the top left in images and in
//! grids, so a cell of the collider and its pixel have the same coordinates.

use std::f32::consts::FRAC_PI_2;

use bevy::{
    asset::{AssetEventSystems, RenderAssetUsages},
    image::ToExtents,
    platform::collections::HashMap,
    prelude::*,
    render::render_resource::{TextureDimension, TextureFormat},
};
use bevy_thud::{CollidingPair, prelude::*};

/// Each character is a pixel, and a period is a transparent one.
const SKULL: Rows = &[
    "....#######+....",
    "..##########++..",
    ".############++.",
    ".#############+.",
    "##############++",
    "####..###..###++",
    "###....#....##++",
    "###....#....##++",
    "###....#....##++",
    "####..###..###++",
    ".######.######+.",
    "..####...####+..",
    "...####.####+...",
    "...#########+...",
    "...##.#.#.#++...",
    "...#+.+.+.++....",
];
const SHIP: Rows = &[
    "....o....",
    "....o....",
    "...ooo...",
    "o..o-o..o",
    "o.oo-oo.o",
    "ooooooooo",
    "o-oo.oo-o",
    "..--.--..",
];
const HOT: Srgba = Srgba::rgb(1.0, 0.40, 0.10);
const PAPER: Color = Color::srgb(0.055, 0.067, 0.094);
const INK: Color = Color::srgb(0.62, 0.70, 0.80);

/// How fast pixels cool down, per second.
const COOLING: f32 = 0.7;
/// How far the skull swings to each side, in radians.
const SWING: f32 = 0.3;
/// The radius of a hole, in pixels of the skull.
const HOLE_RADIUS: f32 = 1.5;

type Rows = &'static [&'static str];

/// The characters that an image is made of.
#[derive(Component)]
struct Letters(Rows);

/// The heat of its pixels, 0 to 1.
#[derive(Component, Default)]
struct Heat(HashMap<UVec2, f32>);

#[derive(Component)]
struct Ship;

type Skull = (With<Letters>, Without<Ship>);

pub(crate) fn main() {
    App::new()
        .add_plugins(DefaultPlugins.set(ImagePlugin::default_nearest()))
        .add_plugins(CollisionPlugin::default())
        .insert_resource(ClearColor(PAPER))
        .add_systems(Startup, spawn)
        .add_systems(Update, (turn, fly, shoot))
        .add_systems(
            PostUpdate,
            (glow, paint, report)
                .chain()
                .after(CollisionSystems::Report)
                // So that the glow is seen in the same frame.
                .before(AssetEventSystems),
        )
        .run();
}

fn spawn(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut window: Single<&mut Window>,
) -> Result {
    window.title = "Pixels".into();
    let skull = Transform::from_xyz(60.0, 0.0, 0.0).with_scale(Vec3::splat(30.0));
    let ship = Transform::from_xyz(-400.0, -100.0, 1.0).with_scale(Vec3::splat(12.0));
    commands.spawn((sprite(SKULL, &mut images)?, skull));
    commands.spawn((Ship, sprite(SHIP, &mut images)?, ship));
    let below = Transform::from_xyz(0.0, -330.0, 0.0);
    commands.spawn((Text2d::default(), TextColor(INK), below));
    commands.spawn(Camera2d);
    Ok(())
}

/// A sprite made of rows of characters, and its collider.
fn sprite(rows: Rows, images: &mut Assets<Image>) -> Result<impl Bundle> {
    let letters = rows.iter().flat_map(|row| row.bytes());
    let data = letters.flat_map(|letter| color(letter).to_u8_array());
    let image = Image::new(
        UVec2::new(rows[0].len() as u32, rows.len() as u32).to_extents(),
        TextureDimension::D2,
        data.collect(),
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::default(),
    );
    let data = image.data.as_ref().ok_or("an image without data")?;
    let alpha = data.iter().skip(3).step_by(4).copied();
    let collider = TileCollider::from_alpha(image.width(), alpha, 128, Vec2::ONE);
    let sprite = Sprite::from_image(images.add(image));
    Ok((sprite, collider, Letters(rows), Heat::default()))
}

fn color(letter: u8) -> Srgba {
    match letter {
        b'#' => Srgba::rgb(0.78, 0.74, 0.66),
        b'+' => Srgba::rgb(0.60, 0.56, 0.50),
        b'o' => Srgba::rgb(0.40, 0.62, 0.90),
        b'-' => Srgba::rgb(0.22, 0.36, 0.60),
        _ => Srgba::NONE,
    }
}

fn turn(time: Res<Time>, mut skull: Single<&mut Transform, Skull>) {
    let angle = SWING * time.elapsed_secs().sin();
    skull.rotation = Quat::from_rotation_z(angle);
}

/// Puts the ship where the mouse is, with its nose toward the skull.
fn fly(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    skull: Single<&Transform, Skull>,
    mut ship: Single<&mut Transform, With<Ship>>,
) {
    let (camera, seen_from) = *camera;
    if let Some(mouse) = window.cursor_position()
        && let Ok(position) = camera.viewport_to_world_2d(seen_from, mouse)
    {
        ship.translation = position.extend(ship.translation.z);
    }
    let ahead = (skull.translation - ship.translation).truncate();
    ship.rotation = Quat::from_rotation_z(ahead.to_angle() - FRAC_PI_2);
}

/// A ray reports the pixel that it hits. A hole is made in the collider and in the image.
fn shoot(
    buttons: Res<ButtonInput<MouseButton>>,
    query: SpatialQuery,
    ship: Single<(Entity, &Transform), With<Ship>>,
    mut targets: Query<(&Sprite, &mut TileCollider, &mut Heat)>,
    mut images: ResMut<Assets<Image>>,
    mut gizmos: Gizmos,
) -> Result {
    let (ship, transform) = *ship;
    let ahead = Dir2::new(transform.up().truncate())?;
    let ray = Ray2d::new(transform.translation.truncate(), ahead);
    let others = SpatialQueryFilter::default().exclude(ship);
    let Some((target, hit)) = query.cast_ray(ray, 1000.0, &others) else {
        return Ok(());
    };
    gizmos.line_2d(ray.origin, hit.point, INK.with_alpha(0.3));
    let (sprite, mut tiles, mut heat) = targets.get_mut(target)?;
    if let Some(center) = hit.cell
        && buttons.just_pressed(MouseButton::Left)
        && let Some(mut image) = images.get_mut(&sprite.image)
    {
        let solid: Vec<UVec2> = tiles.solid_cells().collect();
        for cell in solid {
            let distance = cell.as_vec2().distance(center.as_vec2());
            if distance < HOLE_RADIUS {
                tiles.set(cell, false);
                image.set_color_at(cell.x, cell.y, Color::NONE)?;
            } else if distance < 2.0 * HOLE_RADIUS {
                heat.0.insert(cell, 1.0);
            }
        }
    }
    Ok(())
}

/// A contact reports the pixel of each collider.
fn glow(collisions: Collisions, mut pixels: Query<&mut Heat>) -> Result {
    for CollidingPair { a, b, contact, .. } in collisions.iter() {
        for (entity, cell) in [(a, contact.cell_a()), (b, contact.cell_b())] {
            let heat = &mut pixels.get_mut(entity)?.0;
            heat.extend(cell.map(|cell| (cell, 1.0)));
        }
    }
    Ok(())
}

fn paint(
    time: Res<Time>,
    mut sprites: Query<(&Sprite, &TileCollider, &Letters, &mut Heat)>,
    mut images: ResMut<Assets<Image>>,
) -> Result {
    for (sprite, tiles, letters, mut heat) in &mut sprites {
        heat.0
            .retain(|cell, heat| *heat > 0.0 && tiles.is_solid(*cell));
        for (cell, heat) in &mut heat.0 {
            *heat = (*heat - COOLING * time.delta_secs()).max(0.0);
            let cold = color(letters.0[cell.y as usize].as_bytes()[cell.x as usize]);
            let mut image = images.get_mut(&sprite.image).ok_or("no image")?;
            image.set_color_at(cell.x, cell.y, cold.mix(&HOT, *heat).into())?;
        }
    }
    Ok(())
}

fn report(collisions: Collisions, ship: Single<Entity, With<Ship>>, mut text: Single<&mut Text2d>) {
    let contact = collisions.of(*ship).next().map(|(_, contact)| contact);
    let cells = contact.and_then(|contact| contact.cell_a().zip(contact.cell_b()));
    text.0 = match cells {
        Some((ship, skull)) => format!("pixel {ship} of the ship meets pixel {skull} of the skull"),
        None => "click: shoot a hole".into(),
    };
}
