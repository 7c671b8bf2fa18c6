//! What a map of Tiled becomes, through the public API.

mod bodies;
mod common;
mod corrupted;
mod errors;
mod flips;
mod inheritance;
mod inputs;
mod limits;
mod lookup;
mod messages;
mod objects;
mod observers;
mod play;
mod properties;
mod ready;
mod reload;
mod tiles;
