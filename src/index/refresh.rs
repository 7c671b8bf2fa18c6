//! Bringing the index up to date between two runs, for those who ask.
//!
//! The next run has to find what it would have found without: it treats as changed what was taken in here, and takes ways from where
//! things were in the last run.

use bevy::{
    ecs::{
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::{ParamBuilder, SystemParamBuilder},
    },
    platform::collections::HashMap,
    prelude::*,
};

use super::{
    ColliderIndex, Family, Lineage, Pending, SlotKey, Solidity,
    sync::{Buffers, Colliders, Names, SyncIndex},
};
use crate::settings::CollisionSettings;

/// Lets [`SpatialQuery`](crate::SpatialQuery) see the colliders as they are now: also what was spawned, moved, changed or despawned since
/// the last run.
///
/// It is a system for any schedule, a function to call, and a command, `commands.queue(refresh_colliders)`. It moves nothing and reports
/// nothing, and the next run reports what it would have without. It costs about what [`CollisionSystems::Sync`](crate::CollisionSystems)
/// does. Without the plugin it does nothing.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// fn build(mut commands: Commands) {
///     commands.spawn((RectCollider::new(200.0, 20.0), Solid));
/// }
///
/// fn place_treasure(query: SpatialQuery) {
///     let is_free = query.point_intersections(Vec2::ZERO, &SpatialQueryFilter::default()).is_empty();
///     info!("room for a treasure: {is_free}");
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .add_systems(Startup, (build, refresh_colliders, place_treasure).chain())
///     .update();
/// ```
pub fn refresh_colliders(world: &mut World) {
    // An error says that there is no such schedule, so no plugin.
    let _ = world.try_run_schedule(RefreshColliders);
}

/// Reads the shapes of all kinds, then takes them in.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RefreshColliders;

impl RefreshColliders {
    /// Adds the schedule.
    pub fn set_up(app: &mut App) {
        let family = Family::of_every_entity();
        let rest = (ParamBuilder, ParamBuilder, ParamBuilder);
        let sync = (ParamBuilder, ParamBuilder, family, rest).build_system(sync_between_runs);
        app.init_schedule(Self)
            .edit_schedule(Self, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            })
            .add_systems(Self, sync.in_set(SyncIndex));
    }
}

/// What was taken in since the last run.
#[derive(Default)]
pub(super) struct News {
    /// Whether it is between two runs that the index is brought up to date.
    pub is_between_runs: bool,
    /// What the last run knew of colliders whose steps are noted; nothing of those that came later.
    starts: HashMap<Entity, Option<Start>>,
}

/// From where a collider's step is counted.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// The middle of its shape, in world space.
    pub middle: Vec2,
    /// Under other parents it begins anew.
    pub lineage: Option<Lineage>,
}

impl News {
    /// Notes what was known of a collider before it is taken in.
    pub fn note_start(&mut self, entity: Entity, start: Option<Start>) {
        self.starts.entry(entity).or_insert(start);
    }

    /// Forgets all, when a run has taken it in.
    pub fn clear(&mut self) {
        self.starts.clear();
    }
}

fn sync_between_runs(
    mut index: ResMut<ColliderIndex>,
    mut colliders: Colliders,
    family: Family,
    (names, settings, mut buffers): (Names, Res<CollisionSettings>, Local<Buffers>),
) {
    index.begin_refresh();
    buffers.sync(&mut index, &mut colliders, &family, &names);
    index.end_refresh(&settings);
}

impl ColliderIndex {
    fn begin_refresh(&mut self) {
        self.drop_used_marks();
        if self.pending == Pending::Nothing {
            self.forget_ways();
            self.pending = Pending::Detect;
        }
        self.news.is_between_runs = true;
        self.seen = 0;
        self.carried.clear();
    }

    fn end_refresh(&mut self, settings: &CollisionSettings) {
        self.refresh(settings);
        self.news.is_between_runs = false;
    }

    /// What the last run knew of a collider.
    pub(super) fn start(&self, entity: Entity, key: SlotKey) -> Option<Start> {
        let noted = self.news.starts.get(&entity).copied();
        noted.unwrap_or_else(|| self.start_at(self.colliders.slots.place_of(key)?))
    }

    /// What is known of the collider at a place.
    fn start_at(&self, place: usize) -> Option<Start> {
        let shape = self.colliders.shapes[place].as_ref()?;
        let slot = self.colliders.records[place].slot;
        Some(Start {
            middle: shape.center(),
            lineage: self.lineages.get(slot).copied(),
        })
    }

    /// Notes what the last run knew of a collider that goes between two runs: it may come back before the next one.
    pub(super) fn note_removal(&mut self, place: usize) {
        if !self.news.is_between_runs {
            return;
        }
        let record = &self.colliders.records[place];
        let has_steps = record.role.is_swept || record.role.solidity == Solidity::OneWay;
        let start = self.start_at(place);
        let starts = &mut self.news.starts;
        if let Some(None) = starts.get(&record.entity) {
            starts.remove(&record.entity);
        } else if has_steps {
            self.news.note_start(record.entity, start);
        }
    }
}
