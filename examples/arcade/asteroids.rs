//! Asteroids: shots bounce off the walls, and leave their ship before they can hit it.

use bevy::{color::palettes::tailwind::*, prelude::*};
use bevy_thud::prelude::*;

use super::{
    games::{Dice, Game, Intent, Layer, Tally, playing},
    kit::{self, Fill},
    look::Trail,
};

const SHOT_SECONDS: f32 = 1.4;
/// For how long the ship is a ghost after it was hit.
const GHOST_SECONDS: f32 = 2.0;

/// The seconds until it may shoot again, and for which it stays a ghost.
#[derive(Component, Default)]
pub struct Ship {
    reload: f32,
    ghost: f32,
}

/// Its size, 0 to 3. With 0 it is gone.
#[derive(Component)]
pub struct Rock(pub u8);

/// The seconds that it still flies.
#[derive(Component)]
struct Shot(f32);

pub fn plugin(app: &mut App) {
    let steps = (hit_rocks, hit_ship, age, fly, shoot, go_on).chain();
    app.add_systems(OnEnter(Game::Asteroids), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Asteroids)));
}

fn spawn(mut dice: ResMut<Dice>, mut commands: Commands) -> Result {
    let table = LayerTable::new()
        .collide(
            Layer::Wall,
            [Layer::Hero, Layer::Foe, Layer::Shot, Layer::Ghost],
        )
        .collide(Layer::Hero, [Layer::Foe, Layer::Shot])
        .collide(Layer::Shot, Layer::Foe);
    commands.insert_resource(table);
    commands.spawn_batch(kit::room().map(|wall| (Layer::Wall, wall)));
    let hull = [(0.0, 20.0), (-14.0, -14.0), (14.0, -14.0)].map(Vec2::from);
    let ship = (
        PolygonCollider::new(hull)?,
        Mover::default(),
        Turning::default(),
    );
    commands.spawn((Layer::Hero, Ship::default(), ship, Fill(SKY_300), Trail));
    spawn_wave(1, 1.0, &mut dice, &mut commands)
}

fn spawn_wave(level: u32, side: f32, dice: &mut Dice, commands: &mut Commands) -> Result {
    for _ in 0..2 + level {
        let at = Vec2::new(
            side * (360.0 + 160.0 * dice.signed()),
            240.0 * dice.signed(),
        );
        spawn_rock(3, at, dice, commands)?;
    }
    Ok(())
}

fn spawn_rock(size: u8, at: Vec2, dice: &mut Dice, commands: &mut Commands) -> Result {
    let direction = Vec2::from_angle(dice.signed() * 3.14);
    let mut mover = Mover::with_velocity(direction * (200.0 - 40.0 * f32::from(size)));
    mover.response = MoverResponse::Bounce;
    let collider = PolygonCollider::regular(16.0 * f32::from(size), 4 + u16::from(size))?;
    let look = (Fill(STONE_400), Transform::from_translation(at.extend(0.0)));
    commands.spawn((
        Layer::Foe,
        Rock(size),
        collider,
        mover,
        Turning(dice.signed()),
        look,
    ));
    Ok(())
}

fn hit_rocks(
    mut hits: Hits,
    mut rocks: Query<(&mut Rock, &Transform)>,
    mut dice: ResMut<Dice>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) -> Result {
    for hit in hits.between(Layer::Shot, Layer::Foe).first_per_a() {
        commands.entity(hit.a).try_despawn();
        // Two shots may hit one rock.
        if let Ok((mut rock, transform)) = rocks.get_mut(hit.b)
            && rock.0 > 0
        {
            let size = std::mem::take(&mut rock.0);
            tally.kill(hit.b, 10 * (4 - u32::from(size)));
            commands.entity(hit.b).despawn();
            for _ in 0..if size > 1 { 2 } else { 0 } {
                let at = transform.translation.truncate();
                spawn_rock(size - 1, at, &mut dice, &mut commands)?;
            }
        }
    }
    Ok(())
}

fn hit_ship(mut hits: Hits, mut ship: Single<(&mut Ship, &mut Layer)>, mut tally: ResMut<Tally>) {
    let (ship, layer) = &mut *ship;
    for _ in hits.between([Layer::Foe, Layer::Shot], Layer::Hero) {
        if ship.ghost <= 0.0 {
            tally.lose_life();
            ship.ghost = GHOST_SECONDS;
            **layer = Layer::Ghost;
        }
    }
}

fn age(
    time: Res<Time>,
    mut shots: Query<(Entity, &mut Shot)>,
    mut ship: Single<(&mut Ship, &mut Layer, &mut Fill)>,
    mut commands: Commands,
) {
    for (entity, mut shot) in &mut shots {
        shot.0 -= time.delta_secs();
        if shot.0 <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
    let (ship, layer, fill) = &mut *ship;
    ship.reload -= time.delta_secs();
    ship.ghost -= time.delta_secs();
    if ship.ghost <= 0.0 {
        layer.set_if_neq(Layer::Hero);
    }
    let is_bright = ship.ghost <= 0.0 || ship.ghost % 0.3 < 0.15;
    fill.set_if_neq(Fill(if is_bright { SKY_300 } else { SKY_800 }));
}

fn fly(
    intent: Res<Intent>,
    time: Res<Time>,
    mut ship: Single<(&mut Mover, &mut Turning, &Transform), With<Ship>>,
) {
    let (mover, turning, transform) = &mut *ship;
    turning.0 = -4.5 * intent.steer.x;
    let thrust = 500.0 * intent.steer.y.max(0.0) * transform.local_y().truncate();
    let acceleration = thrust - 0.9 * mover.velocity;
    mover.velocity += acceleration * time.delta_secs();
}

fn shoot(
    intent: Res<Intent>,
    mut ship: Single<(Entity, &mut Ship, &Mover, &Transform)>,
    mut commands: Commands,
) {
    let (entity, ship, mover, transform) = &mut *ship;
    if intent.holds_act && ship.reload <= 0.0 {
        ship.reload = 0.22;
        let velocity = mover.velocity + 560.0 * transform.local_y().truncate();
        let mut mover = Mover::with_velocity(velocity);
        mover.response = MoverResponse::Bounce;
        let look = (
            Fill(AMBER_200),
            Trail,
            Transform::from_translation(transform.translation),
        );
        let shot = (
            Layer::Shot,
            Shot(SHOT_SECONDS),
            CircleCollider::new(4.0),
            mover,
            look,
        );
        commands.spawn((shot, Ignores::until_apart(*entity)));
    }
}

/// The next wave comes on the other side of the room.
fn go_on(
    rocks: Query<(), With<Rock>>,
    ship: Single<&Transform, With<Ship>>,
    mut tally: ResMut<Tally>,
    mut dice: ResMut<Dice>,
    mut commands: Commands,
) -> Result {
    if rocks.is_empty() {
        tally.level += 1;
        let side = -ship.translation.x.signum();
        spawn_wave(tally.level, side, &mut dice, &mut commands)?;
    }
    Ok(())
}
