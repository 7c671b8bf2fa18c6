//! Colliders for shapes that are not in grids.

use bevy::prelude::*;
use bevy_thud::{geometry::PolygonError, prelude::*};

use crate::{error::TiledProblem, outline::Outline};

/// A collider of one of the kinds that Tiled's shapes become.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColliderShape {
    Circle(CircleCollider),
    Rect(RectCollider),
    Capsule(CapsuleCollider),
    Polygon(PolygonCollider),
}

impl ColliderShape {
    pub fn insert(self, entity: &mut EntityCommands) {
        match self {
            Self::Circle(circle) => entity.try_insert(circle),
            Self::Rect(rect) => entity.try_insert(rect),
            Self::Capsule(capsule) => entity.try_insert(capsule),
            Self::Polygon(polygon) => entity.try_insert(polygon),
        };
    }
}

/// The colliders of outlines with y up that do the same, and why some have none. They are joined
/// into one where they do not cross each other.
pub(crate) fn of_outlines<'a>(
    outlines: impl IntoIterator<Item = &'a Outline>,
    line_radius: f32,
) -> (Vec<ColliderShape>, Vec<TiledProblem>) {
    let mut polygons = Vec::new();
    let mut capsules = Vec::new();
    let mut problems = Vec::new();
    for outline in outlines {
        match outline {
            Outline::Area { vertices, .. } => {
                match PolygonCollider::new(vertices.iter().copied()) {
                    Ok(polygon) => polygons.push(polygon),
                    Err(error) => problems.push(TiledProblem::Polygon(error)),
                }
            }
            Outline::Line(points) => {
                match PolygonCollider::line(points.iter().copied(), line_radius, line_radius) {
                    Ok(polygon) => polygons.push(polygon),
                    // It crosses itself.
                    Err(_) => capsules.extend(
                        points
                            .windows(2)
                            .map(|ends| CapsuleCollider::between(ends[0], ends[1], line_radius)),
                    ),
                }
            }
        }
    }
    let polygons = joined(polygons).into_iter().map(ColliderShape::Polygon);
    let capsules = capsules.into_iter().map(ColliderShape::Capsule);
    (polygons.chain(capsules).collect(), problems)
}

/// The same area in as few polygons as possible: one if none cross each other.
fn joined(mut polygons: Vec<PolygonCollider>) -> Vec<PolygonCollider> {
    // Large ones first: what is inside of another one comes after it.
    polygons.sort_by(|p, q| area(q).total_cmp(&area(p)));
    let mut joined: Vec<PolygonCollider> = Vec::new();
    for polygon in polygons {
        if !joined.iter_mut().any(|known| join(known, &polygon)) {
            joined.push(polygon);
        }
    }
    joined
}

/// Adds another polygon, and returns whether that is possible.
fn join(polygon: &mut PolygonCollider, other: &PolygonCollider) -> bool {
    let outlines = polygon.outlines().chain(other.outlines());
    match PolygonCollider::from_outlines(outlines.map(|points| points.iter().copied())) {
        Ok(both) => {
            // Less is what remains by the even-odd rule if the other one is inside.
            if area(&both) > area(polygon) {
                *polygon = both;
            }
            true
        }
        // Both are the same.
        Err(PolygonError::NoArea) => true,
        Err(_) => false,
    }
}

fn area(polygon: &PolygonCollider) -> f32 {
    let of_outline = |points: &[Vec2]| -> f32 {
        let first = points.first().copied().unwrap_or_default();
        let next = points.iter().cycle().skip(1);
        let edges = points.iter().zip(next);
        edges.map(|(p, q)| (*p - first).perp_dot(*q - first)).sum()
    };
    // Holes are clockwise.
    polygon.outlines().map(of_outline).sum::<f32>() / 2.0
}
