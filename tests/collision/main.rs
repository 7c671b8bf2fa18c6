//! What the plugin promises to a game, tested from outside.

mod bad_input;
mod bad_movers;
mod collisions_param;
mod common;
mod crossings;
mod crowds;
mod diagnostics;
mod events;
mod firewheel;
mod large_worlds;
mod layers;
mod move_and_slide;
mod movement;
mod mover_hits;
mod mover_parents;
mod observers;
mod one_way;
mod parent_cycles;
mod random_scenes;
mod reference;
mod reflection;
mod schedules;
mod sliding;
#[path = "../../src/strategies.rs"]
mod strategies;
mod stuck;
mod swept;
mod transforms;
mod walls;
