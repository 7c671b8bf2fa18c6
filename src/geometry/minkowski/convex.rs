use bevy::math::{Vec2, bounding::BoundingVolume};

use crate::geometry::{PARALLEL_ANGLE, Placement, Polygon, Shape, shape::RoundedCore};

/// How many corners the convex parts of polygons may have.
pub(in crate::geometry) const MAX_CORNERS: usize = 8;
/// How many sides a core may have: there are two corners at most at which it turns by more than a third of a whole turn.
pub(super) const MAX_SIDES: usize = MAX_CORNERS + 2;
/// At corners where the normals of the sides have a smaller dot product than this, one more bounds the shape. Without it the tip of a
/// needle would be where two nearly parallel lines cross, which rounding moves far.
const SHARP: f32 = -0.5;

/// A whole turn in the measure of [`diamond_angle`].
const WHOLE_TURN: f32 = 4.0;
/// Edges whose angles differ by no more than this have one direction, but for rounding.
const SAME_DIRECTION: f32 = 8.0 * f32::EPSILON;

/// A convex shape relative to its center: a polygon grown by a radius.
pub(in crate::geometry) struct ConvexCore {
    /// Counter-clockwise.
    sides: [Side; MAX_SIDES],
    /// How many sides there are; a circle has none.
    count: usize,
    pub radius: f32,
}

/// A side of a polygon. It may have no length.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    pub end: Vec2,
    /// Outward, unit length.
    pub normal: Vec2,
    /// That of the normal, in a measure that only grows with it, if the core is in order.
    pub angle: f32,
}

impl ConvexCore {
    /// The core of a convex shape.
    pub fn of(shape: &Shape) -> Self {
        Self::from_center(shape, 1.0)
    }

    /// The core of a convex shape, turned by half a turn about its center.
    pub fn mirrored(shape: &Shape) -> Self {
        Self::from_center(shape, -1.0)
    }

    pub(super) fn sides(&self) -> &[Side] {
        &self.sides[..self.count]
    }

    /// The part of the surface that lies furthest along `direction` (unit length): the two ends of a side, or twice the same point.
    pub fn support(&self, direction: Vec2) -> [Vec2; 2] {
        let sides = self.sides();
        let is_parallel = |side: &Side| {
            side.normal.dot(direction) > 0.0
                && side.normal.perp_dot(direction).abs() < PARALLEL_ANGLE
        };
        // More than one, where sides are nearly on one line.
        let parallel = (0..sides.len())
            .filter(|side| is_parallel(&sides[*side]))
            .flat_map(|side| {
                [
                    sides[(side + sides.len() - 1) % sides.len()].end,
                    sides[side].end,
                ]
            });
        let along = |direction: Vec2| {
            move |p: &Vec2, q: &Vec2| p.dot(direction).total_cmp(&q.dot(direction))
        };
        let tangent = along(direction.perp());
        let ends = match (parallel.clone().min_by(tangent), parallel.max_by(tangent)) {
            (Some(start), Some(end)) => [start, end],
            _ => {
                let furthest = (sides.iter().map(|side| side.end)).max_by(along(direction));
                [furthest.unwrap_or_default(); 2]
            }
        };
        ends.map(|end| end + direction * self.radius)
    }

    /// All points are multiplied by `sign`.
    fn from_center(shape: &Shape, sign: f32) -> Self {
        let mut core = Self {
            sides: [Side::default(); MAX_SIDES],
            count: 0,
            radius: 0.0,
        };
        match shape {
            Shape::Polygon { polygon, placement } if placement.is_flat() => {
                let flattened = RoundedCore {
                    half_size: polygon.bounds().half_size() * placement.scale(),
                    rotation: placement.rotation(),
                    radius: 0.0,
                };
                core.add_box(&flattened, sign);
            }
            Shape::Polygon { polygon, placement } => core.add_polygon(polygon, placement, sign),
            Shape::Circle { radius, .. } => core.radius = *radius,
            _ => core.add_box(&shape.core().unwrap_or_default(), sign),
        }
        core
    }

    /// The same with the edge of the least angle first, and angles that only grow from there.
    pub(super) fn in_order(mut self) -> Self {
        let edges = &mut self.sides[..self.count];
        for edge in &mut *edges {
            edge.angle = diamond_angle(edge.normal);
        }
        let least = (edges.iter().enumerate())
            .min_by(|(_, p), (_, q)| p.angle.total_cmp(&q.angle))
            .map_or(0, |(least, _)| least);
        edges.rotate_left(least);
        keep_run_together(edges);
        make_monotonic(edges);
        self
    }

    fn add_polygon(&mut self, polygon: &Polygon, placement: &Placement, sign: f32) {
        let (corners, normals, middle) = (polygon.vertices(), polygon.normals(), polygon.middle());
        let (count, rotation) = (corners.len(), placement.rotation());
        for i in 0..count {
            // Seen in a mirror they come the other way around, and the side that ends at a corner began there.
            let (end, side) = if placement.is_mirrored() {
                (count - 1 - i, (count - i) % count)
            } else {
                (i, i)
            };
            let normal = placement.apply_normal(normals[side], rotation) * sign;
            let last = self.sides().last().copied();
            if let Some(last) = last {
                self.add_tip(&last, normal);
            }
            self.add_side(
                placement.transform_vector(corners[end] - middle) * sign,
                normal,
            );
        }
        if let &[first, .., last] = self.sides() {
            self.add_tip(&last, first.normal);
        }
    }

    /// Adds a side without length where a side ends and another one begins at a sharp angle.
    fn add_tip(&mut self, before: &Side, next: Vec2) {
        if before.normal.dot(next) < SHARP && self.count < MAX_SIDES {
            let outward = (before.normal.perp() - next.perp()).normalize_or(before.normal.perp());
            self.add_side(before.end, outward);
        }
    }

    fn add_box(&mut self, core: &RoundedCore, sign: f32) {
        self.radius = core.radius;
        let normals = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
        for normal in normals {
            let corner = core.half_size * (normal + normal.perp());
            self.add_side(core.rotation * corner * sign, core.rotation * normal * sign);
        }
    }

    fn add_side(&mut self, end: Vec2, normal: Vec2) {
        if let Some(side) = self.sides.get_mut(self.count) {
            *side = Side {
                end,
                normal,
                angle: 0.0,
            };
            self.count += 1;
        }
    }
}

/// Lets the list begin where a run of collinear edges does: one that is split between both ends of
/// the list would be merged with the wrong edges of another polygon.
fn keep_run_together(edges: &mut [Side]) {
    for _ in 1..edges.len() {
        let turn = (edges[0].angle - edges[edges.len() - 1].angle).abs();
        if turn.min(WHOLE_TURN - turn) > SAME_DIRECTION {
            break;
        }
        edges.rotate_right(1);
    }
}

/// Counts angles on where the measure starts over. What rounding turned back is taken as straight.
fn make_monotonic(edges: &mut [Side]) {
    // The first may be just before the start of the measure. At a vertex none turns half around.
    let (half_turn, mut least) = (WHOLE_TURN / 2.0, f32::NEG_INFINITY);
    for edge in edges {
        let from = least.max(0.0);
        if edge.angle - from > half_turn {
            edge.angle -= WHOLE_TURN;
        } else if from - edge.angle > half_turn {
            edge.angle += WHOLE_TURN;
        }
        least = least.max(edge.angle);
        edge.angle = least;
    }
}

/// Grows with the angle of a vector from the x axis, from 0 to 4 for a whole turn: how far along a square on its corner it points.
fn diamond_angle(vector: Vec2) -> f32 {
    let along = vector.y / (vector.x.abs() + vector.y.abs());
    match (vector.x >= 0.0, vector.y >= 0.0) {
        (true, true) => along,
        (false, _) => 2.0 - along,
        (true, false) => 4.0 + along,
    }
}
