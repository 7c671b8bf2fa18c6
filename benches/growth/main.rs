//! How the time of an update or a call grows with the size of a scene, as an exponent.

mod boxes;
mod grids;
mod hierarchies;
#[path = "../common/measured_app.rs"]
mod measured_app;
mod movers;
mod pairs;

use std::{
    env,
    time::{Duration, Instant},
};

use bevy::{diagnostic::DiagnosticPath, prelude::*};
use bevy_thud::prelude::*;
use measured_app::{diagnostic, measured_app, time_of_stages};

/// The number of frames before the measured ones, in which what was spawned settles.
const WARM_UP: usize = 10;
/// The number of measured frames, of which the median counts.
const FRAMES: usize = 41;
/// The duration of a run after which no further frame is measured.
const MAX_RUN_TIME: Duration = Duration::from_secs(4);

/// A world in several sizes, what changes in each frame, and what is measured.
pub struct Scene {
    name: &'static str,
    sizes: [usize; 4],
    spawn: fn(&mut World, usize),
    /// The changes before an update, from the size and the number of the frame.
    step: fn(&mut World, usize, usize),
    measure: Measure,
}

/// What takes the time.
pub enum Measure {
    /// The stages of an update.
    Update,
    /// The stages of the first update.
    First,
    /// The slowest of the first updates.
    Worst,
    /// A stage of an update.
    Stage(DiagnosticPath),
    /// A call after an update: returns the time of one.
    Call(fn(&mut World, usize) -> Duration),
}

/// The entities of a scene by number.
#[derive(Resource, Default)]
pub struct Numbered(pub Vec<Entity>);

/// Nothing moves.
pub fn rest(_: &mut World, _: usize, _: usize) {}

/// Numbered circles of radius 1 in a square with a spacing of 10.
pub fn spawn_grid(world: &mut World, count: usize, bundle: impl Bundle + Clone) {
    let columns = (count as f32).sqrt().ceil() as usize;
    let spawned = (0..count).map(|number| {
        let [x, y] = [number % columns, number / columns].map(|index| index as f32 * 10.0);
        let circle = (CircleCollider::new(1.0), Transform::from_xyz(x, y, 0.0));
        world.spawn((circle, bundle.clone())).id()
    });
    let spawned = Numbered(spawned.collect());
    world.insert_resource(spawned);
}

/// Moves an entity along x.
pub fn shift(world: &mut World, entity: Entity, delta: f32) {
    let mut transform = (world.get_mut::<Transform>(entity)).expect("it was spawned");
    transform.translation.x += delta;
}

impl Scene {
    /// The median time at a size, in milliseconds.
    fn time(&self, size: usize) -> f64 {
        let (mut times, start) = (Vec::new(), Instant::now());
        let mut app = self.app(size);
        while times.is_empty() || times.len() < FRAMES && start.elapsed() < MAX_RUN_TIME {
            let frame = WARM_UP + times.len();
            times.push(match &self.measure {
                Measure::First => update(&mut self.app(size)),
                Measure::Worst => {
                    let mut app = self.app(size);
                    (0..FRAMES).map(|_| update(&mut app)).fold(0.0, f64::max)
                }
                Measure::Update => {
                    (self.step)(app.world_mut(), size, frame);
                    update(&mut app)
                }
                Measure::Stage(path) => {
                    (self.step)(app.world_mut(), size, frame);
                    app.update();
                    diagnostic(&app, path)
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
        let mut app = measured_app();
        if let Measure::First | Measure::Worst = self.measure {
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
    app.update();
    time_of_stages(app)
}

/// Measures the scenes whose name contains the argument, or all without an argument.
fn main() {
    let mut arguments = env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let word = arguments.next().unwrap_or_default();
    println!("| scene | sizes | median, ms | exponent |");
    println!("|---|---|---|---|");
    let all = (boxes::SCENES.iter())
        .chain(&pairs::SCENES)
        .chain(&grids::SCENES)
        .chain(&movers::SCENES)
        .chain(&hierarchies::SCENES);
    for scene in all.filter(|scene| scene.name.contains(&word)) {
        scene.print_row();
    }
}
