//! Players and monsters: a body, eyes that look ahead, and the marks of its kind.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::game::{
        health::Damage,
        monsters::{Charge, GLOB_RADIUS, Glob, Monster, Mood, Portal},
        player::{self, Intent, Player},
    },
    brush::{Brush, palette},
};

const FLASH_SECONDS: f32 = 0.09;

/// The part of a body that has its color.
#[derive(Component)]
struct Skin {
    color: Color,
    /// Seconds that it stays white.
    flash_left: f32,
}

/// Rotates toward what the body looks at.
#[derive(Component)]
struct Head;

/// The ring of a portal.
#[derive(Component)]
struct Iris;

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            (draw_players, draw_monsters, draw_globs, draw_portals),
            (aim_heads, turn_heads, open_portals, color_skins),
        )
            .chain(),
    )
    .add_observer(flash);
}

/// Adds what is drawn of a body, and returns the commands of its head.
fn draw_body(
    commands: &mut Commands,
    brush: &mut Brush,
    body: Entity,
    radius: f32,
    color: Color,
) -> Entity {
    let skin = Skin {
        color,
        flash_left: 0.0,
    };
    let head = commands
        .spawn((Head, Transform::default(), Visibility::default()))
        .id();
    commands
        .entity(body)
        .insert(Visibility::default())
        .with_child(brush.disc(palette::SHADOW, Vec3::new(3.0, -4.0, -0.5), radius))
        .with_child(brush.disc(palette::RIM, Vec3::ZERO, radius))
        .with_child((skin, brush.disc(color, Vec3::Z * 0.1, radius * 0.88)))
        .add_child(head);
    for side in [-1.0, 1.0] {
        let eye = Vec3::new(0.42, 0.36 * side, 0.0) * radius;
        let pupil = Vec3::new(0.53, 0.36 * side, 0.0) * radius;
        commands
            .entity(head)
            .with_child(brush.disc(palette::WHITE, eye + Vec3::Z * 0.2, radius * 0.26))
            .with_child(brush.disc(palette::RIM, pupil + Vec3::Z * 0.3, radius * 0.13));
    }
    head
}

fn draw_players(
    players: Query<(Entity, &Player), Added<Player>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, player) in &players {
        let radius = player::RADIUS;
        let color = palette::PLAYERS[player.0];
        let head = draw_body(&mut commands, &mut brush, entity, radius, color);
        let barrel = Vec3::new(radius * 1.1, -radius * 0.55, -0.1);
        commands
            .entity(head)
            .with_child(brush.rect(palette::IRON, barrel, Vec2::new(radius * 1.3, radius * 0.5)))
            .with_child(brush.rect(
                palette::FLAME,
                barrel + Vec3::new(radius * 0.6, 0.0, 0.05),
                Vec2::new(3.0, radius * 0.5),
            ));
    }
}

fn draw_monsters(
    monsters: Query<(Entity, &Monster), Added<Monster>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, &kind) in &monsters {
        let radius = kind.traits().radius;
        let head = draw_body(&mut commands, &mut brush, entity, radius, color_of(kind));
        let mut ornament = |drawing| {
            commands.entity(head).with_child(drawing);
        };
        match kind {
            Monster::Grunt => {}
            // A tail.
            Monster::Skitterer => {
                let size = Vec2::new(-radius * 1.1, radius * 0.9);
                ornament(brush.triangle(
                    palette::SKITTERER,
                    Vec3::new(-radius * 0.8, 0.0, -0.1),
                    size,
                ));
            }
            // Horns.
            Monster::Brute => {
                for side in [-1.0, 1.0] {
                    let root = Vec3::new(radius * 0.55, radius * 0.72 * side, -0.1);
                    ornament(brush.triangle(
                        palette::WHITE,
                        root,
                        Vec2::new(radius * 0.7, radius * 0.45),
                    ));
                }
            }
            // A mouth.
            Monster::Spitter => {
                ornament(brush.disc(
                    palette::RIM,
                    Vec3::new(radius * 0.85, 0.0, 0.2),
                    radius * 0.3,
                ));
                ornament(brush.disc(
                    palette::GLOB,
                    Vec3::new(radius * 0.85, 0.0, 0.3),
                    radius * 0.18,
                ));
            }
        }
    }
}

pub fn color_of(kind: Monster) -> Color {
    match kind {
        Monster::Grunt => palette::GRUNT,
        Monster::Skitterer => palette::SKITTERER,
        Monster::Brute => palette::BRUTE,
        Monster::Spitter => palette::SPITTER,
    }
}

fn draw_globs(globs: Query<Entity, Added<Glob>>, mut brush: Brush, mut commands: Commands) {
    for glob in &globs {
        commands
            .entity(glob)
            .insert(Visibility::default())
            .with_child(brush.disc(palette::RIM, Vec3::ZERO, GLOB_RADIUS))
            .with_child(brush.disc(palette::GLOB, Vec3::Z * 0.1, GLOB_RADIUS * 0.75));
    }
}

fn draw_portals(portals: Query<Entity, Added<Portal>>, mut brush: Brush, mut commands: Commands) {
    for portal in &portals {
        commands
            .entity(portal)
            .insert(Visibility::default())
            .with_child((Iris, brush.ring(palette::PORTAL, Vec3::ZERO, 1.0)));
    }
}

/// A ring that closes in on the monster to come.
fn open_portals(
    portals: Query<(&Portal, &Children)>,
    mut irises: Query<&mut Transform, With<Iris>>,
) {
    for (portal, children) in &portals {
        let radius = portal.kind.traits().radius;
        for &child in children {
            if let Ok(mut iris) = irises.get_mut(child) {
                let size = radius * (2.5 - 1.5 * portal.fraction());
                iris.scale = Vec2::splat(size).extend(1.0);
            }
        }
    }
}

fn aim_heads(players: Query<(&Intent, &Children)>, mut heads: Query<&mut Transform, With<Head>>) {
    for (intent, children) in &players {
        let aim = Quat::from_rotation_z(intent.aim.to_angle());
        face(children, aim, 1.0, &mut heads);
    }
}

fn turn_heads(
    monsters: Query<(&Mover, &Children, Option<&Charge>), With<Monster>>,
    mut heads: Query<&mut Transform, With<Head>>,
    time: Res<Time>,
) {
    let part = 1.0 - (-10.0 * time.delta_secs()).exp();
    for (mover, children, charge) in &monsters {
        let gaze = match charge.map(|charge| charge.mood) {
            Some(Mood::DrawingBreath(prey)) => prey,
            _ => mover.velocity,
        };
        if gaze.length_squared() > 1.0 || charge.is_some() && gaze != Vec2::ZERO {
            face(
                children,
                Quat::from_rotation_z(gaze.to_angle()),
                part,
                &mut heads,
            );
        }
    }
}

fn face(
    children: &Children,
    direction: Quat,
    part: f32,
    heads: &mut Query<&mut Transform, With<Head>>,
) {
    for &child in children {
        if let Ok(mut head) = heads.get_mut(child) {
            head.rotation = head.rotation.slerp(direction, part);
        }
    }
}

fn flash(damage: On<Damage>, bodies: Query<&Children>, mut skins: Query<&mut Skin>) {
    for &child in bodies.get(damage.entity).into_iter().flatten() {
        if let Ok(mut skin) = skins.get_mut(child) {
            skin.flash_left = FLASH_SECONDS;
        }
    }
}

/// A body is white when hurt, and a brute is red when it is about to charge.
fn color_skins(
    mut skins: Query<(Entity, &mut Skin, &MeshMaterial2d<ColorMaterial>, &ChildOf)>,
    charges: Query<&Charge>,
    time: Res<Time>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, mut skin, paint, body) in &mut skins {
        skin.flash_left -= time.delta_secs();
        let mood = charges.get(body.parent()).map(|charge| charge.mood);
        let color = match mood {
            _ if skin.flash_left > 0.0 => palette::WHITE,
            Ok(Mood::DrawingBreath(_) | Mood::Charging(_)) => palette::BRUTE_ANGRY,
            _ => skin.color,
        };
        let wanted = brush.paint(color);
        if *paint != wanted {
            commands.entity(entity).try_insert(wanted);
        }
    }
}
