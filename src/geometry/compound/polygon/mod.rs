//! Polygons in their own frame, with their convex pieces.

mod area;
mod boolean;
mod bvh;
mod closed_rings;
mod edge_boxes;
mod error;
mod line;
mod rings;

pub use error::PolygonError;

use std::{cell::Cell, sync::Arc};

use bevy::math::Vec2;
use i_triangle::i_overlay::core::fill_rule::FillRule;

use crate::{
    aabb::{Aabb2d, contains, half_size, intersects, merge},
    geometry::{
        convex::{MAX_VERTICES, Outline},
        placement::Placement,
        vectors::bounding_box,
    },
};
use area::Area;
use bvh::StaticBvh;
use edge_boxes::{EdgeBoxes, edges_of_group};
use rings::Rings;

/// The bounding box of a polygon with more vertices than this is found by its extreme vertices.
const MANY_VERTICES: usize = 256;
/// The number of vertices from which the search for extreme ones starts.
const EXTREME_SAMPLES: usize = 32;

/// A polygon, convex or not, in a frame of its own. It may have holes and islands.
///
/// It is validated and split into convex pieces when it is created, so share it in an [`Arc`], as
/// [`Shape::Polygon`](crate::geometry::Shape::Polygon) does.
///
/// It is saved as a list of points. With several outlines, each ends where it comes back to its
/// first point.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Vec2>", into = "Vec<Vec2>")
)]
pub struct Polygon {
    /// The vertices of all rings: closed chains, to the left of which the polygon is.
    outline: Outline,
    /// `None` if it is in one piece.
    pieces: Option<Box<Pieces>>,
}

/// The convex pieces of a polygon, with bounding volume hierarchies of its pieces and edges.
#[derive(Clone, Debug)]
struct Pieces {
    polygons: Box<[Arc<Polygon>]>,
    boxes: StaticBvh,
    edge_boxes: EdgeBoxes,
    /// The mean of the larger half extents of the pieces.
    mean_half_extent: f32,
    /// The first vertex of each ring but the first one.
    later_starts: Box<[usize]>,
}

/// An edge of a polygon, in the world.
pub(in crate::geometry) struct Edge {
    /// The index of the vertex at which it ends.
    pub index: usize,
    pub start: Vec2,
    pub end: Vec2,
    /// Points outward, unit length.
    pub normal: Vec2,
}

impl Polygon {
    /// The polygon with these vertices, in either winding. A point that repeats the one before it
    /// counts once. If the outline crosses itself, it is the polygon of
    /// [`from_outlines`](Self::from_outlines).
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer than three points, if one is NaN or infinite, or if
    /// there is no area.
    pub fn new(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        Self::from_outlines([points])
    }

    /// The polygon of all points that are inside of an odd number of these outlines, each in either
    /// winding: an outline in another one is a hole, one in the hole is an island. Outlines may
    /// touch and cross each other and themselves; where they share a segment of an edge, there is
    /// no gap and no edge between them.
    ///
    /// The vertices of an outline that crosses nothing are the points that were given, bit for bit,
    /// unless they are below 2<sup>-36</sup> of the largest coordinate of all. Where edges cross,
    /// vertices are rounded to `f32`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no outline, if one has fewer than three points or one that is
    /// NaN or infinite, and if there is no area: if all of it is narrower than rounding, or if
    /// outlines cancel each other.
    pub fn from_outlines<Points: IntoIterator<Item = Vec2>>(
        outlines: impl IntoIterator<Item = Points>,
    ) -> Result<Self, PolygonError> {
        let mut outlines = (outlines.into_iter().enumerate())
            .map(|(number, points)| checked(points, number))
            .collect::<Result<Vec<_>, _>>()?;
        if outlines.is_empty() {
            outlines.push(checked([], 0)?);
        }
        Self::of_area(&Area::within(&outlines, FillRule::EvenOdd)).ok_or(PolygonError::NoArea)
    }

    /// A line through these points, up to `left` thick on its left side and `right` on its right
    /// side (with y up, seen along the line), both in the units of the points. A negative thickness
    /// counts as zero. If the last point is the first one, the line is closed, and the polygon has
    /// a hole. A point that repeats the one before it counts once. The line may cross itself.
    ///
    /// A side without thickness is exactly the line. The border on a side with a thickness has
    /// mitre joints, which are cut where the line turns by more than 120 degrees. On the inner side
    /// of a bend between segments that are shorter than about the thickness, the line is thinner.
    /// Its ends are cut straight, at the first and the last point.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer than two points, if a number is NaN or infinite, and if
    /// there is no thickness.
    pub fn line(
        points: impl IntoIterator<Item = Vec2>,
        left: f32,
        right: f32,
    ) -> Result<Self, PolygonError> {
        let segments = line::segments(points, left, right)?;
        Self::of_area(&Area::within(&segments, FillRule::NonZero)).ok_or(PolygonError::NoArea)
    }

    fn of_area(area: &Area) -> Option<Self> {
        let outlines = area.outlines();
        let ends = outlines.iter().scan(0, |end, ring| {
            *end += ring.len();
            Some(*end)
        });
        let later_starts: Vec<usize> = ends.take(outlines.len().checked_sub(1)?).collect();
        let vertices = outlines.concat();
        let rings = Rings {
            later_starts: &later_starts,
            count: vertices.len(),
        };
        let pieces = area.convex_pieces();
        let is_single_piece = pieces.len() == 1 && vertices.len() <= MAX_VERTICES;
        Some(Self {
            pieces: (!is_single_piece).then(|| Box::new(Pieces::new(&vertices, rings, pieces))),
            outline: Outline::of_rings(vertices, |end| rings.before(end)),
        })
    }

    /// The vertices, counter-clockwise with y up. Of several outlines, those of
    /// [`outlines`](Self::outlines), one after the other.
    pub fn vertices(&self) -> &[Vec2] {
        self.outline.vertices()
    }

    /// The vertices of each outline, with the polygon to the left: with y up, counter-clockwise
    /// around the polygon, clockwise around its holes. They need not be those that were given, nor
    /// begin where those did, if there are several or if one touches or crosses itself.
    pub fn outlines(&self) -> impl Iterator<Item = &[Vec2]> {
        (self.rings().ranges()).map(|ring| &self.vertices()[ring])
    }

    fn rings(&self) -> Rings<'_> {
        Rings {
            later_starts: (self.pieces.as_ref()).map_or(&[], |pieces| &pieces.later_starts),
            count: self.vertices().len(),
        }
    }

    /// The convex pieces, of at most eight vertices each. Empty if the polygon is in one piece.
    pub fn pieces(&self) -> &[Arc<Self>] {
        self.pieces.as_ref().map_or(&[], |pieces| &pieces.polygons)
    }

    /// Whether it is in one piece: convex, and of eight vertices at most.
    pub fn is_single_piece(&self) -> bool {
        self.pieces.is_none()
    }

    /// The vertices with normals and bounds.
    pub(in crate::geometry) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The mean of the larger half extents of its convex pieces, or `None` if it is in one piece.
    pub(in crate::geometry) fn piece_half_extent(&self) -> Option<f32> {
        self.pieces.as_ref().map(|pieces| pieces.mean_half_extent)
    }

    /// The polygon's bounding box in the world.
    // Out of line, to keep the code that all colliders run short.
    #[inline(never)]
    pub(in crate::geometry) fn aabb_at(&self, placement: &Placement) -> Aabb2d {
        if self.vertices().len() > MANY_VERTICES {
            return self.aabb_of_extremes(placement);
        }
        bounding_box((self.vertices().iter()).map(|vertex| placement.transform_point(*vertex)))
    }

    /// The bounding box in the world: that of some vertices, grown by those outside of it.
    fn aabb_of_extremes(&self, placement: &Placement) -> Aabb2d {
        let vertices = self.vertices();
        let in_world = |vertex: &Vec2| placement.transform_point(*vertex);
        let samples = vertices
            .iter()
            .step_by(vertices.len().div_ceil(EXTREME_SAMPLES));
        let all = Cell::new(bounding_box(samples.map(in_world)));
        let is_beyond = |aabb: &Aabb2d| !contains(&all.get(), &placement.transform_aabb(aabb));
        for edges in (self.pieces.iter()).flat_map(|pieces| pieces.edge_boxes.find(is_beyond)) {
            let beyond = &vertices[edges];
            all.set(merge(
                &all.get(),
                &bounding_box(beyond.iter().map(in_world)),
            ));
        }
        all.get()
    }

    /// Whether all of the polygon's coordinates in the world are finite.
    pub(in crate::geometry) fn is_finite_at(&self, placement: &Placement) -> bool {
        // If this is finite, so is each intermediate result of transforming a vertex.
        if self.largest_coordinates_at(placement).is_finite() {
            return true;
        }
        let Aabb2d { min, max } = self.aabb_at(placement);
        min.is_finite() && max.is_finite()
    }

    /// An upper bound of the polygon's coordinates in the world, and of the intermediate results.
    pub(in crate::geometry) fn largest_coordinates_at(&self, placement: &Placement) -> Vec2 {
        let bounds = self.outline.bounds();
        let furthest = bounds.min.abs().max(bounds.max.abs());
        placement.center.abs() + placement.transform_half_size(furthest)
    }

    /// Returns the pieces that reach into an area of the world, in order, and maybe some near it.
    pub(in crate::geometry) fn pieces_near(
        &self,
        area: &Aabb2d,
        placement: &Placement,
    ) -> impl Iterator<Item = &Arc<Self>> {
        self.pieces.iter().flat_map(move |pieces| {
            let near = |aabb: &Aabb2d| intersects(area, &placement.transform_aabb(aabb));
            (pieces.boxes.find(near)).map(|piece| &pieces.polygons[piece])
        })
    }

    /// Whether a point in the polygon's frame is inside, not on an edge: a ray from there crosses
    /// the edges an odd number of times.
    pub(in crate::geometry) fn contains(&self, point: Vec2) -> bool {
        let may_be_crossed =
            |aabb: &Aabb2d| aabb.min.y <= point.y && aabb.max.y >= point.y && aabb.max.x >= point.x;
        let mut is_inside = false;
        let (vertices, rings) = (self.vertices(), self.rings());
        for edge in self.find_edges(may_be_crossed) {
            let (start, end) = (vertices[rings.before(edge)], vertices[edge]);
            let (min, max) = (start.min(end), start.max(end));
            if point.y < min.y || point.y > max.y {
                continue;
            }
            let [along, to_point] = [end, point].map(|to| to.as_dvec2() - start.as_dvec2());
            let side = along.perp_dot(to_point);
            if side == 0.0 && (min.x..=max.x).contains(&point.x) {
                return false;
            }
            // The lower end of an edge belongs to it, the upper one does not.
            let is_crossed = point.y < max.y && (side > 0.0) == (end.y > start.y);
            is_inside ^= is_crossed;
        }
        is_inside
    }

    /// Returns the displacement from a point of the world to the nearest point of the outline, or
    /// `None` if no distance is finite.
    pub(in crate::geometry) fn to_outline(
        &self,
        point: Vec2,
        placement: &Placement,
    ) -> Option<Vec2> {
        let (mut nearest, least) = (None, Cell::new(f32::INFINITY));
        let may_be_nearest = |aabb: &Aabb2d| {
            let beyond = point.clamp(aabb.min, aabb.max) - point;
            beyond.length_squared() < least.get()
        };
        for Edge { start, end, .. } in self.edges_near(placement, may_be_nearest) {
            let (from, edge) = (start - point, end - start);
            let along = (-from.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            let displacement = from + edge * along;
            if displacement.length_squared() < least.get() {
                least.set(displacement.length_squared());
                nearest = Some(displacement);
            }
        }
        nearest
    }

    /// Returns the edges whose bounding box in the world satisfies `is_wanted`, and maybe some
    /// more.
    pub(in crate::geometry) fn edges_near(
        &self,
        placement: &Placement,
        mut is_wanted: impl FnMut(&Aabb2d) -> bool,
    ) -> impl Iterator<Item = Edge> {
        let rotation = placement.rotation();
        let edges = self.find_edges(move |aabb| is_wanted(&placement.transform_aabb(aabb)));
        let (vertices, rings) = (self.vertices(), self.rings());
        edges.map(move |index| {
            let start = rings.before(index);
            Edge {
                index,
                start: placement.transform_point(vertices[start]),
                end: placement.transform_point(vertices[index]),
                normal: placement.transform_normal(self.outline.normals()[index], rotation),
            }
        })
    }

    /// Whether the outline turns inward at the start and at the end of the edge that ends at the
    /// vertex with this index.
    pub(in crate::geometry) fn are_reflex(&self, end: usize) -> [bool; 2] {
        let (normals, rings) = (self.outline.normals(), self.rings());
        let [previous, normal, next] =
            [rings.before(end), end, rings.after(end)].map(|edge| normals[edge]);
        [previous.perp_dot(normal), normal.perp_dot(next)].map(|turn| turn < 0.0)
    }

    /// Returns the edges whose bounding box in the polygon's frame satisfies `is_wanted`, and maybe
    /// some near them, by the indices of the vertices at which they end.
    fn find_edges(&self, is_wanted: impl FnMut(&Aabb2d) -> bool) -> impl Iterator<Item = usize> {
        let groups = (self.pieces.as_ref()).map(|pieces| pieces.edge_boxes.find(is_wanted));
        // A polygon in one piece has no boxes: its edges make up one group.
        let only_group = (self.pieces.is_none()).then(|| edges_of_group(0, self.vertices().len()));
        (groups.into_iter().flatten()).chain(only_group).flatten()
    }
}

impl Pieces {
    fn new(vertices: &[Vec2], rings: Rings, pieces: Vec<Vec<Vec2>>) -> Self {
        let single_piece = |vertices| {
            Arc::new(Polygon {
                outline: Outline::new(vertices),
                pieces: None,
            })
        };
        let polygons: Box<[_]> = pieces.into_iter().map(single_piece).collect();
        let half_extents =
            (polygons.iter()).map(|piece| half_size(&piece.outline.bounds()).max_element());
        Self {
            mean_half_extent: half_extents.sum::<f32>() / polygons.len() as f32,
            boxes: StaticBvh::new(polygons.iter().map(|piece| piece.outline.bounds())),
            edge_boxes: EdgeBoxes::new(vertices, rings),
            later_starts: rings.later_starts.into(),
            polygons,
        }
    }
}

/// Returns the points of an outline without repetitions.
fn checked(
    points: impl IntoIterator<Item = Vec2>,
    outline: usize,
) -> Result<Vec<Vec2>, PolygonError> {
    let mut points: Vec<Vec2> = points.into_iter().collect();
    if let Some(point) = points.iter().position(|point| !point.is_finite()) {
        return Err(PolygonError::NotFinite { outline, point });
    }
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let count = points.len();
    if count < 3 {
        return Err(PolygonError::TooFewPoints { outline, count });
    }
    Ok(points)
}

impl TryFrom<Vec<Vec2>> for Polygon {
    type Error = PolygonError;

    fn try_from(points: Vec<Vec2>) -> Result<Self, PolygonError> {
        Self::from_outlines(closed_rings::split(&points))
    }
}

impl From<Polygon> for Vec<Vec2> {
    fn from(polygon: Polygon) -> Self {
        closed_rings::joined(polygon.outlines())
    }
}

impl PartialEq for Polygon {
    fn eq(&self, other: &Self) -> bool {
        self.vertices() == other.vertices()
            && self.rings().later_starts == other.rings().later_starts
    }
}

// Equality is reflexive because all coordinates are finite.
impl Eq for Polygon {}
