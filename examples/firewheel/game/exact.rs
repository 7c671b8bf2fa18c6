//! What has other bits on other platforms in the standard library, in Bevy without its feature
//! `libm`, or in `fastrand`: with this, the same seed makes the same game everywhere.

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

/// A rotation about z, in the plane.
pub fn rotation_2d(rotation: Quat) -> Rot2 {
    let (sin, cos) = (rotation.z, rotation.w);
    Rot2::from_sin_cos(2.0 * sin * cos, cos * cos - sin * sin)
}

pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// A random index of a list of this length. `Rng::usize` draws other numbers where it has 32 bits.
pub fn index(rng: &mut Rng, length: usize) -> usize {
    rng.u64(..length as u64) as usize
}

/// By the algorithm of Fisher and Yates.
pub fn shuffle<T>(rng: &mut Rng, list: &mut [T]) {
    for i in 1..list.len() {
        list.swap(i, index(rng, i + 1));
    }
}
