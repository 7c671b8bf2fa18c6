//! The worst frame of hostile scenes, compared with that of as many ordinary colliders.

#[path = "common/measured_app.rs"]
mod measured_app;

use std::{
    env,
    f32::consts::{PI, TAU},
    time::{Duration, Instant},
};

use bevy::prelude::*;
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};
use fastrand::Rng;
use measured_app::{TIMESTEP, diagnostic, measured_app, time_of_stages};

/// The number of frames before the measured ones, in which all initial pairs start.
const WARM_UP: usize = 20;
/// The limits for the number of measured frames. Between them, the time decides.
const FRAMES: [usize; 2] = [10, 200];
/// The duration of a run after which no further frame is measured.
const MAX_RUN_TIME: Duration = Duration::from_secs(4);
/// The number of equal runs, of which the least time of each frame counts: the scenes are
/// deterministic, but the machine is not quiet.
const RUNS: usize = 3;
/// The number of frames after which everything moves back to where it came from.
const FRAMES_UNTIL_RETURN: usize = 20;

/// The number of teeth of a gear and of a comb: four vertices each.
const TEETH: u8 = 25;
/// A world, and what changes in each frame.
struct Scene {
    name: &'static str,
    colliders: usize,
    /// Spawns this many colliders.
    spawn: fn(&mut World, usize),
    /// Runs in a frame of its own before each measured one, instead of a warm-up.
    prepare: Option<fn(&mut World, usize)>,
    /// The changes of a frame, from the number of colliders and that of the frame.
    step: fn(&mut World, usize, usize),
}

/// Sorted by the number of colliders.
const SCENES: [Scene; 12] = [
    moving("all at one position", 1000, spawn_on_one_spot),
    moving("each covers the world", 1000, spawn_large),
    moving("gears of 100 vertices", 1000, spawn_gears),
    moving("sprites of 64 × 64 pixels", 1000, spawn_sprites),
    moving("interlocking combs of 102 vertices", 1000, spawn_combs),
    Scene {
        step: advance_and_steer,
        ..moving("movers at islands of 10,000 vertices", 1000, spawn_islands)
    },
    moving("bounces at 100 times the size", 1000, spawn_room),
    moving("layers that exclude each other", 10_000, spawn_layers),
    Scene {
        step: teleport,
        ..moving("all teleported in each frame", 10_000, spawn_ordinary)
    },
    Scene {
        prepare: Some(spawn_ordinary),
        step: |world, count, _| despawn_all(world, count),
        ..moving("all despawned in one frame", 100_000, |_, _| {})
    },
    Scene {
        prepare: Some(despawn_all),
        step: |world, count, _| spawn_ordinary(world, count),
        ..moving("all spawned in one frame", 100_000, |_, _| {})
    },
    moving("a level moved by its parent", 100_000, spawn_level),
];

/// A scene in which everything that has a [`Motion`] moves.
const fn moving(name: &'static str, colliders: usize, spawn: fn(&mut World, usize)) -> Scene {
    Scene {
        name,
        colliders,
        spawn,
        prepare: None,
        step: advance,
    }
}

/// The motion of a collider that no plugin moves: its velocity in world units per frame, and its
/// rotation in radians per frame.
#[derive(Component)]
struct Motion(Vec2, f32);

/// The position that a mover is steered to.
#[derive(Component)]
struct Target(Vec2);

/// A measured frame.
#[derive(Clone, Copy)]
struct Frame {
    /// The sum of the stages of the update, in milliseconds.
    update: f64,
    /// The step and all of Bevy's schedules, in milliseconds.
    whole: f64,
    /// The pairs that overlapped before, in or after the frame.
    pairs: f64,
}

/// The frames of a scene, of which there is at least one, sorted by the time of their updates.
struct Measurement(Vec<Frame>);

impl Measurement {
    fn of(scene: &Scene) -> Self {
        let mut frames = run(scene, FRAMES, MAX_RUN_TIME);
        for _ in 1..RUNS {
            let repeated = run(scene, [frames.len(); 2], Duration::ZERO);
            for (frame, again) in frames.iter_mut().zip(repeated) {
                frame.update = frame.update.min(again.update);
                frame.whole = frame.whole.min(again.whole);
            }
        }
        frames.sort_by(|a, b| a.update.total_cmp(&b.update));
        Self(frames)
    }

    fn median(&self) -> f64 {
        self.0[self.0.len() / 2].update
    }

    fn worst(&self) -> Frame {
        self.0[self.0.len() - 1]
    }
}

/// Runs the scene from its beginning, and returns the measured frames.
fn run(scene: &Scene, [min, max]: [usize; 2], max_time: Duration) -> Vec<Frame> {
    let mut app = measured_app();
    (scene.spawn)(app.world_mut(), scene.colliders);
    let warm_up = if scene.prepare.is_some() { 0 } else { WARM_UP };
    for frame in 0..warm_up {
        (scene.step)(app.world_mut(), scene.colliders, frame);
        app.update();
    }
    let (mut frames, start) = (Vec::new(), Instant::now());
    while frames.len() < min || (frames.len() < max && start.elapsed() < max_time) {
        if let Some(prepare) = scene.prepare {
            prepare(app.world_mut(), scene.colliders);
            app.update();
        }
        frames.push(measure_frame(&mut app, scene, warm_up + frames.len()));
    }
    frames
}

fn measure_frame(app: &mut App, scene: &Scene, frame: usize) -> Frame {
    type Plugin = CollisionDiagnosticsPlugin;
    let pairs_before = diagnostic(app, &Plugin::PAIRS);
    let start = Instant::now();
    (scene.step)(app.world_mut(), scene.colliders, frame);
    app.update();
    let whole = start.elapsed().as_secs_f64() * 1e3;
    let events = app.world().resource::<Messages<CollisionEvent>>();
    let changes = events.iter_current_update_messages().count() as f64;
    Frame {
        update: time_of_stages(app),
        whole,
        pairs: (pairs_before + diagnostic(app, &Plugin::PAIRS) + changes) / 2.0,
    }
}

/// Moves and rotates everything, there and back.
fn advance(world: &mut World, _: usize, frame: usize) {
    let returns = (frame / FRAMES_UNTIL_RETURN) % 2 == 1;
    let sign = if returns { -1.0 } else { 1.0 };
    let mut moving = world.query::<(&mut Transform, &Motion)>();
    for (mut transform, &Motion(velocity, spin)) in moving.iter_mut(world) {
        transform.translation += (sign * velocity).extend(0.0);
        transform.rotate_z(sign * spin);
    }
}

/// Like [`advance`], and steers all movers obliquely to their targets.
fn advance_and_steer(world: &mut World, count: usize, frame: usize) {
    advance(world, count, frame);
    let mut movers = world.query::<(&mut Mover, &Transform, &Target)>();
    for (mut mover, transform, target) in movers.iter_mut(world) {
        let direction = (target.0 - transform.translation.xy()).normalize_or_zero();
        mover.velocity = direction.rotate(Vec2::from_angle(PI / 4.0)) * 120.0;
    }
}

/// Moves everything to random positions.
fn teleport(world: &mut World, count: usize, frame: usize) {
    let mut rng = Rng::with_seed(frame as u64);
    let mut transforms = world.query::<&mut Transform>();
    for mut transform in transforms.iter_mut(world) {
        transform.translation = random_position(world_size(count), &mut rng).extend(0.0);
    }
}

fn despawn_all(world: &mut World, _: usize) {
    circles(world)
        .into_iter()
        .for_each(|entity| _ = world.despawn(entity));
}

fn circles(world: &mut World) -> Vec<Entity> {
    let mut circles = world.query_filtered::<Entity, With<CircleCollider>>();
    circles.iter(world).collect()
}

/// Circles that move as in `frames`.
fn spawn_ordinary(world: &mut World, count: usize) {
    let circle = |rng: &mut Rng| CircleCollider::new(3.0 + 4.0 * rng.f32());
    spawn_moving(world, count, world_size(count), [2.0, 0.0], circle);
}

fn spawn_on_one_spot(world: &mut World, count: usize) {
    spawn_moving(world, count, 1.0, [0.05, 0.0], |_| CircleCollider::new(5.0));
}

/// Rectangles twice as large as the area that their centers are in.
fn spawn_large(world: &mut World, count: usize) {
    let size = world_size(count);
    let rect = |_: &mut Rng| RectCollider::new(2.0 * size, 2.0 * size);
    spawn_moving(world, count, size, [1.0, 0.02], rect);
}

/// Gears in rows and columns, whose teeth reach between those of their neighbors.
fn spawn_gears(world: &mut World, count: usize) {
    let mut rng = Rng::with_seed(count as u64);
    let collider = polygon((0..TEETH).flat_map(|tooth| {
        let tooth_start = f32::from(tooth);
        [(0.0, 16.0), (0.2, 20.0), (0.5, 20.0), (0.7, 16.0)].map(|(fraction, radius)| {
            Vec2::from_angle((tooth_start + fraction) / f32::from(TEETH) * TAU) * radius
        })
    }));
    for cell in cells(count) {
        let motion = Motion(Vec2::ZERO, 0.2 * (rng.f32() - 0.5));
        world.spawn((collider.clone(), at(cell * 37.0), motion));
    }
}

/// Disks with bays and a hole, each of which overlaps about one other.
fn spawn_sprites(world: &mut World, count: usize) {
    let pixels = (0..64u8).flat_map(|y| (0..64u8).map(move |x| (x, y)));
    let alpha = pixels.map(|(x, y)| {
        let pixel = Vec2::new(f32::from(x), f32::from(y)) - 31.5;
        let radius = 32.0 * (0.85 + 0.15 * (pixel.to_angle() * 7.0).sin());
        let is_solid = (8.0..radius).contains(&pixel.length());
        if is_solid { u8::MAX } else { 0 }
    });
    let collider = TileCollider::from_alpha(64, alpha, 128, Vec2::ONE);
    let size = world_size(count) * 32.0 / 5.0;
    spawn_moving(world, count, size, [2.0, 0.02], |_| collider.clone());
}

/// Circles at one position, in a cycle of layers: each layer looks for the next, which does not
/// look for it.
fn spawn_layers(world: &mut World, count: usize) {
    spawn_on_one_spot(world, count);
    for (number, entity) in (0u32..).zip(circles(world)) {
        let [layer, next] = [number, number + 1].map(|number| LayerMask::layer(number % 8));
        let layers = CollisionLayers::new(layer, next);
        world.entity_mut(entity).insert(layers);
    }
}

/// Pairs of combs, whose teeth move in each other's gaps, and touch half of the time.
fn spawn_combs(world: &mut World, count: usize) {
    let end = 8.0 * f32::from(TEETH / 2);
    let tooth_vertices = [(40.0, -1.5), (40.0, 1.5), (4.0, 1.5), (4.0, 6.5)].map(Vec2::from);
    let teeth = (0..TEETH).flat_map(|tooth| {
        let center = Vec2::new(0.0, 8.0 * f32::from(tooth) - end);
        tooth_vertices.map(|vertex| center + vertex)
    });
    let back = [(0.0, end + 6.5), (0.0, -end - 1.5)].map(Vec2::from);
    let collider = polygon(teeth.chain(back));
    for cell in cells(count / 2) {
        let position = cell * Vec2::new(100.0, 250.0);
        let motion = Motion(Vec2::new(-0.5, 0.1), 0.0);
        world.spawn((collider.clone(), at(position), motion));
        let opposite = at(position + Vec2::new(50.0, 4.0)).with_rotation(Quat::from_rotation_z(PI));
        world.spawn((collider.clone(), opposite));
    }
}

/// Rotating solid islands with bays, and movers around them.
fn spawn_islands(world: &mut World, count: usize) {
    let mut rng = Rng::with_seed(count as u64);
    let (island_radius, colliders_per_island) = (300.0, 100);
    let collider = polygon((0..10_000u16).map(|vertex| {
        let angle = f32::from(vertex) / 10_000.0 * TAU;
        let radius = island_radius + 20.0 * (angle * 50.0).sin() + f32::from(vertex % 2);
        Vec2::from_angle(angle) * radius
    }));
    for cell in cells(count / colliders_per_island) {
        let center = cell * 3.0 * island_radius;
        let motion = Motion(Vec2::ZERO, 0.002);
        world.spawn((collider.clone(), Solid, at(center), motion));
        for _ in 1..colliders_per_island {
            let offset = Vec2::from_angle(rng.f32() * TAU) * island_radius * 1.1;
            let mover = (CircleCollider::new(3.0), Mover::default(), Target(center));
            world.spawn((mover, at(center + offset)));
        }
    }
}

/// A room with pillars, and movers that bounce in it.
fn spawn_room(world: &mut World, count: usize) {
    let mut rng = Rng::with_seed(count as u64);
    for normal in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        let size = 1200.0 - 1100.0 * normal.abs();
        let wall = RectCollider::new(size.x, size.y);
        world.spawn((wall, Solid, at(normal * 550.0)));
    }
    let centers: Vec<Vec2> = cells(100).map(|cell| (cell - 4.5) * 100.0).collect();
    for center in &centers {
        world.spawn((CircleCollider::new(10.0), Solid, at(*center)));
    }
    for center in centers.iter().cycle().take(count - 4 - centers.len()) {
        // The size is 4 world units.
        let speed = 100.0 * 4.0 / TIMESTEP.as_secs_f32();
        let mover = Mover {
            response: MoverResponse::Bounce,
            ..Mover::with_velocity(Vec2::from_angle(rng.f32() * TAU) * speed)
        };
        let position = center + Vec2::from_angle(rng.f32() * TAU) * 30.0;
        world.spawn((CircleCollider::new(2.0), mover, at(position)));
    }
}

/// Walls below one entity that moves.
fn spawn_level(world: &mut World, count: usize) {
    let mut rng = Rng::with_seed(count as u64);
    let motion = Motion(Vec2::new(1.0, 0.5), 0.0);
    let parent = world.spawn((Transform::default(), motion)).id();
    for _ in 0..count {
        let collider = RectCollider::new(8.0 + 32.0 * rng.f32(), 8.0 + 12.0 * rng.f32());
        let position = random_position(2.0 * world_size(count), &mut rng);
        world.spawn((collider, Solid, at(position), ChildOf(parent)));
    }
}

/// The column and row of this many cells of a square grid.
fn cells(count: usize) -> impl Iterator<Item = Vec2> {
    let columns = (count as f32).sqrt().ceil() as usize;
    (0..count).map(move |index| Vec2::new((index % columns) as f32, (index / columns) as f32))
}

/// Spawns colliders at random positions, at up to this speed and with this spin.
fn spawn_moving<C: Component>(
    world: &mut World,
    count: usize,
    size: f32,
    [speed, spin]: [f32; 2],
    collider: impl Fn(&mut Rng) -> C,
) {
    let mut rng = Rng::with_seed(count as u64);
    for _ in 0..count {
        let velocity = Vec2::from_angle(rng.f32() * TAU) * speed * (0.25 + 0.75 * rng.f32());
        let position = random_position(size, &mut rng);
        world.spawn((collider(&mut rng), at(position), Motion(velocity, spin)));
    }
}

/// The size of the square in which each ordinary collider overlaps about one other.
fn world_size(count: usize) -> f32 {
    18.0 * (count as f32).sqrt()
}

/// A position in the square of this size around the origin.
fn random_position(size: f32, rng: &mut Rng) -> Vec2 {
    (Vec2::new(rng.f32(), rng.f32()) - 0.5) * size
}

fn polygon(vertices: impl Iterator<Item = Vec2>) -> PolygonCollider {
    PolygonCollider::new(vertices).expect("no edges cross")
}

fn at(position: Vec2) -> Transform {
    Transform::from_translation(position.extend(0.0))
}

/// Prints a row of the table.
fn print_row(scene: &Scene, measured: &Measurement, ordinary: &Measurement) {
    let (worst, ordinary_worst) = (measured.worst(), ordinary.worst());
    let ratio = worst.update / ordinary_worst.update;
    let per_pair = match ordinary_worst.pairs / worst.pairs {
        pair_ratio if pair_ratio.is_finite() => format!("{:.1}×", ratio * pair_ratio),
        _ => "–".into(),
    };
    let times = [
        measured.median(),
        worst.update,
        worst.whole,
        ordinary.median(),
    ];
    let [median, update, whole, ordinary_median] = times.map(|time| format!("{time:.2}"));
    println!(
        "| {} | {} | {} | {median} | {update} | {whole} | {ordinary_median}, {:.2} | {ratio:.1}× \
         | {per_pair} |",
        scene.name, scene.colliders, worst.pairs, ordinary_worst.update,
    );
}

/// Measures the scenes whose name contains the argument, or all without an argument.
fn main() {
    let mut arguments = env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let word = arguments.next().unwrap_or_default();
    println!(
        "| scene | colliders | pairs | median | worst | frame | ordinary | ratio | per pair |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut reference: Option<(usize, Measurement)> = None;
    for scene in SCENES.iter().filter(|scene| scene.name.contains(&word)) {
        let count = scene.colliders;
        let known = reference.take().filter(|(other, _)| *other == count);
        let measure = || Measurement::of(&moving("ordinary", count, spawn_ordinary));
        let (_, ordinary) = reference.insert(known.unwrap_or_else(|| (count, measure())));
        print_row(scene, &Measurement::of(scene), ordinary);
    }
}
