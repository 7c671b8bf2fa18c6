//! `TileCollider`: its cells, and edits of them.

mod cell_kinds;
mod cells;
mod edits;
mod shaped_cells;
