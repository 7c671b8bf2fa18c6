//! Random worlds, against brute force, and against themselves after a change that must not matter.

mod calm_worlds;
mod large_worlds;
mod metamorphic;
mod rooms;
mod scenes;
