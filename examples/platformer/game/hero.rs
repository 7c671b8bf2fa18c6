//! The hero: walks, jumps, drops through planks, and dies.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::Score;

/// In world units per second.
pub const SPEED: f32 = 115.0;
const JUMP_SPEED: f32 = 320.0;
const FALL_SPEED: f32 = 420.0;
/// In world units per second squared.
const GRAVITY: f32 = 900.0;
/// Of the gravity, on the way up when the jump key is released.
const SHORT_JUMP: f32 = 2.5;
const ACCELERATION: f32 = 1100.0;
const AIR_ACCELERATION: f32 = 650.0;
/// A jump counts this long before landing, and this long after walking off an edge.
const LENIENCY_SECONDS: f32 = 0.1;
/// Higher than the stairs' steps of 8.
const STEP_HEIGHT: f32 = 9.0;
/// Whoever is below fell out of the level.
const ABYSS: f32 = -40.0;

pub const RADIUS: f32 = 6.0;
/// Between the centers of the capsule's ends.
pub const LENGTH: f32 = 12.0;

#[derive(Component)]
#[require(Intent)]
pub struct Hero {
    /// Where it goes on after it died.
    pub checkpoint: Vec2,
    /// A jump is wanted for this long.
    jump_seconds: f32,
    /// How often it jumped or bounced.
    pub leaps: u32,
}

/// What the hero wants in the next step.
#[derive(Component, Default, Clone, Copy, PartialEq)]
pub struct Intent {
    /// -1, 0 or 1.
    pub walk: f32,
    /// The key was pressed since the last step.
    pub jump: bool,
    pub holds_jump: bool,
    pub drop: bool,
}

/// The hero lost a life.
#[derive(EntityEvent)]
pub struct Died {
    pub entity: Entity,
}

/// A hero that starts at this position, its first checkpoint.
pub fn hero(position: Vec2) -> impl Bundle {
    let hero = Hero {
        checkpoint: position,
        jump_seconds: 0.0,
        leaps: 0,
    };
    let walker = Walker {
        step_height: STEP_HEIGHT,
        kept_velocity: KeptVelocity::Upward,
        ..default()
    };
    (
        hero,
        CapsuleCollider::new(RADIUS, LENGTH),
        Mover::default(),
        walker,
    )
}

impl Hero {
    /// Leaves the floor at this speed.
    pub fn leap(&mut self, mover: &mut Mover, speed: f32) {
        mover.velocity.y = speed;
        self.jump_seconds = 0.0;
        self.leaps += 1;
    }

    /// Leaves an enemy that it stomped on.
    pub fn bounce(&mut self, mover: &mut Mover) {
        self.leap(mover, 0.85 * JUMP_SPEED);
    }
}

pub fn steer(time: Res<Time>, hero: Single<(&mut Hero, &mut Intent, &mut Mover, &mut Ground)>) {
    let (mut hero, mut intent, mut mover, mut ground) = hero.into_inner();
    let seconds = time.delta_secs();
    let is_rising = mover.velocity.y > 0.0;
    let acceleration = if ground.is_on_floor() {
        ACCELERATION
    } else {
        AIR_ACCELERATION
    };
    let missing = intent.walk * SPEED - mover.velocity.x;
    let most = acceleration * seconds;
    mover.velocity.x += missing.clamp(-most, most);
    let is_cut = is_rising && !intent.holds_jump;
    let gravity = if is_cut {
        SHORT_JUMP * GRAVITY
    } else {
        GRAVITY
    };
    mover.velocity.y = (mover.velocity.y - gravity * seconds).max(-FALL_SPEED);

    hero.jump_seconds -= seconds;
    if intent.jump {
        hero.jump_seconds = LENIENCY_SECONDS;
    }
    let may_jump = ground.air_seconds() < LENIENCY_SECONDS && !is_rising;
    if hero.jump_seconds > 0.0 && may_jump {
        hero.leap(&mut mover, JUMP_SPEED);
    }
    if intent.drop {
        ground.drop_through();
    }
    intent.jump = false;
    intent.drop = false;
}

pub fn die_below_the_level(hero: Single<(Entity, &Transform), With<Hero>>, mut commands: Commands) {
    let (entity, transform) = *hero;
    if transform.translation.y < ABYSS {
        commands.trigger(Died { entity });
    }
}

pub fn die_if_crushed(crushed: On<Crushed>, heroes: Query<(), With<Hero>>, mut commands: Commands) {
    if heroes.contains(crushed.entity) {
        commands.trigger(Died {
            entity: crushed.entity,
        });
    }
}

/// Goes on at the checkpoint.
pub fn die(
    died: On<Died>,
    mut heroes: Query<(&Hero, &mut Transform, &mut Mover)>,
    mut score: ResMut<Score>,
) -> Result {
    let (hero, mut transform, mut mover) = heroes.get_mut(died.entity)?;
    transform.translation = hero.checkpoint.extend(0.0);
    mover.velocity = Vec2::ZERO;
    score.deaths += 1;
    Ok(())
}
