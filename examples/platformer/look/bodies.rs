//! The hero, enemies, coins and flags.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::game::{
        enemies::{self, Enemy},
        hero::{self, Hero},
        pickups::{COIN_RADIUS, Checkpoint, Coin, Goal},
    },
    brush::{Brush, palette, rect},
    smooth::Drawn,
};

/// The eyes of a body, which look where it walks.
#[derive(Component)]
struct Eyes(Entity);

/// The cloth of a checkpoint.
#[derive(Component)]
struct Cloth(Entity);

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            draw_hero,
            draw_enemies,
            draw_coins,
            draw_checkpoints,
            draw_goal,
        ),
    )
    .add_systems(Update, (look_ahead, raise_cloth));
}

fn draw_hero(heroes: Query<Entity, Added<Hero>>, mut brush: Brush, mut commands: Commands) {
    for entity in &heroes {
        commands.entity(entity).insert(Visibility::default());
        commands
            .spawn((Drawn, ChildOf(entity)))
            .with_children(|drawn| {
                let body = brush.capsule(palette::HERO, 2.0 * Vec3::Z, hero::RADIUS, hero::LENGTH);
                drawn.spawn(body);
                let trousers = Vec3::new(0.0, -6.0, 2.1);
                drawn.spawn(brush.disc(palette::HERO_DARK, trousers, hero::RADIUS));
                draw_eyes(drawn, &mut brush, entity, Vec3::new(0.0, 5.0, 2.2));
            });
    }
}

fn draw_enemies(enemies: Query<Entity, Added<Enemy>>, mut brush: Brush, mut commands: Commands) {
    for entity in &enemies {
        commands.entity(entity).insert(Visibility::default());
        commands
            .spawn((Drawn, ChildOf(entity)))
            .with_children(|drawn| {
                drawn.spawn(brush.disc(palette::ENEMY, 1.0 * Vec3::Z, enemies::RADIUS));
                for side in [-4.0, 4.0] {
                    let corners = [
                        Vec2::new(side - 3.0, 6.0),
                        Vec2::new(side + 3.0, 6.0),
                        Vec2::new(1.4 * side, 11.0),
                    ];
                    drawn.spawn(brush.triangle(palette::ENEMY, 0.9, corners));
                }
                draw_eyes(drawn, &mut brush, entity, Vec3::new(0.0, 2.0, 1.1));
            });
    }
}

fn draw_eyes(drawn: &mut ChildSpawnerCommands, brush: &mut Brush, body: Entity, at: Vec3) {
    let eyes = (
        Eyes(body),
        Transform::from_translation(at),
        Visibility::default(),
    );
    drawn.spawn(eyes).with_children(|eyes| {
        for x in [-1.0, 3.5] {
            eyes.spawn(brush.disc(palette::WHITE, Vec3::new(x, 0.0, 0.1), 2.0));
            eyes.spawn(brush.disc(palette::INK, Vec3::new(x + 0.7, 0.0, 0.2), 1.0));
        }
    });
}

fn look_ahead(movers: Query<&Mover>, mut eyes: Query<(&Eyes, &mut Transform)>) {
    for (eyes, mut transform) in &mut eyes {
        if let Ok(mover) = movers.get(eyes.0)
            && mover.velocity.x != 0.0
        {
            transform.scale.x = mover.velocity.x.signum();
        }
    }
}

fn draw_coins(coins: Query<Entity, Added<Coin>>, mut brush: Brush, mut commands: Commands) {
    for entity in &coins {
        let mut owner = commands.entity(entity);
        owner.insert(Visibility::default());
        owner.with_children(|drawn| {
            drawn.spawn(brush.disc(palette::COIN_RIM, 0.8 * Vec3::Z, COIN_RADIUS));
            drawn.spawn(brush.disc(palette::COIN, 0.9 * Vec3::Z, 3.8));
            drawn.spawn(rect(palette::COIN_RIM, 1.0 * Vec3::Z, Vec2::new(1.4, 4.0)));
        });
    }
}

fn draw_checkpoints(
    checkpoints: Query<Entity, Added<Checkpoint>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for entity in &checkpoints {
        let mut owner = commands.entity(entity);
        owner.insert(Visibility::default());
        owner.with_children(|drawn| {
            drawn.spawn(rect(
                palette::STEEL_DARK,
                0.3 * Vec3::Z,
                Vec2::new(2.0, 32.0),
            ));
            let corners = [
                Vec2::new(1.0, 15.0),
                Vec2::new(1.0, 3.0),
                Vec2::new(14.0, 9.0),
            ];
            drawn.spawn((Cloth(entity), brush.triangle(palette::STEEL, 0.3, corners)));
        });
    }
}

/// The cloth changes its color when the checkpoint is reached.
fn raise_cloth(
    checkpoints: Query<&Checkpoint, Changed<Checkpoint>>,
    cloths: Query<(&Cloth, &MeshMaterial2d<ColorMaterial>)>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (cloth, material) in &cloths {
        if checkpoints
            .get(cloth.0)
            .is_ok_and(|checkpoint| checkpoint.is_reached)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.color = palette::STRIPE;
        }
    }
}

fn draw_goal(goals: Query<Entity, Added<Goal>>, mut commands: Commands) {
    const SQUARE: f32 = 5.0;
    for entity in &goals {
        let mut owner = commands.entity(entity);
        owner.insert(Visibility::default());
        owner.with_children(|drawn| {
            drawn.spawn(rect(palette::INK, 0.3 * Vec3::Z, Vec2::new(3.0, 48.0)));
            for (column, row) in (0..6).flat_map(|column| (0..4).map(move |row| (column, row))) {
                let is_ink = (column + row) % 2 == 0;
                let color = if is_ink { palette::INK } else { palette::WHITE };
                let corner = Vec2::new(4.0, 6.5);
                let at = corner + SQUARE * Vec2::new(column as f32, row as f32);
                drawn.spawn(rect(color, at.extend(0.3), Vec2::splat(SQUARE)));
            }
        });
    }
}
