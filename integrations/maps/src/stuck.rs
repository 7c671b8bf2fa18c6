//! Who is inside of a wall of a map that was replaced.

use bevy::{platform::collections::HashSet, prelude::*};
use bevy_thud::prelude::*;

/// A mover that is inside of a wall. The next update pushes it out, or reports it as [`Crushed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StuckMover {
    /// The mover.
    pub mover: Entity,
    /// The wall.
    pub wall: Entity,
}

/// The movers that are inside of walls among these entities and their descendants, sorted. Empty
/// without [`CollisionPlugin`].
pub fn stuck_movers(
    entities: impl IntoIterator<Item = Entity>,
    world: &mut World,
) -> Vec<StuckMover> {
    refresh_colliders(world);
    let mut walls = HashSet::new();
    let mut pending: Vec<Entity> = entities.into_iter().collect();
    while let Some(entity) = pending.pop() {
        walls.insert(entity);
        pending.extend(world.get::<Children>(entity).into_iter().flatten());
    }
    let stuck = world.run_system_cached_with(find_stuck, walls);
    stuck.unwrap_or_default()
}

fn find_stuck(
    In(walls): In<HashSet<Entity>>,
    movers: Query<Entity, With<Mover>>,
    query: SpatialQuery,
) -> Vec<StuckMover> {
    let mut stuck: Vec<StuckMover> = (movers.iter())
        .filter_map(|mover| Some((mover, query.of(mover)?.in_the_way())))
        .flat_map(|(mover, walls)| walls.map(move |wall| StuckMover { mover, wall }))
        .filter(|stuck| walls.contains(&stuck.wall) && !movers.contains(stuck.wall))
        .collect();
    stuck.sort_unstable_by_key(|stuck| (stuck.mover, stuck.wall));
    stuck
}
