//! Polygons, convex or not.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Form, Grip, Handle, Kind, Pull};

/// The smallest distance of a vertex to an edge that does not end at it.
const LEAST_GAP: f32 = 6.0;

/// A convex polygon.
pub const GEM: [(f32, f32); 6] = [
    (-50.0, 20.0),
    (-34.0, -40.0),
    (24.0, -52.0),
    (64.0, -4.0),
    (40.0, 46.0),
    (-20.0, 56.0),
];
/// A polygon that is not convex.
pub const ARROW: [(f32, f32); 7] = [
    (0.0, 75.0),
    (-65.0, 0.0),
    (-24.0, 0.0),
    (-24.0, -65.0),
    (24.0, -65.0),
    (24.0, 0.0),
    (65.0, 0.0),
];

/// A polygon from its vertices, counter-clockwise. It does not matter where the origin is.
///
/// # Panics
///
/// If edges cross or nearly touch each other.
pub fn polygon<const N: usize>(outline: [(f32, f32); N]) -> Form {
    let (form, _) = centered(&outline.map(Vec2::from)).expect("the outline should be simple");
    form
}

/// The polygon with its centroid at the origin, and where the centroid was; or `None` if edges
/// cross or nearly touch each other, or if the polygon is clockwise.
fn centered(outline: &[Vec2]) -> Option<(Form, Vec2)> {
    let center = centroid(outline);
    let vertices: Vec<Vec2> = outline.iter().map(|vertex| vertex - center).collect();
    let polygon = PolygonCollider::new(vertices.iter().copied()).ok()?;
    let is_kept = polygon.vertices() == vertices && has_gaps(&vertices);
    is_kept.then_some((Form::Polygon(polygon), center))
}

fn centroid(outline: &[Vec2]) -> Vec2 {
    let first = outline[0];
    let mut doubled_area = 0.0;
    let mut moment = Vec2::ZERO;
    for [start, end] in sides(outline) {
        let (p, q) = (start - first, end - first);
        doubled_area += p.perp_dot(q);
        moment += (p + q) * p.perp_dot(q);
    }
    first + moment / (3.0 * doubled_area)
}

fn has_gaps(outline: &[Vec2]) -> bool {
    outline.iter().all(|vertex| {
        let mut others = sides(outline).filter(|side| !side.contains(vertex));
        others.all(|[start, end]| {
            let nearest = Segment2d::new(start, end).closest_point(*vertex);
            nearest.distance(*vertex) >= LEAST_GAP
        })
    })
}

/// The edges, each from a vertex to the next one.
fn sides(outline: &[Vec2]) -> impl Iterator<Item = [Vec2; 2]> {
    let ends = outline.iter().cycle().skip(1);
    outline.iter().zip(ends).map(|(start, end)| [*start, *end])
}

/// All polygons here are around their centroid, counter-clockwise.
impl Kind for PolygonCollider {
    fn title(&self) -> &'static str {
        if self.polygon().is_single_piece() {
            "convex polygon"
        } else {
            "polygon"
        }
    }

    fn measures(&self) -> Vec<(&'static str, String)> {
        let pieces = self.polygon().pieces().len().max(1);
        vec![
            ("vertices", self.vertices().len().to_string()),
            ("pieces", pieces.to_string()),
        ]
    }

    fn color(&self) -> Color {
        Color::srgb(0.96, 0.56, 0.82)
    }

    fn outlines(&self) -> Vec<Vec<Vec2>> {
        vec![self.vertices().into()]
    }

    fn pieces(&self) -> Vec<Vec<Vec2>> {
        let pieces = self.polygon().pieces().iter();
        let pieces: Vec<Vec<Vec2>> = pieces.map(|piece| piece.vertices().into()).collect();
        if pieces.is_empty() {
            Kind::outlines(self)
        } else {
            pieces
        }
    }

    fn top(&self) -> Option<Vec2> {
        let crossings = sides(self.vertices()).filter_map(|[start, end]| {
            let part = start.x / (start.x - end.x);
            let is_crossing = (0.0..=1.0).contains(&part);
            is_crossing.then(|| start.lerp(end, part))
        });
        crossings.max_by(|a, b| a.y.total_cmp(&b.y))
    }

    fn handles(&self) -> Vec<Handle> {
        let vertices = self.vertices().iter().enumerate();
        let vertices = vertices
            .map(|(index, vertex)| Handle::new(Grip::Vertex(index), Pull::Anywhere, [*vertex]));
        let edges = sides(self.vertices()).enumerate();
        let edges = edges.map(|(index, side)| Handle::new(Grip::Edge(index), Pull::Anywhere, side));
        vertices.chain(edges).collect()
    }

    /// An edge moves with both of its ends.
    fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<(Form, Vec2)> {
        let mut vertices = self.vertices().to_vec();
        let count = vertices.len();
        let moved = match grip {
            Grip::Vertex(index) => vec![index],
            Grip::Edge(index) => vec![index, (index + 1) % count],
            _ => return None,
        };
        for index in moved {
            *vertices.get_mut(index)? += to - from;
        }
        centered(&vertices)
    }

    /// Removes a vertex, or adds one on an edge.
    fn edited(&self, grip: Option<Grip>, at: Vec2) -> Option<(Form, Vec2)> {
        let mut vertices = self.vertices().to_vec();
        match grip? {
            Grip::Vertex(index) => {
                vertices.remove(index);
            }
            Grip::Edge(index) => {
                let [start, end] = sides(&vertices).nth(index)?;
                let added = Segment2d::new(start, end).closest_point(at);
                vertices.insert(index + 1, added);
            }
            _ => return None,
        }
        centered(&vertices)
    }
}
