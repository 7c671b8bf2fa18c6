use bevy::{
    app::AnimationSystems,
    ecs::schedule::{InternedScheduleLabel, ScheduleLabel},
    prelude::*,
    transform::TransformSystems,
};

use crate::{
    collider::{
        CapsuleCollider, CircleCollider, ColliderAppExt, ColliderDisabled, ColliderKinds,
        CollisionLayers, LayerMask, OneWay, PolygonCollider, RectCollider, Solid, Swept,
        TileCollider,
    },
    contacts::{CollidingEntities, Contacts, update_colliding_entities, update_contacts},
    events::{
        CollisionEnd, CollisionEvent, CollisionStart, EndReason, Outbox, trigger_observers,
        write_messages,
    },
    geometry::Contact,
    hints,
    index::{ColliderIndex, RefreshColliders, carry_colliders, sync_colliders},
    movement::{
        Crushed, MovePlans, Mover, MoverHit, MoverHits, MoverResponse, commit_moves, forget_hits,
        plan_moves,
    },
    settings::CollisionSettings,
};

/// Finds all pairs of colliders that overlap, and moves movers.
///
/// By default it runs in [`PostUpdate`], after animation and before transforms are propagated: once each frame, and what is
/// drawn is already resolved.
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
    /// Runs in a schedule of your choice. Its systems then come before the propagation of transforms, if that is in the same
    /// schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }

    /// Runs in [`FixedPostUpdate`], once for each fixed step: the same steps at any frame rate. What is drawn then moves at the
    /// rate of the steps, unless you interpolate: [this crate's first page](crate#when-it-runs) shows how.
    pub fn in_fixed_schedule() -> Self {
        Self::new(FixedPostUpdate)
    }
}

/// The stages of a run, in their order. Put a system before or after one of them to change what it sees.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionSystems {
    /// Takes in the colliders, where their [`Transform`]s are now.
    Sync,
    /// Moves the movers.
    Move,
    /// Finds the pairs that overlap. From here on [`Collisions`](crate::Collisions) is up to date.
    Detect,
    /// Writes the messages and triggers the observers.
    Report,
}

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        register_types(app);
        app.init_resource::<CollisionSettings>()
            .init_resource::<ColliderIndex>()
            .init_resource::<MovePlans>()
            .init_resource::<Contacts>()
            .init_resource::<Outbox>()
            .add_message::<CollisionEvent>()
            .add_message::<MoverHit>()
            .add_message::<Crushed>()
            .add_collider::<CircleCollider>()
            .add_collider::<RectCollider>()
            .add_collider::<CapsuleCollider>()
            .add_collider::<PolygonCollider>()
            .add_collider::<TileCollider>();
        app.add_observer(forget_hits);
        RefreshColliders::set_up(app);
        hints::set_up(app, self.schedule);
        ColliderKinds::set_schedule(app, self.schedule);
        let run = (
            CollisionSystems::Sync,
            CollisionSystems::Move,
            CollisionSystems::Detect,
            CollisionSystems::Report,
        );
        app.configure_sets(
            self.schedule,
            run.chain()
                .after(AnimationSystems)
                .before(TransformSystems::Propagate),
        );
        app.add_systems(
            self.schedule,
            (
                sync_colliders.in_set(CollisionSystems::Sync),
                (plan_moves, commit_moves, carry_colliders)
                    .chain()
                    .in_set(CollisionSystems::Move),
                update_contacts.in_set(CollisionSystems::Detect),
                (
                    update_colliding_entities,
                    (write_messages, trigger_observers).chain(),
                )
                    .in_set(CollisionSystems::Report),
            ),
        );
    }
}

fn register_types(app: &mut App) {
    app.register_type::<CircleCollider>()
        .register_type::<RectCollider>()
        .register_type::<CapsuleCollider>()
        .register_type::<PolygonCollider>()
        .register_type::<TileCollider>()
        .register_type::<CollisionLayers>()
        .register_type::<LayerMask>()
        .register_type::<Solid>()
        .register_type::<OneWay>()
        .register_type::<Swept>()
        .register_type::<ColliderDisabled>()
        .register_type::<CollisionSettings>()
        .register_type::<Mover>()
        .register_type::<MoverResponse>()
        .register_type::<MoverHit>()
        .register_type::<MoverHits>()
        .register_type::<Crushed>()
        .register_type::<Contact>()
        .register_type::<CollidingEntities>()
        .register_type::<CollisionEvent>()
        .register_type::<CollisionStart>()
        .register_type::<CollisionEnd>()
        .register_type::<EndReason>();
}
