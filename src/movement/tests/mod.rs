//! The pieces of movement, each by itself.

mod half_planes;
mod jacobi;
mod neighbors;
mod push;
mod world_order;
