//! Rays against half-planes and circles.

use bevy::math::DVec2;

/// Clips a ray against half-planes (Cyrus and Beck 1978).
pub(super) struct Clip {
    pub enter: f64,
    exit: f64,
    /// The normal of the half-plane that was entered last, if the ray began outside of one.
    pub normal: Option<DVec2>,
    /// Whether another half-plane was entered together with it.
    pub is_vertex: bool,
}

impl Default for Clip {
    fn default() -> Self {
        Self {
            enter: 0.0,
            exit: 1.0,
            normal: None,
            is_vertex: false,
        }
    }
}

impl Clip {
    /// Keeps the part of the ray behind a plane, or returns `None` if nothing is left. The ray
    /// starts `front` in front of the plane. It may leave through the plane `slack` later: both
    /// edges of a shape without thickness are one line, and rounding must not decide which is hit
    /// first.
    pub fn half_plane(&mut self, normal: DVec2, front: f64, slack: f64, speed: f64) -> Option<()> {
        if speed < 0.0 {
            let fraction = -front / speed;
            if front >= 0.0 && fraction >= self.enter {
                let is_other = self.normal.is_some_and(|entered| entered != normal);
                self.is_vertex = fraction == self.enter && (self.is_vertex || is_other);
                (self.enter, self.normal) = (fraction, Some(normal));
            }
        } else if front >= 0.0 {
            return None;
        } else if speed > 0.0 {
            self.exit = self.exit.min((slack - front) / speed);
        }
        (self.enter <= self.exit).then_some(())
    }
}

/// Returns the fraction at which a ray from `start`, relative to a circle's center, enters the
/// circle, with the normal there.
///
/// The distance of the line from the center is measured directly, which loses no digits to a start
/// far away (Haines, Günther and Akenine-Möller, "Precision Improvements for Ray/Sphere
/// Intersection", Ray Tracing Gems, 2019).
pub(super) fn circle_entry(start: DVec2, ray: DVec2, radius: f64) -> Option<(f64, DVec2)> {
    let length_squared = ray.length_squared();
    let closest = -start.dot(ray) / length_squared;
    let miss = start + ray * closest;
    let half_chord_squared = radius * radius - miss.length_squared();
    if !(closest > 0.0 && half_chord_squared > 0.0) {
        return None;
    }
    let fraction = (closest - (half_chord_squared / length_squared).sqrt()).max(0.0);
    let normal = (start + ray * fraction).try_normalize()?;
    (fraction <= 1.0).then_some((fraction, normal))
}
