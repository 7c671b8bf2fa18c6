//! Separating movers whose plans end in each other.
//!
//! 1. `members`: every mover with a collider, and the solid colliders that movers carry, where
//!    their plans end.
//! 2. `pairs`: members that are near each other, where at least one gives way.
//! 3. `offsets`: members at one center are spread; members that press are moved toward the others.
//! 4. `walls`: pairs of walls and members, for members that have a pair.
//! 5. `jacobi`: all give way by their shares, in a few iterations; then `separate` sweeps each
//!    mover among walls by the resulting displacement.
//! 6. `crush`: a member that is still deep in another, and does not come apart, is crushed by it.

mod crush;
mod jacobi;
mod members;
mod offsets;
mod pairs;
mod separate;
mod walls;

#[cfg(test)]
pub(crate) use jacobi::{Body, Pair, separate_jacobi};
pub(crate) use members::floor_of;
pub(crate) use separate::Crowd;
