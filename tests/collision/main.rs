//! Integration tests of the public API: what the plugin promises to a game, by subject.

mod app;
mod bad_input;
mod common;
mod crowds;
mod debugging;
mod determinism;
mod events;
mod games;
mod grids;
mod movers;
mod pairs;
mod queries;
mod random;
#[path = "../../src/strategies.rs"]
mod strategies;
mod walls;
