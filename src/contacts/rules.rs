use bevy::prelude::*;

use crate::{
    index::{ColliderEntry, Parents, are_related},
    settings::CollisionSettings,
};

/// The rules by which two colliders make a pair.
pub(super) struct PairRules<'a, 'w, 's> {
    pub settings: &'a CollisionSettings,
    pub parents: &'a Parents<'w, 's>,
}

/// What keeps two colliders from making a pair, wherever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterReason {
    /// One of them does not look for the other.
    Layers,
    /// Nothing moves either of them.
    Walls,
    /// This mover carries both.
    SameBody(Entity),
    /// One of them is an ancestor of the other.
    Related,
}

impl PairRules<'_, '_, '_> {
    /// Whether two colliders may make one.
    #[inline]
    pub fn should_collide(&self, a: &ColliderEntry, b: &ColliderEntry) -> bool {
        self.filter_reason(a, b).is_none()
    }

    /// Why two colliders may not make one.
    #[inline]
    pub fn filter_reason(&self, a: &ColliderEntry, b: &ColliderEntry) -> Option<FilterReason> {
        let is_wall = |entry: &ColliderEntry| entry.role.is_wall() && !entry.role.is_swept;
        if !a.role.layers.interacts_with(b.role.layers) {
            Some(FilterReason::Layers)
        } else if is_wall(a) && is_wall(b) && !self.settings.solid_pairs {
            Some(FilterReason::Walls)
        } else if let Some(mover) = a.common_mover(b) {
            Some(FilterReason::SameBody(mover))
        } else {
            are_related(a, b, self.parents).then_some(FilterReason::Related)
        }
    }

    /// The distance below which they count as overlapping, in world units.
    #[inline]
    pub fn margin(&self, a: &ColliderEntry, b: &ColliderEntry) -> f32 {
        a.pair_margin(b, self.settings.valid_margin())
    }
}
