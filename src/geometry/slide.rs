use bevy::math::Vec2;

/// How much of a vector may still point into a surface after it was made to slide along several, relative to its length.
const INWARD_SLOP: f32 = 1e-5;

/// The part of `vector` that is left when it may not point into any of the surfaces with the given outward normals.
///
/// It is the vector of the allowed ones that is nearest to `vector`: itself, its part along one of the surfaces, or zero
/// where two of them form a corner that holds it.
pub(crate) fn slide_along(
    vector: Vec2,
    normals: impl IntoIterator<Item = Vec2, IntoIter: Clone>,
) -> Vec2 {
    let normals = normals.into_iter();
    let allowed = |candidate: &Vec2| {
        let slop = -INWARD_SLOP * vector.abs().max_element();
        normals.clone().all(|normal| candidate.dot(normal) >= slop)
    };
    if normals.clone().all(|normal| vector.dot(normal) >= 0.0) {
        return vector;
    }
    (normals.clone())
        .filter(|normal| vector.dot(*normal) < 0.0)
        .map(|normal| vector - normal * vector.dot(normal))
        .filter(allowed)
        .max_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))
        .unwrap_or(Vec2::ZERO)
}

/// `vector` after it bounced off a surface; unchanged if it does not point into it. A `restitution` of 1 keeps its length, 0
/// leaves the part along the surface.
pub(crate) fn bounce_off(vector: Vec2, normal: Vec2, restitution: f32) -> Vec2 {
    // The length of the normal is rounded; left to itself that would add up over thousands of bounces.
    let (vector, normal) = (vector.as_dvec2(), normal.as_dvec2());
    let inward = vector.dot(normal).min(0.0) / normal.length_squared();
    (vector - normal * (1.0 + f64::from(restitution)) * inward).as_vec2()
}
