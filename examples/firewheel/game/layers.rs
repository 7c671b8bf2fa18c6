//! Who collides with whom. Two colliders collide only if the filters of each contain a layer that
//! the other is in.

use bevy_thud::prelude::*;

pub const WALLS: LayerMask = LayerMask::layer(0);
pub const PLAYERS: LayerMask = LayerMask::layer(1);
pub const MONSTERS: LayerMask = LayerMask::layer(2);
pub const WHEELS: LayerMask = LayerMask::layer(3);
pub const SPIT: LayerMask = LayerMask::layer(4);
/// Triggers: plates, medkits and doorways.
pub const TRIGGERS: LayerMask = LayerMask::layer(5);
pub const SAWS: LayerMask = LayerMask::layer(6);

pub const BODIES: LayerMask = PLAYERS.union(MONSTERS);

pub const WALL: CollisionLayers = CollisionLayers::new(WALLS, BODIES.union(WHEELS).union(SPIT));
pub const PLAYER: CollisionLayers = CollisionLayers::new(
    PLAYERS,
    WALLS.union(BODIES).union(SPIT).union(TRIGGERS).union(SAWS),
);
pub const MONSTER: CollisionLayers = CollisionLayers::new(
    MONSTERS,
    WALLS
        .union(BODIES)
        .union(WHEELS)
        .union(TRIGGERS)
        .union(SAWS),
);
pub const WHEEL: CollisionLayers =
    CollisionLayers::new(WHEELS, WALLS.union(MONSTERS).union(TRIGGERS));
pub const GLOB: CollisionLayers = CollisionLayers::new(SPIT, WALLS.union(PLAYERS).union(TRIGGERS));
pub const SAW: CollisionLayers = CollisionLayers::new(SAWS, BODIES);
/// A trigger for players.
pub const PICKUP: CollisionLayers = CollisionLayers::new(TRIGGERS, PLAYERS);
/// A trigger for everything that a closing door would hit.
pub const DOORWAY: CollisionLayers =
    CollisionLayers::new(TRIGGERS, BODIES.union(WHEELS).union(SPIT));
