//! Sparks: disks that fly and fade.

use std::f32::consts::TAU;

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    super::game::{health::Death, monsters::Monster, player::Player},
    bodies::color_of,
    brush::{Brush, palette},
};

const SECONDS: f32 = 0.45;
const RADIUS: f32 = 4.0;
const DRAG_PER_SECOND: f32 = 3.0;

#[derive(Component)]
struct Spark {
    velocity: Vec2,
    radius: f32,
    /// From 1 to 0.
    life: f32,
    seconds: f32,
}

/// Spawns sparks. Uses random numbers of its own, so that looks do not change the game.
#[derive(SystemParam)]
pub struct Sparks<'w, 's> {
    brush: Brush<'w>,
    dice: Local<'s, SparkDice>,
    commands: Commands<'w, 's>,
}

#[derive(Deref, DerefMut)]
pub struct SparkDice(fastrand::Rng);

impl Default for SparkDice {
    fn default() -> Self {
        Self(fastrand::Rng::with_seed(0))
    }
}

impl Sparks<'_, '_> {
    /// Spawns one, with a velocity that is off by up to `spread`.
    pub fn fly(&mut self, position: Vec2, velocity: Vec2, spread: f32, color: Color) {
        let velocity = velocity + self.direction() * spread * self.dice.f32();
        let radius = RADIUS * (0.4 + 0.6 * self.dice.f32());
        let spark = Spark {
            velocity,
            radius,
            life: 1.0,
            seconds: SECONDS * (0.5 + self.dice.f32()),
        };
        let drawing = self.brush.disc(color, position.extend(2.8), radius);
        self.commands.spawn((spark, drawing));
    }

    pub fn direction(&mut self) -> Vec2 {
        Vec2::from_angle(self.dice.f32() * TAU)
    }

    pub fn chance(&mut self, probability: f32) -> bool {
        self.dice.f32() < probability
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, fade).add_observer(burst);
}

fn fade(
    mut sparks: Query<(Entity, &mut Spark, &mut Transform)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    let seconds = time.delta_secs();
    for (entity, mut spark, mut at) in &mut sparks {
        spark.life -= seconds / spark.seconds;
        if spark.life <= 0.0 {
            commands.entity(entity).despawn();
            continue;
        }
        at.translation += (spark.velocity * seconds).extend(0.0);
        at.scale = Vec2::splat(spark.radius * spark.life).extend(1.0);
        spark.velocity *= (-DRAG_PER_SECOND * seconds).exp();
    }
}

/// Players and monsters burst into sparks when they die.
fn burst(
    death: On<Death>,
    dead: Query<(&Transform, Option<&Monster>, Option<&Player>)>,
    mut sparks: Sparks,
) {
    let Ok((at, monster, player)) = dead.get(death.entity) else {
        return;
    };
    let (color, count) = match (monster, player) {
        (Some(&kind), _) => (color_of(kind), kind.traits().radius as usize),
        (None, Some(player)) => (palette::PLAYERS[player.0], 40),
        (None, None) => return,
    };
    for i in 0..count {
        let color = if i % 3 == 0 { palette::FLAME } else { color };
        sparks.fly(at.translation.truncate(), Vec2::ZERO, 260.0, color);
    }
}
