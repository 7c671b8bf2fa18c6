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
    collider::{
        CapsuleCollider, CircleCollider, ColliderAppExt, ColliderDisabled, ColliderKinds,
        CollisionLayers, LayerMask, OneWay, PolygonCollider, RectCollider, Solid, Swept,
        TileCollider,
    },
    contacts::{CollidingEntities, Contacts, update_colliding_entities, update_contacts},
    events::{
        CollisionEnd, CollisionEndReason, CollisionEvent, CollisionStart, Outbox, Unreported,
        trigger_observers, write_messages,
    },
    geometry::Contact,
    hierarchy::every_entity,
    hints,
    index::{ColliderIndex, Family, RefreshColliders, SyncIndex, carry_colliders, sync_colliders},
    movement::{
        Crushed, MovePlans, Mover, MoverHit, MoverHits, MoverResponse, commit_moves, plan_moves,
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

/// The steps of a collision update, in their order. Put a system before or after one of them to
/// change what it sees.
///
/// Each of them may have a run condition, in any combination: what is left out in a frame is made
/// up for later, and nothing is reported twice.
///
/// - Without [`Sync`](Self::Sync) the other steps see the world as it was at the last one. What was spawned since collides with nothing.
/// - Without [`Move`](Self::Move) movers stay where they are, and walls that are [`Swept`](crate::Swept) push nothing.
/// - Without [`Detect`](Self::Detect) no pair starts or ends. The next one finds the pairs that overlap by then, and what was passed in the
///   motion just before it; what was passed earlier it does not.
/// - Without [`Report`](Self::Report) starts, ends and [`Crushed`](crate::Crushed) wait, while [`Collisions`](crate::Collisions) go on.
///   Of a pair that starts and ends meanwhile nothing is reported. Of [`MoverHit`](crate::MoverHit)s those of the last `Move` are.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Resource)]
/// struct CutScene;
///
/// // The world goes on, and what happens in it is reported when the scene is over.
/// App::new()
///     .add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .configure_sets(PostUpdate, CollisionSystems::Report.run_if(not(resource_exists::<CutScene>)));
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionSystems {
    /// Brings the colliders up to date, where their [`Transform`]s are now.
    Sync,
    /// Moves the movers.
    Move,
    /// Finds the pairs that overlap. From here on [`Collisions`](crate::Collisions) is up to date.
    Detect,
    /// Writes the messages, triggers the observers and updates [`CollidingEntities`].
    Report,
}

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        register_types(app);
        app.init_resource::<CollisionSettings>()
            .init_resource::<ColliderIndex>()
            .init_resource::<MovePlans>()
            .init_resource::<Contacts>()
            .init_resource::<Unreported>()
            .init_resource::<Outbox>()
            .add_message::<CollisionEvent>()
            .add_message::<MoverHit>()
            .add_message::<Crushed>()
            .add_collider::<CircleCollider>()
            .add_collider::<RectCollider>()
            .add_collider::<CapsuleCollider>()
            .add_collider::<PolygonCollider>()
            .add_collider::<TileCollider>();
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
        add_systems(app, self.schedule);
    }
}

/// Most queries leave out what is hidden. Of ancestors, and of lists that are kept up to date,
/// every entity counts.
fn add_systems(app: &mut App, schedule: InternedScheduleLabel) {
    const SAME: ParamBuilder = ParamBuilder;
    let family = Family::of_every_entity;
    let sync = (SAME, SAME, family(), SAME, SAME, SAME, SAME).build_system(sync_colliders);
    let parents = every_entity();
    let plan = (SAME, SAME, SAME, SAME, parents, family(), SAME).build_system(plan_moves);
    let carry = (SAME, SAME, SAME, family(), SAME, SAME).build_system(carry_colliders);
    let parents = every_entity();
    let detect = (SAME, SAME, SAME, SAME, parents, SAME, SAME).build_system(update_contacts);
    let lists = every_entity();
    let list = (SAME, SAME, lists).build_system(update_colliding_entities);
    app.add_systems(
        schedule,
        (
            sync.in_set(SyncIndex).in_set(CollisionSystems::Sync),
            (plan, commit_moves, carry)
                .chain()
                .in_set(CollisionSystems::Move),
            detect.in_set(CollisionSystems::Detect),
            ((list, write_messages), trigger_observers)
                .chain()
                .in_set(CollisionSystems::Report),
        ),
    );
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
        .register_type::<CollisionEndReason>();
}
