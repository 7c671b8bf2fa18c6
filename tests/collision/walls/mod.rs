//! Walls block movers, push them, depenetrate or crush them, and let them through one way.

mod bats;
mod blocking;
mod crush_sites;
mod crushed;
mod heaps;
mod moving_levels;
mod one_way;
mod pinball;
mod presses;
mod push_paths;
mod pushing;
mod tunneling;
mod turning;
