//! The plugin: registers everything, and orders the systems.

use bevy::{
    app::AnimationSystems,
    ecs::{
        schedule::{InternedScheduleLabel, ScheduleLabel},
        system::{ParamBuilder, SystemParamBuilder},
    },
    prelude::*,
    transform::TransformSystems,
};

use crate::{
    components::{
        CapsuleCollider, CircleCollider, ColliderDisabled, CollisionLayers, Conveyor, Ignores,
        Mover, MoverPart, OneWay, PolygonCollider, Pushable, RectCollider, Solid, StableKey, Swept,
        TileCollider, Turning, Walker,
    },
    contacts::{drop_ignores, update_contacts},
    events::{
        ChangedFloor, CollidingEntities, CollisionEnd, CollisionEvent, CollisionStart, Crushed,
        Ground, Landed, LeftFloor, MoverHit, MoverHits, PendingEvents,
    },
    hints,
    index::{
        ColliderAppExt, ColliderIndex, LayerNames, NewRoles, SyncIndex, TransformHierarchy,
        UpdateSchedule, WorldSync, add_refresh_schedule, every_entity, sync_colliders,
    },
    movement::{MovePlans, carry_colliders, commit_moves, plan_moves},
    report::{LogSource, StartLog, trigger_observers, update_colliding_entities, write_messages},
    schedule::CollisionSystems,
    settings::CollisionSettings,
    state::CollisionState,
};

/// Finds all pairs of colliders that overlap, and moves movers.
///
/// By default, collisions are updated in [`PostUpdate`], after animation and before transform
/// propagation: once per frame, and rendering shows the resolved positions.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// App::new().add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CollisionPlugin {
    schedule: InternedScheduleLabel,
}

impl Default for CollisionPlugin {
    fn default() -> Self {
        Self::new(PostUpdate)
    }
}

impl CollisionPlugin {
    /// Updates collisions in `schedule`, before transform propagation if that is in the same
    /// schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }

    /// Updates collisions in [`FixedPostUpdate`], once per fixed timestep: the same at any frame
    /// rate. Movers then advance once per step, unless you interpolate: the page on
    /// [smooth drawing](crate::guide::smooth_drawing) shows how.
    pub fn in_fixed_schedule() -> Self {
        Self::new(FixedPostUpdate)
    }
}

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        register_types(app);
        app.init_resource::<CollisionSettings>()
            .init_resource::<ColliderIndex>()
            .init_resource::<LayerNames>()
            .init_resource::<NewRoles>()
            .init_resource::<MovePlans>()
            .init_resource::<CollisionState>()
            .init_resource::<PendingEvents>()
            .init_resource::<StartLog>()
            .add_message::<CollisionEvent>()
            .add_message::<MoverHit>()
            .add_message::<Crushed>()
            .add_message::<LeftFloor>()
            .add_message::<Landed>()
            .add_message::<ChangedFloor>()
            .add_collider::<CircleCollider>()
            .add_collider::<RectCollider>()
            .add_collider::<CapsuleCollider>()
            .add_collider::<PolygonCollider>()
            .add_collider::<TileCollider>();
        add_refresh_schedule(app);
        hints::set_up(app, self.schedule);
        UpdateSchedule::set(app, self.schedule);
        let sets = (
            CollisionSystems::Sync,
            CollisionSystems::Move,
            CollisionSystems::Detect,
            CollisionSystems::Report,
        );
        app.configure_sets(
            self.schedule,
            (
                CollisionSystems::All
                    .after(AnimationSystems)
                    .before(TransformSystems::Propagate),
                sets.chain().in_set(CollisionSystems::All),
            ),
        );
        add_systems(app, self.schedule);
    }
}

/// Most queries skip entities that are hidden by disabling components. The queries for ancestors
/// and [`CollidingEntities`] include them.
fn add_systems(app: &mut App, schedule: InternedScheduleLabel) {
    const SAME: ParamBuilder = ParamBuilder;
    let hierarchy = TransformHierarchy::of_every_entity;
    let sync = (WorldSync::of_every_entity(), SAME, SAME).build_system(sync_colliders);
    let (parents, ancestors) = (every_entity(), hierarchy());
    let plan = (SAME, SAME, SAME, SAME, parents, ancestors, SAME, SAME, SAME);
    let plan = plan.build_system(plan_moves);
    let carry = (SAME, SAME, SAME, SAME, hierarchy(), SAME, SAME);
    let carry = carry.build_system(carry_colliders);
    let parents = every_entity();
    let detect = (SAME, SAME, SAME, parents, SAME, SAME, SAME, SAME).build_system(update_contacts);
    let lists = every_entity();
    let list = (SAME, SAME, lists, SAME, SAME).build_system(update_colliding_entities);
    let source = LogSource::of_every_entity();
    let write = (SAME, source, SAME, SAME, SAME, SAME, SAME, SAME, SAME, SAME);
    let write = write.build_system(write_messages);
    app.add_systems(
        schedule,
        (
            sync.in_set(SyncIndex).in_set(CollisionSystems::Sync),
            (plan, commit_moves, carry)
                .chain()
                .in_set(CollisionSystems::Move),
            (detect, drop_ignores)
                .chain()
                .in_set(CollisionSystems::Detect),
            (list, write, trigger_observers)
                .chain()
                .in_set(CollisionSystems::Report),
        ),
    );
}

/// Types of their fields are registered as well.
fn register_types(app: &mut App) {
    app.register_type::<CircleCollider>()
        .register_type::<RectCollider>()
        .register_type::<CapsuleCollider>()
        .register_type::<PolygonCollider>()
        .register_type::<TileCollider>()
        .register_type::<CollisionLayers>()
        .register_type::<Solid>()
        .register_type::<OneWay>()
        .register_type::<Pushable>()
        .register_type::<Turning>()
        .register_type::<MoverPart>()
        .register_type::<Ignores>()
        .register_type::<StableKey>()
        .register_type::<Swept>()
        .register_type::<ColliderDisabled>()
        .register_type::<CollisionSettings>()
        .register_type::<CollisionState>()
        .register_type::<Mover>()
        .register_type::<MoverHits>()
        .register_type::<Crushed>()
        .register_type::<Walker>()
        .register_type::<Conveyor>()
        .register_type::<Ground>()
        .register_type::<Landed>()
        .register_type::<ChangedFloor>()
        .register_type::<LeftFloor>()
        .register_type::<CollidingEntities>()
        .register_type::<CollisionEvent>()
        .register_type::<CollisionStart>()
        .register_type::<CollisionEnd>();
}
