//! Velocity projection: the part of a vector that surfaces allow.

use bevy::math::Vec2;

/// How much of a vector may still point into a surface after it was projected onto several, as a
/// fraction of its length.
const INWARD_SLOP: f32 = 1e-5;

/// Projects `vector` so that it does not point into any of the surfaces with the given outward
/// normals.
///
/// Returns the nearest allowed vector: `vector` itself, its component along one of the surfaces, or
/// zero where two of them form a corner that blocks it. A component that is no more than rounding
/// is zero as well: it leads nowhere, again and again.
pub(crate) fn slide_along(
    vector: Vec2,
    normals: impl IntoIterator<Item = Vec2, IntoIter: Clone>,
) -> Vec2 {
    let normals = normals.into_iter();
    let slop = INWARD_SLOP * vector.abs().max_element();
    let is_allowed =
        |candidate: Vec2| (normals.clone()).all(|normal| candidate.dot(normal) >= -slop);
    let mut is_free = true;
    let mut nearest: Option<Vec2> = None;
    for normal in normals.clone() {
        let speed = vector.dot(normal);
        if speed >= 0.0 {
            continue;
        }
        is_free = false;
        let along = vector - normal * speed;
        // With nearly parallel surfaces, the slop allows several candidates. The one along the
        // surface that the vector points into the most is taken, whatever the order of the normals.
        let is_shorter =
            nearest.is_none_or(|nearest| along.length_squared() < nearest.length_squared());
        if is_shorter && is_allowed(along) {
            nearest = Some(along);
        }
    }
    if is_free {
        vector
    } else {
        let is_rounding = |along: &Vec2| along.abs().max_element() <= slop;
        nearest
            .filter(|along| !is_rounding(along))
            .unwrap_or(Vec2::ZERO)
    }
}

/// Reflects `vector` off a surface. Returns it unchanged if it does not point into the surface. A
/// `restitution` of 1 keeps its length, 0 leaves its component along the surface.
pub(crate) fn bounce_off(vector: Vec2, normal: Vec2, restitution: f32) -> Vec2 {
    // The length of the normal is rounded, which would add up over thousands of bounces.
    let (vector, normal) = (vector.as_dvec2(), normal.as_dvec2());
    let inward = vector.dot(normal).min(0.0) / normal.length_squared();
    (vector - normal * (1.0 + f64::from(restitution)) * inward).as_vec2()
}
