//! Shapes in double precision: outlines, grown by a radius. Distances of edges and depths of convex
//! shapes are parry's; what is inside, and where a moving shape hits, is computed here.

use std::{
    f64::consts::TAU,
    fmt::{self, Debug, Formatter},
};

use bevy::math::DVec2;
use parry2d_f64::{
    math::{Pose, Vector},
    query::{
        self, ClosestPoints, PointQuery,
        details::{closest_points_segment_segment, distance_segment_segment},
    },
    shape::{ConvexPolygon, Segment, Shape},
};
use proptest::sample::Index;

/// Distances of this size are rounding of double precision, in world units.
const ROUNDING: f64 = 1e-9;
/// A shape that moves along an edge takes small steps. After this many, the march gives up.
const MAX_STEPS: u32 = 400;

/// All points nearer to an area than a radius.
#[derive(Clone)]
pub struct Reference {
    /// The edges around the area. One without length is a point, two back and forth a segment.
    edges: Vec<Segment>,
    radius: f64,
    is_convex: bool,
}

impl Debug for Reference {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Self {
            edges,
            radius,
            is_convex,
        } = self;
        let vertices: Vec<[f64; 2]> = edges.iter().map(|edge| [edge.a.x, edge.a.y]).collect();
        write!(f, "{vertices:?}, radius {radius}, convex {is_convex}")
    }
}

/// Where a march along a path ends.
pub enum March {
    /// Near the shape, at this fraction of the path.
    Near(f64),
    /// At the end, nowhere near it.
    Past,
    Undecided,
}

fn to_parry(point: DVec2) -> Vector {
    Vector::new(point.x, point.y)
}

fn from_parry(point: Vector) -> DVec2 {
    DVec2::new(point.x, point.y)
}

/// Unit vectors in evenly spaced directions.
fn directions() -> impl Iterator<Item = DVec2> {
    let count = 12u8;
    (0..count).map(move |i| DVec2::from_angle(f64::from(i) / f64::from(count) * TAU))
}

pub fn edge([start, end]: [DVec2; 2]) -> Segment {
    Segment::new(to_parry(start), to_parry(end))
}

/// The edges from each point to the next one, and back to the first.
fn edges_through(points: &[DVec2]) -> Vec<Segment> {
    let next = points.iter().cycle().skip(1);
    points
        .iter()
        .zip(next)
        .map(|(&p, &q)| edge([p, q]))
        .collect()
}

impl Reference {
    /// The convex hull of these points, in order around it, grown by `radius`.
    pub fn convex(points: &[DVec2], radius: f64) -> Self {
        Self {
            edges: edges_through(points),
            radius,
            is_convex: true,
        }
    }

    /// A simple polygon, convex or not.
    pub fn polygon(points: &[DVec2]) -> Self {
        Self::area(edges_through(points))
    }

    /// The area within these edges.
    pub fn area(edges: Vec<Segment>) -> Self {
        Self {
            edges,
            radius: 0.0,
            is_convex: false,
        }
    }

    pub fn translated(&self, by: DVec2) -> Self {
        let by = to_parry(by);
        let edge = |edge: &Segment| Segment::new(edge.a + by, edge.b + by);
        Self {
            edges: self.edges.iter().map(edge).collect(),
            ..*self
        }
    }

    /// A point beside an edge: at a fraction of its length, and `offset` outside or inside of the
    /// surface there.
    pub fn point_beside_edge(&self, index: Index, fraction: f64, offset: f64) -> DVec2 {
        let edge = index.get(&self.edges);
        let [start, end] = [edge.a, edge.b].map(from_parry);
        let aside = (start - end).perp().try_normalize().unwrap_or(DVec2::X);
        start.lerp(end, fraction) + aside * (self.radius + offset)
    }

    /// The largest coordinate, which rounding is relative to.
    pub fn largest_coordinate(&self) -> f64 {
        let largest = self.edges.iter().map(|edge| edge.a.abs().max_element());
        largest.fold(0.0, f64::max) + self.radius
    }

    /// The length of the longest edge, in world units.
    pub fn longest_edge(&self) -> f64 {
        let lengths = self.edges.iter().map(|edge| edge.length());
        lengths.fold(0.0, f64::max)
    }

    /// Whether a point is in the area, without its radius (even-odd rule).
    fn has_inside(&self, point: Vector) -> bool {
        let crossed = self.edges.iter().filter(|edge| {
            let [a, b] = [edge.a, edge.b];
            (a.y > point.y) != (b.y > point.y)
                && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
        });
        crossed.count() % 2 == 1
    }

    /// The distance from a point to the surface; negative inside.
    pub fn distance_to_point(&self, point: DVec2) -> f64 {
        let point = to_parry(point);
        let distances = self
            .edges
            .iter()
            .map(|edge| edge.distance_to_local_point(point, true));
        let nearest = distances.fold(f64::INFINITY, f64::min);
        let sign = if self.has_inside(point) { -1.0 } else { 1.0 };
        sign * nearest - self.radius
    }

    /// The distance to another shape, negative where only the radii overlap, or `None` if the areas
    /// do.
    pub fn distance(&self, other: &Self) -> Option<f64> {
        let mut nearest = f64::INFINITY;
        for p in &self.edges {
            for q in &other.edges {
                nearest = nearest.min(distance_segment_segment(&Pose::IDENTITY, p, q));
            }
        }
        let is_within = |outer: &Self, inner: &Self| {
            let mut starts = inner.edges.iter().map(|edge| edge.a);
            starts.any(|start| outer.has_inside(start))
        };
        let overlap = nearest < ROUNDING || is_within(self, other) || is_within(other, self);
        (!overlap).then_some(nearest - self.radius - other.radius)
    }

    /// Whether the shapes overlap, or `None` if they touch within `slop`.
    pub fn overlaps(&self, other: &Self, slop: f64) -> Option<bool> {
        match self.distance(other) {
            Some(distance) if distance >= slop => Some(false),
            Some(distance) if distance <= -slop => Some(true),
            None if self.radius + other.radius >= slop => Some(true),
            _ => self.is_deep_in(other, slop).then_some(true),
        }
    }

    /// Whether shapes without radius overlap by more than `slop`.
    fn is_deep_in(&self, other: &Self, slop: f64) -> bool {
        let is_deep = |shape: &Self, point: DVec2| shape.distance_to_point(point) < -slop;
        match (self.has_area(), other.has_area()) {
            (true, true) => {
                let vertices = [self, other].into_iter().flat_map(Self::vertices);
                let candidates = vertices.chain(self.crossings(other));
                let mut around =
                    candidates.flat_map(|point| directions().map(move |d| point + d * 4.0 * slop));
                around.any(|point| is_deep(self, point) && is_deep(other, point))
            }
            (false, false) => directions().all(|direction| {
                let moved = self.translated(direction * slop);
                moved.distance(other).is_none()
            }),
            (true, false) => other.is_deep_in(self, slop),
            (false, true) => {
                let mut along: Vec<DVec2> = self.vertices().chain(self.crossings(other)).collect();
                along.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
                let between = along.windows(2).map(|pair| pair[0].midpoint(pair[1]));
                along
                    .iter()
                    .copied()
                    .chain(between)
                    .any(|point| is_deep(other, point))
            }
        }
    }

    /// Whether it is more than a point or a segment.
    fn has_area(&self) -> bool {
        self.edges.len() > 2
    }

    fn vertices(&self) -> impl Iterator<Item = DVec2> + '_ {
        self.edges.iter().map(|edge| from_parry(edge.a))
    }

    /// The points in which edges cross or touch.
    fn crossings<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = DVec2> + 'a {
        let pairs = self
            .edges
            .iter()
            .flat_map(|p| other.edges.iter().map(move |q| (p, q)));
        pairs.filter_map(|(p, q)| {
            let nearest = closest_points_segment_segment(&Pose::IDENTITY, p, q, ROUNDING);
            match nearest {
                ClosestPoints::WithinMargin(point, _) => Some(from_parry(point)),
                _ => None,
            }
        })
    }

    /// The signed distance of two convex shapes, negative where they overlap, or `None` if one is a
    /// point or not known to be convex.
    pub fn separation_of_convex(&self, other: &Self) -> Option<f64> {
        let [p, q] = [self.core()?, other.core()?];
        let id = Pose::IDENTITY;
        let contact = query::contact(&id, &*p, &id, &*q, f64::MAX).expect("supported")?;
        Some(contact.dist - self.radius - other.radius)
    }

    /// The shape without its radius, or `None` if it is a point or not known to be convex.
    fn core(&self) -> Option<Box<dyn Shape>> {
        let points: Vec<Vector> = self.edges.iter().map(|edge| edge.a).collect();
        match points[..] {
            _ if !self.is_convex => None,
            [_] => None,
            [a, b] => Some(Box::new(Segment::new(a, b))),
            _ => Some(Box::new(ConvexPolygon::from_convex_polyline(points)?)),
        }
    }

    /// The first fraction of `displacement` at which `moving` is nearer to this shape than `slop`:
    /// by steps as long as the distance that is left (conservative advancement).
    pub fn march(&self, moving: &Self, displacement: DVec2, slop: f64) -> March {
        let (direction, length) = (displacement.normalize_or_zero(), displacement.length());
        let mut traveled = 0.0;
        for _ in 0..MAX_STEPS {
            let distance = moving.translated(direction * traveled).distance(self);
            let Some(distance) = distance.filter(|&distance| distance >= slop) else {
                return March::Near(traveled / length);
            };
            traveled += distance;
            if traveled > length {
                return March::Past;
            }
        }
        March::Undecided
    }
}
