//! Colliders for shapes that are not in grids.

use bevy::prelude::*;
use bevy_thud::prelude::*;

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

/// The collider of outlines with y up that do the same, and why some have none.
pub(crate) fn of_outlines<'a>(
    outlines: impl IntoIterator<Item = &'a Outline>,
    line_radius: f32,
) -> (Option<ColliderShape>, Vec<TiledProblem>) {
    let mut joined: Option<PolygonCollider> = None;
    let mut problems = Vec::new();
    for outline in outlines {
        let polygon = match outline {
            Outline::Area { vertices, .. } => PolygonCollider::new(vertices.iter().copied()),
            Outline::Line(points) => {
                PolygonCollider::line(points.iter().copied(), line_radius, line_radius)
            }
        };
        match (polygon, &joined) {
            (Ok(polygon), Some(others)) => {
                joined = Some(others.polygon().union(polygon.polygon()).into());
            }
            (Ok(polygon), None) => joined = Some(polygon),
            (Err(error), _) => problems.push(TiledProblem::Polygon(error)),
        }
    }
    (joined.map(ColliderShape::Polygon), problems)
}
