//! One mover: how far it moves, along what it slides, and what it reports.

mod bounces;
mod corners;
mod fast_paths;
mod meeting;
mod movement;
mod mover_hits;
mod mover_parents;
mod rows_of_tiles;
mod several_pieces;
mod sliding;
mod slow_pressing;
mod slow_twin;
mod time_scale;
mod turning;
