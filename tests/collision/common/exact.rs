//! Angles and random indices with the same bits on every platform. Those of the standard library,
//! of Bevy without its feature `libm` and of `fastrand` depend on it.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use bevy::prelude::*;
use fastrand::Rng;

/// The unit vector at this angle, in radians.
pub fn direction(angle: f32) -> Vec2 {
    let (sin, cos) = sin_cos(angle);
    Vec2::new(cos, sin)
}

/// A rotation about z, in radians.
pub fn rotation(angle: f32) -> Quat {
    let (sin, cos) = sin_cos(angle / 2.0);
    Quat::from_xyzw(0.0, 0.0, sin, cos)
}

/// A random index of a list of this length. `Rng::usize` draws other numbers where it has 32 bits.
pub fn index(rng: &mut Rng, length: usize) -> usize {
    rng.u64(..length as u64) as usize
}

/// Of angles below 100, as in Arm's optimized routines: the C library of Linux has these, and with
/// it the hashes of the tests were recorded.
fn sin_cos(angle: f32) -> (f32, f32) {
    let quarters = (f64::from(angle) * FRAC_2_PI).round();
    let rest = f64::from(angle) - quarters * FRAC_PI_2;
    let (sin, cos) = (sin(rest), cos(rest));
    match quarters as i32 & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Of at most an eighth of a turn.
fn sin(x: f64) -> f32 {
    let square = x * x;
    let cube = x * square;
    let last = 0.008_332_178_146_138_854 - square * 0.000_195_172_989_813_857_25;
    (x - cube * 0.166_666_549_437_010_84 + cube * square * last) as f32
}

/// Of at most an eighth of a turn.
fn cos(x: f64) -> f32 {
    let square = x * x;
    let fourth = square * square;
    let first = 1.0 - square * 0.499_999_997_251_082_24;
    let last = -0.001_388_676_379_437_604 + square * 0.000_024_390_450_703_564_542;
    (first + fourth * 0.041_666_623_324_344_516 + fourth * square * last) as f32
}
