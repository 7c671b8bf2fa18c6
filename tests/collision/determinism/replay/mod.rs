//! A recorded game plays back to the same hashes, in every build and on any number of threads.

#[allow(dead_code, reason = "nobody plays here, and nothing is drawn")]
#[path = "../../../../integrations/duel/mod.rs"]
mod duel;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use duel::{Gone, Input, Inputs, bots};

use crate::common::{
    STEP,
    threads::{printed_with_threads, unstarted_app_with_threads},
};

/// A line for each span of steps: how many, what the players press, and then the hashes of
/// [`CollisionState`] and of the poses in the end.
const RECORDED: &str = include_str!("duel.txt");
const SEED: u64 = 7;
const SPANS: u32 = 200;
/// How many steps the spans have, in turn.
const STEPS: [u32; 4] = [3, 4, 5, 12];

fn add_game(app: &mut App) {
    app.add_plugins(duel::plugin(PostUpdate, SEED))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .add_observer(|gone: On<Gone>, mut commands: Commands| {
            commands.entity(gone.entity).try_despawn();
        });
    app.finish();
    app.cleanup();
}

fn game() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
    add_game(&mut app);
    app
}

/// Plays a span of steps. Returns its line.
fn play(app: &mut App, steps: u32, pressed: [u8; 2]) -> String {
    app.world_mut().resource_mut::<Inputs>().0 = pressed.map(Input);
    (0..steps).for_each(|_| app.update());
    let state = app.world().resource::<CollisionState>().hash();
    let poses = app
        .world_mut()
        .run_system_cached(|collisions: Collisions| collisions.hash_of_poses());
    let [a, b] = pressed;
    format!("{steps} {a} {b} {state:016x} {:016x}", poses.unwrap())
}

/// Plays back what was recorded, and fails at the first line that differs.
fn play_back(app: &mut App) {
    assert_eq!(RECORDED.lines().count(), SPANS as usize);
    for line in RECORDED.lines() {
        let mut words = line.split(' ');
        let mut number = || words.next().unwrap().parse::<u32>().unwrap();
        let (steps, pressed) = (number(), [number(), number()].map(|buttons| buttons as u8));
        assert_eq!(play(app, steps, pressed), line);
    }
}

#[test]
fn a_recorded_game_plays_back_to_the_same_hashes() {
    play_back(&mut game());
}

#[test]
fn a_recorded_game_is_the_same_on_any_number_of_threads() {
    for threads in [1, 2, 4, 8] {
        let name = concat!(module_path!(), "::play_back_with_threads");
        printed_with_threads(threads, name, "played back");
    }
}

/// What the test above runs in a process of its own.
#[test]
#[ignore = "part of another test"]
fn play_back_with_threads() {
    let Some(mut app) = unstarted_app_with_threads() else {
        return;
    };
    add_game(&mut app);
    play_back(&mut app);
    println!("played back");
}

/// Prints a new record, of bots.
#[test]
#[ignore = "records a game"]
fn record() {
    let mut app = game();
    for span in 0..SPANS {
        let pressed = [0, 1].map(|player| bots::input(SEED, player, 6 * span).0);
        println!("{}", play(&mut app, STEPS[span as usize % 4], pressed));
    }
}
