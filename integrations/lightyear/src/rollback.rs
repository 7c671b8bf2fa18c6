//! What is rolled back, and how far.

use bevy::{ecs::query::Allow, prelude::*};
use bevy_thud::prelude::*;
use lightyear::prelude::{
    AppComponentExt, DeterministicPredicted, LocalTimeline, PredictionBuilderExt,
    PredictionDespawnCommandsExt, PredictionDisable, PredictionManager, PredictionWindowWait,
    RollbackMode, RollbackPolicy,
};
use lightyear_deterministic_replication::prelude::DeterministicReplicationPlugin;

use crate::duel::{
    Gone, Simulated,
    state::{Bullet, Fighter, Match},
};

/// How many ticks late inputs count.
pub const INPUT_DELAY: u16 = 2;
/// A client waits rather than predict further than this many ticks.
///
/// It is thus at most `2 * MAX_ROLLBACK + INPUT_DELAY` ticks ahead of what the other client has of
/// its inputs. Lightyear keeps those of the last 20 ticks to send them again. If a client could be
/// further ahead, a burst of losses would leave a gap, which lightyear fills with the last input.
pub const MAX_ROLLBACK: u16 = 9;

/// Adds collisions to the ticks that are rolled back, with all that they depend on. Rolls back
/// `always` when an input arrives, or only if it was mispredicted.
pub fn plugin(always: bool) -> impl Plugin {
    move |app: &mut App| {
        add_collisions(app);
        let input = if always {
            RollbackMode::Always
        } else {
            RollbackMode::Check
        };
        app.insert_resource(PredictionManager {
            rollback_policy: RollbackPolicy {
                state: RollbackMode::Disabled,
                input,
                max_rollback_ticks: MAX_ROLLBACK,
            },
            ..default()
        });
    }
}

fn add_collisions(app: &mut App) {
    // Lightyear saves each tick in `FixedPostUpdate`. In that schedule, collisions would have to be
    // updated before `PredictionSystems::UpdateHistory`.
    app.add_plugins((
        CollisionPlugin::new(FixedUpdate),
        DeterministicReplicationPlugin,
    ));
    // What collisions remember is rolled back by this line.
    app.resource::<CollisionState>().local_rollback();
    // The components that the plugin reads and writes. Those that never change are not listed:
    // lightyear does not recreate entities, but hides and shows them.
    app.component::<Transform>().local_rollback();
    app.component::<Mover>().local_rollback();
    app.component::<MoverHits>().local_rollback();
    // Those of the game.
    app.component::<Fighter>().local_rollback();
    app.component::<Bullet>().local_rollback();
    app.resource::<Match>().local_rollback();
    app.register_required_components::<Simulated, DeterministicPredicted>();
    app.add_observer(hide)
        .add_observer(keep_hidden)
        .add_systems(FixedLast, wait_within_frame);
}

/// Ends the ticks of a frame when the client has to wait. Lightyear itself looks at that between
/// frames only, and ignores a rollback that is too long.
fn wait_within_frame(
    timeline: Res<LocalTimeline>,
    wait: Res<PredictionWindowWait>,
    mut time: ResMut<Time<Fixed>>,
) {
    let limit = i32::from(MAX_ROLLBACK);
    if let Some(confirmed) = wait.confirmed_tick()
        && timeline.tick() - confirmed >= limit
    {
        let rest = time.overstep();
        time.discard_overstep(rest);
    }
}

/// What leaves the game is hidden until no rollback can bring it back.
fn hide(gone: On<Gone>, mut commands: Commands) {
    if let Ok(mut entity) = commands.get_entity(gone.entity) {
        entity.prediction_despawn();
    }
}

/// Hides the entities again that were gone already at the tick to which a rollback returns:
/// lightyear 0.30 shows all that are hidden.
fn keep_hidden(
    shown: On<Remove, PredictionDisable>,
    hidden: Query<&PredictionDisable, Allow<PredictionDisable>>,
    manager: Res<PredictionManager>,
    mut commands: Commands,
) {
    let Some(start) = manager.get_rollback_start_tick() else {
        return;
    };
    if let Ok(&PredictionDisable { tick }) = hidden.get(shown.entity)
        && tick <= start
        && let Ok(mut entity) = commands.get_entity(shown.entity)
    {
        entity.try_insert(PredictionDisable { tick });
    }
}
