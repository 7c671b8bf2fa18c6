//! The pieces of movement, each by itself.

mod jacobi;
mod neighbors;
mod push;
mod world_order;
