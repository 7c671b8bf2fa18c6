//! Slow results in double precision: closest points edge by edge, separating translations by trying
//! directions, casts by bisection.

use std::f64::consts::TAU;

use bevy::math::{DVec2, Vec2};
use proptest::prelude::*;

use super::shapes::{cases, pair};
use crate::geometry::Shape;

/// The number of directions that are tried before the best ones are refined.
const DIRECTIONS: usize = 360;

/// A convex polygon (of one vertex for a circle, two for a capsule, else of four,
/// counter-clockwise) grown by a radius.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub vertices: Vec<DVec2>,
    pub radius: f64,
}

impl From<&Shape> for Outline {
    fn from(shape: &Shape) -> Self {
        match shape {
            Shape::Circle { center, radius } => Self {
                vertices: vec![center.as_dvec2()],
                radius: f64::from(*radius),
            },
            Shape::Rect {
                center,
                half_size,
                rotation,
            } => {
                let x_axis = DVec2::new(rotation.cos.into(), rotation.sin.into());
                let y_axis = DVec2::new(-x_axis.y, x_axis.x);
                let half = half_size.as_dvec2();
                let signs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
                Self {
                    vertices: signs
                        .iter()
                        .map(|(x, y)| {
                            center.as_dvec2() + x_axis * (half.x * x) + y_axis * (half.y * y)
                        })
                        .collect(),
                    radius: 0.0,
                }
            }
            Shape::Capsule {
                center,
                half_length,
                rotation,
                radius,
            } => {
                let axis = DVec2::new(rotation.cos.into(), rotation.sin.into());
                let half = axis * f64::from(*half_length);
                Self {
                    vertices: vec![center.as_dvec2() - half, center.as_dvec2() + half],
                    radius: f64::from(*radius),
                }
            }
            Shape::Polygon { polygon, placement } => {
                let to_world = |vertex: &Vec2| {
                    let (x_axis, y_axis) = (placement.x_axis(), placement.y_axis());
                    placement.center.as_dvec2()
                        + x_axis.as_dvec2() * f64::from(vertex.x)
                        + y_axis.as_dvec2() * f64::from(vertex.y)
                };
                let mut vertices: Vec<DVec2> = polygon.vertices().iter().map(to_world).collect();
                if placement.is_mirrored() {
                    vertices.reverse();
                }
                Self {
                    vertices,
                    radius: 0.0,
                }
            }
            Shape::Tiles { .. } | Shape::Compound { .. } => unreachable!("it is not convex"),
        }
    }
}

impl Outline {
    pub fn moved(&self, by: DVec2) -> Self {
        Self {
            vertices: self.vertices.iter().map(|vertex| *vertex + by).collect(),
            radius: self.radius,
        }
    }

    /// The support function: how far the shape extends along a direction of unit length.
    pub fn support(&self, direction: DVec2) -> f64 {
        let furthest = self.vertices.iter().map(|c| c.dot(direction));
        furthest.fold(f64::NEG_INFINITY, f64::max) + self.radius
    }

    /// The least width of a polygon in any direction.
    pub fn width(&self) -> f64 {
        let widths = self.edges().map(|(start, end)| {
            let normal = (end - start).perp().normalize_or_zero();
            self.support(normal) + self.support(-normal)
        });
        widths.fold(f64::INFINITY, f64::min)
    }

    /// Points all along the surface.
    pub fn surface(&self, steps: usize) -> Vec<DVec2> {
        let fractions = (0..steps).map(|i| i as f64 / steps as f64);
        let along_edges = fractions.flat_map(|f| {
            self.edges().map(move |(start, end)| {
                let normal = -(end - start).perp().normalize_or_zero();
                start.lerp(end, f) + normal * self.radius
            })
        });
        self.rounded(steps).into_iter().chain(along_edges).collect()
    }

    /// The vertices of a polygon without a radius that is the same except for the arcs, which
    /// become this many edges.
    fn rounded(&self, steps: usize) -> Vec<DVec2> {
        if self.radius == 0.0 {
            return self.vertices.clone();
        }
        let directions = (0..steps).map(|i| DVec2::from_angle(i as f64 / steps as f64 * TAU));
        directions
            .map(|direction| {
                let along = |vertex: &&DVec2| vertex.dot(direction);
                let furthest = (self.vertices.iter())
                    .max_by(|p, q| along(p).total_cmp(&along(q)))
                    .copied();
                furthest.unwrap_or_default() + direction * self.radius
            })
            .collect()
    }

    /// How far a point is outside of the shape, zero inside.
    pub fn beyond(&self, point: DVec2) -> f64 {
        let point = Self {
            vertices: vec![point],
            radius: 0.0,
        };
        (core_distance(&point, self) - self.radius).max(0.0)
    }

    /// The distance of a point from the surface, inside or outside.
    pub fn off_surface(&self, point: DVec2) -> f64 {
        let to_edge = self
            .edges()
            .map(|(start, end)| point_to_segment(point, start, end))
            .fold(f64::INFINITY, f64::min);
        (to_edge - self.radius).abs()
    }

    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let next = self.vertices.iter().cycle().skip(1);
        self.vertices.iter().copied().zip(next.copied())
    }

    /// Whether a point is inside of the polygon.
    fn core_contains(&self, point: DVec2) -> bool {
        self.edges()
            .all(|(start, end)| (end - start).perp_dot(point - start) > 0.0)
    }
}

/// The distance between two polygons, zero where they overlap.
fn core_distance(a: &Outline, b: &Outline) -> f64 {
    let overlap = |a: &Outline, b: &Outline| b.vertices.iter().any(|c| a.core_contains(*c));
    if overlap(a, b) || overlap(b, a) {
        return 0.0;
    }
    let pairs = a
        .edges()
        .flat_map(|edge| b.edges().map(move |other| (edge, other)));
    pairs
        .map(|(edge, other)| segment_to_segment(edge, other))
        .fold(f64::INFINITY, f64::min)
}

fn segment_to_segment((p, q): (DVec2, DVec2), (r, s): (DVec2, DVec2)) -> f64 {
    let orientation = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - from);
    if orientation(p, q, r) * orientation(p, q, s) < 0.0
        && orientation(r, s, p) * orientation(r, s, q) < 0.0
    {
        return 0.0;
    }
    let ends = [
        point_to_segment(p, r, s),
        point_to_segment(q, r, s),
        point_to_segment(r, p, q),
        point_to_segment(s, p, q),
    ];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

fn point_to_segment(point: DVec2, start: DVec2, end: DVec2) -> f64 {
    let (along, to_point) = (end - start, point - start);
    if along == DVec2::ZERO {
        return to_point.length();
    }
    let fraction = (to_point.dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (to_point - along * fraction).length()
}

/// A direction for `b` to move, and how far until a line across that direction separates it from
/// `a` (negative where one does).
#[derive(Clone, Copy, Debug)]
pub(super) struct SeparatingTranslation {
    pub direction: DVec2,
    pub length: f64,
}

impl SeparatingTranslation {
    pub fn along(a: &Outline, b: &Outline, direction: DVec2) -> Self {
        Self {
            direction,
            length: a.support(direction) + b.support(-direction),
        }
    }

    fn at_angle(a: &Outline, b: &Outline, angle: f64) -> Self {
        Self::along(a, b, DVec2::from_angle(angle))
    }
}

/// The shortest separating translations, best first: across each edge, and one for each direction
/// that is better than those beside it.
///
/// Negated, the length of the best one is the signed distance of the shapes.
pub(super) fn separating_translations(a: &Outline, b: &Outline) -> Vec<SeparatingTranslation> {
    let step = TAU / DIRECTIONS as f64;
    let length =
        |i: usize| SeparatingTranslation::at_angle(a, b, (i % DIRECTIONS) as f64 * step).length;
    let lengths: Vec<f64> = (0..DIRECTIONS).map(length).collect();
    let tried = (0..DIRECTIONS)
        .filter(|&i| {
            let (before, after) = (i + DIRECTIONS - 1, i + 1);
            lengths[i] <= lengths[before % DIRECTIONS] && lengths[i] <= lengths[after % DIRECTIONS]
        })
        .map(|i| refine(a, b, i as f64 * step, step));
    // Two edges that are nearly parallel are between the same two directions.
    let across_edges = a
        .edges()
        .chain(b.edges())
        .filter_map(|(start, end)| (end - start).perp().try_normalize())
        .flat_map(|normal| [normal, -normal])
        .map(|normal| SeparatingTranslation::along(a, b, normal));
    let mut translations: Vec<SeparatingTranslation> = tried.chain(across_edges).collect();
    translations.sort_by(|p, q| p.length.total_cmp(&q.length));
    translations
}

/// The best direction within `half_range` (radians) of an angle, by ternary search.
fn refine(a: &Outline, b: &Outline, angle: f64, half_range: f64) -> SeparatingTranslation {
    let (mut low, mut high) = (angle - half_range, angle + half_range);
    while high - low > 1e-10 {
        let third = (high - low) / 3.0;
        let (p, q) = (low + third, high - third);
        if SeparatingTranslation::at_angle(a, b, p).length
            < SeparatingTranslation::at_angle(a, b, q).length
        {
            high = q;
        } else {
            low = p;
        }
    }
    SeparatingTranslation::at_angle(a, b, f64::midpoint(low, high))
}

/// The best separating translation, if no clearly different direction is as good to within
/// `tolerance` (world units).
pub(super) fn only_separating_translation(
    a: &Shape,
    b: &Shape,
    tolerance: f64,
) -> Option<SeparatingTranslation> {
    let (a, b) = (a.into(), b.into());
    let translations = separating_translations(&a, &b);
    let tried = (0..DIRECTIONS)
        .map(|i| SeparatingTranslation::at_angle(&a, &b, i as f64 * TAU / DIRECTIONS as f64));
    let best = translations[0];
    let is_alone = translations
        .iter()
        .copied()
        .chain(tried)
        .filter(|translation| translation.length < best.length + tolerance)
        .all(|translation| translation.direction.dot(best.direction) > 0.98);
    is_alone.then_some(best)
}

/// The signed distance: between the edges where the shapes are apart, the shortest separating
/// translation where they are not.
pub(super) fn separation(a: &Outline, b: &Outline) -> f64 {
    let distance = core_distance(a, b);
    // Less is rounding where an end of a segment is on an edge.
    if distance > 1e-9 {
        distance - a.radius - b.radius
    } else {
        -separating_translations(a, b)[0].length
    }
}

/// The signed distance of two shapes.
pub(super) fn signed_distance(a: &Shape, b: &Shape) -> f64 {
    separation(&a.into(), &b.into())
}

/// The area that two shapes share, arcs taken as edges of a polygon, 256 to a circle: the one
/// clipped by each edge of the other (Sutherland and Hodgman 1974).
pub(super) fn shared_area(a: &Shape, b: &Shape) -> f64 {
    let polygon = |shape: &Shape| {
        let vertices = Outline::from(shape).rounded(256);
        Outline {
            vertices,
            radius: 0.0,
        }
    };
    let (a, b) = (polygon(a), polygon(b));
    if area(&b.vertices) == 0.0 {
        return 0.0;
    }
    area(&b.edges().fold(a.vertices, |kept, edge| clip(&kept, edge)))
}

fn area(polygon: &[DVec2]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let doubled: f64 = polygon.iter().zip(next).map(|(p, q)| p.perp_dot(*q)).sum();
    doubled / 2.0
}

/// The part of a polygon to the left of an edge.
fn clip(polygon: &[DVec2], (start, end): (DVec2, DVec2)) -> Vec<DVec2> {
    let left = |point: DVec2| (end - start).perp_dot(point - start);
    let next = polygon.iter().cycle().skip(1);
    let mut kept = Vec::new();
    for (&p, &q) in polygon.iter().zip(next) {
        let (at_p, at_q) = (left(p), left(q));
        if at_p >= 0.0 {
            kept.push(p);
        }
        if (at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0) {
            kept.push(p.lerp(q, at_p / (at_p - at_q)));
        }
    }
    kept
}

/// The fraction of the displacement at which `moving` comes nearer to `resting` than `level`.
///
/// The signed distance of two convex shapes is a convex function of the displacement: a ternary
/// search finds where they are nearest, and before that it falls, so that bisection finds where it
/// passes the level.
pub(super) fn fraction_of_reaching(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    level: f64,
) -> Option<f64> {
    let (moving, resting) = (Outline::from(moving), Outline::from(resting));
    let displacement = displacement.as_dvec2();
    let above = |time: f64| separation(&moving.moved(displacement * time), &resting) - level;
    if above(0.0) < 0.0 {
        return Some(0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let third = (high - low) / 3.0;
        let (p, q) = (low + third, high - third);
        let (at_p, at_q) = (above(p), above(q));
        if at_p < 0.0 {
            return Some(bisect(above, p));
        }
        if at_q < 0.0 {
            return Some(bisect(above, q));
        }
        if third * displacement.length() < 1e-7 {
            break;
        }
        if at_p < at_q {
            high = q;
        } else {
            low = p;
        }
    }
    (above(1.0) < 0.0).then(|| bisect(above, 1.0))
}

/// Where a function that is not negative at zero becomes negative, if it is so at `high`.
fn bisect(above: impl Fn(f64) -> f64, mut high: f64) -> f64 {
    let mut low = 0.0;
    for _ in 0..60 {
        let midpoint = f64::midpoint(low, high);
        if above(midpoint) < 0.0 {
            high = midpoint;
        } else {
            low = midpoint;
        }
    }
    high
}

proptest! {
    #![proptest_config(cases(256))]

    /// Trying directions, comparing edges, and clipping agree with each other.
    #[test]
    fn the_oracles_agree((a, b) in pair()) {
        let (p, q) = (Outline::from(&a), Outline::from(&b));
        let by_edges = separation(&p, &q);
        let by_directions = -separating_translations(&p, &q)[0].length;
        prop_assert!((by_edges - by_directions).abs() < 1e-6, "{by_edges} {by_directions}");
        let area = shared_area(&a, &b);
        if area > 0.01 {
            prop_assert!(by_edges < 0.0, "{by_edges} {area}");
        }
        if by_edges > 0.0 {
            prop_assert!(area < 1e-9, "{by_edges} {area}");
        }
    }
}
