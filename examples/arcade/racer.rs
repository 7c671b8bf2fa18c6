//! Racer: cars ram each other, and walls take only the speed into them.

use super::games::prelude::*;
use super::maps::{POINTS, lane, pose, steering};

pub const GATES: usize = 8;
pub const LAPS: usize = 3;
const CAR: Vec2 = Vec2::new(34.0, 18.0);
const COLORS: [Srgba; 4] = [ROSE_400, AMBER_400, VIOLET_400, LIME_300];
const EDGE: Srgba = ROSE_300;
/// A crash at this speed costs half of what is left of it.
const CRASH: f32 = 220.0;

/// Its throttle when nobody steers it, and how many gates it has passed in all races.
#[derive(Component)]
#[require(Pushable, Turning, CollidingEntities)]
pub struct Car {
    throttle: f32,
    pub passed: usize,
}

#[derive(Component)]
pub struct Player;

/// Its index along the track.
#[derive(Component)]
struct Gate(usize);

#[derive(Component)]
struct Mud;

pub fn plugin(app: &mut App) {
    let steps = (crash, drive, slow_down, pass, finish).chain();
    app.add_systems(OnEnter(Game::Racer), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Racer)));
}

fn spawn(mut tally: ResMut<Tally>, mut commands: Commands) -> Result {
    tally.level = 1;
    let table = LayerTable::new().collide(Layer::Wall, [Layer::Hero, Layer::Foe]);
    let table = table.collide(Layer::Foe, [Layer::Hero, Layer::Foe, Layer::Zone]);
    commands.insert_resource(table.collide(Layer::Zone, Layer::Hero));
    commands.spawn_batch(room().map(|wall| (Layer::Wall, wall)));
    // Solid between the first two lines and between the last two: beside the track.
    let barriers = [-60.0, -50.0, 50.0, 60.0].map(lane);
    let barriers = PolygonCollider::from_outlines(barriers)?;
    commands.spawn((Layer::Wall, Solid, barriers));
    for (left, width, color) in [
        (0.0, 100.0, ZINC_800),
        (-55.0, 10.0, EDGE),
        (55.0, 10.0, EDGE),
    ] {
        commands.spawn((Layer::Ghost, Ribbon::closed(lane(left), width, color)));
    }
    for gate in 0..GATES {
        let color = ZINC_200.with_alpha(if gate == 0 { 0.9 } else { 0.05 });
        let look = (Fill(color), pose(gate * POINTS / GATES, 0.0, 0.5));
        commands.spawn((Layer::Zone, Gate(gate), RectCollider::new(8.0, 100.0), look));
    }
    for index in [20, 62] {
        let look = (Fill(YELLOW_900), pose(index, 22.0, 0.6));
        commands.spawn((Layer::Zone, Mud, CircleCollider::new(20.0), look));
    }
    for (index, color) in COLORS.into_iter().enumerate() {
        let point = POINTS - 3 - 4 * (index / 2);
        let at = pose(point, 24.0 - 48.0 * (index % 2) as f32, 1.0);
        let (throttle, passed) = (0.8 + 0.05 * index as f32, 0);
        let look = (RectCollider::from_size(CAR), Fill(color), Trail, at);
        let mut car = commands.spawn((Layer::Foe, Car { throttle, passed }, look));
        if index == 3 {
            car.insert((Layer::Hero, Player));
        }
    }
    Ok(())
}

/// A wall takes the speed into it. A crash takes half of the rest as well.
fn crash(mut hits: MessageReader<MoverHit>, mut cars: Query<&mut Mover, With<Car>>) {
    for hit in hits.read().filter(|hit| hit.speed > CRASH) {
        if let Ok(mut mover) = cars.get_mut(hit.entity) {
            mover.velocity *= 0.5;
        }
    }
}

/// Tires roll along the car, and hardly slide.
fn drive(
    intent: Res<Intent>,
    time: Res<Time>,
    mut cars: Query<(&Car, &Transform, &mut Mover, &mut Turning, Has<Player>)>,
) {
    let seconds = time.delta_secs();
    for (car, at, mut mover, mut turning, is_player) in &mut cars {
        let wanted = [
            [car.throttle, steering(at, 0.0)],
            [intent.steer.y, -intent.steer.x],
        ];
        let [throttle, steer] = wanted[usize::from(is_player)];
        let ahead = at.local_x().truncate();
        let speed = mover.velocity.dot(ahead);
        let slide = mover.velocity - ahead * speed;
        let gained = (420.0 * throttle - 1.1 * speed) * seconds;
        mover.velocity = ahead * (speed + gained) + slide * (-5.0 * seconds).exp();
        turning.0 = 3.2 * steer * (speed / 150.0).clamp(-1.0, 1.0);
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
fn finish(mut cars: Query<(&mut Car, Has<Player>)>, mut tally: ResMut<Tally>) {
    let gates = LAPS * GATES * tally.level as usize;
    let done = || cars.iter().filter(|(car, _)| car.passed > gates);
    if done().any(|(_, is_player)| is_player) {
        (1..done().count()).for_each(|_| tally.lose_life());
        tally.level += 1;
        cars.iter_mut()
            .for_each(|(mut car, _)| car.throttle += 0.02);
    }
}
