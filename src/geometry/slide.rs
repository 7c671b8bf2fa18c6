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
    let is_allowed = |candidate: Vec2| {
        let slop = -INWARD_SLOP * vector.abs().max_element();
        normals.clone().all(|normal| candidate.dot(normal) >= slop)
    };
    let mut is_free = true;
    let mut nearest: Option<Vec2> = None;
    for normal in normals.clone() {
        let outward = vector.dot(normal);
        if outward >= 0.0 {
            continue;
        }
        is_free = false;
        let along = vector - normal * outward;
        // Along nearly the same surfaces the slop allows several. In whatever order they come, the one along that counts which the vector
        // points into the most.
        let is_shorter =
            nearest.is_none_or(|nearest| along.length_squared() < nearest.length_squared());
        if is_shorter && is_allowed(along) {
            nearest = Some(along);
        }
    }
    if is_free {
        vector
    } else {
        nearest.unwrap_or(Vec2::ZERO)
    }
}

/// `vector` after it bounced off a surface; unchanged if it does not point into it. A `restitution` of 1 keeps its length, 0
/// leaves the part along the surface.
pub(crate) fn bounce_off(vector: Vec2, normal: Vec2, restitution: f32) -> Vec2 {
    // The length of the normal is rounded; left to itself that would add up over thousands of bounces.
    let (vector, normal) = (vector.as_dvec2(), normal.as_dvec2());
    let inward = vector.dot(normal).min(0.0) / normal.length_squared();
    (vector - normal * (1.0 + f64::from(restitution)) * inward).as_vec2()
}
