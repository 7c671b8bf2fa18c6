//! Polygons made of others: union, difference, intersection and offset.

use bevy::math::Vec2;
use i_triangle::i_overlay::core::overlay_rule::OverlayRule;

use super::{Polygon, area::Area};
use crate::aabb::intersects;

impl Polygon {
    /// What is in this polygon, in the other one, or in both. Both are in the same frame.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        // Its area is no smaller than that of either.
        (self.combined(other, OverlayRule::Union)).unwrap_or_else(|| self.clone())
    }

    /// What is in this polygon, but not in the other one, as if the other one were cut out of it:
    /// ground after an explosion. Both are in the same frame. `None` if nothing is left.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<Self> {
        if !self.is_near(other) {
            return Some(self.clone());
        }
        self.combined(other, OverlayRule::Difference)
    }

    /// What is in both polygons. Both are in the same frame. `None` if there is nothing.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        if !self.is_near(other) {
            return None;
        }
        self.combined(other, OverlayRule::Intersect)
    }

    fn is_near(&self, other: &Self) -> bool {
        intersects(&self.outline.bounds(), &other.outline.bounds())
    }

    fn combined(&self, other: &Self, rule: OverlayRule) -> Option<Self> {
        Self::of_area(&Area::combined(
            &self.to_outlines(),
            &other.to_outlines(),
            rule,
        ))
    }

    /// The polygon grown by a distance on all sides, holes shrunk by it; shrunk if the distance is
    /// negative. So where the center of a circle may be is a floor with the offset of minus its
    /// radius.
    ///
    /// Corners are round, with a vertex every 22.5 degrees, so that between these the polygon grows
    /// by up to 2% less. `None` if nothing is left, if the distance is not finite, and if it is so
    /// long that the polygon is narrower than rounding beside it.
    #[must_use]
    pub fn offset(&self, distance: f32) -> Option<Self> {
        Self::of_area(&Area::offset(&self.to_outlines(), distance)?)
    }

    fn to_outlines(&self) -> Vec<Vec<Vec2>> {
        self.outlines().map(<[Vec2]>::to_vec).collect()
    }
}
