//! NaN, infinite and negative values, far positions, cycles of parents: nothing panics, and other
//! colliders are not affected.

mod colliders;
mod movers;
mod parent_cycles;
mod shapes;

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
