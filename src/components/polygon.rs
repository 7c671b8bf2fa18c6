//! Polygon colliders.

use std::sync::Arc;

use bevy::prelude::*;

use super::Collider;
use crate::geometry::{Placement, Polygon, PolygonError, Shape};

/// A simple polygon, convex or not, rotated, scaled and mirrored with its [`Transform`].
///
/// Creating it validates the polygon and decomposes it into convex pieces. Clones share the
/// polygon, so spawning many of one kind is cheap.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn spawn_arrow(mut commands: Commands) -> Result {
///     let outline = [(12.0, 0.0), (-8.0, 8.0), (-3.0, 0.0), (-8.0, -8.0)];
///     commands.spawn(PolygonCollider::new(outline.map(Vec2::from))?);
///     Ok(())
/// }
/// # App::new().add_systems(Startup, spawn_arrow);
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Transform)]
pub struct PolygonCollider {
    polygon: Arc<Polygon>,
}

impl PolygonCollider {
    /// A polygon from its vertices in the local space of the entity, in either winding order, in
    /// world units before scale. A point that repeats the previous one is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer than three points, if one is NaN or infinite, if edges
    /// cross or touch each other, or if all of it is narrower than rounding.
    pub fn new(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        Polygon::new(points).map(Self::from)
    }

    /// The vertices, counter-clockwise with y up, in the local space of the entity.
    pub fn vertices(&self) -> &[Vec2] {
        self.polygon.vertices()
    }

    /// The polygon, which other colliders may share.
    pub fn polygon(&self) -> &Arc<Polygon> {
        &self.polygon
    }
}

impl From<Polygon> for PolygonCollider {
    fn from(polygon: Polygon) -> Self {
        Self::from(Arc::new(polygon))
    }
}

impl From<Arc<Polygon>> for PolygonCollider {
    fn from(polygon: Arc<Polygon>) -> Self {
        Self { polygon }
    }
}

impl Collider for PolygonCollider {
    fn shape(&self) -> Shape {
        Shape::Polygon {
            polygon: self.polygon.clone(),
            placement: Placement::at(Vec2::ZERO),
        }
    }
}
