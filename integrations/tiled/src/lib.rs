//! Maps of Tiled as colliders.
//!
#![doc = include_str!("../README.md")]

mod cells;
mod children;
mod components;
#[cfg(feature = "bevy_ecs_tiled")]
mod ecs_tiled;
mod error;
pub mod file;
mod flips;
mod in_cells;
mod kinds;
mod lookup;
mod map;
mod object_colliders;
mod objects;
mod outline;
mod persistent;
mod properties;
mod ready;
mod reload;
mod role;
mod rules;
mod shapes;
mod spawn;
mod spawner;
mod tile_layer;
mod tile_shapes;
mod watch;

pub use bevy_thud_maps::{
    MapError, MapLocation, MapPersistent, MapProperties, MapPropertyError, StuckMover,
};
pub use components::{
    TiledCells, TiledLayer, TiledLayerKind, TiledMapRoot, TiledObject, TiledTile,
};
#[cfg(feature = "bevy_ecs_tiled")]
pub use ecs_tiled::TiledCollisionPlugin;
pub use error::{TiledError, TiledProblem};
pub use file::TiledValue;
pub use flips::TiledFlips;
pub use lookup::TiledLookup;
pub use map::TiledMap;
pub use properties::TiledProperties;
pub use ready::TiledMapReady;
pub use reload::{TiledReloaded, reload_map};
pub use role::{TiledBlocking, TiledOneWay, TiledRole};
pub use rules::{TiledOrigin, TiledRules};
pub use spawn::{TiledSpawned, spawn_map};
pub use watch::TiledReloadPlugin;
