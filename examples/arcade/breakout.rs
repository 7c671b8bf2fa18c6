//! Breakout: balls that casts move, so that a brick is gone for the rest of the same step.

use super::games::prelude::*;

const RADIUS: f32 = 8.0;
const PADDLE: Vec2 = Vec2::new(120.0, 18.0);
const BRICK: Vec2 = Vec2::new(78.0, 24.0);
const ROWS: [Srgba; 5] = [ROSE_400, ORANGE_400, AMBER_300, EMERALD_400, SKY_400];
const SERVE: Vec2 = Vec2::new(260.0, 640.0);
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
    let [top, pit, left, right] = room();
    commands.spawn_batch([top, left, right].map(|wall| (Layer::Wall, wall)));
    commands.spawn((Layer::Zone, pit)).insert(Fill(ROSE_950));
    let start = Vec3::NEG_Y * 290.0;
    let look = block(PADDLE.x, PADDLE.y, SLATE_200, start);
    commands.spawn((Layer::Hero, Paddle, Mover::default(), look));
    commands.spawn(ball(start, SERVE));
}

/// A ball above the paddle.
fn ball(paddle: Vec3, velocity: Vec2) -> impl Bundle {
    let look = disk(RADIUS, AMBER_100, paddle + Vec3::Y * 30.0);
    (Layer::Shot, Ball(velocity), Trail, look)
}

fn steer(intent: Res<Intent>, mut paddle: Single<&mut Mover, With<Paddle>>) {
    paddle.velocity = Vec2::X * intent.steer.x * 760.0;
}

/// A mover would go the whole path before the first brick is gone. Casts go on without it.
fn roll(
    mut balls: Query<(Entity, &mut Ball, &mut Transform), Without<Paddle>>,
    paddle: Single<(Entity, &Transform), With<Paddle>>,
    kinds: Query<&Layer>,
    query: SpatialQuery,
    time: Res<Time>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    for (entity, mut ball, mut at) in &mut balls {
        let mut seconds = time.delta_secs();
        for _ in 0..MAX_BOUNCES {
            let falls = ball.0.y < 0.0;
            let filter = SpatialQueryFilter::only(BLOCKERS)
                .exclude_all(tally.killed.iter().copied())
                .with_predicate(|other| falls || other != paddle.0);
            let shape = Shape::circle(at.translation.truncate(), RADIUS);
            let Some((other, hit)) = query.cast_shape(&shape, ball.0 * seconds, &filter) else {
                at.translation += (ball.0 * seconds).extend(0.0);
                break;
            };
            let step = ball.0 * seconds * hit.fraction + hit.normal * GAP;
            at.translation += step.extend(0.0);
            seconds *= 1.0 - hit.fraction;
            ball.0 = bounce(ball.0, hit.normal);
            match kinds.get(other) {
                Ok(Layer::Hero) => {
                    let offset = (at.translation - paddle.1.translation).x / PADDLE.x;
                    ball.0 = Vec2::new(offset * 2.4, 1.0).normalize() * ball.0.length();
                }
                Ok(Layer::Foe) => {
                    tally.kill(other, 10, &mut commands);
                    if tally.score.is_multiple_of(90) {
                        let fall = Mover::with_velocity(Vec2::NEG_Y * 160.0);
                        let look = block(30.0, 14.0, LIME_300, at.translation);
                        commands.spawn((Layer::Item, fall, look));
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
    let Vec2 { x, y } = velocity.reflect(normal);
    let least = velocity.length() * 0.2;
    Vec2::new(x, y.abs().max(least).copysign(y)).normalize() * velocity.length()
}

/// Two more balls.
fn catch_pills(mut hits: Hits, paddle: Single<&Transform, With<Paddle>>, mut commands: Commands) {
    for hit in hits.between(Layer::Item, [Layer::Hero, Layer::Zone]) {
        commands.entity(hit.a).try_despawn();
    }
    for _ in hits.between(Layer::Item, Layer::Hero) {
        commands.spawn(ball(paddle.translation, SERVE));
        commands.spawn(ball(paddle.translation, SERVE * Vec2::new(-1.0, 1.0)));
    }
}

/// The next ball costs a life. The next bricks come when no ball is where they will be: four rows
/// at first, and then five.
fn go_on(
    balls: Query<&Transform, With<Ball>>,
    layers: Query<&Layer>,
    paddle: Single<&Transform, With<Paddle>>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    if balls.is_empty() {
        tally.lose_life();
        commands.spawn(ball(paddle.translation, SERVE));
    }
    // A ball below this height touches no brick.
    let is_clear = balls.iter().all(|at| at.translation.y < 100.0);
    if is_clear && layers.iter().all(|layer| *layer != Layer::Foe) {
        tally.level += 1;
        for (row, color) in ROWS.iter().take(3 + tally.level as usize).enumerate() {
            for column in 0..14 {
                let center = Vec2::new(column as f32 - 6.5, 8.0 - row as f32) * (BRICK + 6.0);
                let look = block(BRICK.x, BRICK.y, *color, center.extend(0.0));
                commands.spawn((Layer::Foe, Solid, look));
            }
        }
    }
}
