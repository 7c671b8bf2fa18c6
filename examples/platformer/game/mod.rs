//! The rules of the game. They know nothing of windows, meshes or colors, nor of bots and audits.
//!
//! | the file | what it shows |
//! |---|---|
//! | `level` | a map of LDtk: slopes and [`OneWay`] planks as cells of a [`TileCollider`] |
//! | `hero` | a [`Walker`] that jumps, with coyote time, and drops through planks |
//! | `machines` | platforms that carry, [`Swept`] ones that push, a [`Conveyor`], and [`Crushed`] |
//! | `enemies` | walkers that turn at ledges, and [`Hits`] between two kinds of entities |
//! | `pickups` | sensors with observers of [`CollisionStart`]: coins, checkpoints and the goal |

pub mod enemies;
pub mod hero;
mod level;
pub mod machines;
pub mod pickups;

use std::time::Duration;

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The length of a step of the game.
pub const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// What was achieved since the start, and what there is to achieve.
#[derive(Resource, Default, Clone, Debug)]
pub struct Score {
    /// The clock of the level, which also moves the machines.
    pub seconds: f32,
    pub coins: u32,
    /// How many coins there are.
    pub all_coins: u32,
    pub deaths: u32,
    pub stomps: u32,
    /// When the hero reached the goal.
    pub finished: Option<f32>,
}

/// Starts again from the beginning.
#[derive(Event)]
pub struct Restart;

/// Everything but what is seen, and who plays. It steps in the fixed schedule, so that a jump is
/// the same at any frame rate.
pub fn plugin(app: &mut App) {
    app.add_plugins((CollisionPlugin::in_fixed_schedule(), level::plugin))
        .insert_resource(Time::<Fixed>::from_duration(STEP))
        .init_resource::<Score>()
        .add_observer(hero::die)
        .add_observer(hero::die_if_crushed)
        .add_systems(
            FixedUpdate,
            (
                advance_clock,
                enemies::meet_hero,
                hero::die_below_the_level,
                machines::run,
                hero::steer,
                enemies::patrol,
            )
                .chain(),
        );
}

fn advance_clock(time: Res<Time>, mut score: ResMut<Score>) {
    score.seconds += time.delta_secs();
}
