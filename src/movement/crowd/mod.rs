//! Separating movers that moved into each other.

mod jacobi;
mod neighbors;
mod separate;
mod walls;

#[cfg(test)]
pub(super) use jacobi::{Body, Pair, separate_jacobi};
pub(super) use neighbors::Neighbors;
pub(super) use separate::{Crowd, separate, size_of};
