//! The same match without a network: no rollback, and all inputs are known.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;

use crate::{
    Options,
    duel::{self, Gone, Inputs, Step, bots, state::Match},
    hash,
    protocol::TICK,
    record::{self, Hashes},
    rollback::INPUT_DELAY,
};

/// Plays by the bots of the clients. Returns the lines that the clients should print.
pub fn play(options: &Options) -> Vec<String> {
    let seed = options.seed;
    let press = move |game: Res<Match>, mut inputs: ResMut<Inputs>| {
        let step = (game.step + 1).saturating_sub(INPUT_DELAY.into());
        inputs.0 = [0, 1].map(|player| bots::input(seed, player, step));
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins(CollisionPlugin::new(FixedUpdate))
        .add_plugins(duel::plugin(FixedUpdate, seed))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        .init_resource::<Hashes>()
        .add_systems(FixedUpdate, press.before(Step::Act))
        .add_systems(FixedLast, hash::of_step.pipe(record::record))
        .add_observer(|gone: On<Gone>, mut commands: Commands| {
            commands.entity(gone.entity).try_despawn();
        });
    app.finish();
    app.cleanup();
    // The first update takes no time.
    for _ in 0..=options.steps {
        app.update();
    }
    app.world().resource::<Hashes>().lines(options.steps)
}
