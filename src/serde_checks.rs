//! Deserializers that validate what they read.

use bevy::math::{Dir2, Rot2, Vec2};
use serde::{Deserialize, Deserializer, de::Error};

/// Reads a direction and normalizes it. A direction of unit length is kept bit for bit.
pub(crate) fn direction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dir2, D::Error> {
    let vector = unit_vector(*Dir2::deserialize(deserializer)?)?;
    Ok(Dir2::new_unchecked(vector))
}

/// Reads a rotation and normalizes it, like [`direction`].
pub(crate) fn rotation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rot2, D::Error> {
    let Rot2 { cos, sin } = Rot2::deserialize(deserializer)?;
    let Vec2 { x: cos, y: sin } = unit_vector(Vec2::new(cos, sin))?;
    Ok(Rot2 { cos, sin })
}

fn unit_vector<E: Error>(vector: Vec2) -> Result<Vec2, E> {
    if vector.is_normalized() {
        return Ok(vector);
    }
    // In `f64` no square of an `f32` under- or overflows.
    let unit = vector.as_dvec2().try_normalize();
    let unit = unit.ok_or_else(|| E::custom(format!("{vector} has no direction")))?;
    Ok(unit.as_vec2())
}
