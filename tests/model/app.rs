//! The app in which the plugin runs, with a run condition and observers.

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow, schedule::ScheduleLabel},
    prelude::*,
};
use bevy_thud::prelude::*;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Physics;

/// Whether the plugin runs.
#[derive(Resource)]
pub struct IsRunning(pub bool);

/// Despawns whatever it starts to collide with.
#[derive(Component)]
pub struct Deadly;

/// The movers after `Move`, before an observer despawns them.
#[derive(Resource, Default)]
pub struct Movers(pub Vec<MoverState>);

/// A mover and what blocked it.
pub struct MoverState {
    pub entity: Entity,
    pub position: Vec2,
    pub is_hidden: bool,
    pub hits: Vec<MoverHit>,
    pub is_crushed: bool,
}

/// The events that an observer received: the collider, the other, and whether it is a start.
#[derive(Resource, Default, Debug, PartialEq)]
pub struct Observed(pub Vec<(Entity, Entity, bool)>);

pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), CollisionPlugin::new(Physics)))
        .init_resource::<Time>()
        .insert_resource(IsRunning(true))
        .init_resource::<Movers>()
        .init_resource::<Observed>()
        .configure_sets(
            Physics,
            CollisionSystems::All.run_if(|is_running: Res<IsRunning>| is_running.0),
        )
        .add_systems(
            Physics,
            record_movers
                .after(CollisionSystems::Move)
                .before(CollisionSystems::Detect),
        )
        .add_observer(record_start)
        .add_observer(|end: On<CollisionEnd>, mut observed: ResMut<Observed>| {
            if end.entity == end.collider {
                observed.0.push((end.collider, end.other, false));
            }
        });
    app.finish();
    app.cleanup();
    app
}

type EveryMover<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static Transform,
        &'static MoverHits,
        Has<Disabled>,
    ),
    (With<Mover>, Allow<Disabled>),
>;

fn record_movers(query: EveryMover, mut movers: ResMut<Movers>) {
    let states = query
        .iter()
        .map(|(entity, transform, hits, is_hidden)| MoverState {
            entity,
            position: transform.translation.truncate(),
            is_hidden,
            hits: hits.to_vec(),
            is_crushed: hits.is_crushed(),
        });
    movers.0 = states.collect();
    movers.0.sort_by_key(|mover| mover.entity);
}

fn record_start(
    start: On<CollisionStart>,
    deadly: Query<(), (With<Deadly>, Allow<Disabled>)>,
    mut observed: ResMut<Observed>,
    mut commands: Commands,
) {
    if start.entity != start.collider {
        return;
    }
    observed.0.push((start.collider, start.other, true));
    if deadly.contains(start.collider) {
        commands.entity(start.other).try_despawn();
    }
}
