//! Breakout: balls that casts move, so that a brick is gone for the rest of the same step.

use bevy::{color::palettes::tailwind::*, prelude::*};
use bevy_thud::{geometry::Shape, prelude::*};

use super::{
    games::{Dice, Game, Intent, Layer, Tally, playing},
    kit::{self, Fill},
    look::Trail,
};

const RADIUS: f32 = 8.0;
const PADDLE: Vec2 = Vec2::new(120.0, 18.0);
const BRICK: Vec2 = Vec2::new(78.0, 24.0);
const COLORS: [Srgba; 6] = [
    ROSE_400,
    ORANGE_400,
    AMBER_300,
    EMERALD_400,
    SKY_400,
    VIOLET_400,
];
const SERVE: Vec2 = Vec2::new(180.0, 420.0);
/// What a ball bounces off; the pit takes it.
const BLOCKERS: [Layer; 4] = [Layer::Wall, Layer::Hero, Layer::Foe, Layer::Zone];
/// A ball keeps this distance to what it bounces off.
const GAP: f32 = 0.01;
/// After this many bounces in one step a ball waits for the next one.
const MAX_BOUNCES: u32 = 64;

/// Its velocity.
#[derive(Component)]
pub struct Ball(pub Vec2);

#[derive(Component)]
pub struct Paddle;

pub fn plugin(app: &mut App) {
    let steps = (steer, roll, catch_pills, go_on).chain();
    app.add_systems(OnEnter(Game::Breakout), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Breakout)));
}

fn spawn(mut commands: Commands) {
    let table = LayerTable::new().collide(Layer::Hero, [Layer::Wall, Layer::Item]);
    commands.insert_resource(table.collide(Layer::Item, Layer::Zone));
    let [top, pit, left, right] = kit::room();
    commands.spawn_batch([top, left, right].map(|wall| (Layer::Wall, wall)));
    commands.spawn((Layer::Zone, pit)).insert(Fill(ROSE_950));
    let paddle = (RectCollider::from_size(PADDLE), Mover::default());
    let at = Transform::from_xyz(0.0, -290.0, 0.0);
    commands.spawn((Layer::Hero, Paddle, paddle, Fill(SLATE_200), at));
    commands.spawn(ball(at.translation + Vec3::Y * 30.0, SERVE));
    build(1, &mut commands);
}

fn ball(at: Vec3, velocity: Vec2) -> impl Bundle {
    let look = (Fill(AMBER_100), Trail, Transform::from_translation(at));
    (
        Layer::Shot,
        Ball(velocity),
        CircleCollider::new(RADIUS),
        look,
    )
}

fn build(level: u32, commands: &mut Commands) {
    for (row, color) in COLORS.iter().take(2 + level as usize).enumerate() {
        for column in 0..14 {
            let place = Vec2::new(column as f32 - 6.5, 8.0 - row as f32) * (BRICK + 6.0);
            let look = (Fill(*color), Transform::from_translation(place.extend(0.0)));
            commands.spawn((Layer::Foe, Solid, RectCollider::from_size(BRICK), look));
        }
    }
}

fn steer(intent: Res<Intent>, mut paddle: Single<&mut Mover, With<Paddle>>) {
    paddle.velocity = Vec2::X * intent.steer.x * 720.0;
}

/// A mover would go the whole path before the first brick is gone. Casts go on without it.
fn roll(
    mut balls: Query<(Entity, &mut Ball, &mut Transform), Without<Paddle>>,
    paddle: Single<(Entity, &Transform), With<Paddle>>,
    layers: Query<&Layer>,
    query: SpatialQuery,
    time: Res<Time>,
    mut dice: ResMut<Dice>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    for (entity, mut ball, mut transform) in &mut balls {
        let mut seconds = time.delta_secs();
        for _ in 0..MAX_BOUNCES {
            let is_falling = ball.0.y < 0.0;
            let hit = SpatialQueryFilter::only(BLOCKERS)
                .exclude_all(tally.killed.iter().copied())
                .with_predicate(|other| is_falling || other != paddle.0);
            let shape = Shape::circle(transform.translation.truncate(), RADIUS);
            let Some((other, hit)) = query.cast_shape(&shape, ball.0 * seconds, &hit) else {
                transform.translation += (ball.0 * seconds).extend(0.0);
                break;
            };
            let step = ball.0 * seconds * hit.fraction + hit.normal * GAP;
            transform.translation += step.extend(0.0);
            seconds *= 1.0 - hit.fraction;
            ball.0 = bounce(ball.0, hit.normal);
            match layers.get(other) {
                Ok(Layer::Hero) => {
                    let offset = (transform.translation - paddle.1.translation).x / PADDLE.x;
                    ball.0 = Vec2::new(offset * 2.4, 1.0).normalize() * ball.0.length();
                }
                Ok(Layer::Foe) => {
                    ball.0 = ball.0.clamp_length_max(900.0) * 1.004;
                    tally.kill(other, 10);
                    commands.entity(other).despawn();
                    if dice.0.u32(0..9) == 0 {
                        commands.spawn(pill(transform.translation));
                    }
                }
                Ok(Layer::Zone) => {
                    commands.entity(entity).despawn();
                    break;
                }
                _ => {}
            }
        }
    }
}

/// Never so flat that the ball does not come down.
fn bounce(velocity: Vec2, normal: Vec2) -> Vec2 {
    let reflected = velocity.reflect(normal);
    let least = velocity.length() * 0.2;
    let y = reflected.y.abs().max(least).copysign(reflected.y);
    Vec2::new(reflected.x, y).normalize() * velocity.length()
}

fn pill(at: Vec3) -> impl Bundle {
    let mover = Mover::with_velocity(Vec2::NEG_Y * 160.0);
    let at = Transform::from_translation(at);
    (
        Layer::Item,
        RectCollider::new(30.0, 14.0),
        mover,
        Fill(LIME_300),
        at,
    )
}

/// Two more balls.
fn catch_pills(mut hits: Hits, paddle: Single<&Transform, With<Paddle>>, mut commands: Commands) {
    for hit in hits
        .between(Layer::Item, [Layer::Hero, Layer::Zone])
        .first_per_a()
    {
        commands.entity(hit.a).try_despawn();
    }
    for _ in hits.between(Layer::Item, Layer::Hero) {
        for x in [-0.4, 0.4] {
            let velocity = Vec2::new(x, 1.0) * SERVE.length();
            commands.spawn(ball(paddle.translation + Vec3::Y * 30.0, velocity));
        }
    }
}

/// The next ball costs a life, the next wall of bricks is a row higher.
fn go_on(
    balls: Query<&Ball>,
    layers: Query<&Layer>,
    paddle: Single<&Transform, With<Paddle>>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    if balls.is_empty() {
        tally.lose_life();
        commands.spawn(ball(paddle.translation + Vec3::Y * 30.0, SERVE));
    }
    if !layers.iter().any(|layer| *layer == Layer::Foe) {
        tally.level += 1;
        build(tally.level, &mut commands);
    }
}
