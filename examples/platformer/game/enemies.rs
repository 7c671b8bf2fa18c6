//! Enemies: they walk to and fro, and bite whoever does not fall on them from above.

use bevy::prelude::*;
use bevy_thud::{SpatialQueryFilter, prelude::*};

use super::{
    Score,
    hero::{Died, Hero},
};

pub const RADIUS: f32 = 8.0;
const SPEED: f32 = 25.0;
const GRAVITY: f32 = 900.0;
/// How far ahead of its center it looks for a floor, and how far down.
const SIGHT: Vec2 = Vec2::new(10.0, 22.0);
/// How far the hero's center is above at least when it falls on an enemy, and not when it walks
/// down a slope into one.
const ABOVE: f32 = 15.0;

#[derive(Component)]
#[require(CircleCollider::new(RADIUS), Walker)]
pub struct Enemy {
    /// -1 or 1.
    pub direction: f32,
}

impl Default for Enemy {
    fn default() -> Self {
        Self { direction: 1.0 }
    }
}

/// Turns at walls and ledges.
pub fn patrol(
    time: Res<Time>,
    mut enemies: Query<(Entity, &mut Enemy, &mut Mover, &Ground, &Transform)>,
    query: SpatialQuery,
) {
    for (entity, mut enemy, mut mover, ground, transform) in &mut enemies {
        let ahead = Vec2::X * enemy.direction;
        let faces_wall = (ground.wall()).is_some_and(|wall| wall.normal.dot(ahead) < -0.5);
        let from = transform.translation.truncate() + SIGHT.x * ahead;
        let filter = SpatialQueryFilter::default()
            .only_solid()
            .exclude_body(entity);
        let down = Ray2d::new(from, Dir2::NEG_Y);
        let has_floor = || query.cast_ray(down, SIGHT.y, &filter).is_some();
        if ground.is_on_floor() && (faces_wall || !has_floor()) {
            enemy.direction = -enemy.direction;
        }
        mover.velocity.x = SPEED * enemy.direction;
        mover.velocity.y -= GRAVITY * time.delta_secs();
    }
}

/// The hero falls on an enemy, or is bitten.
pub fn meet_hero(
    mut hits: Hits<With<Hero>, With<Enemy>>,
    mut heroes: Query<(&mut Hero, &mut Mover, &Transform)>,
    enemies: Query<&Transform, With<Enemy>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        let (Ok((mut hero, mut mover, at)), Ok(enemy)) =
            (heroes.get_mut(hit.a), enemies.get(hit.b))
        else {
            continue;
        };
        let height = at.translation.y - enemy.translation.y;
        if height > ABOVE {
            hero.bounce(&mut mover);
            score.stomps += 1;
            commands.entity(hit.b).despawn();
        } else {
            commands.trigger(Died { entity: hit.a });
        }
    }
}
