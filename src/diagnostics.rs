//! Diagnostics: counts, and the duration of each stage.

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic},
    ecs::schedule::InternedScheduleLabel,
    ecs::schedule::ScheduleLabel,
    platform::time::Instant,
    prelude::*,
};

use crate::{
    events::CollisionEvent, index::ColliderIndex, schedule::CollisionSystems, state::CollisionState,
};

/// Publishes the number of colliders and pairs, the duration of each stage in milliseconds, and
/// counts that explain it, to Bevy's [`DiagnosticsStore`](bevy::diagnostic::DiagnosticsStore).
///
/// ```
/// use bevy::{diagnostic::DiagnosticsStore, prelude::*};
/// use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};
///
/// let mut app = App::new();
/// app.add_plugins((
///     MinimalPlugins,
///     CollisionPlugin::default(),
///     CollisionDiagnosticsPlugin::default(),
/// ));
///
/// fn show(diagnostics: Res<DiagnosticsStore>) {
///     let detect = diagnostics.get(&CollisionDiagnosticsPlugin::DETECT);
///     if let Some(milliseconds) = detect.and_then(|detect| detect.smoothed()) {
///         println!("finding the pairs takes {milliseconds:.3} ms");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(show);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CollisionDiagnosticsPlugin {
    schedule: InternedScheduleLabel,
}

impl CollisionDiagnosticsPlugin {
    /// The number of active colliders.
    pub const COLLIDERS: DiagnosticPath = DiagnosticPath::const_new("collision/colliders");
    /// The number of pairs that overlap.
    pub const PAIRS: DiagnosticPath = DiagnosticPath::const_new("collision/pairs");
    /// The number of starts and ends of collisions that were reported.
    pub const CHANGES: DiagnosticPath = DiagnosticPath::const_new("collision/changes");
    /// The number of pairs of colliders whose shapes were tested for overlap: their boxes overlap,
    /// and at least one of them changed. Many make [`CollisionSystems::Detect`] slow.
    pub const SHAPE_TESTS: DiagnosticPath = DiagnosticPath::const_new("collision/shape_tests");
    /// The number of boxes that the broad phase sorted: none in most updates, all if many colliders
    /// have moved far since the last sort.
    pub const SORTED_BOXES: DiagnosticPath = DiagnosticPath::const_new("collision/sorted_boxes");
    /// The duration of [`CollisionSystems::Sync`], in milliseconds.
    pub const SYNC: DiagnosticPath = DiagnosticPath::const_new("collision/sync");
    /// The duration of [`CollisionSystems::Move`], in milliseconds.
    pub const MOVE: DiagnosticPath = DiagnosticPath::const_new("collision/move");
    /// The duration of [`CollisionSystems::Detect`], in milliseconds.
    pub const DETECT: DiagnosticPath = DiagnosticPath::const_new("collision/detect");
    /// The duration of [`CollisionSystems::Report`], in milliseconds.
    pub const REPORT: DiagnosticPath = DiagnosticPath::const_new("collision/report");

    /// Measures a [`CollisionPlugin`](crate::CollisionPlugin) in `schedule`.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for CollisionDiagnosticsPlugin {
    /// Measures a [`CollisionPlugin`](crate::CollisionPlugin) in its default schedule.
    fn default() -> Self {
        Self::new(PostUpdate)
    }
}

impl Plugin for CollisionDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        for count in [
            Self::COLLIDERS,
            Self::PAIRS,
            Self::CHANGES,
            Self::SHAPE_TESTS,
            Self::SORTED_BOXES,
        ] {
            app.register_diagnostic(Diagnostic::new(count));
        }
        for time in [Self::SYNC, Self::MOVE, Self::DETECT, Self::REPORT] {
            app.register_diagnostic(Diagnostic::new(time).with_suffix(" ms"));
        }
        app.add_message::<CollisionEvent>();
        app.init_resource::<StageClock>().add_systems(
            self.schedule,
            (
                start_clock.before(CollisionSystems::Sync),
                record_stage::<0>
                    .after(CollisionSystems::Sync)
                    .before(CollisionSystems::Move),
                record_stage::<1>
                    .after(CollisionSystems::Move)
                    .before(CollisionSystems::Detect),
                record_stage::<2>
                    .after(CollisionSystems::Detect)
                    .before(CollisionSystems::Report),
                (record_stage::<3>, publish)
                    .chain()
                    .after(CollisionSystems::Report),
            ),
        );
    }
}

/// When the current stage started, and the durations of all stages, in milliseconds.
#[derive(Resource, Default)]
struct StageClock {
    start: Option<Instant>,
    stages: [f64; 4],
}

fn start_clock(mut clock: ResMut<StageClock>) {
    clock.start = Some(Instant::now());
}

/// Records the duration of a stage, and starts the next.
fn record_stage<const STAGE: usize>(mut clock: ResMut<StageClock>) {
    let now = Instant::now();
    if let Some(start) = clock.start.replace(now) {
        clock.stages[STAGE] = (now - start).as_secs_f64() * 1e3;
    }
}

fn publish(
    mut diagnostics: Diagnostics,
    clock: Res<StageClock>,
    mut reported: MessageReader<CollisionEvent>,
    index: Option<Res<ColliderIndex>>,
    state: Option<Res<CollisionState>>,
) {
    let (Some(index), Some(state)) = (index, state) else {
        return;
    };
    type Plugin = CollisionDiagnosticsPlugin;
    let [sync, movement, detect, report] = clock.stages;
    for (path, value) in [
        (Plugin::COLLIDERS, index.count() as f64),
        (Plugin::PAIRS, state.pairs.count() as f64),
        (Plugin::CHANGES, reported.read().count() as f64),
        (Plugin::SHAPE_TESTS, index.work.shape_tests as f64),
        (Plugin::SORTED_BOXES, index.work.sorted_boxes as f64),
        (Plugin::SYNC, sync),
        (Plugin::MOVE, movement),
        (Plugin::DETECT, detect),
        (Plugin::REPORT, report),
    ] {
        diagnostics.add_measurement(&path, || value);
    }
}
