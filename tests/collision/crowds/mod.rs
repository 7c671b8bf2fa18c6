//! Movers among solid movers: they separate by weight, pass through doors, and do not swap.

mod any_door;
mod door;
mod head_on;
mod piles;
mod separation;
