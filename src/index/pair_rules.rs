//! The rules that decide which colliders collide.

use bevy::prelude::*;

use super::{
    entry::{ColliderEntry, are_related},
    hierarchy::Parents,
};
use crate::settings::CollisionSettings;

/// The rules that decide whether two colliders collide where they overlap.
pub(crate) struct PairRules<'a, 'w, 's> {
    pub settings: CollisionSettings,
    pub parents: &'a Parents<'w, 's>,
}

/// Why two colliders do not collide, wherever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterReason {
    /// The filters of one contain no layer of the other.
    Layers,
    /// One of them ignores the other.
    Ignored,
    /// Both are static walls.
    Walls,
    /// Both belong to the body of this mover.
    SameBody(Entity),
    /// One of them is an ancestor of the other.
    Related,
}

impl PairRules<'_, '_, '_> {
    /// Whether two colliders collide where they overlap.
    #[inline]
    pub fn should_collide(&self, a: &ColliderEntry, b: &ColliderEntry) -> bool {
        self.filter_reason(a, b).is_none()
    }

    /// Why two colliders do not collide, or `None` if they do where they overlap.
    #[inline]
    pub fn filter_reason(&self, a: &ColliderEntry, b: &ColliderEntry) -> Option<FilterReason> {
        let is_static_wall = |entry: &ColliderEntry| entry.role.is_wall() && !entry.role.is_swept;
        if !a.role.layers.interacts_with(b.role.layers) {
            Some(FilterReason::Layers)
        } else if a.ignores(b) {
            Some(FilterReason::Ignored)
        } else if is_static_wall(a) && is_static_wall(b) && !self.settings.solid_pairs {
            Some(FilterReason::Walls)
        } else if let Some(mover) = a.common_mover(b) {
            Some(FilterReason::SameBody(mover))
        } else {
            are_related(a, b, self.parents).then_some(FilterReason::Related)
        }
    }

    /// The distance below which two colliders count as overlapping, in world units.
    #[inline]
    pub fn margin(&self, a: &ColliderEntry, b: &ColliderEntry) -> f32 {
        a.pair_margin(b, self.settings.margin)
    }
}
