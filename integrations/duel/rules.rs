//! The rules. All of a step is arithmetic that is the same on every machine.

use bevy::{ecs::schedule::InternedScheduleLabel, prelude::*};
use bevy_thud::prelude::*;

use super::{
    Gone, Input, Inputs, Simulated, Step,
    arena::{CORNERS, PISTON_TRAVEL, body},
    state::{Bullet, FULL_HEALTH, Fighter, Match, Monster, Piston},
};

const FIGHTER_SPEED: f32 = 140.0;
const MONSTER_SPEED: f32 = 50.0;
const BULLET_SPEED: f32 = 420.0;
const BULLET_STEPS: u32 = 90;
const COOLDOWN: u32 = 12;
const MONSTERS: usize = 6;

pub fn add_systems(app: &mut App, schedule: InternedScheduleLabel) {
    let act = (begin_step, steer, hunt, fire, move_piston, expire);
    let react = (bullets_hit, monsters_bite, respawn);
    app.add_systems(
        schedule,
        (
            act.chain().in_set(Step::Act),
            react.chain().in_set(Step::React),
        ),
    );
}

fn begin_step(mut commands: Commands, mut game: ResMut<Match>, monsters: Query<(), With<Monster>>) {
    game.step += 1;
    if game.step.is_multiple_of(60) && monsters.iter().count() < MONSTERS {
        let corner = CORNERS[game.random(4) as usize];
        let aside = Vec2::new(game.random(60) as f32, game.random(60) as f32) - 30.0;
        commands.spawn((Monster, body(corner * 0.8 + aside, 7.0), game.key()));
    }
}

fn steer(inputs: Res<Inputs>, mut fighters: Query<(&mut Fighter, &mut Mover)>) {
    for (mut fighter, mut mover) in &mut fighters {
        let direction = inputs.0[fighter.player].direction();
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
    inputs: Res<Inputs>,
    mut fighters: Query<(&mut Fighter, &Transform)>,
) {
    // The order of a query may be another one after a rollback.
    let mut ready: Vec<_> = fighters.iter_mut().collect();
    ready.sort_by_key(|(fighter, _)| fighter.player);
    for (mut fighter, at) in ready {
        if fighter.cooldown > 0 || !inputs.0[fighter.player].has(Input::FIRE) {
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
        let muzzle = at.translation + (direction * 14.0).extend(0.0);
        commands.spawn((
            bullet,
            CircleCollider::new(3.0),
            mover,
            MoverHits::default(),
            Transform::from_translation(muzzle),
            game.key(),
            Simulated,
        ));
    }
}

/// A triangle wave with a period of four seconds.
fn move_piston(game: Res<Match>, mut pistons: Query<&mut Transform, With<Piston>>) {
    let phase = (game.step % 240) as f32 / 60.0;
    for mut transform in &mut pistons {
        let height = if phase < 2.0 { phase } else { 4.0 - phase } - 1.0;
        transform.translation.y = height * PISTON_TRAVEL;
    }
}

fn expire(mut commands: Commands, mut bullets: Query<(Entity, &mut Bullet)>) {
    for (entity, mut bullet) in &mut bullets {
        bullet.steps_left -= 1;
        if bullet.steps_left == 0 {
            commands.trigger(Gone { entity });
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
        commands.trigger(Gone { entity });
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
