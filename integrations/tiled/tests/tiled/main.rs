//! What a map of Tiled becomes, through the public API.

mod bodies;
mod common;
mod corrupted;
mod errors;
mod flips;
mod inheritance;
mod inputs;
mod limits;
mod messages;
mod objects;
mod observers;
mod play;
mod reload;
mod tiles;
