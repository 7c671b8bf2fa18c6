//! `TileCollider`: its cells, and edits of them.

mod cells;
mod edits;
mod shaped_cells;
