//! What a map of Tiled becomes, through the public API.

mod bodies;
mod common;
mod corrupted;
mod errors;
mod inheritance;
mod limits;
mod objects;
mod play;
mod tiles;
