//! `SpatialQuery`: rays, casts, points and motion, and when results are up to date.

mod brute_force;
mod many_rays;
mod methods;
mod move_and_slide;
mod of_collider;
mod refreshing;
mod room_for;
mod starts;
