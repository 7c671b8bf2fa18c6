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
            Self::Circle(circle) => entity.insert(circle),
            Self::Rect(rect) => entity.insert(rect),
            Self::Capsule(capsule) => entity.insert(capsule),
            Self::Polygon(polygon) => entity.insert(polygon),
        };
    }
}

/// The colliders of an outline with y up, and why parts of it have none.
pub(crate) fn of_outline(
    outline: &Outline,
    line_radius: f32,
) -> (Vec<ColliderShape>, Vec<TiledProblem>) {
    let mut shapes = Vec::new();
    let mut problems = Vec::new();
    match outline {
        Outline::Area(pieces) => {
            for piece in pieces {
                match PolygonCollider::new(piece.iter().copied()) {
                    Ok(polygon) => shapes.push(ColliderShape::Polygon(polygon)),
                    Err(error) => problems.push(TiledProblem::Polygon(error)),
                }
            }
        }
        Outline::Line(points) => {
            let segments = points.windows(2);
            shapes.extend(segments.map(|ends| {
                ColliderShape::Capsule(CapsuleCollider::between(ends[0], ends[1], line_radius))
            }));
        }
    }
    (shapes, problems)
}
