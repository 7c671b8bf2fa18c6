//! What the plugin promises to a game, tested from outside.

mod bad_input;
mod bad_movers;
mod collisions_param;
mod common;
mod crossings;
mod crowds;
mod diagnostics;
mod door;
mod events;
mod firewheel;
mod large_worlds;
mod layers;
mod movement;
mod mover_hits;
mod mover_parents;
mod observers;
mod parent_cycles;
mod random_scenes;
mod reference;
mod reflection;
mod schedules;
mod sliding;
#[path = "../../src/strategies.rs"]
mod strategies;
mod transforms;
mod walls;
