//! Racer: cars ram each other, and walls take only the speed into them.

use std::f32::consts::TAU;

use bevy::{color::palettes::tailwind::*, prelude::*};
use bevy_thud::prelude::*;

use super::{
    games::{Game, Intent, Layer, Tally, playing},
    kit::{self, Fill},
    look::{Ribbon, Trail},
};

const POINTS: usize = 96;
const HALF_WIDTH: f32 = 58.0;
const GATES: usize = 8;
const LAPS: usize = 3;
const CAR: Vec2 = Vec2::new(34.0, 18.0);
/// A crash at this speed costs half of what is left of it.
const CRASH: f32 = 220.0;

/// What its driver wants, and how many gates it has passed.
#[derive(Component, Default)]
pub struct Car {
    throttle: f32,
    steer: f32,
    pub passed: usize,
}

#[derive(Component)]
pub struct Player;

/// How fast it drives, from 0 to 1.
#[derive(Component)]
pub struct Rival(f32);

#[derive(Component)]
struct Gate(usize);

#[derive(Component)]
struct Mud;

/// The center of the road; `index` wraps around.
pub fn road(index: usize) -> Vec2 {
    let angle = (index % POINTS) as f32 / POINTS as f32 * TAU;
    let wave = 1.0 + 0.1 * (3.0 * angle + 0.6).cos() - 0.05 * (5.0 * angle).cos();
    Vec2::new(450.0 * angle.cos(), 205.0 * angle.sin()) * wave
}

fn along(index: usize) -> Vec2 {
    (road(index + 1) - road(index + POINTS - 1)).normalize()
}

pub fn plugin(app: &mut App) {
    let steps = (steer, crash, drive, slow_down, pass, finish).chain();
    app.add_systems(OnEnter(Game::Racer), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Racer)));
}

fn spawn(mut commands: Commands) -> Result {
    let table = LayerTable::new()
        .collide(Layer::Wall, [Layer::Hero, Layer::Foe])
        .collide(Layer::Foe, [Layer::Hero, Layer::Foe, Layer::Zone])
        .collide(Layer::Zone, Layer::Hero);
    commands.insert_resource(table);
    commands.spawn_batch(kit::room().map(|wall| (Layer::Wall, wall)));
    let edge = |side: f32| (0..POINTS).map(move |i| road(i) + along(i).perp() * side * HALF_WIDTH);
    let corners = [
        (-600.0, -320.0),
        (600.0, -320.0),
        (600.0, 320.0),
        (-600.0, 320.0),
    ];
    let [outer, inner] = [-1.0, 1.0].map(|side| edge(side).collect::<Vec<_>>());
    let outlines = [
        corners.map(Vec2::from).to_vec(),
        outer.clone(),
        inner.clone(),
    ];
    commands.spawn((
        Layer::Wall,
        Solid,
        PolygonCollider::from_outlines(outlines)?,
    ));
    let center = (0..POINTS).map(road).collect();
    let lines = [
        (center, 2.0 * HALF_WIDTH, ZINC_800),
        (outer, 6.0, ROSE_300),
        (inner, 6.0, ROSE_300),
    ];
    for (mut points, width, color) in lines {
        points.extend_from_within(..2);
        commands.spawn((
            Layer::Ghost,
            Ribbon {
                points,
                width,
                color,
            },
        ));
    }
    for gate in 0..GATES {
        let index = gate * POINTS / GATES;
        let at = Transform::from_translation(road(index).extend(0.5));
        let turn = Quat::from_rotation_z(along(index).to_angle());
        let collider = RectCollider::new(8.0, 2.0 * HALF_WIDTH);
        let color = if gate == 0 {
            ZINC_200
        } else {
            ZINC_200.with_alpha(0.04)
        };
        commands.spawn((
            Layer::Zone,
            Gate(gate),
            collider,
            at.with_rotation(turn),
            Fill(color),
        ));
    }
    for index in [20, 62] {
        let at =
            Transform::from_translation((road(index) + 24.0 * along(index).perp()).extend(0.5));
        commands.spawn((
            Layer::Zone,
            Mud,
            CircleCollider::new(22.0),
            Fill(YELLOW_900),
            at,
        ));
    }
    for (place, color) in [ROSE_400, AMBER_400, VIOLET_400, LIME_300]
        .into_iter()
        .enumerate()
    {
        let index = POINTS - 3 - 4 * (place / 2);
        let lane = along(index).perp() * (24.0 - 48.0 * (place % 2) as f32);
        let turn = Quat::from_rotation_z(along(index).to_angle());
        let at = Transform::from_translation((road(index) + lane).extend(1.0)).with_rotation(turn);
        let collider = (RectCollider::from_size(CAR), CollidingEntities::default());
        let car = (
            Car::default(),
            collider,
            Pushable,
            Turning::default(),
            Fill(color),
            at,
        );
        match place {
            3 => commands.spawn((Layer::Hero, Player, car, Trail)),
            _ => commands.spawn((Layer::Foe, Rival(0.80 + 0.05 * place as f32), car)),
        };
    }
    Ok(())
}

/// Toward a point ahead on the road, from -1 for right to 1 for left.
pub fn steering(car: &Transform) -> f32 {
    let position = car.translation.truncate();
    let squared = |index: &usize| road(*index).distance_squared(position);
    let nearest = (0..POINTS).min_by(|a, b| squared(a).total_cmp(&squared(b)));
    let offset = road(nearest.unwrap_or(0) + 6) - position;
    (2.5 * car.local_x().truncate().angle_to(offset)).clamp(-1.0, 1.0)
}

fn steer(
    intent: Res<Intent>,
    tally: Res<Tally>,
    mut cars: Query<(&mut Car, &Transform, Option<&Rival>)>,
) {
    for (mut car, transform, rival) in &mut cars {
        (car.throttle, car.steer) = match rival {
            Some(rival) => (rival.0 + 0.03 * tally.level as f32, steering(transform)),
            None => (intent.steer.y, -intent.steer.x),
        };
    }
}

/// A mover keeps the speed along what blocks it. A crash costs more.
fn crash(mut hits: MessageReader<MoverHit>, mut cars: Query<&mut Mover, With<Car>>) {
    for hit in hits.read().filter(|hit| hit.speed > CRASH) {
        if let Ok(mut mover) = cars.get_mut(hit.entity) {
            mover.velocity *= 0.5;
        }
    }
}

/// Tires roll along the car, and hardly slide.
fn drive(time: Res<Time>, mut cars: Query<(&Car, &Transform, &mut Mover, &mut Turning)>) {
    let seconds = time.delta_secs();
    for (car, transform, mut mover, mut turning) in &mut cars {
        let ahead = transform.local_x().truncate();
        let speed = mover.velocity.dot(ahead);
        let slide = mover.velocity - ahead * speed;
        let gain = 420.0 * car.throttle - 1.1 * speed;
        mover.velocity = ahead * (speed + gain * seconds) + slide * (-5.0 * seconds).exp();
        turning.0 = 3.2 * car.steer * (speed / 150.0).clamp(-1.0, 1.0);
    }
}

/// Time passes more slowly in mud.
fn slow_down(mut cars: Query<(&mut Mover, &CollidingEntities)>, mud: Query<(), With<Mud>>) {
    for (mut mover, touched) in &mut cars {
        let is_slow = touched.iter().any(|&entity| mud.contains(entity));
        mover.time_scale = if is_slow { 0.5 } else { 1.0 };
    }
}

fn pass(
    mut hits: Hits<With<Car>, With<Gate>>,
    gates: Query<&Gate>,
    mut cars: Query<(&mut Car, Has<Player>)>,
    mut tally: ResMut<Tally>,
) {
    for hit in hits.read() {
        if let (Ok((mut car, is_player)), Ok(gate)) = (cars.get_mut(hit.a), gates.get(hit.b))
            && car.passed % GATES == gate.0
        {
            car.passed += 1;
            tally.score += if is_player { 10 } else { 0 };
        }
    }
}

/// The next race goes on from here, faster. Each rival that was first costs a life.
fn finish(mut cars: Query<(&mut Car, Has<Rival>)>, mut tally: ResMut<Tally>) {
    let is_done = |car: &Car| car.passed > LAPS * GATES;
    if cars.iter().any(|(car, is_rival)| !is_rival && is_done(car)) {
        let ahead = cars
            .iter()
            .filter(|(car, is_rival)| *is_rival && is_done(car))
            .count();
        (0..ahead).for_each(|_| tally.lose_life());
        tally.score += 100 * (3 - ahead as u32);
        tally.level += 1;
        cars.iter_mut().for_each(|(mut car, _)| car.passed = 1);
    }
}
