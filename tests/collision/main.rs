//! What the plugin promises to a game, tested from outside.

mod any_door;
mod bad_input;
mod bad_movers;
mod bounces;
mod collisions_param;
mod common;
mod corners;
mod crossings;
mod crowds;
#[cfg(feature = "debug")]
mod debug_drawing;
mod diagnostics;
mod door;
mod events;
mod explain;
mod explain_scenes;
mod firewheel;
mod large_worlds;
mod layers;
mod meetings;
mod move_and_slide;
mod movement;
mod mover_hits;
mod mover_parents;
mod observers;
mod one_way;
mod parent_cycles;
mod queries;
mod random_questions;
mod random_scenes;
mod reference;
mod reflection;
mod refreshing;
mod schedules;
mod sliding;
mod slow_twin;
mod spawn_order;
#[path = "../../src/strategies.rs"]
mod strategies;
mod stuck;
mod swept;
mod threads;
mod tiles;
mod transforms;
mod tunnelling;
mod walls;
