//! The game: two fighters, monsters, bullets, walls and a piston. All of a step is arithmetic that
//! is the same on every machine.

use bevy::prelude::*;
use bevy_ggrs::{PlayerInputs, prelude::*};
use bevy_thud::prelude::*;

use crate::input::{DuelConfig, Input};

const FIGHTER_SPEED: f32 = 140.0;
const MONSTER_SPEED: f32 = 50.0;
const BULLET_SPEED: f32 = 420.0;
const BULLET_STEPS: u32 = 90;
const COOLDOWN: u32 = 12;
const FULL_HEALTH: u32 = 5;
const MONSTERS: usize = 6;
const CORNERS: [Vec2; 4] = [
    Vec2::new(-260.0, -140.0),
    Vec2::new(260.0, 140.0),
    Vec2::new(260.0, -140.0),
    Vec2::new(-260.0, 140.0),
];

/// The steps before and after the collisions.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Act,
    React,
}

/// What belongs to nobody.
#[derive(Resource, Clone, Debug, Hash)]
pub struct Match {
    pub step: u32,
    next_key: u64,
    random: u64,
}

#[derive(Component, Clone, Debug, Hash)]
pub struct Fighter {
    pub player: usize,
    pub health: u32,
    pub score: u32,
    cooldown: u32,
    /// Where it looks, in -1..=1 on each axis.
    facing: IVec2,
}

#[derive(Component, Clone, Debug)]
pub struct Bullet {
    pub owner: usize,
    steps_left: u32,
}

#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Monster;

/// A wall that moves up and down.
#[derive(Component)]
struct Piston;

impl Match {
    pub fn new(seed: u64) -> Self {
        Self {
            step: 0,
            next_key: 0,
            random: seed.wrapping_mul(2).wrapping_add(1),
        }
    }

    /// A key that no other entity has.
    fn key(&mut self) -> StableKey {
        self.next_key += 1;
        StableKey(self.next_key)
    }

    /// Marsaglia, "Xorshift RNGs" (2003).
    fn random(&mut self, count: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % count
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_arena)
        .add_systems(
            GgrsSchedule,
            (begin_step, steer, hunt, fire, move_piston, expire)
                .chain()
                .in_set(Step::Act),
        )
        .add_systems(
            GgrsSchedule,
            (bullets_hit, monsters_bite, respawn)
                .chain()
                .in_set(Step::React)
                .after(CollisionSystems::Report),
        );
}

fn spawn_arena(mut commands: Commands, mut game: ResMut<Match>) {
    let mut wall = |center: [f32; 2], size: [f32; 2], angle: f32| {
        let at = Transform::from_xyz(center[0], center[1], 0.0)
            .with_rotation(Quat::from_rotation_z(angle));
        let shape = RectCollider::new(size[0], size[1]);
        commands.spawn((shape, Solid, at, game.key())).id()
    };
    for side in [-1.0, 1.0] {
        wall([0.0, 190.0 * side], [660.0, 20.0], 0.0);
        wall([320.0 * side, 0.0], [20.0, 400.0], 0.0);
        wall([130.0 * side, 60.0 * side], [90.0, 14.0], 0.5);
        wall([130.0 * side, -60.0 * side], [14.0, 90.0], 0.0);
    }
    let piston = wall([0.0, 0.0], [70.0, 16.0], 0.0);
    commands.entity(piston).insert((Piston, Swept, Rollback));
    for player in 0..2 {
        let fighter = Fighter {
            player,
            health: FULL_HEALTH,
            score: 0,
            cooldown: 0,
            facing: IVec2::new(1 - 2 * player as i32, 0),
        };
        commands.spawn((fighter, body(CORNERS[player], 10.0), game.key()));
    }
}

/// What walks.
fn body(at: Vec2, radius: f32) -> impl Bundle {
    let place = Transform::from_translation(at.extend(0.0));
    (
        CircleCollider::new(radius),
        Solid,
        Mover::default(),
        MoverHits::default(),
        place,
        Rollback,
    )
}

fn begin_step(mut commands: Commands, mut game: ResMut<Match>, monsters: Query<(), With<Monster>>) {
    game.step += 1;
    if game.step.is_multiple_of(60) && monsters.iter().count() < MONSTERS {
        let corner = CORNERS[game.random(4) as usize];
        let aside = Vec2::new(game.random(60) as f32, game.random(60) as f32) - 30.0;
        commands.spawn((Monster, body(corner * 0.8 + aside, 7.0), game.key()));
    }
}

fn steer(inputs: Res<PlayerInputs<DuelConfig>>, mut fighters: Query<(&mut Fighter, &mut Mover)>) {
    for (mut fighter, mut mover) in &mut fighters {
        let direction = inputs[fighter.player].0.direction();
        mover.velocity = direction * FIGHTER_SPEED;
        fighter.cooldown = fighter.cooldown.saturating_sub(1);
        if direction != Vec2::ZERO {
            fighter.facing = direction.signum().as_ivec2() * direction.abs().ceil().as_ivec2();
        }
    }
}

/// Monsters walk to the nearest fighter; of two, to the first player.
fn hunt(
    fighters: Query<(&Fighter, &Transform)>,
    mut monsters: Query<(&mut Mover, &Transform), With<Monster>>,
) {
    let mut targets: Vec<_> = fighters
        .iter()
        .map(|(f, at)| (f.player, at.translation.xy()))
        .collect();
    targets.sort_by_key(|(player, _)| *player);
    for (mut mover, at) in &mut monsters {
        let from = at.translation.xy();
        let nearest = targets.iter().map(|(_, to)| *to).min_by(|p, q| {
            p.distance_squared(from)
                .total_cmp(&q.distance_squared(from))
        });
        let toward = nearest.map_or(Vec2::ZERO, |to| (to - from).normalize_or_zero());
        mover.velocity = toward * MONSTER_SPEED;
    }
}

fn fire(
    mut commands: Commands,
    mut game: ResMut<Match>,
    inputs: Res<PlayerInputs<DuelConfig>>,
    mut fighters: Query<(&mut Fighter, &Transform)>,
) {
    // The order of a query may be another one after a rollback.
    let mut ready: Vec<_> = fighters.iter_mut().collect();
    ready.sort_by_key(|(fighter, _)| fighter.player);
    for (mut fighter, at) in ready {
        if fighter.cooldown > 0 || !inputs[fighter.player].0.has(Input::FIRE) {
            continue;
        }
        fighter.cooldown = COOLDOWN;
        let direction = fighter.facing.as_vec2().normalize_or_zero();
        let bullet = Bullet {
            owner: fighter.player,
            steps_left: BULLET_STEPS,
        };
        let mover = Mover {
            response: MoverResponse::Bounce,
            ..Mover::with_velocity(direction * BULLET_SPEED)
        };
        let place = Transform::from_translation(at.translation + (direction * 14.0).extend(0.0));
        let shape = CircleCollider::new(3.0);
        commands.spawn((
            bullet,
            shape,
            mover,
            MoverHits::default(),
            place,
            game.key(),
            Rollback,
        ));
    }
}

/// A triangle wave with a period of four seconds.
fn move_piston(game: Res<Match>, mut pistons: Query<&mut Transform, With<Piston>>) {
    let phase = (game.step % 240) as f32 / 60.0;
    for mut transform in &mut pistons {
        transform.translation.y = (if phase < 2.0 { phase } else { 4.0 - phase } - 1.0) * 110.0;
    }
}

fn expire(mut commands: Commands, mut bullets: Query<(Entity, &mut Bullet)>) {
    for (entity, mut bullet) in &mut bullets {
        bullet.steps_left -= 1;
        if bullet.steps_left == 0 {
            commands.entity(entity).despawn();
        }
    }
}

/// A bullet hurts the other fighter, or kills a monster, and is gone.
fn bullets_hit(
    mut commands: Commands,
    collisions: Collisions,
    bullets: Query<&Bullet>,
    monsters: Query<(), With<Monster>>,
    mut fighters: Query<&mut Fighter>,
) {
    let mut gone = Vec::new();
    for pair in collisions.iter() {
        for (bullet, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
            let Ok(&Bullet { owner, .. }) = bullets.get(bullet) else {
                continue;
            };
            if gone.contains(&bullet) || gone.contains(&other) {
                continue;
            }
            if monsters.contains(other) {
                gone.extend([bullet, other]);
            } else if let Ok(mut fighter) = fighters.get_mut(other)
                && fighter.player != owner
            {
                fighter.health = fighter.health.saturating_sub(1);
                gone.push(bullet);
            }
        }
    }
    for entity in gone {
        commands.entity(entity).despawn();
    }
}

/// A monster that starts to touch a fighter bites once.
fn monsters_bite(mut bites: Hits<With<Fighter>, With<Monster>>, mut fighters: Query<&mut Fighter>) {
    for hit in bites.read() {
        if let Ok(mut fighter) = fighters.get_mut(hit.a) {
            fighter.health = fighter.health.saturating_sub(1);
        }
    }
}

fn respawn(mut fighters: Query<(&mut Fighter, &mut Transform)>, mut game: ResMut<Match>) {
    let mut all: Vec<_> = fighters.iter_mut().collect();
    all.sort_by_key(|(fighter, _)| fighter.player);
    let mut points = [0, 0];
    for (fighter, transform) in &mut all {
        if fighter.health == 0 {
            fighter.health = FULL_HEALTH;
            points[1 - fighter.player] += 1;
            let corner = CORNERS[game.random(4) as usize];
            transform.translation = corner.extend(0.0);
        }
    }
    for (fighter, _) in &mut all {
        fighter.score += points[fighter.player];
    }
}
