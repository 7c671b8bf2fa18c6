//! How the time of an update or a call grows with the size of a scene, as an exponent.

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use bevy::{
    app::TaskPoolPlugin,
    diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore},
    ecs::system::SystemState,
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};
use fastrand::Rng;

/// The simulated duration of a frame.
const TIMESTEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The number of frames before the measured ones, in which what was spawned settles.
const WARM_UP: usize = 10;
/// The number of measured frames, of which the median counts.
const FRAMES: usize = 41;
/// The duration of a run after which no further frame is measured.
const MAX_RUN_TIME: Duration = Duration::from_secs(4);

/// A world in several sizes, what changes in each frame, and what is measured.
struct Scene {
    name: &'static str,
    sizes: [usize; 4],
    spawn: fn(&mut World, usize),
    /// The changes before an update, from the size and the number of the frame.
    step: fn(&mut World, usize, usize),
    measure: Measure,
}

/// What takes the time.
#[derive(Clone, Copy)]
enum Measure {
    /// The stages of an update.
    Update,
    /// The stages of the first update.
    First,
    /// A call after an update: returns the time of one.
    Call(fn(&mut World, usize) -> Duration),
}

const SCENES: [Scene; 6] = [
    Scene {
        name: "a list of all that start in a zone at once",
        sizes: [4_000, 8_000, 16_000, 32_000],
        spawn: |world, size| {
            spawn_zone(world, size);
            spawn_grid(world, size, ());
        },
        step: rest,
        measure: Measure::First,
    },
    Scene {
        name: "lists of all that start at one position",
        sizes: [150, 300, 600, 1_200],
        spawn: |world, size| {
            for _ in 0..size {
                world.spawn((CircleCollider::new(1.0), CollidingEntities::default()));
            }
        },
        step: rest,
        measure: Measure::First,
    },
    Scene {
        name: "a list of a zone that 100 enter or leave",
        sizes: [1_250, 2_500, 5_000, 10_000],
        spawn: |world, size| {
            spawn_zone(world, size);
            spawn_grid(world, size, ());
        },
        step: |world, size, frame| jump_out_and_in(world, size, frame, 100),
        measure: Measure::Update,
    },
    Scene {
        name: "pairs, 1% move, a tenth of these apart or together",
        sizes: PAIRS,
        spawn: spawn_couples,
        step: shake_one_percent,
        measure: Measure::Update,
    },
    Scene {
        name: "the same, a lookup by two entities",
        sizes: PAIRS,
        spawn: spawn_couples,
        step: shake_one_percent,
        measure: Measure::Call(|world, frame| {
            let couples = world.resource::<Numbered>().0.clone();
            let mut collisions = SystemState::<Collisions>::new(world);
            let collisions = collisions.get(world).expect("the plugin is there");
            let mut rng = Rng::with_seed(frame as u64);
            let numbers = [(); 64].map(|()| 2 * rng.usize(..couples.len() / 2));
            // The first lookup after a detection is another scene.
            black_box(collisions.contains(couples[0], couples[1]));
            let start = Instant::now();
            for number in numbers {
                black_box(collisions.contains(couples[number], couples[number + 1]));
            }
            start.elapsed() / numbers.len() as u32
        }),
    },
    Scene {
        name: "the same, the first `of` after a detection",
        sizes: PAIRS,
        spawn: spawn_couples,
        step: shake_one_percent,
        measure: Measure::Call(|world, frame| {
            let entities = &world.resource::<Numbered>().0;
            let entity = entities[frame % entities.len()];
            let mut collisions = SystemState::<Collisions>::new(world);
            let collisions = collisions.get(world).expect("the plugin is there");
            let start = Instant::now();
            black_box(collisions.of(entity).count());
            start.elapsed()
        }),
    },
];

/// Numbers of pairs.
const PAIRS: [usize; 4] = [12_500, 25_000, 50_000, 100_000];

/// The entities of a scene by number.
#[derive(Resource, Default)]
struct Numbered(Vec<Entity>);

/// Nothing moves.
fn rest(_: &mut World, _: usize, _: usize) {}

/// A zone around [`spawn_grid`], with a list.
fn spawn_zone(world: &mut World, size: usize) {
    let width = 10.0 * (size as f32).sqrt() + 20.0;
    let zone = RectCollider::new(2.0 * width, 2.0 * width);
    world.spawn((zone, CollidingEntities::default()));
}

/// Numbered circles of radius 1 in a square with a spacing of 10.
fn spawn_grid(world: &mut World, count: usize, bundle: impl Bundle + Clone) {
    let columns = (count as f32).sqrt().ceil() as usize;
    let spawned = (0..count).map(|number| {
        let [x, y] = [number % columns, number / columns].map(|index| index as f32 * 10.0);
        let circle = (CircleCollider::new(1.0), Transform::from_xyz(x, y, 0.0));
        world.spawn((circle, bundle.clone())).id()
    });
    let spawned = Numbered(spawned.collect());
    world.insert_resource(spawned);
}

/// Some circles leave the zone, or return to it.
fn jump_out_and_in(world: &mut World, size: usize, frame: usize, count: usize) {
    let away = if frame.is_multiple_of(2) { 1e4 } else { -1e4 };
    let entities = world.resource::<Numbered>().0.clone();
    for number in 0..count {
        let entity = entities[number * size / count];
        let mut transform = world.get_mut::<Transform>(entity).expect("it was spawned");
        transform.translation.x += away;
    }
}

/// This many pairs of circles, numbered one after the other.
fn spawn_couples(world: &mut World, count: usize) {
    spawn_grid(world, count, ());
    let firsts = std::mem::take(&mut world.resource_mut::<Numbered>().0);
    let couples = firsts.into_iter().flat_map(|first| {
        let mut transform = *world.get::<Transform>(first).expect("it was spawned");
        transform.translation.x += 1.5;
        let second = world.spawn((CircleCollider::new(1.0), transform)).id();
        [first, second]
    });
    let couples = Numbered(couples.collect());
    world.insert_resource(couples);
}

/// Every hundredth couple moves, and a tenth of these apart or together.
fn shake_one_percent(world: &mut World, _: usize, frame: usize) {
    let sign = if frame.is_multiple_of(2) { 1.0 } else { -1.0 };
    let couples = world.resource::<Numbered>().0.clone();
    for (number, couple) in couples.chunks(2).step_by(100).enumerate() {
        let delta = if number.is_multiple_of(10) { 1.0 } else { 0.1 };
        let mut transform = (world.get_mut::<Transform>(couple[1])).expect("it was spawned");
        transform.translation.x += sign * delta;
    }
}

impl Scene {
    /// The median time at a size, in milliseconds.
    fn time(&self, size: usize) -> f64 {
        let (mut times, start) = (Vec::new(), Instant::now());
        let mut app = self.app(size);
        while times.is_empty() || times.len() < FRAMES && start.elapsed() < MAX_RUN_TIME {
            let frame = WARM_UP + times.len();
            times.push(match self.measure {
                Measure::First => update(&mut self.app(size)),
                Measure::Update => {
                    (self.step)(app.world_mut(), size, frame);
                    update(&mut app)
                }
                Measure::Call(call) => {
                    (self.step)(app.world_mut(), size, frame);
                    app.update();
                    call(app.world_mut(), frame).as_secs_f64() * 1e3
                }
            });
        }
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }

    /// An app before the measured frame.
    fn app(&self, size: usize) -> App {
        let mut app = empty_app();
        if let Measure::First = self.measure {
            app.update();
            (self.spawn)(app.world_mut(), size);
            return app;
        }
        (self.spawn)(app.world_mut(), size);
        for frame in 0..WARM_UP {
            (self.step)(app.world_mut(), size, frame);
            app.update();
        }
        app
    }

    /// Prints the times at all sizes, and how they grow.
    fn print_row(&self) {
        let times = self.sizes.map(|size| self.time(size));
        let [smallest, .., largest] = self.sizes.map(|size| size as f64);
        let exponent = (times[3] / times[0]).ln() / (largest / smallest).ln();
        let join = |texts: [String; 4]| texts.join(" / ");
        println!(
            "| {} | {} | {} | {exponent:.2} |",
            self.name,
            join(self.sizes.map(|size| size.to_string())),
            join(times.map(|time| format!("{time:.3}"))),
        );
    }
}

/// Updates, and returns the sum of its stages in milliseconds.
fn update(app: &mut App) -> f64 {
    type Plugin = CollisionDiagnosticsPlugin;
    app.update();
    let stages = [Plugin::SYNC, Plugin::MOVE, Plugin::DETECT, Plugin::REPORT];
    stages.iter().map(|path| diagnostic(app, path)).sum()
}

fn diagnostic(app: &App, path: &DiagnosticPath) -> f64 {
    let diagnostics = app.world().resource::<DiagnosticsStore>();
    (diagnostics.get(path).and_then(Diagnostic::value)).unwrap_or_default()
}

fn empty_app() -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionDiagnosticsPlugin::default(),
    ))
    .init_resource::<DiagnosticsStore>()
    .insert_resource(TimeUpdateStrategy::ManualDuration(TIMESTEP));
    app.finish();
    app.cleanup();
    app
}

/// Measures the scenes whose name contains the argument, or all without an argument.
fn main() {
    let mut arguments = env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let word = arguments.next().unwrap_or_default();
    println!("| scene | sizes | median, ms | exponent |");
    println!("|---|---|---|---|");
    for scene in SCENES.iter().filter(|scene| scene.name.contains(&word)) {
        scene.print_row();
    }
}
