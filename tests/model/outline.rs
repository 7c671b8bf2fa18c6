//! The distance between outlines in double precision: convex hulls of a few points, rounded.

use bevy::math::DVec2;

/// The convex hull of `points`, in order around it, grown by `radius`.
#[derive(Clone, Debug)]
pub struct Outline {
    pub points: Vec<DVec2>,
    pub radius: f64,
}

impl Outline {
    /// The distance to another outline; negative if they overlap.
    pub fn distance(&self, other: &Self) -> f64 {
        let depth = self.depth(other);
        let cores = if depth >= 0.0 {
            -depth
        } else {
            self.vertex_distance(other).min(other.vertex_distance(self))
        };
        cores - self.radius - other.radius
    }

    fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let next = self.points.iter().cycle().skip(1);
        self.points.iter().zip(next).map(|(&p, &q)| [p, q])
    }

    /// Whether an edge has this outward normal.
    pub fn has_edge(&self, normal: DVec2) -> bool {
        let [_, high] = self.extent(normal);
        let is_along = |[p, q]: [DVec2; 2]| {
            let across = (q - p).try_normalize().map(|edge| edge.dot(normal).abs());
            across.is_some_and(|across| across < 1e-3) && high - p.dot(normal) < 1e-3
        };
        self.edges().any(is_along)
    }

    /// The least overlap of the hulls along any axis that may separate them (SAT). Axes along the
    /// edges are for hulls without area.
    fn depth(&self, other: &Self) -> f64 {
        let directions = (self.edges().chain(other.edges())).map(|[p, q]| q - p);
        let axes = directions.flat_map(|direction| [direction, direction.perp()]);
        let between = other.points[0] - self.points[0];
        (axes.chain([between]))
            .filter_map(DVec2::try_normalize)
            .map(|axis| {
                let [low, high] = self.extent(axis);
                let [other_low, other_high] = other.extent(axis);
                (high - other_low).min(other_high - low)
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// The least and the greatest coordinate of the points along an axis.
    pub fn extent(&self, axis: DVec2) -> [f64; 2] {
        let along = self.points.iter().map(|point| point.dot(axis));
        along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
            [low.min(at), high.max(at)]
        })
    }

    /// The distance of the vertices to the nearest edge of another hull.
    fn vertex_distance(&self, other: &Self) -> f64 {
        let pairs = (self.points.iter()).flat_map(|&point| other.edges().map(move |e| (point, e)));
        pairs
            .map(|(point, [p, q])| {
                let edge = q - p;
                let fraction = (point - p).dot(edge) / edge.length_squared().max(f64::MIN_POSITIVE);
                point.distance(p + edge * fraction.clamp(0.0, 1.0))
            })
            .fold(f64::INFINITY, f64::min)
    }
}
