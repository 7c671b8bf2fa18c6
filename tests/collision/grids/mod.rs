//! `TileCollider`: its cells, and edits of them.

mod cells;
mod edits;
mod roles;
mod shaped_cells;
