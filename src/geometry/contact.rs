use bevy::{
    math::{UVec2, Vec2},
    reflect::prelude::*,
};

use super::{
    Shape, TOUCHING_SLOP,
    cell::PackedCell,
    compound::are_near,
    direction_and_length,
    distance::{Separation, separation_below},
    minkowski::{Obstacle, RoundedBox, SurfacePoint},
    touching_slop,
};

/// Where and how two shapes overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
#[non_exhaustive]
pub struct Contact {
    /// Halfway between the deepest point of each shape in the other, in world units. It is inside
    /// of both, unless one is all the way through the other.
    pub point: Vec2,
    /// The direction from the first shape to the second in which they overlap least, unit length.
    pub normal: Vec2,
    /// How far one of them has to move along `normal` until they only touch, in world units.
    /// Negative for shapes that are apart, and reported because they are nearer than a margin.
    pub depth: f32,
    /// The cells of both shapes that touch, where they are grids.
    cells: [Option<PackedCell>; 2],
}

impl Contact {
    /// That of two shapes with this separation.
    pub(crate) fn of(a: &Shape, b: &Shape, separation: &Separation) -> Self {
        Self {
            point: separation.point_a.midpoint(separation.point_b),
            normal: separation.normal,
            depth: -separation.distance,
            cells: [
                PackedCell::near(a, separation.point_a),
                PackedCell::near(b, separation.point_b),
            ],
        }
    }

    /// Whether no number of it is too large. Its normal is of unit length then.
    fn is_finite(&self) -> bool {
        self.point.is_finite() && self.depth.is_finite()
    }

    /// The same contact with the two sides exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        let [a, b] = self.cells;
        Self {
            normal: -self.normal,
            cells: [b, a],
            ..self
        }
    }

    /// The cell of the first shape that touches the other one, if it is a grid: column and row, as
    /// [`TileCollider`](crate::TileCollider) counts them.
    pub fn cell_a(&self) -> Option<UVec2> {
        self.cells[0].map(PackedCell::unpack)
    }

    /// The cell of the second shape that touches the other one, if it is a grid.
    pub fn cell_b(&self) -> Option<UVec2> {
        self.cells[1].map(PackedCell::unpack)
    }
}

/// How `a` and `b` overlap, if they do.
///
/// Shapes that only touch do not, nor do shapes whose overlap is within
/// [rounding](super::TOUCHING_SLOP), or whose contact has numbers too large for an `f32`.
///
/// The depth is the length of the shortest way out for convex shapes, and for points. For other
/// shapes it is that of a way out of the whole: moved that far along the normal the shapes no
/// longer overlap. It is the shortest of straight ways in 24 directions and of those beside them,
/// mostly within a few per cent of the shortest of all; through a narrow gap there may be a shorter
/// one. Where hundreds of parts of both shapes are in each other's way the search ends after about
/// a millisecond with the best way found so far, and where thousands are with that out of the box
/// around the second shape.
///
/// ```
/// use bevy_thud::geometry::{Shape, contact};
/// use bevy::math::{Rot2, Vec2};
///
/// let ball = Shape::circle(Vec2::new(0.0, 1.5), 1.0);
/// let floor = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 2.0), Rot2::IDENTITY);
/// let contact = contact(&ball, &floor).unwrap();
/// assert_eq!(contact.normal, Vec2::NEG_Y);
/// assert_eq!(contact.depth, 0.5);
/// ```
pub fn contact(a: &Shape, b: &Shape) -> Option<Contact> {
    contact_within(a, b, 0.0)
}

/// Like [`contact`], but shapes that are nearer to each other than `margin` (world units) count as
/// overlapping, with a negative depth.
#[inline]
pub fn contact_within(a: &Shape, b: &Shape, margin: f32) -> Option<Contact> {
    let limit = margin - touching_slop(a, b);
    match (a, b) {
        (Shape::Circle { radius: r, .. }, Shape::Circle { radius: s, .. }) => {
            let circles = [(a.center(), *r), (b.center(), *s)];
            contact_of_circles(circles, limit).unwrap_or_else(|| contact_of_any(a, b, limit))
        }
        _ if !(a.is_convex() && b.is_convex()) => contact_of_any(a, b, limit),
        (Shape::Circle { radius, .. }, _) => contact_of_circle((a.center(), *radius), b, limit),
        (_, Shape::Circle { radius, .. }) => {
            contact_of_circle((b.center(), *radius), a, limit).map(Contact::flipped)
        }
        _ => contact_of_any(a, b, limit),
    }
}

/// The contact of a circle with another shape. Where they are nearest is straight towards it from
/// the middle of the circle.
#[inline]
fn contact_of_circle((center, radius): (Vec2, f32), other: &Shape, limit: f32) -> Option<Contact> {
    let between = other.center() - center;
    let SurfacePoint {
        distance, normal, ..
    } = match other.core() {
        Some(core) => RoundedBox::around(&core, between, radius).gap_below(limit)?,
        None => {
            Obstacle::between(&Shape::Circle { center, radius }, other, 0.0).gap_below(limit)?
        }
    };
    let contact = Contact {
        point: center - normal * (radius + distance / 2.0),
        normal: -normal,
        depth: -distance,
        cells: [None; 2],
    };
    (distance < limit && contact.is_finite() && other.is_finite()).then_some(contact)
}

fn contact_of_any(a: &Shape, b: &Shape, limit: f32) -> Option<Contact> {
    if !(a.is_finite() && b.is_finite()) {
        return None;
    }
    let separation = separation_below(a, b, limit)?;
    let contact = (separation.distance < limit).then(|| Contact::of(a, b, &separation));
    contact.filter(Contact::is_finite)
}

/// The same for two circles, each a center and a radius, where that is decided in less than half of
/// the time.
#[inline]
fn contact_of_circles([(p, r), (q, s)]: [(Vec2, f32); 2], limit: f32) -> Option<Option<Contact>> {
    let between = q - p;
    let (square, reach) = (between.length_squared(), r + s + limit);
    // Beyond these numbers squares under- and overflow.
    if !(square > f32::MIN_POSITIVE && square < f32::MAX && reach > 0.0) {
        return None;
    }
    if square >= reach * reach {
        return Some(None);
    }
    let (normal, length) = direction_and_length(between)?;
    let contact = Contact {
        point: (p + normal * r).midpoint(q - normal * s),
        normal,
        depth: r + s - length,
        cells: [None; 2],
    };
    Some(contact.is_finite().then_some(contact))
}

/// Whether `point` is inside of `shape`. The edge does not belong to it.
pub fn contains_point(shape: &Shape, point: Vec2) -> bool {
    if !(shape.is_finite() && point.is_finite()) {
        return false;
    }
    match shape {
        // Also on a line between two cells, or between two pieces.
        Shape::Tiles { tiles, placement } => {
            let slop = TOUCHING_SLOP * point.abs().max_element() / placement.scale();
            tiles.is_solid_around(placement.inverse_transform_point(point), slop)
        }
        Shape::Polygon { polygon, placement } if !polygon.is_single_piece() => {
            polygon.contains(placement.inverse_transform_point(point))
        }
        _ => are_near(&Shape::circle(point, 0.0), shape, 0.0),
    }
}
