//! Asteroids: shots bounce off the walls, and leave their ship before they can hit it.

use super::games::prelude::*;

const SHOT_SPEED: f32 = 560.0;
/// For how long the ship is a ghost after it was hit.
const GHOST_SECONDS: f32 = 2.0;

#[derive(Component)]
#[require(Mover, Turning, Clock)]
pub struct Ship;

/// Its size, 1 to 3.
#[derive(Component)]
pub struct Rock(pub u8);

pub fn plugin(app: &mut App) {
    let steps = (hit_rocks, hit_ship, fly, go_on).chain();
    app.add_systems(OnEnter(Game::Asteroids), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Asteroids)));
}

fn spawn(mut commands: Commands) -> Result {
    let movers = [Layer::Hero, Layer::Foe, Layer::Shot, Layer::Ghost];
    let table = LayerTable::new().collide(Layer::Wall, movers);
    let table = table.collide(Layer::Hero, [Layer::Foe, Layer::Shot]);
    commands.insert_resource(table.collide(Layer::Foe, Layer::Shot));
    commands.spawn_batch(room().map(|wall| (Layer::Wall, wall)));
    let hull = [(0.0, 20.0), (-14.0, -14.0), (14.0, -14.0)].map(Vec2::from);
    commands.spawn((
        Layer::Hero,
        Ship,
        PolygonCollider::new(hull)?,
        Fill(SKY_300),
    ));
    Ok(())
}

fn spawn_rock(size: u8, position: Vec2, dice: &mut Dice, commands: &mut Commands) -> Result {
    let speed = 190.0 - 40.0 * f32::from(size);
    let mut mover = Mover::with_velocity(Vec2::from_angle(dice.signed() * 3.1) * speed);
    mover.response = MoverResponse::Bounce;
    let collider = PolygonCollider::regular(16.0 * f32::from(size), 4 + u16::from(size))?;
    let look = (
        Fill(STONE_400),
        Transform::from_translation(position.extend(0.0)),
    );
    let turning = Turning(2.0 * dice.signed());
    commands.spawn((Layer::Foe, Rock(size), collider, mover, turning, look));
    Ok(())
}

/// Each shot hits one rock, which breaks into two smaller ones.
fn hit_rocks(
    mut hits: Hits,
    rocks: Query<(&Rock, &Transform)>,
    mut dice: ResMut<Dice>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) -> Result {
    for hit in hits.between(Layer::Shot, Layer::Foe).first_per_a() {
        commands.entity(hit.a).try_despawn();
        // Another shot may have hit it in the same step.
        if let Ok((&Rock(size), at)) = rocks.get(hit.b)
            && !tally.killed.contains(&hit.b)
        {
            tally.kill(hit.b, 10 * (4 - u32::from(size)), &mut commands);
            for _ in 0..if size > 1 { 2 } else { 0 } {
                spawn_rock(
                    size - 1,
                    at.translation.truncate(),
                    &mut dice,
                    &mut commands,
                )?;
            }
        }
    }
    Ok(())
}

/// What hits the ship makes it a ghost for a while.
fn hit_ship(
    mut hits: Hits,
    mut ship: Single<(&mut Clock, &mut Layer, &mut Fill), With<Ship>>,
    mut tally: ResMut<Tally>,
) {
    let (clock, layer, fill) = &mut *ship;
    if hits.between(Layer::Hero, [Layer::Foe, Layer::Shot]).count() > 0 {
        tally.lose_life();
        clock.stun = GHOST_SECONDS;
    }
    let is_ghost = clock.stun > 0.0;
    layer.set_if_neq(if is_ghost { Layer::Ghost } else { Layer::Hero });
    fill.set_if_neq(Fill(if is_ghost { SKY_800 } else { SKY_300 }));
}

fn fly(
    intent: Res<Intent>,
    time: Res<Time>,
    mut ship: Single<(Entity, &mut Mover, &mut Turning, &mut Clock, &Transform), With<Ship>>,
    mut commands: Commands,
) {
    let (entity, mover, turning, clock, at) = &mut *ship;
    let ahead = at.local_y().truncate();
    let acceleration = 500.0 * intent.steer.y.max(0.0) * ahead - 0.9 * mover.velocity;
    mover.velocity += acceleration * time.delta_secs();
    turning.0 = -4.5 * intent.steer.x;
    if intent.holds_act && clock.reload <= 0.0 {
        clock.reload = 0.22;
        let mut shot = Mover::with_velocity(mover.velocity + ahead * SHOT_SPEED);
        shot.response = MoverResponse::Bounce;
        let look = (Trail, Lasts(1.4), disk(4.0, AMBER_200, at.translation));
        commands.spawn((Layer::Shot, shot, Ignores::until_apart(*entity), look));
    }
}

/// The next rocks come on the other side of the room.
fn go_on(
    rocks: Query<(), With<Rock>>,
    ship: Single<&Transform, With<Ship>>,
    mut tally: ResMut<Tally>,
    mut dice: ResMut<Dice>,
    mut commands: Commands,
) -> Result {
    if rocks.is_empty() {
        tally.level += 1;
        for _ in 0..2 + tally.level {
            let x = (360.0 + 160.0 * dice.signed()) * -ship.translation.x.signum();
            let position = Vec2::new(x, 240.0 * dice.signed());
            spawn_rock(3, position, &mut dice, &mut commands)?;
        }
    }
    Ok(())
}
