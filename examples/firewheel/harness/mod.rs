//! What plays and watches the game, apart from its rules: the command line, bots, a run
//! without a window, a tally, an audit of the plugin and a stopwatch.

pub mod audit;
mod bot;
pub mod headless;
mod options;
mod status;
mod stopwatch;
pub mod tally;

pub use options::Options;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::game::GamePlugin;

/// The game as the options want it, and everything that watches it.
pub struct HarnessPlugin {
    pub options: Options,
}

impl Plugin for HarnessPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(GamePlugin {
            player_count: self.options.players,
            seed: self.options.seed,
            first_wave: self.options.wave,
        })
        .add_plugins((
            tally::plugin,
            stopwatch::plugin,
            audit::plugin,
            status::plugin(self.options.status.clone()),
        ));
        if self.options.has_bots() {
            app.add_plugins(bot::plugin);
        }
        if self.options.no_blocking {
            app.add_systems(PostUpdate, block_nothing.before(CollisionSystems::Sync));
        }
    }
}

/// Implements `--no-blocking`, which proves that the audit finds errors.
fn block_nothing(mut movers: Query<&mut Mover, Added<Mover>>) {
    for mut mover in &mut movers {
        mover.response = MoverResponse::Pass;
    }
}
