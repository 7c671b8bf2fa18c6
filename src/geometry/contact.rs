//! Where and how shapes overlap.

use bevy::{
    math::{UVec2, Vec2},
    reflect::prelude::*,
};

use super::{
    compound::tiles::PackedCell,
    convex::{ConvexShape, MinkowskiDifference, Separation, SurfacePoint},
    separation::separation_below,
    shape::{Shape, touching_slop},
    vectors::direction_and_length,
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
    /// The midpoint between the deepest point of each shape in the other, in world units. It is
    /// inside of both shapes, unless one goes all the way through the other.
    pub point: Vec2,
    /// The direction from the first shape to the second in which they overlap least, unit length.
    /// Moving the second shape by `normal * depth`, or the first by `-normal * depth`, separates
    /// convex shapes: after that they only touch. Of other shapes it separates the two convex
    /// pieces that are deepest in each other, see [`contact`].
    pub normal: Vec2,
    /// The penetration depth along `normal`, in world units. Negative for shapes that are apart and
    /// reported because they are nearer than a margin.
    pub depth: f32,
    /// The touching cell of each shape that is a grid.
    cells: [Option<PackedCell>; 2],
}

impl Contact {
    /// The contact of two shapes with this separation.
    pub(crate) fn of(a: &Shape, b: &Shape, separation: &Separation) -> Self {
        // A point may be on a line between two cells, of which only the one behind it overlaps.
        let inward = separation.normal * touching_slop(a, b);
        Self {
            point: separation.point_a.midpoint(separation.point_b),
            normal: separation.normal,
            depth: -separation.distance,
            cells: [
                packed_cell_near(a, separation.point_a - inward),
                packed_cell_near(b, separation.point_b + inward),
            ],
        }
    }

    /// Whether all of its numbers are finite. If so, the normal has unit length.
    fn is_finite(&self) -> bool {
        self.point.is_finite() && self.depth.is_finite()
    }

    /// Returns the contact with the two shapes swapped: as seen from the second one.
    #[must_use]
    pub fn flipped(self) -> Self {
        let [a, b] = self.cells;
        Self {
            normal: -self.normal,
            cells: [b, a],
            ..self
        }
    }

    /// The cell of the first shape that touches the other one, as column and row like those of
    /// [`TileCollider`](crate::TileCollider), or `None` if the shape is not a grid.
    pub fn cell_a(&self) -> Option<UVec2> {
        self.cells[0].map(PackedCell::unpack)
    }

    /// The cell of the second shape that touches the other one, or `None` if the shape is not a
    /// grid.
    pub fn cell_b(&self) -> Option<UVec2> {
        self.cells[1].map(PackedCell::unpack)
    }
}

/// Returns how `a` and `b` overlap, or `None` if they do not.
///
/// Shapes that only touch do not overlap, nor do shapes whose overlap is within
/// [rounding](super::TOUCHING_SLOP), or whose contact is not finite.
///
/// For convex shapes, `normal` and `depth` are the shortest translation that separates them. A
/// shape that is not convex consists of convex pieces: those of a polygon are
/// [`Polygon::pieces`](super::Polygon::pieces); full cells of a grid are joined to rectangles,
/// first along rows. The contact is that of the two pieces that are deepest in each other: the pair
/// whose shortest separating translation is longest. Moving by it may leave other pieces that
/// overlap, but no shorter translation separates the shapes.
///
/// - Of several pairs of equal depth, the first one in the order of the pieces counts.
/// - On a flat surface, a circle or an edge gets the normal of the surface, whatever pieces are
///   behind it, up to a depth of about a quarter of its width. A corner that pokes in right between
///   two pieces may get the normal of an edge of its own.
/// - A rectangle of cells ends some 16 cells beside the other shape. Deeper in solid ground, the
///   depth may be less than to the surface, but not less than 16 cells.
/// - A point in a polygon or grid is as deep as the nearest point of the outline is far, whatever
///   the pieces. A shape without width that lies between two pieces is as deep as its deepest point
///   there.
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
            match contact_of_circles(circles, limit) {
                CirclesContact::Overlapping(contact) => Some(contact),
                CirclesContact::Apart => None,
                CirclesContact::Undecided => contact_of_any(a, b, limit),
            }
        }
        _ if !(a.is_convex() && b.is_convex()) => contact_of_any(a, b, limit),
        (Shape::Circle { radius, .. }, _) => contact_of_circle(a.center(), *radius, b, limit),
        (_, Shape::Circle { radius, .. }) => {
            contact_of_circle(b.center(), *radius, a, limit).map(Contact::flipped)
        }
        _ => contact_of_any(a, b, limit),
    }
}

/// The contact of a circle with another convex shape. The deepest points lie in the direction from
/// the circle's center to the nearest point of the other shape.
#[inline]
fn contact_of_circle(center: Vec2, radius: f32, other: &Shape, limit: f32) -> Option<Contact> {
    let convex = other.as_convex()?;
    let SurfacePoint {
        distance, normal, ..
    } = match convex.rounded_box() {
        Some(rounded) => {
            let between = other.center() - center;
            rounded.inflated_at(between, radius).surface_point(limit)?
        }
        None => {
            let circle = ConvexShape::Circle { center, radius };
            MinkowskiDifference::between(&circle, &convex, 0.0).surface_point(limit)?
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

/// The result of the fast path for two circles.
enum CirclesContact {
    Overlapping(Contact),
    Apart,
    /// The numbers are too small or too large for the fast path, or the centers are the same.
    Undecided,
}

/// The contact of two circles, each a center and a radius, in half the time of the general case.
#[inline]
fn contact_of_circles([(p, r), (q, s)]: [(Vec2, f32); 2], limit: f32) -> CirclesContact {
    let between = q - p;
    let (square, max_distance) = (between.length_squared(), r + s + limit);
    // Beyond these numbers squares under- and overflow.
    if !(square > f32::MIN_POSITIVE && square < f32::MAX && max_distance > 0.0) {
        return CirclesContact::Undecided;
    }
    if square >= max_distance * max_distance {
        return CirclesContact::Apart;
    }
    let Some((normal, length)) = direction_and_length(between) else {
        return CirclesContact::Undecided;
    };
    let contact = Contact {
        point: (p + normal * r).midpoint(q - normal * s),
        normal,
        depth: r + s - length,
        cells: [None; 2],
    };
    if contact.is_finite() {
        CirclesContact::Overlapping(contact)
    } else {
        CirclesContact::Apart
    }
}

fn packed_cell_near(shape: &Shape, point: Vec2) -> Option<PackedCell> {
    PackedCell::new(shape.cell_near(point)?)
}
