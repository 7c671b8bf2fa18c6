//! Maps of [LDtk](https://ldtk.io) as colliders of [`bevy_thud`].
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_thud::prelude::*;
//! use bevy_thud_ldtk::{LdtkCellKind, LdtkMap, LdtkRules};
//!
//! fn spawn_room(mut commands: Commands) -> Result {
//!     let map = LdtkMap::read("assets/room.ldtk")?;
//!     let plank = CellShape::rect(0.0..1.0, 0.75..1.0);
//!     let rules = LdtkRules::new()
//!         .named("Walls", "wall", CellShape::FULL)
//!         .named("Walls", "ramp", CellShape::slope(0.0, 1.0))
//!         .named("Walls", "plank", LdtkCellKind::from(plank).one_way(Dir2::Y));
//!     map.spawn_level("Room", &rules, &mut commands)?;
//!     Ok(())
//! }
//! # App::new().add_systems(Startup, spawn_room);
//! ```
//!
//! | | |
//! |---|---|
//! | [`LdtkMap`] | reads a file, spawns its levels, replaces them when the file was modified |
//! | [`LdtkRules`], [`LdtkCellKind`], [`LdtkEntityRule`] | what cells, tiles and entities become |
//! | [`LdtkLevel`], [`LdtkGrid`], [`LdtkEntity`], [`LdtkFields`] | components of what is spawned |
//! | [`LdtkLookup`] | finds levels and entities by iid or identifier, and what a field references |
//! | [`LdtkLevelReady`], [`LdtkMapReady`] | events, when all of a level or map is there |
//! | [`MapPersistent`] | an entity that stays when its level is unloaded |
//! | [`LdtkContents`] | a level as data |
//! | [`LdtkError`] | what is wrong, and in which file, level, layer and cell |
//!
//! With the feature `asset`, `LdtkAssetPlugin` and `LdtkMapRoot` load maps with Bevy's asset
//! server.
//!
//! World units are pixels of the editor by default ([`LdtkRules::units_per_pixel`] sets it), y is
//! up, and the origin is that of the editor's world. The crate draws nothing and needs no renderer.

#[cfg(feature = "asset")]
mod asset;
mod cell_kind;
mod contents;
#[cfg(feature = "bevy_ecs_ldtk")]
mod ecs_ldtk;
mod entities;
mod error;
mod fields;
mod from_map;
mod grid;
mod grids;
mod json;
mod lacking;
mod layer_reader;
mod lookup;
mod map;
mod old_versions;
mod read;
mod ready;
mod reload;
mod rules;
mod spawn;
mod tiles;
mod values;
mod warnings;

#[cfg(feature = "asset")]
pub use asset::{LdtkAssetPlugin, LdtkMapRoot};
pub use bevy_thud_maps::{
    MapError, MapLocation, MapPersistent, MapProperties, MapPropertyError, StuckMover,
};
pub use cell_kind::{LdtkCellKind, LdtkRole};
pub use contents::LdtkContents;
#[cfg(feature = "bevy_ecs_ldtk")]
pub use ecs_ldtk::LdtkCollisionPlugin;
pub use entities::{LdtkEntity, LdtkEntityContents};
pub use error::{LdtkError, LdtkProblem};
pub use fields::{LdtkEntityRef, LdtkFields, LdtkValue};
pub use grid::{LdtkGrid, LdtkGridContents};
pub use lookup::LdtkLookup;
pub use map::{LdtkLevel, LdtkMap, LdtkProjectId};
pub use ready::{LdtkLevelReady, LdtkMapReady};
pub use reload::LdtkReloaded;
pub use rules::{LdtkEntityRule, LdtkRules};

/// The code of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
