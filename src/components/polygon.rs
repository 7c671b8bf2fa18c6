//! Polygon colliders.

use std::{
    f32::consts::{FRAC_PI_2, TAU},
    ops::Deref,
    sync::Arc,
};

use bevy::prelude::*;

use super::Collider;
use crate::geometry::{Placement, Polygon, PolygonError, Shape, unit_vector};

/// A polygon, convex or not, rotated, scaled and mirrored with its [`Transform`]. It may have
/// holes, and islands in these or beside each other.
///
/// Creating it validates the polygon and decomposes it into convex pieces. Clones share the
/// polygon, so spawning many of one kind is cheap. Dereferences to its [`Polygon`], which has its
/// vertices and outlines.
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
    /// world units before scale. A point that repeats the previous one is ignored. If the outline
    /// crosses itself, it is solid where [`from_outlines`](Self::from_outlines) is.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer than three points, if one is NaN or infinite, or if
    /// there is no area.
    pub fn new(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        Polygon::new(points).map(Self::from)
    }

    /// A regular polygon around the origin of the entity, with one vertex at the top, like Bevy's
    /// [`RegularPolygon`]. `radius` is that of its vertices, in world units before scale. The same
    /// on every platform.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer than three sides, or if the radius is zero or not
    /// finite.
    pub fn regular(radius: f32, sides: u16) -> Result<Self, PolygonError> {
        let vertex =
            |side| radius * unit_vector(FRAC_PI_2 + TAU * f32::from(side) / f32::from(sides));
        Self::new((0..sides).map(vertex))
    }

    /// A polygon of several outlines, each as for [`new`](Self::new), by the even-odd rule: it is
    /// solid inside of an odd number of them. So an outline in another one is a hole, and one in
    /// the hole is an island. Outlines beside each other make up one collider.
    ///
    /// Outlines may touch and cross each other and themselves. Where they share a segment of an
    /// edge, there is no gap and no edge between them, so that nothing snags.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # fn spawn_room(mut commands: Commands) -> Result {
    /// let square = |half: f32| {
    ///     [(-half, -half), (half, -half), (half, half), (-half, half)].map(Vec2::from)
    /// };
    /// // Four walls, and a pillar between them.
    /// let room = PolygonCollider::from_outlines([square(100.0), square(90.0), square(10.0)])?;
    /// commands.spawn((room, Solid));
    /// # Ok(())
    /// # }
    /// # App::new().add_systems(Startup, spawn_room);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no outline, if one has fewer than three points or one that is
    /// NaN or infinite, and if there is no area: if all of it is narrower than rounding, or if
    /// outlines cancel each other.
    pub fn from_outlines<Points: IntoIterator<Item = Vec2>>(
        outlines: impl IntoIterator<Item = Points>,
    ) -> Result<Self, PolygonError> {
        Polygon::from_outlines(outlines).map(Self::from)
    }

    /// A line through these points, as ground, as a thin wall, or around a world, up to `left`
    /// thick on its left side and `right` on its right side (with y up, seen along the line), both
    /// in world units before scale. If the last point is the first one, the line is closed. It is a
    /// polygon like others: movers neither pass it from a side nor start inside of it. The line may
    /// cross itself.
    ///
    /// A side without thickness is exactly the line. The border on a side with a thickness has
    /// mitre joints, which are cut where the line turns by more than 120 degrees. On the inner side
    /// of a bend between segments that are shorter than about the thickness, the line is thinner. A
    /// negative thickness counts as zero. For ground that is deep, take [`new`](Self::new) with the
    /// points of the surface and two more below it.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # fn spawn_hill(mut commands: Commands) -> Result {
    /// let surface = [(-90.0, 0.0), (-20.0, 0.0), (0.0, 12.0), (20.0, 0.0), (90.0, 0.0)];
    /// // Solid below a line that goes to the right.
    /// let hill = PolygonCollider::line(surface.map(Vec2::from), 0.0, 4.0)?;
    /// commands.spawn((hill, Solid));
    /// # Ok(())
    /// # }
    /// # App::new().add_systems(Startup, spawn_hill);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer than two points, if a number is NaN or infinite, and if
    /// there is no thickness.
    #[doc(alias("chain", "edge", "segment"))]
    pub fn line(
        points: impl IntoIterator<Item = Vec2>,
        left: f32,
        right: f32,
    ) -> Result<Self, PolygonError> {
        Polygon::line(points, left, right).map(Self::from)
    }

    /// The polygon, which other colliders may share. It can be cut and joined, in the local space
    /// of the entity:
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # fn dig(ground: &mut PolygonCollider, crater: &PolygonCollider) {
    /// if let Some(rest) = ground.polygon().difference(crater.polygon()) {
    ///     *ground = rest.into();
    /// }
    /// # }
    /// ```
    pub fn polygon(&self) -> &Arc<Polygon> {
        &self.polygon
    }
}

impl Deref for PolygonCollider {
    type Target = Polygon;

    fn deref(&self) -> &Polygon {
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
