//! Angles and random indices with the same bits on every platform. Those of the standard library,
//! of Bevy without its feature `libm` and of `fastrand` depend on it.

use bevy::prelude::*;
use fastrand::Rng;

/// The unit vector at this angle, in radians.
pub fn direction(angle: f32) -> Vec2 {
    let (sin, cos) = libm::sincosf(angle);
    Vec2::new(cos, sin)
}

/// A rotation about z, in radians.
pub fn rotation(angle: f32) -> Quat {
    let (sin, cos) = libm::sincosf(angle / 2.0);
    Quat::from_xyzw(0.0, 0.0, sin, cos)
}

/// A random index of a list of this length. `Rng::usize` draws other numbers where it has 32 bits.
pub fn index(rng: &mut Rng, length: usize) -> usize {
    rng.u64(..length as u64) as usize
}
