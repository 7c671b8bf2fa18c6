//! The app in which the plugin runs, with observers.

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow, schedule::ScheduleLabel},
    prelude::*,
};
use bevy_thud::prelude::*;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Physics;

/// Despawns whatever it starts to collide with.
#[derive(Component)]
pub struct Deadly;

/// Where movers are after `Move`, before an observer despawns them.
#[derive(Resource, Default)]
pub struct MoverPositions(pub Vec<(Entity, Vec3)>);

/// The events that an observer received: the collider, the other, and whether it is a start.
#[derive(Resource, Default, Debug, PartialEq)]
pub struct Observed(pub Vec<(Entity, Entity, bool)>);

pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), CollisionPlugin::new(Physics)))
        .init_resource::<Time>()
        .init_resource::<MoverPositions>()
        .init_resource::<Observed>()
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

fn record_movers(
    movers: Query<(Entity, &Transform), (With<Mover>, Allow<Disabled>)>,
    mut positions: ResMut<MoverPositions>,
) {
    let row = |(entity, transform): (Entity, &Transform)| (entity, transform.translation);
    positions.0 = movers.iter().map(row).collect();
}

fn record_start(
    start: On<CollisionStart>,
    deadly: Query<(), With<Deadly>>,
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
