//! Bringing the index up to date between two runs, for those who ask.
//!
//! The next run has to find what it would have found without: it treats as changed what was taken in here, and takes ways from where
//! things were in the last run.

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    platform::collections::HashMap,
    prelude::*,
};
use fixedbitset::FixedBitSet;

use super::{
    ColliderIndex, Family, Lineage, SlotKey, Solidity,
    sync::{Buffers, Colliders, Names},
};
use crate::{broad_phase::BroadPhase, settings::CollisionSettings};

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
///     let is_free = query.point_intersections(Vec2::ZERO, &QueryFilter::default()).is_empty();
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
        app.init_schedule(Self)
            .edit_schedule(Self, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            })
            .add_systems(Self, sync_between_runs);
    }
}

/// What was taken in since the last run.
#[derive(Default)]
pub(super) struct News {
    /// Whether it is between two runs that the index is brought up to date.
    pub is_between_runs: bool,
    /// The slots of what is new, gone or different.
    changed: FixedBitSet,
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
        self.changed.clear();
        self.starts.clear();
    }
}

pub(crate) fn sync_between_runs(
    mut index: ResMut<ColliderIndex>,
    mut colliders: Colliders,
    family: Family,
    names: Names,
    settings: Res<CollisionSettings>,
    mut buffers: Local<Buffers>,
) {
    index.begin_refresh();
    buffers.sync(&mut index, &mut colliders, &family, &names);
    index.end_refresh(&settings);
}

impl ColliderIndex {
    fn begin_refresh(&mut self) {
        self.news.is_between_runs = true;
        self.seen = 0;
        self.carried.clear();
    }

    fn end_refresh(&mut self, settings: &CollisionSettings) {
        for place in self.broad_phase.marks().iter() {
            let slot = self.colliders.records[place as usize].slot;
            self.news.changed.grow_and_insert(slot as usize);
        }
        self.refresh(settings);
        self.news.is_between_runs = false;
    }

    /// Treats as changed what was taken in since the last run.
    pub(super) fn mark_news(&mut self) {
        let changed = std::mem::take(&mut self.news.changed);
        self.has_changes |= !changed.is_clear();
        for slot in changed.ones() {
            if let Some(place) = self.colliders.slots.place(slot as u32) {
                self.mark(place);
            }
        }
        self.news.changed = changed;
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
        let record = &self.colliders.records[place];
        let has_steps = record.role.is_swept || record.role.solidity == Solidity::OneWay;
        if !(self.news.is_between_runs && has_steps) {
            return;
        }
        let start = self.start_at(place);
        let starts = &mut self.news.starts;
        if let Some(None) = starts.get(&record.entity) {
            starts.remove(&record.entity);
        } else {
            self.news.note_start(record.entity, start);
        }
    }
}
